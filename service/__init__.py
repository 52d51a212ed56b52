"""The database and the pages."""
