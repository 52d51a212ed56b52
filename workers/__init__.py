"""All that happens while nobody is looking at a page."""
