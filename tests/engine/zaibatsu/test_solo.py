"""The solo game: what the Automa does with each token, at each difficulty, and how the game is won or lost."""

from typing import Any

import pytest

from engine import Match
from engine.zaibatsu.automa import best_space, regions_in_order
from engine.zaibatsu.state import Token, Zaibatsu, rank, solo_goals_met
from tests.engine.zaibatsu.positions import play, position, state_of

LEVELS = [("easy", 1), ("normal", 2), ("hard", 3)]
PLAIN = {at: ["cotton", "paper", "bento", "lenses"] for at in range(8)}


def solo(token: str, difficulty: str = "hard", **given: Any) -> tuple[Match, Zaibatsu]:
    """The player takes one step of R&D; then the Automa turns up this token. Regions: white, red, blue, black."""
    given = {"money": 9, "cities": PLAIN, **given}
    match = position(1, options={"difficulty": difficulty}, **given)
    automa = state_of(match).automa
    assert automa is not None
    automa.colours = ["white", "red", "blue", "black"]
    automa.priority = ["blue", "yellow", "white", "red", "grey", "black"]
    automa.pile = ["t1", token]
    play(match, "rd worker.black steps.1")
    return match, state_of(match)


@pytest.mark.parametrize(("difficulty", "goals"), LEVELS)
def test_set_up_for_one(difficulty, goals):
    state = state_of(Match.start("zaibatsu", players=1, seed=3, options={"difficulty": difficulty}))
    automa = state.automa
    assert automa is not None
    assert (len(automa.goals), len(automa.priority), len(automa.pile), len(automa.colours)) == (goals, 6, 9, 4)
    assert (len(state.pairs), len(state.factories), set(state.upgrades.values())) == (2, 12, {1})
    assert (state.first, len(state.bag), [len(row) for row in state.queue]) == (0, 18, [3])


def test_a_token_returns_the_worker_that_comes_first_in_the_priority():
    _, state = solo("t4")
    assert state.hiring[3] == ["black", "red"], "white goes before red and black"
    assert state.bag.count("white") >= 1


def test_the_workers_icon_takes_from_the_fullest_space_to_the_side_of_the_arrow():
    hiring = ["black red", "red red red", "red", "white red red", "red"]
    _, left = solo("w1", hiring=hiring)
    assert left.hiring[1] == ["red", "red"]
    _, right = solo("w2", hiring=hiring)
    assert right.hiring[3] == ["red", "red"]


@pytest.mark.parametrize(("token", "acts_from"), [("w1", 1), ("w2", 2), ("w3", 3), ("w4", 3)])
@pytest.mark.parametrize(("difficulty", "level"), LEVELS)
def test_the_workers_icon_acts_only_up_to_the_difficulty(token, acts_from, difficulty, level):
    _, state = solo(token, difficulty, hiring=["black red", "red", "red red red", "red", "red"])
    trains = sum(owner == 1 for region in state.trains for owner in region)
    assert trains == (1 if level >= acts_from else 0)


def test_trains_go_where_the_automa_does_not_lead_by_priority():
    _, state = solo("t3", lines={2: [1]})
    assert state.trains[0][0] == 1, "it leads in blue; white is next"
    assert state.automa.trains == 5


def test_the_automa_acts_where_it_leads_if_it_leads_everywhere():
    _, state = solo("t3", lines={region: [1] for region in range(4)})
    assert state.trains[2][:2] == [1, 1]


def test_a_full_region_is_passed_over():
    _, state = solo("t3", lines={2: [0, 0, 0]})
    assert state.trains[0][0] == 1


def test_it_places_the_lowest_token_of_the_period_s_row_or_of_a_later_one():
    _, state = solo("t5")
    assert (state.cities[5].tokens[0], state.automa.rows) == (Token(1, 1), [[2, 3], [3, 4, 5], [5, 6, 7, 7]])
    match = position(1, money=9, cities=PLAIN)
    automa = state_of(match).automa
    automa.rows[0], automa.pile = [], ["t1", "t5"]
    play(match, "rd worker.black steps.1")
    assert automa.rows[1] == [4, 5]


def test_a_token_whose_hiring_space_is_empty_still_acts():
    ending = {"round": 6, "final_turns": 6}
    hiring = ["black red", "red", "", "red", "red"]
    _, state = solo("t3", hiring=hiring, queue="", state=ending, offered="cotton2a", rd=2)
    assert sum(owner == 1 for region in state.trains for owner in region) == 1


