"""Solo mode: the Automa's turn. It returns workers, lays trains and places influence; it decides nothing."""

from engine.scene import LAST_REVEAL, Scene
from engine.zaibatsu.box import COLOURS, SIDES, AutomaActionRow
from engine.zaibatsu.markets import beats, lowest_sides, place
from engine.zaibatsu.rounds import finish_turn
from engine.zaibatsu.state import AUTOMA, Automa, Zaibatsu, influence

LEFT_TO_RIGHT = {3: 0, 0: 1, 2: 2, 1: 3}


def automa_turn(state: Zaibatsu) -> Scene:
    """Steps A to D of the Automa's turn."""
    automa = state.automa
    assert automa is not None
    state.turn += 1
    yield LAST_REVEAL
    token = state.box.automa_action[automa.pile.pop()]
    automa.revealed.append(token.id)
    state.tell("zaibatsu.automa.revealed", token=token.id)
    space = _space(state, token)
    if space is not None:
        _return_worker(state, automa, space)
    action = _action(state, automa, token, space)
    if action == "trains":
        _lay_train(state, automa)
    elif action == "markets":
        _serve_market(state, automa)
    if not automa.pile:
        automa.priority = state.shuffled(COLOURS)
        automa.pile = state.shuffled(state.box.automa_action)
        automa.revealed = []
        state.tell("zaibatsu.automa.reshuffled")
    finish_turn(state)


def _space(state: Zaibatsu, token: AutomaActionRow) -> int | None:
    """Step B: the hiring space shown; by the Workers icon the fullest, ties to the side of the arrow."""
    if not token.arrow:
        return token.space if state.hiring[token.space] else None
    most = max(map(len, state.hiring))
    if not most:
        return None
    fullest = [at for at, workers in enumerate(state.hiring) if len(workers) == most]
    return fullest[0] if token.arrow == "left" else fullest[-1]


def _return_worker(state: Zaibatsu, automa: Automa, space: int) -> None:
    workers = state.hiring[space]
    colour = next(colour for colour in automa.priority if colour in workers)
    workers.remove(colour)
    state.bag.append(colour)
    state.tell("zaibatsu.automa.returned", colour=colour, n=space + 1)


def _action(state: Zaibatsu, automa: Automa, token: AutomaActionRow, space: int | None) -> str:
    """Step C. A token with the Workers icon acts only up to the difficulty, which is the number of Solo Goals."""
    if not token.arrow:
        return token.action
    if space is None or token.level > len(automa.goals):
        return ""
    return next((a for a in ("trains", "markets") if a in state.box.spaces[space]), "")


def regions_in_order(state: Zaibatsu, automa: Automa) -> list[int]:
    """Determining a Region: by priority, first those where the Automa does not lead the player, then the others."""
    by_priority = [automa.colours.index(colour) for colour in automa.priority if colour in automa.colours]
    totals = [influence(state, region)[0] for region in range(len(automa.colours))]
    behind = [region for region in by_priority if totals[region][AUTOMA] <= totals[region][0]]
    return behind + [region for region in by_priority if region not in behind]


def _lay_train(state: Zaibatsu, automa: Automa) -> None:
    """Trains Action: on the topmost empty space."""
    if not automa.trains:
        return
    for region in regions_in_order(state, automa):
        for space in range(state.train_spaces):
            if state.trains[region][space] is None:
                state.trains[region][space] = AUTOMA
                automa.trains -= 1
                state.tell("zaibatsu.laid.automa", place=state.box.regions[region])
                return


def _serve_market(state: Zaibatsu, automa: Automa) -> None:
    """Local Markets Action, step 1: the row of this period, or a later one."""
    for period in range(state.period, len(automa.rows)):
        if automa.rows[period]:
            _place_lowest(state, automa, period)
            return


def _place_lowest(state: Zaibatsu, automa: Automa, row: int) -> None:
    """Step 2: the leftmost token of the row, for either good of the row's level."""
    value = automa.rows[row][0]
    goods = [good for good, level in state.box.level.items() if level == row + 1]
    for region in regions_in_order(state, automa):
        spot = best_space(state, region, value, goods)
        if spot:
            city, side, leaves = spot
            automa.rows[row].pop(0)
            place(state, AUTOMA, city, side, value, leaves)
            return


def best_space(state: Zaibatsu, region: int, value: int, goods: list[str]) -> tuple[int, int, int | None] | None:
    """Where the Automa places in this region: it drives out the player's highest token it can, else covers the highest
    printed value; the leftmost of equals. (city, side, side whose token leaves) or None."""
    found = []
    for at in (2 * region, 2 * region + 1):
        city = state.cities[at]
        for side in range(SIDES):
            if city.goods[side] not in goods or value <= beats(city, side, state.sides):
                continue
            there = city.tokens[side]
            leaving = [side] if there is not None else lowest_sides(city, state.sides)
            theirs = [s for s in leaving if (token := city.tokens[s]) is not None and token.owner != AUTOMA]
            if leaving and not theirs:
                continue
            leaves = theirs[0] if theirs else None
            driven = 0
            if leaves is not None and (token := city.tokens[leaves]) is not None:
                driven = token.value
            rank = (-driven, -state.box.overseas[at][side], at, LEFT_TO_RIGHT[side])
            found.append((rank, at, side, leaves))
    if not found:
        return None
    _, at, side, leaves = min(found)
    return at, side, leaves
