"""A turn: choose a Place and play an Influence card, take a Level 5 bonus, build; and the same once more, inside the
turn, for every Foreign Trader that is called. Also what comes after what."""

from collections.abc import Callable
from functools import cache
from typing import Any

from engine.duel.box import PLACES
from engine.duel.free import Offer, menu, unfulfilled
from engine.duel.gains import Thing, Things, Words, gain, gain_yen, in_words
from engine.duel.places import act
from engine.duel.rounds import change_of_round, dealing
from engine.duel.scoring import result
from engine.duel.state import (
    BONUS_LEVEL,
    BUILDING_LEVEL,
    ROUNDS,
    SHOP_PRICE,
    SHOPS,
    TRADER_LEVEL,
    TURNS,
    Duel,
    Visit,
    cards_in_hand,
    house_owner,
    levels_in_hand,
    lowest_first,
    occupied,
    ready,
    rewards_at,
    standing_influence,
    ways_in,
    what_it_gives,
    yields,
)
from engine.scene import REVEAL, Blocked, Message, Option, Scene, ask, later

END = Option("end", Message("duel.end"))

GIVES = {
    "church": "faith",
    "customs": "flips",
    "chinatown": "exchanges",
    "bank": "yen",
    "laboratory": "production",
    "port": "looks",
}


def next_scene(state: Duel) -> Scene | None:
    if state.step == "turn":
        return turn(state)
    if state.step == "dealing":
        return dealing(state)
    return change_of_round(state) if state.step == "improving" else None


def turn(state: Duel) -> Scene:
    """Course of a turn."""
    state.turn += 1
    seat = state.current
    player = state.seats[seat]
    if "stock_exchange" in player.technologies and player.yen <= 1:
        gain_yen(state, seat, 1, "stock_exchange")
    visit = state.visit = Visit()
    _, visit.place, way = yield from moment(
        state, seat, "duel.turn", lambda: _places(state, seat), card=_card_to_play(state, seat)
    )
    if way:
        player.tilted.append(way)
        state.tell("duel.used", seat=seat, card=way)
    yield from _action(state, seat, visit)
    state.visit = None
    state.current = 1 - seat
    if state.turn % (2 * TURNS) == 0:
        if state.round == ROUNDS and not state.open:
            yield REVEAL  # church cards are turned face up for the scoring
        state.step = "improving" if state.round < ROUNDS else "over"
        if state.step == "over":
            best = result(state).ranking
            state.tell("duel.over", seats=[each.seat for each in best if each.place == 1], vp=best[0].score)


def _action(state: Duel, seat: int, visit: Visit) -> Scene:
    """The three steps, once the place is chosen."""
    _rent(state, visit.place)
    visit.step = "influence"
    visit.influence = yield from _influence(state, seat, visit)
    visit.step = "act"
    yield from act(state, seat, visit.place, visit.influence, moment)
    if visit.influence >= BONUS_LEVEL and state.bonus_row:
        visit.step = "bonus"
        yield from _bonus(state, seat, visit)
    visit.step = "build"
    yield from _build(state, seat, visit)


def moment(
    state: Duel, seat: int, prompt: str, offer: Callable[[], Offer], /, *, way_on: str = "", **args: Any
) -> Scene:
    """A moment at which free actions can be taken: between two steps, inside a place's action, inside a trader's."""
    while (choice := (yield from menu(state, seat, prompt, offer, way_on=way_on, **args))) == "trader":
        yield from _call_trader(state, seat)
    return choice


def _call_trader(state: Duel, seat: int) -> Scene:
    """Free action C: a whole action with influence 3, on any place, which it does not occupy. Played to its end, then
    goes on what it was called in."""
    within, visit = state.errand, Visit(trader=True)
    state.errand = visit
    options = {place: _go(state, seat, place, "", TRADER_LEVEL) for place in PLACES}
    _, visit.place, _ = yield ask(seat, "duel.trader.place", list(options.values()), options["bank"].id)
    state.seats[seat].traders -= 1
    yield from _action(state, seat, visit)
    state.errand = within


