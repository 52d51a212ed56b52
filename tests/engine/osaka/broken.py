"""Ways to break Osaka that once went unnoticed: (module, what is wrong then, the text, what stands in its place).
`make mutants` shows that they are noticed now."""

BROKEN = [
    ("turn", "the count of passes is never reset", "        state.passes = 0\n", "        pass\n"),
]
