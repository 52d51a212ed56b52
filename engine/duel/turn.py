"""A turn: choose a Place and play an Influence card, take a Level 5 bonus, build; and the same once more, inside the
turn, for every Foreign Trader that is called. Also what comes after what."""

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Any

from engine.duel.box import PLACES, Box
from engine.duel.free import Hint, Offer, free_actions, fulfil, recruit, recruitable, spin, unfulfilled
from engine.duel.gains import Things, Words, gain, gain_yen, in_words
from engine.duel.numbers import (
    BONUS_LEVEL,
    BUILDING_LEVEL,
    CALL_PRICE,
    EXCHANGE_BELOW,
    EXCHANGE_YEN,
    HELPS,
    RENT,
    ROUNDS,
    SHOP_PRICE,
    SHOPS,
    TRADER_LEVEL,
    TURNS,
)
from engine.duel.places import act
from engine.duel.prospects import if_fulfilled, if_visited, in_one
from engine.duel.rounds import change_of_round, dealing
from engine.duel.scoring import result
from engine.duel.state import (
    Duel,
    Visit,
    cards_in_hand,
    house_owner,
    lowest_first,
    lowest_in_hand,
    might_fulfil,
    occupied,
    ready,
    rewards_at,
    standing_influence,
    ways_in,
)
from engine.scene import LAST_REVEAL, REVEAL, Blocked, Decision, Message, Option, Scene, ask, later

END = Option("end", Message("duel.end"), Message("duel.hint.end"))
END_OF_ERRAND = Option("end", Message("duel.end"), Message("duel.hint.end.trader"))
TRADER = {TRADER_LEVEL: -1}  # in place of cards
VISIT: Words = {"key": "duel.visit", "args": {}}
VISIT_OF_TRADER: Words = {"key": "duel.visit.trader", "args": {}}

Way = tuple[int, int, bool, int]  # how a card is played: its level, with which Help, with a call, and the influence


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
    if "stock_exchange" in player.technologies and player.yen < EXCHANGE_BELOW:
        gain_yen(state, seat, EXCHANGE_YEN, "stock_exchange")
    visit = state.visit = Visit()
    cards = cards_in_hand(state, player)
    lowest = next(iter(cards))
    _, visit.place, way = yield from moment(
        state,
        seat,
        "duel.turn",
        _places,
        hint=_if_gone,
        card=_card_to_play(lowest if lowest_first(state, seat) else None),
    )
    if way:
        player.tilted.append(way)
        state.tell("duel.used", seat=seat, card=way)
    yield from _action(state, seat, visit, cards)
    if state.used_bonus:
        yield LAST_REVEAL
        _turn_up(state)
    state.visit = None
    state.current = 1 - seat
    if state.turn % (2 * TURNS) == 0:
        if state.round == ROUNDS and not state.open:
            yield LAST_REVEAL  # church cards are turned face up for the scoring
        state.step = "improving" if state.round < ROUNDS else "over"
        if state.step == "over":
            best = result(state).ranking
            state.tell("duel.over", seats=[each.seat for each in best if each.place == 1], vp=best[0].score)


def _action(state: Duel, seat: int, visit: Visit, cards: Mapping[int, int]) -> Scene:
    """The three steps, once the place is chosen. `cards`: by level, those that there are to play."""
    _rent(state, visit.place)
    visit.step = "influence"
    ways = _ways_to_play(state, seat, visit, cards)
    way = ways[0].meaning
    if len(ways) > 1:
        hints = later(_if_played, state, seat, visit.place)
        way = yield ask(seat, "duel.influence", ways, ways[0].id, hints=hints, place=visit.place)
    visit.influence = _play(state, seat, visit, cards, way)
    visit.step = "act"
    if asking := act(state, seat, visit.place, visit.influence, moment):
        yield from asking
    if visit.influence >= BONUS_LEVEL and state.bonus_row:
        visit.step = "bonus"
        yield from _bonus(state, seat, visit)
    visit.step = "build"
    if visit.influence < BUILDING_LEVEL or (yield from _build(state, seat, visit)):
        yield from _last_moment(state, seat, visit, "duel.finish", _only_end)