def test_what_the_automa_places_is_told_as_its_own():
    match, _ = solo("t5")
    assert [event.args["n"] for event in match.events if event.key == "zaibatsu.placed.automa"] == [1]


def test_it_never_uses_the_row_of_an_earlier_period():
    match = position(1, money=9, cities=PLAIN, state={"round": 5})
    automa = state_of(match).automa
    automa.rows, automa.pile = [[1], [3], []], ["t1", "t5"]
    play(match, "rd worker.black steps.1")
    assert automa.rows == [[1], [3], []]


def test_it_replaces_the_player_s_highest_token_it_can_beat():
    match = position(1, cities=PLAIN, money=9, tokens={(0, 2): "3@0", (1, 3): "4@0"})
    state = state_of(match)
    assert best_space(state, 0, 5, ["bento", "lenses"]) == (1, 3, 3)
    assert best_space(state, 0, 4, ["bento", "lenses"]) == (0, 2, 2)


def test_it_drives_out_the_player_s_lowest_token_of_a_full_market_but_never_its_own():
    match = position(1, cities=PLAIN, money=9, tokens={(0, 0): "2@0", (0, 1): "3@0"})
    assert best_space(state_of(match), 0, 4, ["lenses"]) == (0, 3, 0)
    match = position(1, cities={**PLAIN, 1: ["cotton"] * 4}, money=9, tokens={(0, 0): "2@1", (0, 1): "3@0"})
    assert best_space(state_of(match), 0, 4, ["lenses"]) is None
    match = position(1, cities={**PLAIN, 1: ["cotton"] * 4}, money=9, tokens={(0, 3): "2@1"})
    assert best_space(state_of(match), 0, 4, ["lenses"]) is None


def test_else_it_covers_the_highest_printed_value():
    match = position(1, cities=PLAIN, money=9)
    assert best_space(state_of(match), 0, 3, ["bento", "lenses"]) == (0, 3, None), "3 is printed there"


def test_a_replaced_automa_token_is_out_of_the_game():
    match = position(1, cities=PLAIN, money=9, factories="cotton1a:3", tokens={(0, 0): "2@1"})
    play(match, "markets worker.black")
    hint = match.pending[0].worked_out().option("space.0.0").hint
    assert (hint.key, hint.args) == ("zaibatsu.hint.replace_automa", {"value": 2})
    play(match, "space.0.0 goods.3.vp")
    state = state_of(match)
    assert (state.cities[0].tokens[0], state.automa.knocked_out) == (Token(0, 3), [2])


def test_its_trains_count_without_tokens():
    match = position(1, money=9, lines={0: [1, 0]})
    assert [entry["influence"] for entry in match.view(0)["regions"][0]["standing"]] == [0, 2]
    match = position(1, money=9, lines={0: [1]}, state={"round": 2}, hiring=["black", *["red"] * 4], queue="")
    play(match, "rd steps.1")
    region = next(event.args for event in match.events if event.key == "zaibatsu.scored_region")
    assert [row["key"].rpartition(".")[2] for row in region["standings"]] == ["overseas", "automa"]


def test_regions_are_tried_by_priority_those_it_does_not_lead_first():
    match = position(1, money=9, lines={2: [1]})
    automa = state_of(match).automa
    assert automa is not None
    automa.colours = ["white", "red", "blue", "black"]
    automa.priority = ["blue", "yellow", "white", "red", "grey", "black"]
    assert regions_in_order(state_of(match), automa) == [0, 1, 3, 2]


def test_an_empty_pile_is_shuffled_anew_with_a_new_priority():
    match = position(1, money=9)
    state_of(match).automa.pile = ["t1"]
    play(match, "rd worker.black steps.1")
    automa = state_of(match).automa
    assert (len(automa.pile), automa.revealed) == (9, [])


def ended(**board):
    match = position(1, state={"stage": "turn", "round": 8, "final_turns": 1}, money=9, **board)
    state_of(match).automa.goals = ["ships", "rd"]
    return match


