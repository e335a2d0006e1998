"""Validation: every published figure, what the lab says to it, and how far off it is."""
