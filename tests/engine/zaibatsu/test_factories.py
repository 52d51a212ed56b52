"""Every side of every factory does what its text says, once, and no more than that."""

import pytest

from engine.zaibatsu.state import Board
from tests.engine.zaibatsu.positions import offers, play, position, state_of


def build(tile: str, then: str = "", worker: str = "black", **before):
    """Build this factory with plenty of R&D and exactly its price; everything else 0 unless given."""
    before = {"rd": 6, "money": 6, **before}
    match = position(offered=tile, **before)
    board = play(match, f"factory worker.{worker} {then}")
    assert board.factories[-1].tile == tile
    assert tile not in state_of(match).factories
    return match, board


def did(before: str, then: str, **board) -> Board:
    """Own these factories, take these choices."""
    return play(position(factories=before, **{"money": 1, **board}), then)


# Cotton


def test_cotton_1a_advances_research_by_two():
    _, board = build("cotton1a", rd=2)
    assert (board.rd, board.money) == (4, 0)


def test_cotton_1b_gives_2_money_and_a_step_of_research():
    _, board = build("cotton1b", rd=3)
    assert (board.money, board.rd) == (2, 4)


def test_cotton_2a_gives_3_silk():
    _, board = build("cotton2a")
    assert board.silk == 3


def test_cotton_2b_gives_the_red_or_the_white_department():
    match, _ = build("cotton2b")
    assert offers(match) == ["department.red", "department.white"]
    assert play(match, "department.red").silk == 2
    match, board = build("cotton2b", "department.white", rd=3, upgraded=["white"])
    assert offers(match) == ["steps.2.0", "steps.1.1", "steps.0.2"]
    play(match, "steps.1.1")
    assert (board.rd, board.mining) == (4, 2)


def test_cotton_3a_adds_a_step_to_the_research_action():
    board = did("cotton3a", "rd worker.black", money=1)
    assert (board.rd, board.money) == (3, 0)
    assert did("cotton3a", "mining worker.black", money=1).rd == 1


def test_cotton_3b_adds_2_silk_to_the_research_action():
    board = did("cotton3b", "rd worker.black", money=2)
    assert (board.rd, board.silk, board.money) == (2, 2, 1)


def test_cotton_4a_gives_2_research_for_a_machine_here():
    assert did("cotton4a", "machines worker.black", money=5).rd == 3
    assert did("cotton4a cotton1a", "machines worker.black machine.1", money=5).rd == 1


def test_cotton_4b_produces_one_more_here():
    assert did("cotton4b", "production worker.black", coal=2).factories[0].goods == 2
    assert [f.goods for f in did("cotton4b cotton1a", "production worker.black produce.1", coal=2).factories] == [0, 1]


# Paper


def test_paper_1a_gives_3_iron_and_a_step_of_finance():
    _, board = build("paper1a")
    assert (board.iron, board.finance) == (3, 2)


def test_paper_1b_advances_finance_by_two():
    _, board = build("paper1b")
    assert board.finance == 3


def test_paper_2a_gives_5_money():
    _, board = build("paper2a")
    assert board.money == 5


@pytest.mark.parametrize(("worker", "what"), [("black", "coal"), ("red", "silk")])
def test_paper_2b_gives_the_department_of_the_worker_taken(worker, what):
    _, board = build("paper2b", worker=worker)
    assert getattr(board, what) == 2


def test_paper_3a_adds_2_finance_to_the_investment_action():
    board = did("paper3a:1", "investment worker.black contract.black")
    assert (board.finance, board.coal) == (3, 2)


def test_paper_3b_keeps_three_coal_or_money_at_a_consolidation():
    match = position(factories="paper3b", coal=2, money=9, workers="blue")
    play(match, "consolidate favor.1.rd")
    assert offers(match) == ["keep.2.1", "keep.1.2", "keep.0.3"]
    assert match.pending[0].default == "keep.2.1"
    board = play(match, "keep.1.2")
    (gone,) = (event.args["things"] for event in match.events if event.key == "zaibatsu.discarded")
    assert [each["args"]["n"] for each in gone] == [1, 7]
    assert (board.coal, board.money) == (1 + 2, 2 + 3 + 12 - 3)