def _card_to_play(state: Duel, seat: int) -> Words:
    """Which card is going to be played, as part of a sentence."""
    if not lowest_first(state, seat):
        return {"key": "duel.card_to_play.any", "args": {}}
    return {"key": "duel.card_to_play", "args": {"level": levels_in_hand(state, state.seats[seat])[0]}}


def _places(state: Duel, seat: int) -> Offer:
    """Step 1: any place without an Influence card; a technology may open one that has."""
    player = state.seats[seat]
    level = levels_in_hand(state, player)[0]
    taken = occupied(state)
    options, blocked, default = [], [], ""
    for place in PLACES:
        if place not in taken:
            options.append(_go(state, seat, place, "", level))
            if place == "bank" or not default:
                default = options[-1].id
            continue
        ways = ways_in(state, seat, place)
        options += [_go(state, seat, place, way, level) for way in ways]
        if not ways:
            blocked.append(_occupied_by(place, 0 if place in state.seats[0].played else 1))
    return options, default, blocked


def _go(state: Duel, seat: int, place: str, way: str, level: int) -> Option:
    """Going and what is played there are one thought, where there is a choice of Help and not of cards."""
    player = state.seats[seat]
    influence = level + standing_influence(state, seat, place)
    helped = any(player.help) or (ready(player, "telephone") and bool(player.yen or place in player.houses))
    leads = helped and lowest_first(state, seat)
    return _go_option(place, way, influence, *_effect(state, seat, place, influence), leads)


@cache
def _go_option(place: str, way: str, influence: int, gain: Thing, rent: str, leads: bool) -> Option:
    return Option(
        f"{place}.{way}" if way else place,
        Message(f"duel.go.{way}" if way else "duel.go", {"place": place}),
        _brings(influence, gain, rent),
        (f"place:{place}",),
        means=("go", place, way),
        leads=leads,
    )


@cache
def _occupied_by(place: str, by: int) -> Blocked:
    return Blocked(Message("duel.go", {"place": place}), Message("duel.why.occupied", {"by": by}))


def _effect(state: Duel, seat: int, place: str, influence: int) -> tuple[Thing, str]:
    """What a place would give, or why it gives nothing, and whose rent would be due, for an option's hint."""
    rent = "own_rent" if place in state.seats[seat].houses else "rent" if place in state.seats[1 - seat].houses else ""
    if n := what_it_gives(state, seat, place, influence):
        return (GIVES.get(place, place), n), rent
    if yields(state, place, influence):
        return ("no_imports", 0), rent
    return ("too_low", state.box.least[place]), rent


def _brings(influence: int, gain: Thing, rent: str) -> Message:
    """What a choice brings."""
    brings = [gain]
    if rent:
        brings.append((rent, 0))
    if influence >= BONUS_LEVEL:
        brings.append(("bonus", rewards_at(influence)))
    if influence >= BUILDING_LEVEL:
        brings.append(("building", 0))
    return Message("duel.hint.at", {"influence": influence, "gains": in_words(brings)})


def _rent(state: Duel, place: str) -> None:
    """The owner of a trading house on a chosen place gets 1 yen, whoever chose it: in time for the Telephone, but told
    after the visit."""
    owner = house_owner(state, place)
    if owner is not None:
        state.seats[owner].yen += 1


