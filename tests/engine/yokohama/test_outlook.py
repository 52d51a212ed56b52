"""What a choice would bring is never told wrong: whether the president can come, what an action yields, who joins."""

from itertools import combinations
from random import Random
from typing import Any

import pytest

from engine import Match
from engine.scene import Gauge, Message, Option
from engine.yokohama.city import YEN
from engine.yokohama.movement import destinations
from engine.yokohama.state import YokohamaState
from tests.engine.yokohama.board import Position, Script
from tests.engine.yokohama.test_told import hint

# Placing: whether the president can come there


@pytest.mark.parametrize("seed", range(20))
def test_the_hint_of_placing_says_how_many_more_the_way_takes_or_that_there_is_none(seed):
    """Against all ways to place the others, tried one by one."""
    random = Random(seed)
    script, placed = crowded(random).play(), list[str]()
    while placing := [o for o in script.asked.options if o.id.startswith(("place.", "pair.", "again."))]:
        for option in random.sample(placing, min(7, len(placing))):
            said = script.asked.hint(option)
            assert said
            assert needed(said) == fewest(script.state, option, placed), (option.id, said)
        places = script.starting("place.")
        if not places:
            break
        placed.append(random.choice(places))
        script.do(f"place.{placed[-1]}")


def crowded(random: Random) -> Position:
    position = Position(edition=random.choice(("dlp", "okazu")))
    techs = ("tram", "station", "postal", "stagecoach", "telegram", "newspaper", "spinning_mill")
    position.teach(*[tech for tech in techs if random.random() < 0.15])
    areas = [area.id for area in position.state.areas if area.action != "canal"]
    for seat in range(4):
        if random.random() < 0.9:
            position.president(seat, random.choice(areas))
    for place in random.sample(areas, 4):
        position.at(place).assistants[0] += 1
    if "station" in position.me().names:
        position.state.station = position.state.areas.index(position.at(random.choice(areas)))
    position.me().yen = random.choice((0, 1, 2, 3))
    position.me().assistants = random.choice((2, 3, 8))
    return position


def needed(said: Message) -> object:
    """What a hint says: how many more, or why none would help."""
    kind = said.key.removeprefix("yokohama.place.hint").removeprefix(".")
    return {"": 0, "way": said.args.get("n")}.get(kind, kind)


def fewest(state: YokohamaState, option: Option, placed: list[str]) -> object:
    me, others = state.merchants[0], state.presidents(0)
    verb, _, place = option.id.partition(".")
    at, n = state.where[place], 2 if verb == "pair" else 1
    cost = [YEN[others.get(there, 0)] for there in range(len(state.areas))]
    room = [there for there, area in enumerate(state.areas) if area.action != "canal" and area.id not in placed]
    most = (4 if "newspaper" in me.names else 3) - len(placed) - 1
    if verb != "place":
        room, most = [there for there in room if there in state.streets[at]], int("telegram" in me.names)
    purse = me.yen - n * cost[at] + (2 if "spinning_mill" in me.names and me.goods[1] else 0)
    for more in range(min(most, me.assistants - n) + 1):
        for chosen in combinations(room, more):
            left = purse - sum(cost[there] for there in chosen)
            if left >= 0 and at in with_more(state, [at, *chosen], left):
                return more
    if me.president == at:
        return "own"
    return "taken" if at in others and "postal" not in me.names else "far"


def with_more(state: YokohamaState, places: list[int], yen: int) -> dict[int, Any]:
    """Where the president could go with assistants in these places too, and so much money."""
    me, before = state.merchants[0], state.merchants[0].yen
    for there in places:
        state.areas[there].assistants[0] += 1
    me.yen = yen
    found = destinations(state, 0)
    for there in places:
        state.areas[there].assistants[0] -= 1
    me.yen = before
    return found


def test_the_university_can_bring_the_assistant_that_the_way_takes():
    position = Position().lay(tea1=0, bank=1, silk1=2).president(0, "tea1")
    position.me().assistants = 1
    assert needed(said_of(position.play(), "place.silk1")) == "far"
    assert needed(said_of(position.teach("university").play(), "place.silk1")) == 1


def test_the_hint_of_placing_in_words():
    position = Position().lay(tea1=0, bank=1, silk1=2, chinatown=3, agency=17)
    position.president(0, "tea1").president(1, "agency").staff(chinatown=1)
    script = position.play()
    assert hint(script, "place.bank") == "If your president came there, power 2: 2 yen."
    assert hint(script, "place.silk1") == "With one more of yours on the way there, power 2: 1 silk."
    assert hint(script, "place.chinatown") == "With 2 more of yours on the way there, power 3: 3 exchanges."
    assert hint(script, "pair.silk1") == "Your president has no way there this turn. Later, with power 3: 2 silk."
    assert hint(script, "place.agency") == (
        "Another president stands there, so yours cannot stop there this turn. "
        "Later, with power 2: 1 piece from your warehouse."
    )
    assert hint(script, "place.tea1") == (
        "Your president stands there, and must leave before it acts there again. Then, with power 2: 2 tea."
    )