def test_paper_4a_gives_2_iron_for_a_machine_here():
    assert did("paper4a", "machines worker.black", money=5).iron == 2


def test_paper_4b_gives_1_iron_for_each_factory_that_produced():
    board = did("paper4b cotton1a", "production worker.black produce.0 produce.1", coal=4)
    assert (board.iron, [f.goods for f in board.factories]) == (2, [1, 1])


# Bento


def test_bento_1a_advances_mining_by_three():
    _, board = build("bento1a")
    assert board.mining == 4
    assert board.iron == 2, "the grey Department at Mining 3"


def test_bento_1b_advances_mining_by_two_and_by_two_more_for_finance():
    _, board = build("bento1b", "skip", finance=5)
    assert (board.mining, board.finance) == (3, 5)
    _, board = build("bento1b", "accept", finance=5)
    assert (board.mining, board.finance) == (5, 3)


@pytest.mark.parametrize("finance", [1, 2])
def test_going_back_is_offered_on_the_first_spaces_of_finance_too_and_the_marker_stays(finance):
    match, board = build("bento1b", finance=finance)
    assert offers(match) == ["accept", "later", "skip"]
    play(match, "accept")
    assert (board.mining, board.finance) == (5, 1)
    assert len([event for event in match.events if event.key == "zaibatsu.went_back"]) == finance - 1, "or not at all"
    match, board = build("lenses2b", "train.0.1 accept train.1.1", finance=finance, iron=1)
    assert (board.trains, board.iron, board.finance) == (2, 0, 1)
    _, board = build("clocks3b", "ship.red accept ship.blue", finance=finance)
    assert (board.ships, board.finance) == (2, 1)


def test_bento_1b_bonuses_may_be_taken_before_paying():
    """Mining 7 gives a step of Finance: taken first, it crosses Finance 4 (red) before going back."""
    match, board = build("bento1b", mining=5, finance=3)
    assert offers(match) == ["accept", "later", "skip"]
    play(match, "later")
    assert (board.finance, board.silk) == (4, 0)
    play(match, "later")
    assert board.silk == 2
    play(match, "accept")
    assert (board.mining, board.finance) == (9, 2)


def test_bento_2a_gives_4_coal():
    _, board = build("bento2a")
    assert board.coal == 4


def test_bento_2b_gives_3_coal_that_survive_a_consolidation():
    match, board = build("bento2b")
    assert (board.coal, board.kept) == (0, 3)
    match = position(kept=3, coal=4, money=1, workers="blue")
    board = play(match, "consolidate favor.1.rd")
    assert (board.coal, board.kept) == (2, 3), "only income lies loose"
    board = play(position(kept=3, coal=1, factories="bento1a", money=1), "production worker.black")
    assert (board.coal, board.kept) == (0, 1), "loose coal is spent first"


def test_bento_3a_adds_a_step_and_1_iron_to_the_mining_action():
    board = did("bento3a", "mining worker.black", mining=3, money=1)
    assert (board.mining, board.iron) == (5, 1)


def test_bento_3b_adds_2_iron_to_the_mining_action():
    board = did("bento3b", "mining worker.black", mining=3, money=1)
    assert (board.mining, board.iron) == (4, 2)


def test_bento_4a_gives_3_mining_for_a_machine_here():
    assert did("bento4a", "machines worker.black", money=5).mining == 4


def test_bento_4b_lets_one_factory_produce_without_coal():
    match = position(factories="bento4b cotton1a", coal=2, money=1)
    play(match, "production worker.black")
    assert offers(match) == ["free.0", "produce.1", "free.1"]
    board = play(match, "free.0")
    assert offers(match) == ["produce.1", "done"], "one factory only"
    play(match, "produce.1")
    assert ([f.goods for f in board.factories], board.coal) == ([1, 1], 0)


# Lens


def test_lens_1a_gives_a_train_and_a_step_of_finance():
    match, _ = build("lenses1a")
    assert match.pending[0].default == offers(match)[0] == "train.0.0"
    match, board = build("lenses1a", "train.0.0")
    assert (board.trains, board.finance, board.coal) == (1, 2, 1)
    assert state_of(match).trains[0][0] == 0