def moment(
    state: Duel,
    seat: int,
    prompt: str,
    offer: Callable[[Duel, int], Offer],
    /,
    *,
    way_on: str = "",
    hint: Hint | None = None,
    **args: Any,
) -> Scene:
    """A moment at which free actions can be taken: between two steps, inside a place's action, inside a trader's. Asks
    until something else is chosen. Which orders are in hand is hidden, so the question is put whenever the table might
    think that one could be fulfilled."""
    player = state.seats[seat]
    while True:
        options, default, blocked = offer(state, seat)
        options += free_actions(state, seat)
        secret = len(options) == 1
        if secret and not might_fulfil(state, player):
            return options[0].meaning
        if state.used_bonus:
            options.append(_see_bonus(state.used_bonus))
        said = later(_hint, state, seat, hint)
        # What `ask` would make, which takes its named arguments apart and puts them together again.
        choice = yield Decision(seat, prompt, options, default, args, blocked, secret, main=way_on, _hints=said)
        match choice:
            case ("fulfil", card):
                yield from fulfil(state, seat, card)
            case ("recruit", criterion):
                recruit(state, seat, criterion)
            case tuple():  # of the question itself, like most that is chosen
                return choice
            case "spin":
                spin(state, seat)
            case "trader":
                yield from _call_trader(state, seat)
            case "see":
                yield REVEAL
                _turn_up(state)
            case _:
                return choice


def _hint(state: Duel, seat: int, hint: Hint | None, meaning: Any) -> Message | None:
    """What is told of an order that can be fulfilled, and by the question of its own cards and places."""
    match meaning:
        case ("fulfil", card):
            return if_fulfilled(state, seat, card)
        case (_, *_) if hint:
            return hint(state, seat, meaning)
    return None


def _call_trader(state: Duel, seat: int) -> Scene:
    """Free action C: a whole action with influence 3, on any place, which it does not occupy. Played to its end, then
    goes on what it was called in. Without one at hand one is recruited for it."""
    player, within, visit = state.seats[seat], state.errand, Visit(trader=True)
    if not player.traders:
        recruit(state, seat, recruitable(state, player)[0])
    outer = within or state.visit
    state.errand = visit
    options = list(_going(state, seat).values())
    hints = later(_if_gone, state, seat)
    _, visit.place, _ = yield ask(seat, "duel.trader.place", options, "bank", hints=hints)
    player.traders -= 1
    yield from _action(state, seat, visit, TRADER)
    state.errand = within
    if outer and outer.step == "bonus" and state.used_bonus:
        yield REVEAL
        _turn_up(state)


@cache
def _card_to_play(lowest: int | None) -> Words:
    """Which card is going to be played, as part of a sentence; None where there is a choice."""
    if lowest is None:
        return {"key": "duel.card_to_play.any", "args": {}}
    return {"key": "duel.card_to_play", "args": {"level": lowest}}


def _places(state: Duel, seat: int) -> Offer:
    """Step 1: any place without an Influence card; a technology may open one that has."""
    player = state.seats[seat]
    taken = occupied(state)
    options = []
    for place, going in _going(state, seat).items():
        if place not in taken:
            options.append(going)
        elif player.technologies:
            for way in ways_in(state, seat, place):
                options.append(_go(place, way, going.leads))
    default = "bank" if "bank" not in taken else next(place for place in PLACES if place not in taken)
    return options, default, later(_shut, state, seat, taken)


def _shut(state: Duel, seat: int, taken: set[str]) -> list[Blocked]:
    """The places that are occupied, and by whom."""
    return [
        _occupied_by(place, 0 if place in state.seats[0].played else 1)
        for place in PLACES
        if place in taken and not ways_in(state, seat, place)
    ]


def _going(state: Duel, seat: int) -> Mapping[str, Option]:
    """To each place. Going and what is played there are one thought where there is a choice of Help and not of cards.
    The Telephone can be paid with what one's own trading house there earns."""
    player = state.seats[seat]
    if not lowest_first(state, seat):
        return GO
    if any(player.help) or (player.yen >= CALL_PRICE and ready(player, "telephone")):
        return GO_AND_PLAY
    if ready(player, "telephone"):
        return GO | {place: GO_AND_PLAY[place] for place in player.houses}
    return GO


