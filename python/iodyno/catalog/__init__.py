"""Virtual hardware: parts, each number with unit, source and kind, and the systems built of them."""
