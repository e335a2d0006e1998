"""The white paper: from an analysed run to HTML and PDF. It computes no number."""