def test_the_final_rounds_are_three_turns_of_the_player_and_three_of_the_automa():
    match = position(1, money=9, hiring=["black", *["red red"] * 4], queue="", state={"round": 5})
    play(match, "rd steps.1")
    turns, state = [], state_of(match)
    assert state.round == 6
    revealed = len(match.events)
    while match.pending and not match.over and state_of(match).stage == "turn":
        if match.pending[0].prompt == "zaibatsu.turn" and match.turn not in turns:
            turns.append(match.turn)
        play(match, match.pending[0].default)
    assert len(turns) == 3
    tokens = [event for event in match.events[revealed:] if event.key == "zaibatsu.automa.revealed"]
    assert len(tokens) == 2, "its first turn came before the player's first"


def test_the_second_value_is_not_paid_in_a_solo_game():
    match = position(1, money=9, tokens={(0, 3): "7@0", (1, 0): "3@1"}, state={"round": 3})
    assert [entry["vp"] for entry in match.view(0)["regions"][0]["standing"]] == [18, 3], "overseas have 6"
    match = position(1, money=9, tokens={(0, 3): "7@0", (1, 0): "7@1"}, lines={0: [1]}, state={"round": 3})
    assert [entry["vp"] for entry in match.view(0)["regions"][0]["standing"]] == [10, 18], (
        "the third value in its place"
    )


def test_a_missed_solo_goal_loses_without_final_scoring():
    match = ended(ships=5, rd=6, vp=100)
    play(match, "rd worker.black steps.1")
    assert match.over
    assert match.result.winners == []
    assert [standing.seat for standing in match.result.ranking] == [0]
    assert match.view(0)["automa"]["lost"] is True
    assert match.result.ranking[0].score == 100


def test_all_solo_goals_met_win_and_the_score_has_a_rank():
    match = ended(ships=5, rd=7, vp=205)
    play(match, "rd worker.black steps.1 department.yellow favor.1.ships")
    assert match.over
    assert match.result.winners == [0]
    assert match.scores[0] >= 210
    assert match.view(0)["automa"]["rank"] == "brilliant"
    (won,) = (event.args for event in match.events if event.key == "zaibatsu.won_solo")
    assert (won["seat"], won["rank"]) == (0, "brilliant")


GOALS: dict[str, dict[str, Any]] = {
    "ships": {"ships": 5},
    "machines": {"factories": "cotton1a:0/2 paper1a:0/2 bento1a:0/1"},
    "trains": {"trains": 5},
    "rd": {"rd": 8},
    "mining": {"mining": 8},
    "finance": {"finance": 10},
    "factories": {"factories": "cotton1a paper1a bento1a lenses1a bulbs1a"},
    "contracts": {"contracts": ["black", "red", "grey", "blue", "white", "yellow"]},
    "influence": {"tokens": {(city, 0): f"{value}@0" for city, value in enumerate([1, 2, 3, 4, 5, 6, 7])}},
}


def test_every_solo_goal_has_a_test():
    assert set(GOALS) == set(state_of(position(1)).box.solo_goal)


@pytest.mark.parametrize("goal", [goal for goal in GOALS if goal != "influence"])
def test_a_solo_goal_is_met_with_what_it_asks_for_and_not_with_less(goal):
    state = state_of(position(1, **GOALS[goal]))
    state.automa.goals = [goal]
    assert solo_goals_met(state) == [True]
    assert solo_goals_met(one_less(state, goal)) == [False]


def one_less(state, goal):
    board = state.boards[0]
    if goal in ("factories", "contracts"):
        getattr(board, goal).pop()
    else:
        setattr(board, goal, getattr(board, goal) - 1)
    return state


def test_the_influence_goal_counts_the_player_s_tokens_on_the_board():
    state = state_of(position(1, tokens=GOALS["influence"]["tokens"]))
    state.automa.goals = ["influence"]
    assert solo_goals_met(state) == [False], "seven of eight"
    state.cities[7].tokens[0] = Token(1, 3)
    assert solo_goals_met(state) == [False], "the Automa's do not count"
    state.cities[7].tokens[0] = Token(0, 3)
    assert solo_goals_met(state) == [True]


@pytest.mark.parametrize(
    ("score", "name"),
    [
        (0, "unessential"),
        (149, "unessential"),
        (150, "forgettable"),
        (179, "forgettable"),
        (180, "significant"),
        (209, "significant"),
        (210, "brilliant"),
        (239, "brilliant"),
        (240, "favorite"),
        (300, "favorite"),
    ],
)
def test_the_rank_table_of_the_rulebook(score, name):
    assert rank(state_of(position(1)), score) == name