def _influence(state: Duel, seat: int, visit: Visit) -> Scene:
    """Play a card, the lowest unless the Postal System is used, with at most one Help card; returns the influence."""
    player, place = state.seats[seat], visit.place
    cards = {TRADER_LEVEL: -1} if visit.trader else cards_in_hand(state, player)
    lowest = next(iter(cards))
    options = _ways_to_play(state, seat, visit, cards)
    level, size, phone, influence = yield ask(seat, "duel.influence", options, options[0].id, place=place)
    if not visit.trader:
        player.played[cards[level]] = place
        if level != lowest:
            player.tilted.append("post")
            state.tell("duel.used", seat=seat, card="post")
    if size:
        player.help[size - 1] -= 1
        state.tell("duel.helped", seat=seat, help=size)
    if phone:
        player.yen -= 1
        player.tilted.append("telephone")
        state.tell("duel.phoned", seat=seat)
    state.tell("duel.sent" if visit.trader else "duel.went", seat=seat, place=place, influence=influence)
    owner = house_owner(state, place)
    if owner is not None:
        state.tell("duel.yen.rent", seat=owner)
    return influence


def _ways_to_play(state: Duel, seat: int, visit: Visit, cards: dict[int, int]) -> list[Option]:
    """Each card that may be played, alone, with a Help card, with a call on the Telephone, or with both. With a choice
    of cards an option lies on its card, else on the place."""
    player, place = state.seats[seat], visit.place
    if visit.trader or lowest_first(state, seat):
        spots = {next(iter(cards)): f"place:{place}"}
    else:
        spots = {level: f"influence:{card}" for level, card in cards.items()}
    standing = standing_influence(state, seat, place)
    telegraph = "telegraph" in player.technologies
    phones = (False, True) if player.yen and ready(player, "telephone") else (False,)
    options = []
    for level, spot in spots.items():
        for size in (0, 1, 2):
            if size and not player.help[size - 1]:
                continue
            for phone in phones:
                influence = level + standing + phone + (size + telegraph if size else 0)
                effect = _effect(state, seat, place, influence)
                options.append(_play_option(level, size, phone, visit.trader, influence, *effect, spot))
    return options


@cache
def _play_option(
    level: int, size: int, phone: bool, trader: bool, influence: int, gain: Thing, rent: str, spot: str
) -> Option:
    key = "duel.play.trader" if trader else "duel.play.card"
    args: dict[str, int] = {"level": level}
    if size:
        key += ".help"
        args["help"] = size
    if phone:
        key += ".phone"
    return Option(
        f"{level}+{size}t" if phone else f"{level}+{size}",
        Message(key, args),
        _brings(influence, gain, rent),
        (spot,),
        means=(level, size, phone, influence),
    )


def _bonus(state: Duel, seat: int, visit: Visit) -> Scene:
    """Step 2: at influence 5 the first reward of a face-up card, at 6 the first two, from 7 on all three."""
    box, n = state.box, rewards_at(visit.influence)

    def cards() -> Offer:
        options = [option for card in state.bonus_row for option in _bonus_options(state, seat, card, n)]
        return options, options[0].id, []

    _, card, flips_last = yield from moment(state, seat, "duel.bonus.which", cards, n=n)
    state.tell("duel.bonus.took", seat=seat, n=n)
    rewards = box.bonus_rewards[card][:n]
    for reward in sorted(rewards, key=_flips) if flips_last else rewards:
        yield from gain(state, seat, reward, "bonus")
    at = state.bonus_row.index(card)
    yield REVEAL
    state.bonus_discard.append(card)
    if not state.bonus_deck:
        state.bonus_deck, state.bonus_discard = state.shuffled(state.bonus_discard), []
    state.bonus_row[at] = state.bonus_deck.pop()
    state.tell("duel.bonus.turned", gains=in_words(_all_of(box.bonus_rewards[state.bonus_row[at]])))


def _bonus_options(state: Duel, seat: int, card: str, n: int) -> list[Option]:
    """A card's rewards come as printed. Their order is the player's choice where it matters: where a flip comes before
    the import that it could turn over."""
    rewards = state.box.bonus_rewards[card][:n]
    lost = sum(reward.get("flips", 0) for reward in rewards) - state.seats[seat].imports
    if lost <= 0:
        return [_bonus_option(card, _all_of(rewards), flips_last=False, in_vain=False)]
    reordered = sorted(rewards, key=_flips)
    in_vain = _bonus_option(card, _all_of(rewards), flips_last=False, in_vain=True)
    if reordered == rewards or not any("imports" in reward for reward in rewards):
        return [in_vain]
    return [_bonus_option(card, _all_of(reordered), flips_last=True, in_vain=False), in_vain]


