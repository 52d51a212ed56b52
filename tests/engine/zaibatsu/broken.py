"""Rules that were once broken without any test of Zaibatsu noticing, for `make mutants`: module, what is broken, what
stands there, and what would stand there instead."""

DEPARTMENTS = "    yield from _departments(state, seat, board)\n"
INCOME = "    _income(state, seat, board)\n"

BROKEN = [
    ("actions", "four activations, of Machines", "len(used) >= MOST", "len(used) > MOST"),
    ("actions", "four activations, of Production", "len(done) < MOST", "len(done) <= MOST"),
    ("actions", "four activations, of Ships", "sent < MOST", "sent <= MOST"),
    ("actions", "four activations, of Trains", "len(regions) < MOST", "len(regions) <= MOST"),
    ("markets", "four activations, of Local Markets", "range(MOST)", "range(MOST + 1)"),
    ("investment", "four activations, of Investment", "len(spent) < MOST", "len(spent) <= MOST"),
    ("pieces", "without the limit of 6 ships", "board.ships == PIECES", "False"),
    ("pieces", "without the limit of 6 machines", "board.machines == PIECES", "False"),
    ("pieces", "without the limit of 6 trains", ".trains == PIECES", ".trains == 99"),
    ("factories", "without the limit of 6 factories", "len(board.factories) >= state.box.slots", "False"),
    (
        "turn",
        "without the limit of 6 workers",
        "    if len(board.workers) < WORKER_ROOM:\n        options = _actions",
        "    if True:\n        options = _actions",
    ),
    ("rounds", "solo final rounds of 3 turns in all", "FINAL_ROUNDS * state.sides", "FINAL_ROUNDS * state.players"),
    ("setup", "factories not random", 'state.shuffled("1234")', '"1234"'),
    ("setup", "demand tiles not turned", "state.shuffled(range(SIDES))[0]", "0"),
    ("investment", "the same good twice in Investment", "good not in spent and ", ""),
    ("consolidation", "income before departments", DEPARTMENTS + INCOME, INCOME + DEPARTMENTS),
    ("state", "the second VP value paid in solo", "if state.sides == 2:", "if state.players == 2:"),
]
