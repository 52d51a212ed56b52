"""A turn that was sent is played once, whole, whatever happens to the worker that plays it."""

from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
import time_machine
from sqlalchemy.exc import OperationalError

from engine import Match
from service.models import Draft, Game, Letter, LetterStatus, Move, Snapshot, Submission, Verdict
from service.play import record
from service.post.told import in_words
from tests.play import House, Table, at_once, killed_at
from workers import adjudicator, courier, timekeeper
from workers.courier import CLAIM
from workers.timekeeper import LOST_AFTER

pytestmark = pytest.mark.both_databases


@pytest.fixture
def table(house: House) -> Table:
    return house.begun(["Aiko", "Bruno"])


def after(span: timedelta) -> time_machine.travel:
    return time_machine.travel(datetime.now(UTC) + span + timedelta(seconds=1))


def test_killed_between_any_two_statements_a_turn_is_played_once_and_its_letters_go_out_once(table: Table):
    house = table.house
    step = 0
    killed = True
    while killed:
        step += 1
        player, version = table.to_move(), table.game().version
        row = player.submit(player.best())
        before = house.dump()
        killed = killed_at(step, partial(adjudicator.adjudicate, row))
        done = house.one(Submission, Submission.id == row).verdict is Verdict.ACCEPTED
        if not done:
            assert house.dump() == before, f"half a move was left by a kill at step {step}"
            adjudicator.adjudicate(row)
        assert adjudicator.adjudicate(row) is None
        assert table.game().version == version + 1
        with after(LOST_AFTER):
            timekeeper.sweep()
        _check(table, row)
    assert 8 < step < 80
    assert done


def test_turns_that_wait_in_other_games_are_played_with_it_and_killed_anywhere_each_is_played_once(house: House):
    tables = [
        house.begun(["Aiko", "Bruno"]),
        house.begun(["Chidi", "Dana"]),
        house.begun(["Emeka", "Fumi"]),
    ]
    step, killed = 0, True
    while killed:
        step += 1
        players = [table.to_move() for table in tables]
        versions = [table.game().version for table in tables]
        rows = [player.submit(player.best()) for player in players]
        before = house.dump()
        killed = killed_at(step, partial(adjudicator.adjudicate, rows[0]))
        verdicts = {house.one(Submission, Submission.id == row).verdict for row in rows}
        assert len(verdicts) == 1, f"a kill at step {step} parted what is one transaction"
        if verdicts == {Verdict.RECEIVED}:
            assert house.dump() == before, f"half a move was left by a kill at step {step}"
            assert set(adjudicator.adjudicate_waiting(rows[1])) == set(rows)
        assert [table.game().version for table in tables] == [version + 1 for version in versions]
        with after(LOST_AFTER):
            timekeeper.sweep()
        for table, row in zip(tables, rows, strict=True):
            _check(table, row)
    assert 8 < step < 40, "however many turns, the statements are the same"


def test_a_turn_that_cannot_be_decided_holds_up_no_other(house: House, monkeypatch: pytest.MonkeyPatch):
    tables = [house.begun(["Aiko", "Bruno"]), house.begun(["Chidi", "Dana"]), house.begun(["Emeka", "Fumi"])]
    first, bad, last = [table.to_move().submit(table.to_move().best()) for table in tables]
    load = record.load

    def break_down(game: Game) -> Match:
        if game.id == tables[1].game().id:
            raise RuntimeError("a defect")
        return load(game)

    monkeypatch.setattr(record, "load", break_down)
    assert adjudicator.adjudicate_waiting(first) == {first: Verdict.ACCEPTED, last: Verdict.ACCEPTED}
    again = tables[0].to_move()
    with pytest.raises(RuntimeError, match="a defect"):
        adjudicator.adjudicate(bad)
    assert adjudicator.adjudicate_waiting(again.submit(again.best())), "and it is not tried again in company"
    monkeypatch.setattr(record, "load", load)
    assert adjudicator.adjudicate(bad) is Verdict.ACCEPTED
    for table, row in zip(tables[1:], (bad, last), strict=True):
        _check(table, row)


@pytest.mark.parametrize("step", ["_draw", "_decide"])
def test_where_the_database_is_lost_nothing_is_tried_one_by_one_and_the_task_says_so(
    house: House, monkeypatch: pytest.MonkeyPatch, step: str
):
    tables = [house.begun(["Aiko", "Bruno"]), house.begun(["Chidi", "Dana"])]
    first, second = [table.to_move().submit(table.to_move().best()) for table in tables]
    tries = []

    def lose(*_: object) -> None:
        tries.append(step)
        raise OperationalError("SELECT", {}, Exception("the server closed the connection"), connection_invalidated=True)

    with monkeypatch.context() as patch:
        patch.setattr(adjudicator, step, lose)
        with pytest.raises(OperationalError):
            adjudicator.adjudicate_waiting(first)
    assert tries == [step]
    assert adjudicator.adjudicate_waiting(second) == {first: Verdict.ACCEPTED, second: Verdict.ACCEPTED}