def _flips(reward: dict[str, int]) -> bool:
    return "flips" in reward


def _all_of(rewards: list[dict[str, int]]) -> Things:
    return tuple(thing for reward in rewards for thing in reward.items())


@cache
def _bonus_option(card: str, gains: Things, *, flips_last: bool, in_vain: bool) -> Option:
    return Option(
        f"bonus.{card}.flips_last" if flips_last else f"bonus.{card}",
        Message("duel.bonus", {"gains": in_words(gains)}),
        Message("duel.hint.bonus.flips_last") if flips_last else Message("duel.hint.bonus.in_vain") if in_vain else None,
        (f"bonus:{card}",),
        means=("bonus", card, flips_last),
    )


def _build(state: Duel, seat: int, visit: Visit) -> Scene:
    """Step 3: one building, from influence 4 on; then the last moment for free actions."""
    player, place = state.seats[seat], visit.place
    why_not = "influence" if visit.influence < BUILDING_LEVEL else ""

    def buildings() -> Offer:
        if why_not:
            return [END], END.id, later(_left_undone, state, seat, place, why_not)
        return _buildings(state, seat, place)

    while True:
        prompt = "duel.finish" if why_not or len(buildings()[0]) == 1 else "duel.build"
        choice = yield from moment(state, seat, prompt, buildings, way_on=END.id, place=place)
        if choice == "end":
            return
        why_not = "built"
        if choice == "shop":
            player.yen -= SHOP_PRICE
            player.shops.append(place)
        else:
            player.yen -= state.box.house_price[len(player.houses)]
            player.houses.append(place)
        state.tell(f"duel.built.{choice}", seat=seat, place=place)


def _buildings(state: Duel, seat: int, place: str) -> Offer:
    player, prices = state.seats[seat], state.box.house_price
    options, blocked = [], []
    if place in player.shops:
        blocked.append(_cannot_build("shop", place, "own_shop"))
    elif len(player.shops) == SHOPS:
        blocked.append(_cannot_build("shop", place, "no_shop_left"))
    elif player.yen < SHOP_PRICE:
        blocked.append(_cannot_build("shop", place, "yen", SHOP_PRICE))
    else:
        options.append(_shop(place))
    if house_owner(state, place) is not None:
        blocked.append(_cannot_build("house", place, "house_there"))
    elif len(player.houses) == len(prices):
        blocked.append(_cannot_build("house", place, "no_house_left"))
    elif player.yen < (price := prices[len(player.houses)]):
        blocked.append(_cannot_build("house", place, "yen", price))
    else:
        options.append(_house(place, price))
    options.append(END)
    return options, END.id, blocked


def _left_undone(state: Duel, seat: int, place: str, why_not: str) -> list[Blocked]:
    """Why nothing can be built, and what is missing for the orders in hand."""
    least = BUILDING_LEVEL if why_not == "influence" else 0
    return [*(_cannot_build(each, place, why_not, least) for each in ("shop", "house")), *unfulfilled(state, seat)]


def _shop(place: str) -> Option:
    return Option("shop", Message("duel.shop", {"place": place}), Message("duel.hint.shop"), (f"lot:{place}:shop",))


def _house(place: str, price: int) -> Option:
    label, hint = Message("duel.house", {"place": place}), Message("duel.hint.house", {"price": price})
    return Option("house", label, hint, (f"lot:{place}:house",))


def _cannot_build(building: str, place: str, reason: str, n: int = 0) -> Blocked:
    args = {"n" if reason == "influence" else "price": n} if n else {}
    return Blocked(Message(f"duel.{building}", {"place": place}), Message(f"duel.why.{reason}", args))
