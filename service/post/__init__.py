"""What is said to people, and how: letters, words, times. Knows no page and no Flask."""