def test_who_has_no_imports_is_told_so_for_a_later_turn_too():
    position = Position().lay(tea1=0, customs=17).president(0, "tea1").staff(customs=1)
    said = "Your president has no way there this turn. Later, with power 3: "
    position.me().assistants = 1
    assert hint(position.play(), "place.customs") == f"{said}spend up to 2 imports on a space, you have none yet."
    position.me().imports = 3
    assert hint(position.play(), "place.customs") == f"{said}spend up to 2 imports on a space, you have 3 imports."


def test_the_fourth_of_the_newspaper_may_open_the_way_of_the_third():
    position = Position().lay(tea1=0, bank=1, silk1=2, fish1=16, church=17).president(0, "tea1")
    for needs in ("far", 1):
        script = position.play().do("place.fish1", "place.church")
        assert needed(said_of(script, "place.silk1")) == needs
        position.teach("newspaper")


def test_after_a_pair_telegrams_third_has_no_more_to_open_its_way():
    position = Position().lay(tea1=0, bank=1, silk1=2, fish1=6).president(0, "tea1").teach("telegram")
    script = position.play().do("pair.bank")
    assert (script.prompt, needed(said_of(script, "place.silk1"))) == ("telegram", 0), "over the Bank"
    script = position.lay(bank=3, canal=4).play().do("pair.bank")
    assert needed(said_of(script, "place.silk1")) == "far", "nothing leads from the Tea Plantation to the two"
    assert script.asked.hint(script.asked.option("done")) is None


def test_what_placing_costs_is_not_there_to_pay_an_action_with():
    position = Position().teach("postal").president(1, "lab")
    position.board("lab", "letterpress1", "ball1", "ball2", "newspaper1", "station", "exposition")
    position.me().yen = 2 * (position.box.techs["letterpress1"].cost - 2)
    assert hint(position.play(), "place.lab").endswith("nothing, as no technology there can be paid for.")
    position.me().yen += 1
    assert hint(position.play(), "place.lab").endswith("2 industry for a technology.")


def said_of(script: Script, option: str) -> Message:
    said = script.asked.hint(script.asked.option(option))
    assert said
    return said


# Acting


IDLE = ("yokohama.yields.none", "yokohama.yields.idle", "yokohama.yields.port.full")
TAKING = ("take.", "space.", "sell.", "buy.", "assistant", "shop", "house")


@pytest.mark.parametrize("seed", range(4))
def test_nothing_is_said_of_an_action_exactly_where_it_brings_nothing(seed):
    """Also of an agent's, and with all that may be done at any time left out."""
    random, match = Random(seed), Match.start("yokohama", players=3, seed=seed)
    met = set()
    while match.pending:
        decision = match.pending[0]
        for option in decision.options:
            if option.id.startswith(("go.", "agent.")) and not option.leads:
                said = decision.hint(option)
                assert said
                idle = said.args["yield"]["key"] in IDLE
                met.add(idle)
                ahead = match.after(decision.seat, option.id)
                assert idle is not brings_something(match, ahead), (option.id, said)
                if said.key == "yokohama.outlook.in_vain":
                    assert (idle, option.id.partition(".")[0]) == (True, "agent")
        wild = random.random() < 0.5
        match.choose(decision.seat, random.choice(decision.options).id if wild else match.bot_choice(decision.seat))
    assert met == {True, False}


def brings_something(match: Match, ahead: Match) -> bool:
    """Goods or money at once, or something to take in the area."""
    told = ahead.events[len(match.events) - match.told_before :]
    if any(event.key in ("yokohama.received", "yokohama.best_port") for event in told):
        return True
    acting = ahead.turn == match.turn and ahead.pending and ahead.pending[0].prompt in ACTIONS
    return bool(acting) and any(option.id.startswith(TAKING) for option in ahead.pending[0].options)


ACTIONS = {f"yokohama.ask.{prompt}" for prompt in ("order", "tech", "exchange", "warehouse", "church", "customs")}


