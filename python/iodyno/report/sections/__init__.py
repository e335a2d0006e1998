"""The sections of the paper, one file each: a context in, blocks out."""
