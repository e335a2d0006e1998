"""Fitting: the unknown parameters of a part, found from the published figures of that part alone."""
