"""Setting up, the order of turns, and the change from one round to the next."""

from importlib import resources
from pathlib import Path

from engine import Match
from engine.duel.secrets import census
from engine.duel.state import Duel
from tests.engine.duel.position import me, offered, play, refused, seat, state, table, told
from tests.engine.duel.test_technologies import end_of_round


def dealt(seed: int = 3) -> Match:
    return Match.start("duel", players=2, seed=seed)


def opened(seed: int = 3) -> Match:
    match = dealt(seed)
    while match.pending[0].prompt == "duel.dealt":
        play(match, match.pending[0].default)
    return match


def test_the_table_is_set_as_the_rulebook_says() -> None:
    spec = state(dealt())
    first, second = spec.seats[spec.first], spec.seats[1 - spec.first]
    assert (first.yen, first.help) == (3, [1, 0])
    assert (second.yen, second.help) == (4, [2, 0])
    for player in spec.seats:
        assert player.goods == [1, 1, 1, 1]
        assert player.played == [""] * 4
        assert len(player.offer) == 3
    assert len(spec.bonus_row) == 3
    assert len(spec.bonus_deck) == 9
    assert len(spec.technology_row) == 5
    assert len(spec.technology_deck) == 15
    assert len(spec.church_row) == 6
    assert len(spec.church_out) == 3
    assert len(spec.orders) == 24


def test_a_kit_gives_what_it_names_and_nothing_else() -> None:
    text = Path(str(resources.files("engine.duel") / "components.toml")).read_text(encoding="utf-8")
    kit = "{ yen = 3, help1 = 1, tea = 1, fish = 1, silk = 1, copper = 1 }"
    match = Match.start("duel", players=2, seed=3, components=text.replace(kit, "{ yen = 3 }"))
    first = state(match).seats[state(match).first]
    assert (first.yen, first.goods, first.imports, first.help) == (3, [0, 0, 0, 0], 0, [0, 0])


def test_the_first_player_is_drawn_by_lot() -> None:
    assert {state(dealt(seed)).first for seed in range(12)} == {0, 1}


def test_both_choose_two_of_three_orders_at_the_same_time() -> None:
    match = dealt()
    assert [decision.seat for decision in match.pending] == [0, 1]
    cards = list(seat(match, 1).offer)
    play(match, cards[0], seat=1)
    assert [decision.seat for decision in match.pending] == [0]
    returned = seat(match, 0).offer[2]
    play(match, returned, seat=0)
    assert sorted(seat(match, 1).hand) == sorted(cards[1:])
    assert len(seat(match, 0).hand) == 2
    assert set(state(match).orders[:2]) == {cards[0], returned}
    assert len(state(match).orders) == 26
    assert [decision.seat for decision in match.pending] == [state(match).first]


def test_four_rounds_of_four_turns_each_and_the_first_player_changes() -> None:
    match = opened()
    first = state(match).first
    seen = []
    turn = 0
    while match.pending:
        if match.turn != turn:
            turn = match.turn
            seen.append((state(match).round, state(match).current))
        play(match, match.pending[0].default)
    assert len(seen) == 32
    for round in range(1, 5):
        leader = first if round % 2 else 1 - first
        assert [who for at, who in seen if at == round] == [leader, 1 - leader] * 4
    assert match.result is not None


def test_influence_cards_come_back_and_one_may_be_improved() -> None:
    match = play(table(end_of_round, yen=2), "silk", "end")
    assert me(match).played == [""] * 4
    assert offered(match) == ["card0", "card1", "none"]
    assert refused(match) == {"duel.improve:": "duel.why.yen"}
    play(match, "card1")
    assert me(match).improved == [False, True, False, False]
    assert me(match).yen == 0


def test_both_decide_on_improvements_at_the_same_time() -> None:
    def both_rich(spec: Duel) -> None:
        end_of_round(spec)
        spec.seats[0].yen = spec.seats[1].yen = 4

    match = play(table(both_rich), "silk", "end")
    assert [decision.seat for decision in match.pending] == [0, 1]
    play(match, "card3", seat=1)
    assert not seat(match, 1).improved[3]
    play(match, "none", seat=0)
    assert seat(match, 1).improved == [False, False, False, True]
    assert seat(match, 1).yen == 0
    assert me(match).improved == [False] * 4


def test_whoever_decides_last_does_not_see_the_others_improvement_before_sending() -> None:
    def both_rich(spec: Duel) -> None:
        end_of_round(spec)
        spec.seats[0].yen = spec.seats[1].yen = 4

    match = play(table(both_rich), "silk", "end")
    play(match, "card3", seat=1)
    draft = match.after(0, "card0")
    assert draft.held
    assert not [event for event in draft.events_for(0) if event.key.startswith("duel.improved")]
    assert not [change for change in match.outlook(0, "card0") if change.gauge.seat == 1]


def test_an_improved_card_stays_so_and_is_not_offered_again() -> None:
    match = play(table(end_of_round, yen=9, improved=[True, False, False, False]), "silk", "end")
    assert offered(match) == ["card1", "card2", "card3", "none"]


def test_technologies_left_over_are_discarded_and_five_new_ones_come_up() -> None:
    match = table(end_of_round)
    old = list(state(match).technology_row)
    play(match, "silk")
    assert state(match).technology_discard == old
    assert len(state(match).technology_row) == 5
    assert not set(old) & set(state(match).technology_row)


def test_the_last_round_ends_the_game_without_another_change() -> None:
    def last_turn(spec: Duel) -> None:
        end_of_round(spec)
        spec.turn, spec.round = 31, 4

    match = play(table(last_turn, yen=9), "silk", "end")
    assert match.over
    assert me(match).improved == [False] * 4
    assert told(match)[-1] == "duel.over"


def test_no_component_is_ever_lost() -> None:
    match = dealt()
    whole = census(state(match))
    while match.pending:
        play(match, match.bot_choice(match.pending[0].seat))
        assert census(state(match)) == whole
