"""What an I/O costs, beside other tools: the cases, the tools, the page."""
