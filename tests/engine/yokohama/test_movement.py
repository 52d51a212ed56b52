"""B 2: movement. Routes over own assistants, fees to presidents passed, the Canal, recall."""

from itertools import pairwise
from random import Random

import pytest

from engine import Match
from engine.yokohama.city import CANAL, neighbours, routes, through
from service.post import words
from tests.engine.yokohama.board import Position, Script, state_of


def moving(position: Position) -> Script:
    """Up to the movement step, one assistant placed far from everything."""
    script = position.play()
    if script.prompt == "place":
        far = script.state.areas[17].id
        script.do(f"place.{far}")
        if script.prompt == "place":
            script.do("done")
    return script


def destinations(position: Position) -> list[str]:
    """Where the president may go; with nowhere to go, recall is taken for the player and asks whom to bring along."""
    script = moving(position)
    assert script.prompt in ("go", "recall")
    return script.starting("go.")


def row() -> Position:
    """Tea plantation (6), beside it the agency (7) and above the laboratory (0 and 1 touch 6); silk mill at 8."""
    return Position().lay(tea1=6, agency=7, silk1=8, bank=0, lab=1, port=2, church=11, customs=12, fish1=17, canal=16)


def test_a_president_in_hand_goes_to_any_own_assistant_without_other_presidents():
    position = row().staff(tea1=1, silk1=2, bank=1).president(1, "bank")
    script = moving(position)
    assert set(script.starting("go.")) == {"tea1", "silk1", "fish1"}
    script.do("go.silk1")
    assert script.me().president == script.state.where["silk1"]


def test_rulebook_movement_example():
    """From the tea plantation to the silk mill: not through the laboratory, through the agency for 1 yen to Blue."""
    position = row().president(0, "tea1").president(1, "agency").staff(agency=1, silk1=1)
    script = moving(position)
    assert script.starting("go.") == ["silk1"]
    option = script.asked.options[-1]
    assert option.label.key == "yokohama.go.paying"
    assert option.label.args["to"] == 1
    assert not option.leads, "there is one way"
    before = script.me().yen
    script.do("go.silk1")
    assert script.me().yen == before - 1
    assert script.me(1).yen == 5


def test_whoever_is_paid_on_the_way_is_named():
    position = Position().lay(tea1=6, agency=7, silk1=8, canal=9, port=10).staff(agency=1, silk1=1, port=1)
    position.president(0, "tea1").president(1, "agency").president(2, "silk1")
    labels = {option.id: option.label for option in moving(position).asked.options}
    assert labels["go.port"].key == "yokohama.go.fees.canal"
    assert labels["go.port"].args["seats"] == [1, 2]


def test_without_an_assistant_on_the_way_there_is_no_way():
    assert destinations(row().president(0, "tea1").staff(silk1=1)) == []


def test_without_money_for_the_toll_there_is_no_way():
    position = row().president(0, "tea1").president(1, "agency").staff(agency=1, silk1=1)
    position.me().yen = 0
    assert destinations(position) == []


def test_shops_and_trading_houses_are_no_assistants():
    position = row().president(0, "tea1").shop(0, "agency").house(0, "bank")
    assert destinations(position) == []


def test_the_start_is_no_destination():
    script = moving(row().president(0, "tea1").staff(tea1=2, agency=1))
    assert script.starting("go.") == ["agency"]


def test_two_presidents_in_one_area_are_both_paid():
    position = row().president(0, "tea1").president(1, "agency").president(2, "agency").staff(agency=1, silk1=1)
    script = moving(position).do("go.silk1")
    assert script.me().yen == 1
    assert [script.me(1).yen, script.me(2).yen] == [5, 5]


def test_the_canal_costs_one_yen_to_the_bank_and_needs_no_assistant():
    position = row().lay(canal=7).president(0, "tea1").staff(silk1=1)
    script = moving(position)
    option = script.asked.options[-1]
    assert option.id == "go.silk1"
    assert option.label.key == "yokohama.go.canal"
    script.do("go.silk1")
    assert script.me().yen == 2
    assert [script.me(seat).yen for seat in (1, 2, 3)] == [4, 4, 4]