@cache
def _go(place: str, way: str, leads: bool) -> Option:
    label = Message(f"duel.go.{way}" if way else "duel.go", {"place": place})
    return Option(f"{place}.{way}" if way else place, label, None, (f"place:{place}",), ("go", place, way), leads)


GO = {place: _go(place, "", leads=False) for place in PLACES}
GO_AND_PLAY = {place: _go(place, "", leads=True) for place in PLACES}


def _if_gone(state: Duel, seat: int, choice: tuple[str, str, str]) -> Message:
    """What the lowest card would bring there, or the trader just called."""
    _, place, _ = choice
    calling = state.errand and not state.errand.place
    level = TRADER_LEVEL if calling else lowest_in_hand(state, state.seats[seat])
    told = if_visited(state, seat, place, level + standing_influence(state, seat, place))
    if calling or lowest_first(state, seat):
        return told
    return in_one(Message("duel.hint.lowest", {"level": level}), told)


@cache
def _occupied_by(place: str, by: int) -> Blocked:
    return Blocked(Message("duel.go", {"place": place}), Message("duel.why.occupied", {"by": by}))


def _rent(state: Duel, place: str) -> None:
    """The owner of a trading house on a chosen place gets 1 yen, whoever chose it: in time for the Telephone, but told
    after the visit."""
    owner = house_owner(state, place)
    if owner is not None:
        state.seats[owner].yen += RENT


def _play(state: Duel, seat: int, visit: Visit, cards: Mapping[int, int], way: Way) -> int:
    """Play a card, the lowest unless the Postal System is used, with at most one Help card; returns the influence."""
    player, place = state.seats[seat], visit.place
    level, size, phone, influence = way
    if not visit.trader:
        player.played[cards[level]] = place
        if level != next(iter(cards)):
            player.tilted.append("post")
            state.tell("duel.used", seat=seat, card="post")
    if size:
        player.help[size - 1] -= 1
        state.tell("duel.helped", seat=seat, help=size)
    if phone:
        player.yen -= CALL_PRICE
        player.tilted.append("telephone")
        state.tell("duel.phoned", seat=seat)
    state.tell("duel.sent" if visit.trader else "duel.went", seat=seat, place=place, influence=influence)
    owner = house_owner(state, place)
    if owner is not None:
        state.tell("duel.yen.rent", seat=owner)
    return influence


def _ways_to_play(state: Duel, seat: int, visit: Visit, cards: Mapping[int, int]) -> list[Option]:
    """Each card that may be played, alone, with a Help card, with a call on the Telephone, or with both. With a choice
    of cards an option lies on its card, else on the place."""
    player, place = state.seats[seat], visit.place
    if visit.trader or lowest_first(state, seat):
        spots = {next(iter(cards)): f"place:{place}"}
    else:
        spots = {level: f"influence:{card}" for level, card in cards.items()}
    standing = standing_influence(state, seat, place)
    telegraph = "telegraph" in player.technologies
    phones = (False, True) if player.yen >= CALL_PRICE and ready(player, "telephone") else (False,)
    options = []
    for level, spot in spots.items():
        for size in (0, *HELPS):
            if size and not player.help[size - 1]:
                continue
            for phone in phones:
                influence = level + standing + phone + (size + telegraph if size else 0)
                options.append(_way_to_play(level, size, phone, influence, spot, visit.trader))
    return options


def _if_played(state: Duel, seat: int, place: str, choice: Way) -> Message:
    *_, phone, influence = choice
    return if_visited(state, seat, place, influence, call=phone)


@cache
def _way_to_play(level: int, size: int, phone: bool, influence: int, spot: str, trader: bool) -> Option:
    key = "duel.play.trader" if trader else "duel.play.card"
    args: dict[str, int] = {"level": level}
    if size:
        key += ".help"
        args["help"] = size
    if phone:
        key += ".phone"
    id = f"{level}+{size}t" if phone else f"{level}+{size}"
    return Option(id, Message(key, args), None, (spot,), (level, size, phone, influence))


