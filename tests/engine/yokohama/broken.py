"""Ways to break Yokohama that once went unnoticed: (module, what is wrong then, the text, what stands in its place).
`make mutants` shows that they are noticed now."""

BROKEN = [
    (
        "areas",
        "the assistant for Church and Import Store must be in the area",
        "    if me.assistants or area.assistants[seat]:\n",
        "    if area.assistants[seat]:\n",
    ),
    (
        "areas",
        "the assistant for Church and Import Store never comes from the hand",
        '    if me.assistants:\n        sources.append(Option("hand"',
        '    if False:\n        sources.append(Option("hand"',
    ),
]
