"""How a paper lies on its pages: lines, columns, parted tables, figures that float or fill a page."""
