"""The pages, one module an area."""
