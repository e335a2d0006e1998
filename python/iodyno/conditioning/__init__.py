"""Conditioning: filling and loading targets up to a steady state, and whether that still holds."""
