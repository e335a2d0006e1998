"""Readings in, tables out: pure functions that read no files and no clock."""