def test_lens_1b_gives_a_train_with_its_bonus_twice():
    _, board = build("lenses1b", "train.1.2")
    assert (board.trains, board.money) == (1, 4)


def test_lens_2a_gives_a_train_and_another_elsewhere_for_5_money_and_1_iron():
    match, board = build("lenses2a", "train.0.2", money=11)
    assert (board.iron, offers(match)) == (1, ["accept", "skip"])
    play(match, "accept")
    assert all(not option.startswith("train.0.") for option in offers(match))
    play(match, "train.2.0")
    assert (board.trains, board.money, board.iron, board.finance) == (2, 2, 0, 1)
    _, board = build("lenses2a", "train.0.2")
    assert (board.trains, board.iron) == (1, 1), "no offer without the 5 money"
    match, board = build("lenses2a", "train.0.2", money=11, trains=5)
    assert (board.trains, match.pending[0].seat) == (6, 1), "no offer without a train"


def test_lens_2b_gives_a_train_and_another_elsewhere_for_finance_and_1_iron():
    _, board = build("lenses2b", "train.0.2 accept train.3.0", finance=3)
    assert (board.trains, board.finance, board.iron, board.parts["bonuses"]) == (2, 1, 0, 2)
    assert board.money == 0


def test_lens_3a_adds_the_bonus_of_one_region_built_in():
    match = position(factories="lenses3a", iron=6, money=1)
    board = play(match, "trains worker.black train.0.1 train.3.1")
    assert "modifier.0.0" in offers(match)
    assert "modifier.0.3" in offers(match)
    play(match, "modifier.0.3")
    assert (board.money, board.coal) == (4, 1), "3 money of the West; the coal is off its train space"
    board = play(position(factories="lenses3a", iron=3, money=1), "trains worker.black train.2.1")
    assert board.iron == 2, "one region: no question"


def test_lens_3a_may_pay_for_the_next_train():
    match = position(factories="lenses3a", iron=4, money=1)
    board = play(match, "trains worker.black train.2.1 train.0.1")
    assert (board.trains, board.iron) == (2, 0)


def test_lens_3b_adds_the_department_of_the_worker_taken():
    board = did("lenses3b", "trains worker.red train.0.1", iron=3)
    assert (board.trains, board.silk) == (1, 2)


def test_lens_4a_gives_a_train_for_a_machine_here():
    board = did("lenses4a", "machines worker.black modifier.0 train.0.0", money=5)
    assert (board.trains, board.coal) == (1, 1)


def test_lens_4b_gives_a_train_for_two_contracts():
    one = position(factories="lenses4b:1 cotton1a:2", money=0)
    board = play(one, "investment worker.black spend.lenses invest spend.cotton contract.black")
    assert board.trains == 0
    two = position(factories="lenses4b:1 cotton1a:2", money=0)
    play(two, "investment worker.black spend.lenses contract.red spend.cotton contract.black")
    board = play(two, "modifier.0 train.0.1")
    assert board.trains == 1


# Bulb


def test_bulb_1a_gives_a_good_in_each_of_three_factories():
    _, board = build("bulbs1a", factories="cotton1a paper1a:4 bento1a")
    assert [f.goods for f in board.factories] == [1, 4, 1, 1], "only three have room: no question"
    _, board = build("bulbs1a", "good.0 good.2 good.3", factories="paper0o paper1a bento1a")
    assert [f.goods for f in board.factories] == [1, 0, 1, 1]


def test_bulb_1b_gives_2_goods_here():
    _, board = build("bulbs1b", factories="cotton1a")
    assert [f.goods for f in board.factories] == [0, 2]


def test_bulb_2a_gives_a_machine_in_each_of_two_factories():
    match, board = build("bulbs2a", factories="cotton1a")
    assert offers(match) == ["machine.0", "machine.1"]
    play(match, "machine.0")
    assert ([f.machines for f in board.factories], board.machines) == ([1, 1], 2)
    _, board = build("bulbs2a", factories="cotton1a:0/1")
    assert [f.machines for f in board.factories] == [1, 1], "a second machine in a factory costs iron"


