"""What happens to a game: turns, clocks, lateness, rulings. Knows no page and no Flask."""
