"""Runs and readings in SQLite; kept whole, and committed point by point."""
