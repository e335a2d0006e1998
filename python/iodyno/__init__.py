"""iodyno, the test stand for storage."""