def _bonus(state: Duel, seat: int, visit: Visit) -> Scene:
    """Step 2: at influence 5 the first reward of a face-up card, at 6 the first two, from 7 on all three."""
    if state.used_bonus:
        yield REVEAL
        _turn_up(state)
    n = rewards_at(visit.influence)
    _, card, flips_last = yield from moment(state, seat, "duel.bonus.which", _bonus_cards, n=n)
    state.tell("duel.bonus.took", seat=seat, n=n)
    rewards = state.box.bonus_rewards[card][:n]
    for reward in sorted(rewards, key=_flips) if flips_last else rewards:
        yield from gain(state, seat, reward, "bonus")
    state.used_bonus = card


def _bonus_cards(state: Duel, seat: int) -> Offer:
    box, n, imports = state.box, rewards_at(state.acting.influence), state.seats[seat].imports
    options = [option for card in state.bonus_row for option in _bonus_options(box, card, n, imports)]
    return options, options[0].id, []


def _turn_up(state: Duel) -> None:
    """A new bonus card in place of the one that was used. Whoever used it sees it as soon as they like, and at the
    latest when another is taken or the turn ends: until then nothing hidden was shown, and all can be taken back."""
    used = state.used_bonus
    at, state.used_bonus = state.bonus_row.index(used), ""
    state.bonus_discard.append(used)
    if not state.bonus_deck:
        state.bonus_deck, state.bonus_discard = state.shuffled(state.bonus_discard), []
    state.bonus_row[at] = state.bonus_deck.pop()
    state.tell("duel.bonus.turned", gains=in_words(_all_of(state.box.bonus_rewards[state.bonus_row[at]])))


@cache
def _see_bonus(used: str) -> Option:
    return Option("see", Message("duel.see_bonus"), Message("duel.hint.see_bonus"), (f"bonus:{used}",))


@lru_cache(2**10)
def _bonus_options(box: Box, card: str, n: int, imports: int) -> tuple[Option, ...]:
    """A card's rewards come as printed. Their order is the player's choice where it matters: where a flip comes before
    the import that it could turn over."""
    rewards, left = box.bonus_rewards[card][:n], _all_of(box.bonus_rewards[card][n:])
    lost = sum(reward.get("flips", 0) for reward in rewards) - imports
    if lost <= 0:
        return (_bonus_option(card, _all_of(rewards), left),)
    reordered = sorted(rewards, key=_flips)
    in_vain = _bonus_option(card, _all_of(rewards), left, in_vain=True)
    if reordered == rewards or not any("imports" in reward for reward in rewards):
        return (in_vain,)
    return (_bonus_option(card, _all_of(reordered), left, flips_last=True), in_vain)


def _flips(reward: dict[str, int]) -> bool:
    return "flips" in reward


def _all_of(rewards: list[dict[str, int]]) -> Things:
    return tuple(thing for reward in rewards for thing in reward.items())


def _bonus_option(card: str, gains: Things, left: Things, *, flips_last: bool = False, in_vain: bool = False) -> Option:
    """`left`: what of the card the influence does not reach. Without it two cards that begin alike would read alike."""
    parts = ["flips_last"] * flips_last + ["in_vain"] * in_vain + ["left"] * bool(left)
    hint = Message(".".join(["duel.hint.bonus", *parts]), {"gains": in_words(left)} if left else {}) if parts else None
    return Option(
        f"bonus.{card}.flips_last" if flips_last else f"bonus.{card}",
        Message("duel.bonus", {"gains": in_words(gains)}),
        hint,
        (f"bonus:{card}",),
        means=("bonus", card, flips_last),
    )


def _build(state: Duel, seat: int, visit: Visit) -> Scene:
    """Step 3: one building, from influence 4 on; returns whether there was one. The last moment for free actions of
    whoever builds nothing."""
    player, place = state.seats[seat], visit.place
    prompt = "duel.build" if _can_build(state, seat, place) else "duel.finish"
    choice = yield from _last_moment(state, seat, visit, prompt, _buildings)
    if choice == "end":
        _tell_why_nothing(state, seat, place)
        return False
    if choice == "shop":
        player.yen -= SHOP_PRICE
        player.shops.append(place)
    else:
        player.yen -= state.box.house_price[len(player.houses)]
        player.houses.append(place)
    state.tell(f"duel.built.{choice}", seat=seat, place=place)
    return True