def test_bulb_2b_gives_a_machine_and_produces_there():
    _, board = build("bulbs2b", "machine.0", factories="cotton1a", coal=2)
    assert ([f.goods for f in board.factories], board.coal) == ([2, 0], 0)
    _, board = build("bulbs2b", "machine.0", factories="cotton1a", coal=1)
    assert ([f.goods for f in board.factories], board.coal) == ([0, 0], 1), "no coal, no goods"


def test_bulb_3a_produces_two_more_here():
    assert did("bulbs3a", "production worker.black", coal=4).factories[0].goods == 3


def test_bulb_3b_produces_one_more_in_each_factory_that_produced():
    board = did("bulbs3b cotton1a paper1a", "production worker.black produce.1 produce.2", coal=4)
    assert [f.goods for f in board.factories] == [0, 2, 2]


def test_bulb_4a_gives_4_money_for_a_machine_here():
    board = did("bulbs4a cotton1a", "machines worker.black machine.0 machine.1", money=6)
    assert (board.money, board.machines) == (0, 2), "the 4 money pay for the next machine"


def test_bulb_4b_gives_a_machine_for_a_contract():
    board = did("bulbs4b:1", "investment worker.black contract.red modifier.0")
    assert board.factories[0].machines == 1
    assert did("bulbs4b:1", "investment worker.black invest").machines == 0


# Clock


def test_clock_1a_gives_a_ship_and_3_finance():
    _, board = build("clocks1a", "ship.red")
    assert (board.ships, board.finance, board.silk) == (1, 4, 3), "red at Finance 4 is already upgraded"
    assert [(w.colour, w.expert) for w in board.workers] == [("black", False), ("red", True)]


def test_clock_1b_gives_a_ship_machine_or_train_and_2_finance():
    match, board = build("clocks1b")
    assert offers(match) == ["build.ship", "build.machine", "build.train"]
    assert offers(build("clocks1b", trains=6)[0]) == ["build.ship", "build.machine"], "there are six trains"
    play(match, "build.train train.0.0")
    assert (board.trains, board.finance) == (1, 3)
    _, board = build("clocks1b", "build.ship ship.red", finance=2)
    assert (board.finance, board.silk) == (4, 3), "what is built comes first: red at Finance 4 is upgraded by then"


def test_clock_2a_gives_a_ship_and_another_for_1_iron():
    _, board = build("clocks2a", "ship.red accept ship.blue", iron=1)
    assert (board.ships, board.iron, board.money, board.finance) == (2, 0, 0, 1)
    _, board = build("clocks2a", "ship.red")
    assert board.ships == 1


def test_clock_2b_gives_a_ship_and_the_upgraded_department():
    _, board = build("clocks2b", "ship.blue")
    assert (board.ships, board.money) == (1, 5)


def test_clock_3a_gives_a_ship_and_another_for_2_money():
    _, board = build("clocks3a", "ship.red accept ship.blue", money=8)
    assert (board.ships, board.money, board.iron, board.finance) == (2, 0, 0, 1)


def test_clock_3b_gives_a_ship_and_another_for_2_finance():
    _, board = build("clocks3b", "ship.red accept ship.blue", finance=3)
    assert (board.ships, board.finance) == (2, 1)


def test_clock_4a_gives_a_ship_and_2_finance_for_a_machine_here():
    board = did("clocks4a", "machines worker.black modifier.0 ship.white", money=5)
    assert (board.ships, board.finance) == (1, 3)


def test_clock_4b_gives_a_ship_for_a_contract_in_time_for_the_next():
    match = position(factories="clocks4b:1 cotton1a:2")
    board = play(match, "investment worker.white spend.clocks contract.red modifier.0 ship.black spend.cotton")
    play(match, "contract.black")
    assert (board.ships, board.coal, board.silk) == (1, 3, 2)


GIVEN = ["lenses1a", "lenses1b", "lenses2a", "lenses2b", "bulbs2a", "bulbs2b", "clocks1a", "clocks1b", "clocks2b"]


@pytest.mark.parametrize("tile", GIVEN)
def test_what_a_factory_gives_at_once_is_built_and_cannot_be_declined(tile):
    match, board = build(tile, factories="cotton1a")
    while match.pending[0].seat == 0:
        assert "skip" not in offers(match)
        play(match, match.pending[0].default)
    assert board.ships + board.machines + board.trains == (2 if tile == "bulbs2a" else 1)