def test_nobody_ends_in_the_canal():
    assert destinations(row().lay(canal=7).president(0, "tea1")) == []


def test_routes_that_differ_in_whom_they_pay_are_offered_cheapest_first():
    position = (
        row().lay(canal=11, silk1=12, agency=7).president(0, "tea1").president(1, "agency").president(2, "church")
    )
    position.staff(agency=1, church=1, silk1=1)
    # tea1 (6) touches agency (7) and canal (11); silk1 (12) touches both.
    script = moving(position).do("go.silk1")
    assert script.prompt == "route"
    assert script.ids == ["route.2", "route.16"]
    assert script.asked.default == "route.2"
    script.do("route.2")
    assert script.me(1).yen == 5


def test_no_route_pays_the_same_people_and_more():
    # 0-1-2 in a row and 3 beside 1 and 2: the way over 3 would pay seat 2 on top.
    touching = ((1,), (0, 2, 3), (1, 3), (1, 2))
    found = routes(0, touching, {1: 0b0010, 2: 0, 3: 0b0100}, yen=9)
    assert [toll for toll, _ in found[2]] == [0b0010]


def test_equally_dear_ways_past_different_people_are_all_kept():
    touching = ((1, 2), (0, 3), (0, 3), (1, 2))
    found = routes(0, touching, {1: 0b0010, 2: 0b0100, 3: 0}, yen=1)
    assert found[3] == [(0b0010, (1, 3)), (0b0100, (2, 3))]


def test_recall_takes_the_president_and_any_assistants():
    position = row().president(0, "tea1").staff(agency=2, silk1=1)
    script = moving(position).do("recall")
    assert script.prompt == "recall"
    assert script.ids == ["done", "everyone", "fetch1.agency", "fetch2.agency", "fetch1.silk1", "fetch1.fish1"]
    assert script.asked.rest.key == "yokohama.rest.done", "to leave it at that ends the turn"
    script.do("fetch1.agency")
    assert script.at("agency").assistants[0] == 1
    script.do("fetch1.silk1", "done")
    me = script.me()
    assert me.president == -1
    assert me.assistants == 8 - 2 - 1 - 1 + 2
    assert script.state.seat == 1


def test_recall_can_bring_everybody_home_at_once():
    script = moving(row().president(0, "tea1").staff(agency=2, silk1=1)).do("recall", "everyone")
    assert script.me().assistants == 8
    assert script.state.seat == 1


def test_recall_does_not_touch_the_boards():
    position = row().president(0, "tea1")
    position.state.church[0] = 0
    position.me().assistants -= 1
    script = moving(position).do("fetch1.fish1")
    assert script.state.church[0] == 0
    assert script.me().assistants == 7


def test_recall_is_forced_when_no_destination_is_legal():
    position = row().president(0, "tea1")
    position.me().assistants = 0
    script = position.play()
    assert script.told("recalled") == [{"seat": 0, "n": 0}]
    assert script.state.seat == 1


def test_by_default_the_president_is_recalled_and_assistants_stay_where_they_stand():
    script = moving(row().president(0, "tea1").staff(agency=2))
    assert script.asked.default == "recall"
    in_hand = script.me().assistants
    script.default().default()
    assert (script.me().president, script.me().assistants) == (-1, in_hand)
    assert (script.at("agency").assistants[0], script.at("fish1").assistants[0]) == (2, 1)


@pytest.mark.parametrize(("there", "stays"), [(3, True), (4, False)])
def test_by_default_one_comes_back_from_where_power_is_full_without_it(there, stays):
    """The president and four assistants are all the power an area knows."""
    position = row().president(1, "bank").staff(fish1=there)
    script = position.play().do("place.fish1", "done", "recall")
    assert script.asked.default == ("done" if stays else "fetch1.fish1")
    assert (script.asked.rest is None) is not stays
    while script.prompt == "recall" and script.state.seat == 0:
        script.default()
    assert script.at("fish1").assistants[0] == 4