def _last_moment(state: Duel, seat: int, visit: Visit, prompt: str, offer: Callable[[Duel, int], Offer]) -> Scene:
    whose = VISIT_OF_TRADER if visit.trader else VISIT
    return moment(state, seat, prompt, offer, way_on=END.id, place=visit.place, visit=whose)


def _only_end(state: Duel, seat: int) -> Offer:
    """When nothing can be built, or nothing more."""
    visit = state.acting
    end = END_OF_ERRAND if visit.trader else END
    why_not = "influence" if visit.influence < BUILDING_LEVEL else "built"
    return [end], end.id, later(_left_undone, state, seat, visit.place, why_not)


def _can_build(state: Duel, seat: int, place: str) -> bool:
    return not (_no_shop(state, seat, place) and _no_house(state, seat, place))


def _buildings(state: Duel, seat: int) -> Offer:
    visit = state.acting
    place, end = visit.place, END_OF_ERRAND if visit.trader else END
    options = []
    if not _no_shop(state, seat, place):
        options.append(_shop(place))
    if not _no_house(state, seat, place):
        options.append(_house(place, state.box.house_price[len(state.seats[seat].houses)]))
    options.append(end)
    return options, end.id, later(_unbuilt, state, seat, place)


def _no_shop(state: Duel, seat: int, place: str) -> str:
    """Why no shop can be built there; "" where one can."""
    player = state.seats[seat]
    if place in player.shops:
        return "own_shop"
    if len(player.shops) == SHOPS:
        return "no_shop_left"
    return "yen" if player.yen < SHOP_PRICE else ""


def _no_house(state: Duel, seat: int, place: str) -> str:
    """The same for a trading house."""
    player, prices = state.seats[seat], state.box.house_price
    if house_owner(state, place) is not None:
        return "house_there"
    if len(player.houses) == len(prices):
        return "no_house_left"
    return "yen" if player.yen < prices[len(player.houses)] else ""


def _unbuilt(state: Duel, seat: int, place: str) -> list[Blocked]:
    """What cannot be built, and why."""
    player, prices = state.seats[seat], state.box.house_price
    blocked = []
    if reason := _no_shop(state, seat, place):
        blocked.append(_cannot_build("shop", place, reason, SHOP_PRICE))
    if reason := _no_house(state, seat, place):
        price = prices[len(player.houses)] if reason == "yen" else 0
        blocked.append(_cannot_build("house", place, reason, price))
    return blocked


def _tell_why_nothing(state: Duel, seat: int, place: str) -> None:
    """Where nothing could be built, nothing was asked: so its player is told why."""
    shop, house = _no_shop(state, seat, place), _no_house(state, seat, place)
    if shop and house:
        price = state.box.house_price[len(state.seats[seat].houses)] if house == "yen" else 0
        reasons = {"shop": _reason(shop, SHOP_PRICE), "house": _reason(house, price)}
        state.tell("duel.nothing.built", who=(seat,), seat=seat, place=place, **reasons)


@cache
def _reason(why: str, price: int) -> Words:
    return {"key": f"duel.why.{why}", "args": {"price": price}}


def _left_undone(state: Duel, seat: int, place: str, why_not: str) -> list[Blocked]:
    """Why nothing can be built, and what is missing for the orders in hand."""
    cannot = [_cannot_build(building, place, why_not, BUILDING_LEVEL) for building in ("shop", "house")]
    return [*cannot, *unfulfilled(state, seat)]


@cache
def _shop(place: str) -> Option:
    return Option("shop", Message("duel.shop", {"place": place}), Message("duel.hint.shop"), (f"lot:{place}:shop",))


@cache
def _house(place: str, price: int) -> Option:
    label, hint = Message("duel.house", {"place": place}), Message("duel.hint.house", {"price": price})
    return Option("house", label, hint, (f"lot:{place}:house",))


def _cannot_build(building: str, place: str, reason: str, n: int) -> Blocked:
    """`n`: the yen or the influence that it takes."""
    return Blocked(Message(f"duel.{building}", {"place": place}), Message(f"duel.why.{reason}", {"n": n, "price": n}))
