"""The database, the pages and everything a person sees. Imports the engine, never the workers."""