def test_an_action_without_means_says_what_is_missing():
    position = Position().staff(customs=1, lab=1, church=1, agency=1, chinatown=1).goods()
    position.board("lab", "tram", "ball1", "ball2", "newspaper1", "station", "exposition")
    me = position.me()
    me.yen = me.stored_assistants = 0
    script = position.play().do("place.bank", "done")
    assert hint(script, "go.customs") == "Power 2: nothing, as you have no import."
    assert hint(script, "go.lab") == "Power 2: nothing, as no technology there can be paid for."
    assert hint(script, "go.agency") == "Power 2: nothing, as your warehouse holds nothing you can pay for."
    assert hint(script, "go.chinatown") == "Power 2: nothing, as there is nothing to exchange."
    assert hint(script, "go.church") == "Power 2: nothing, as no free space is within reach."
    me.imports = 1
    script = position.play().do("place.bank", "done")
    assert hint(script, "go.customs") == "Power 2: spend 1 import on a space, you have 1 import."


def test_what_the_way_costs_is_not_there_to_pay_with():
    position = Position().lay(tea1=6, agency=7, lab=8).president(0, "tea1").president(1, "agency")
    position.staff(agency=1, lab=1).board(
        "lab", "letterpress1", "ball1", "ball2", "newspaper1", "station", "exposition"
    )
    cost = position.box.techs["letterpress1"].cost
    position.me().yen = 2 * (cost - 2)
    script = position.play().do("place.bank", "done")
    assert hint(script, "go.lab") == "Power 2: nothing, as no technology there can be paid for."
    position.me().yen += 1
    script = position.play().do("place.bank", "done")
    assert hint(script, "go.lab") == "Power 2: 2 industry for a technology."
    position.me().yen -= 1
    assert hint(position.teach("spinning_mill").play().do("place.bank", "done"), "go.lab").endswith("for a technology.")


def test_an_agent_that_would_bring_nothing_is_used_up():
    position = Position().staff(silk1=1)
    position.me().agents = ["france"]
    script = position.play()
    assert hint(script, "agent.silk1") == "Power 1: nothing. The agent is used up all the same."
    script.do("agent.silk1", "place.tea1", "done", "go.tea1")
    assert script.state.turn == 2


def test_an_agent_that_cannot_be_sent_says_why():
    position = Position().goal("copper").goods(copper=5)
    position.me().agents = ["france", "france"]
    script = position.play()
    assert [no.reason.key for no in script.asked.blocked] == ["yokohama.why.agent_nowhere"]
    script = position.staff(tea1=1).play()
    assert not script.asked.blocked
    script.do("agent.tea1")
    assert [no.reason.key for no in script.asked.blocked] == ["yokohama.why.agent_used"]


# Orders and technologies


def test_an_order_says_what_it_will_bring_and_what_is_lacking():
    position = Position().board("port", "o01", "o02").goods(copper=1, silk=1, tea=1, fish=1)
    order = position.box.orders["o01"]
    assert (order.goods, order.reward.vp) == ((1, 0, 0, 1), order.reward.vp)
    script = position.teach("ball").act("port", 2)
    said = hint(script, "take.o01")
    assert said.startswith(f"Low slots. When fulfilled: {order.reward.vp + 2} points")
    assert said.endswith("You have the goods.")
    position.goods(copper=1)
    assert hint(position.act("port", 2), "take.o01").endswith("You lack 1 fish.")


def test_an_order_in_a_slot_out_of_reach_says_from_which_power_on():
    script = Position().act("port", 3)
    assert len(script.starting("take.")) == 4
    told = {no.reason.args["tier"]: no.reason.args["power"] for no in script.asked.blocked}
    assert (len(script.asked.blocked), told) == (2, {"t3": 4})


@pytest.mark.parametrize("seed", range(3))
def test_an_agent_is_promised_exactly_where_one_joins(seed):
    random, match = Random(seed), Match.start("yokohama", players=4, seed=seed)
    met = set()
    while match.pending:
        decision = match.pending[0]
        kind = "take." if decision.prompt == "yokohama.ask.tech" else "order."
        for option in decision.options:
            if option.id.startswith(kind):
                said = decision.hint(option)
                assert said
                assert (said.key == "yokohama.with_agent") == joins(match, option.id), option.id
                met.add((kind, said.key == "yokohama.with_agent"))
        wild = random.random() < 0.2
        match.choose(decision.seat, random.choice(decision.options).id if wild else match.bot_choice(decision.seat))
    assert len(met) == 4


def joins(match: Match, choice: str) -> bool:
    """Whether an agent comes with it, once all that it asks is answered."""
    seat = match.pending[0].seat
    ahead, before = match.after(seat, choice), match.gauges(seat)[Gauge("agents", seat)]
    while ahead.pending and ahead.pending[0].prompt in MEANWHILE:
        ahead.choose(seat, ahead.pending[0].default)
    return ahead.gauges(seat)[Gauge("agents", seat)] > before


MEANWHILE = {f"yokohama.ask.{prompt}" for prompt in ("pay_units", "any", "warehouse", "move", "move_to", "station")}