def test_a_turn_that_is_refused_leaves_its_company_alone(house: House):
    tables = [house.begun(["Aiko", "Bruno"]), house.begun(["Chidi", "Dana"])]
    good = tables[0].to_move().submit(tables[0].to_move().best())
    bad = tables[1].to_move().submit(["buy"])
    assert adjudicator.adjudicate_waiting(bad) == {bad: Verdict.REJECTED, good: Verdict.ACCEPTED}
    assert [table.game().version for table in tables] == [1, 0]


def test_two_turns_of_one_game_are_not_played_together(house: House):
    """The second is about a position that is yet to come."""
    player = house.begun(["Aiko", "Bruno"]).to_move()
    first, second = player.submit(["token.blue"]), player.submit(["token.red"])
    assert adjudicator.adjudicate_waiting(second) == {second: Verdict.ACCEPTED}
    assert adjudicator.adjudicate_waiting(first) == {first: Verdict.REJECTED}


def test_several_adjudicators_at_once_play_every_turn_once_and_none_waits_for_another_in_a_circle(house: House):
    tables = [house.begun(["Aiko", "Bruno"]) for _ in range(8)]
    for _ in range(3):
        rows = [table.to_move().submit(table.to_move().best()) for table in tables]
        verdicts = at_once([partial(adjudicator.adjudicate_waiting, row) for row in rows])
        assert sorted(row for decided in verdicts for row in decided) == rows
        for table, row in zip(tables, rows, strict=True):
            _check(table, row)


def _check(table: Table, row: int) -> None:
    house, game = table.house, table.game()
    assert len(house.all(Move, Move.submission_id == row)) == 1
    assert [move.version for move in house.all(Move, Move.game_id == game.id)] == list(range(game.version + 1))
    assert len(house.all(Snapshot, Snapshot.game_id == game.id)) == game.version + 1
    assert house.all(Draft) == []
    asked = table.to_move().seat
    for letter in house.all(Letter, *_to_asked(table)):
        assert letter.seat_id == asked.id
        if letter.due_at <= datetime.now(UTC):
            assert (letter.status, letter.attempts) == (LetterStatus.SENT, 1)
    assert len(house.all(Letter, *_to_asked(table))) == 1


def _to_asked(table: Table) -> list[Any]:
    return [Letter.game_id == table.game().id, Letter.kind == "turn", Letter.asked == table.to_move().seat.asked]


def test_a_courier_killed_between_any_two_statements_loses_no_letter_and_sends_none_twice(table: Table):
    house = table.house
    step, killed = 0, True
    while killed:
        step += 1
        player = table.to_move()
        with house.lose():
            adjudicator.adjudicate(player.submit(player.best()))
        (letter,) = house.all(Letter, Letter.kind == "turn", Letter.asked == table.game().version)
        house.execute("UPDATE letter SET due_at = created_at WHERE id = :id", id=letter.id)
        killed = killed_at(step, partial(courier.deliver, letter.id, house.settings))
        with after(CLAIM + LOST_AFTER):
            timekeeper.sweep()
        letter = house.one(Letter, Letter.id == letter.id)
        assert letter.status is LetterStatus.SENT
        assert letter.attempts <= 2
        assert courier.deliver(letter.id, house.settings) is None
    assert 5 < step < 60


def test_delivered_twice_and_all_at_once_a_turn_is_played_once(table: Table):
    player = table.to_move()
    row = player.submit(player.best())
    verdicts = at_once([lambda: adjudicator.adjudicate(row) for _ in range(4)])
    assert sorted(str(v) for v in verdicts) == ["None", "None", "None", "accepted"]
    assert table.game().version == 1
    before = table.house.dump()
    assert adjudicator.adjudicate(row) is None
    assert table.house.dump() == before


def test_a_submission_that_is_not_there_is_nothing_to_do(table: Table):
    before = table.house.dump()
    assert adjudicator.adjudicate(999_999) is None
    assert table.house.dump() == before


@pytest.mark.parametrize("choices", [["buy"], ["token.red", "take"], ["\x00"], ["token.red"] * 50])
def test_a_turn_the_rules_do_not_allow_is_sent_back_with_the_reason_and_changes_nothing(
    table: Table, choices: list[str]
):
    player = table.to_move()
    before = table.house.dump("submission")
    row = player.submit(choices)
    adjudicator.adjudicate(row)
    submission = table.house.one(Submission, Submission.id == row)
    assert submission.verdict is Verdict.REJECTED
    assert submission.reason
    assert table.house.dump("submission") == before
    page = player.see()
    assert "Your turn could not be played." in page
    assert in_words(submission.reason or {}) in page
    player.play()
    assert "could not be played" not in player.see()


def test_a_turn_sent_after_the_end_is_refused(house: House):
    table = house.begun(["Aiko", "Bruno*"])
    player = table.player("Aiko")
    row = player.submit(["token.red"])
    house.execute("UPDATE game SET status = 'finished'")
    adjudicator.adjudicate(row)
    assert in_words(house.one(Submission).reason or {}) == "The game is over."


def test_a_turn_for_a_question_that_was_answered_is_refused(table: Table):
    player = table.to_move()
    late = player.submit(["token.red"])
    adjudicator.adjudicate(player.submit(["token.blue"]))
    adjudicator.adjudicate(late)
    assert table.house.one(Submission, Submission.id == late).verdict is Verdict.REJECTED
    assert table.game().version == 1