def test_a_ship_that_cannot_be_sent_withdraws_the_offer_of_another():
    match, board = build("clocks2a", iron=1, workers="red red red red red")
    assert (board.ships, board.iron) == (0, 1)
    assert match.pending[0].seat == 1


def test_a_ship_that_is_given_goes_by_default_where_its_expert_costs_no_salary():
    match, _ = build("clocks1a", worker="white")
    assert match.pending[0].default == "ship.white"


@pytest.mark.parametrize(
    ("factories", "choices"),
    [
        ("clocks4a", "machines worker.black"),
        ("lenses4a", "machines worker.black"),
        ("clocks4b:1", "investment worker.black contract.red"),
        ("bulbs4b:1", "investment worker.black contract.red"),
    ],
)
def test_a_modifier_that_builds_may_be_left_unused_as_a_whole(factories, choices):
    match = position(factories=factories, money=5)
    board = play(match, choices)
    assert offers(match) == ["modifier.0", "none"]
    play(match, "none")
    assert (board.ships, board.trains, board.finance) == (0, 0, 1)
    assert match.pending[0].seat == 1


# Late-Game Factories


def late(tile: str, **before):
    return build(tile, options={"late_factories": True}, **before)


@pytest.mark.parametrize(("level", "steps"), [(0, 0), (1, 0), (2, 1), (3, 2)])
def test_cotton_5a_gives_white_departments_by_the_research_favor(level, steps):
    match, board = late("cotton5a", rd=3, objectives={"rd": level} if level else {})
    for _ in range(steps):
        play(match, "steps.0.1")
    assert board.mining == 1 + steps


def test_cotton_5b_gives_2_vp_per_type_of_factory():
    _, board = late("cotton5b", factories="cotton1a paper1a bento1a")
    assert board.vp == 6


def by_favor(tile: str, objective: str) -> list[int]:
    points = []
    for level in (1, 2, 3):
        _, board = late(tile, objectives={objective: level})
        points.append(board.vp)
    return points


def test_paper_5a_gives_yellow_departments_by_the_finance_favor():
    assert by_favor("paper5a", "finance") == [0, 2, 4]
    assert by_favor("paper5a", "rd") == [0, 0, 0]


def test_paper_5b_gives_yellow_departments_by_the_contracts_favor():
    assert by_favor("paper5b", "contracts") == [0, 2, 4]


def test_bento_5a_gives_every_department_passed_on_mining_again():
    match, board = late("bento5a", mining=9)
    assert board.iron == 2
    play(match, "department.yellow")
    assert board.vp == 2
    _, board = late("bento5a", mining=2)
    assert board.iron == 0


def test_bento_5b_gives_yellow_departments_by_the_mining_favor():
    assert by_favor("bento5b", "mining") == [0, 2, 4]


def test_lens_5a_makes_own_trains_worth_3_influence():
    match = position(factories="lenses5a", lines={0: [0, 0, 1]}, tokens={(0, 0): "1@0", (0, 1): "1@1"})
    standing = match.view(0)["regions"][0]["standing"]
    assert [entry["influence"] for entry in standing] == [1 + 3 + 3, 1 + 2]


def test_lens_5b_gives_yellow_departments_by_the_trains_favor():
    assert by_favor("lenses5b", "trains") == [0, 2, 4]


def test_bulb_5a_gives_2_money_per_machine_at_most_8():
    assert [late("bulbs5a", machines=n)[1].money for n in (0, 3, 5)] == [0, 6, 8]


def test_bulb_5b_gives_2_vp_per_threshold_of_ships_machines_trains():
    _, board = late("bulbs5b", ships=4, machines=6, trains=3)
    assert board.vp == 6


def test_clock_5a_gives_2_vp_per_lower_threshold():
    _, board = late("clocks5a", ships=4, machines=6, rd=9, mining=6, finance=7)
    assert board.vp == 8


def test_clock_5b_gives_2_vp_per_threshold_of_the_tracks():
    _, board = late("clocks5b", rd=9, mining=6, finance=13)
    assert board.vp == 10
