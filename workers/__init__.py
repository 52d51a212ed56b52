"""What happens while nobody is looking at a page: adjudicator, courier, timekeeper; and the commands that run it."""
