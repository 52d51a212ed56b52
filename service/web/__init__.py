"""The pages: the only room that knows Flask."""
