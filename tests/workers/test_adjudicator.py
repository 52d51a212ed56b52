"""A turn that was sent is played once, whole, whatever happens to the worker that plays it."""

from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
import time_machine

from service.models import Draft, Letter, LetterStatus, Move, Snapshot, Submission, Verdict
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


def _check(table: Table, row: int) -> None:
    house, game = table.house, table.game()
    assert len(house.all(Move, Move.submission_id == row)) == 1
    assert [move.version for move in house.all(Move)] == list(range(game.version + 1))
    assert len(house.all(Snapshot)) == game.version + 1
    assert house.all(Draft) == []
    asked = table.to_move().seat
    for letter in house.all(Letter, Letter.kind == "turn", Letter.asked == asked.asked):
        assert letter.seat_id == asked.id
        if letter.due_at <= datetime.now(UTC):
            assert (letter.status, letter.attempts) == (LetterStatus.SENT, 1)
    assert len(house.all(Letter, Letter.kind == "turn", Letter.asked == asked.asked)) == 1


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