def test_eight_missed_turns_leave_no_more_in_an_area_than_its_power_can_use():
    match = Match.start("yokohama", players=3, seed=9)
    while match.turn < 3 * 8 + 1:
        decision = match.pending[0]
        match.choose(decision.seat, decision.default)
    left = [[area.assistants[seat] for area in state_of(match).areas] for seat in range(3)]
    assert [max(areas) for areas in left] == [4, 4, 4]
    assert all(sum(areas) + state_of(match).merchants[seat].assistants == 8 for seat, areas in enumerate(left))


def test_blocked_ways_tell_why():
    position = row().president(0, "tea1").president(1, "agency").staff(agency=1, church=1)
    script = moving(position)
    reasons = {blocked.label.args["place"]: blocked.reason.key for blocked in script.asked.blocked}
    assert reasons["agency"] == "yokohama.why.occupied"
    assert reasons["fish1"] == "yokohama.why.unreachable"


def test_hint_tells_power_yield_and_what_may_follow():
    position = row().staff(silk1=3)
    option = next(option for option in moving(position).asked.worked_out().options if option.id == "go.silk1")
    assert option.hint
    assert words.tell(option.hint) == "Power 4: 3 silk; then you may build."


def every_toll(touching, tolls, start, yen):
    """All tolls of all ways without detours, by walking them: area -> set of tolls one can pay."""
    found: dict[int, set[int]] = {}

    def walk(at, paid, seen):
        for there in touching[at]:
            if there in seen or there not in tolls:
                continue
            total = paid | tolls[there]
            if bin(total).count("1") <= yen:
                found.setdefault(there, set()).add(total)
                walk(there, total, seen | {there})

    walk(start, 0, {start})
    return found


def test_ways_through_are_exactly_the_best_there_are_with_more_assistants():
    """Each as cheap as can be in tolls, in fees or in assistants: against all ways without detours."""
    random = Random(4)
    touching = neighbours((4, 3, 2, 1))
    for _ in range(60):
        tolls, fees = random.choices((0, 2, 4, CANAL), k=10), random.choices((0, 1, 2), k=10)
        ways = zip(tolls, fees, random.choices((0, 1), k=10), strict=True)
        doors = tuple(way if random.random() < 0.8 else None for way in ways)
        yen = random.randrange(5)
        every: dict[int, set[tuple[int, int, int]]] = {0: {(0, 0, 0)}}

        def walk(at, way, seen, doors=doors, yen=yen, every=every):
            for there in touching[at]:
                step = doors[there]
                if step and there not in seen:
                    on = (way[0] | step[0], way[1] + step[1], way[2] + step[2])
                    if on[0].bit_count() + on[1] <= yen:
                        every.setdefault(there, set()).add(on)
                        walk(there, on, seen | {there})

        walk(0, (0, 0, 0), {0})
        found = {at: set(ways) for at, ways in through(0, touching, doors, yen).items() if ways}
        assert found == {at: {way for way in ways if not beaten(way, ways)} for at, ways in every.items()}


def beaten(way, ways):
    """Whether another one is as good in everything."""
    return any(o != way and o[0] & way[0] == o[0] and o[1] <= way[1] and o[2] <= way[2] for o in ways)


def test_routes_are_exactly_the_best_of_all_ways():
    random = Random(8)
    touching = neighbours((5, 4, 3, 2))
    compared = 0
    for _ in range(150):
        areas = random.sample(range(14), 9)
        tolls = {at: random.choice([0, 0, 0b0010, 0b0100, 0b1000, 0b0110, CANAL]) for at in areas}
        yen = random.randrange(5)
        expected = {
            at: {toll for toll in all_tolls if not any(other & toll == other != toll for other in all_tolls)}
            for at, all_tolls in every_toll(touching, tolls, 0, yen).items()
        }
        found = routes(0, touching, tolls, yen)
        assert {at: {toll for toll, _ in ways} for at, ways in found.items()} == expected
        for at, ways in found.items():
            costs = [bin(toll).count("1") for toll, _ in ways]
            assert costs == sorted(costs)
            for toll, path in ways:
                assert path[-1] == at
                assert all(b in touching[a] for a, b in pairwise((0, *path)))
                paid = 0
                for step in path:
                    paid |= tolls[step]
                assert paid == toll
            compared += 1
    assert compared > 300
