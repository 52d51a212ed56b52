"""A game that nobody plays any more pauses itself, asks whether anybody is still there, and ends if nobody is."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from service.models import GameStatus, Letter, Move, Policy, Ruling
from service.play.clocks import Pace
from service.post.told import in_words
from tests.play import House, Player, Table, body, link_in, mail_of, news
from tests.service.test_desk import rule
from workers import timekeeper

MORNING = datetime(2026, 6, 1, 9, 0, tzinfo=UTC)
PACE = Pace(timedelta(hours=6), grace=timedelta(hours=1), round_the_clock=True)
NAMES = ["Aiko", "Bruno", "Chidi"]


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[time_machine.Traveller]:
    monkeypatch.setattr(timekeeper, "OUTAGE", timedelta(days=60))
    with time_machine.travel(MORNING, tick=False) as traveller:
        yield traveller


def begun(house: House, names: list[str] = NAMES, kind: str = "osaka", **plan) -> Table:
    timekeeper.sweep()
    return house.begun(names, kind=kind, **{"pace": PACE, "policy": Policy.PASS, **plan})


def miss(clock: time_machine.Traveller, turns: int = 1) -> None:
    """Nobody plays for so many turns: each runs out, and its grace too."""
    for _ in range(turns):
        for hours in (6, 1):
            clock.shift(timedelta(hours=hours))
            timekeeper.sweep()


def page_of_letter(player: Player):
    (letter,) = player.letters("silent")
    return player.browser.get(link_in(letter))


def test_after_a_round_without_anybody_the_game_pauses_itself_and_asks_everybody(
    house: House, clock: time_machine.Traveller
):
    table = begun(house)
    miss(clock, 2)
    assert table.game().paused_at is None
    miss(clock)
    assert table.game().silent_since == table.game().paused_at == datetime.now(UTC)
    for player in table.players:
        (letter,) = player.letters("silent")
        assert "Nobody has played for a whole round." in body(letter)
        assert "ends without a result on Thu 2 Jul" in " ".join(body(letter).split())
    version = table.game().version
    miss(clock, 20)
    assert table.game().version == version  # nobody is auto-passed for ever


def test_the_game_goes_on_when_somebody_presses_the_button_and_a_get_changes_nothing(
    house: House, clock: time_machine.Traveller
):
    table = begun(house)
    miss(clock, 3)
    clock.shift(timedelta(days=9))
    player = table.player("Bruno")
    page = page_of_letter(player)
    before = house.dump()
    page = player.browser.get(page.url)
    assert house.dump() == before
    assert "I am still here" in page
    page = page.press("I am still here")
    assert "The game goes on." in page
    game = table.game()
    assert (game.paused_at, game.silent_since, game.status) == (None, None, GameStatus.RUNNING)
    assert all("Bruno is still here." in body(p.letters("resumed")[0]) for p in table.players)
    assert table.to_move().deadline > datetime.now(UTC) + timedelta(hours=5)
    assert "I am still here" not in player.browser.get(page.url)
    miss(clock, 2)
    assert table.game().paused_at is None  # it takes another whole round
    miss(clock)
    assert table.game().silent_since is not None


def test_the_game_goes_on_when_somebody_plays(house: House, clock: time_machine.Traveller):
    table = begun(house)
    miss(clock, 3)
    clock.shift(timedelta(days=2))
    player = table.to_move()
    page_of_letter(player)
    player._came = True
    player.play()
    assert table.game().silent_since is None
    assert table.game().paused_at is None
    assert table.to_move().deadline == datetime.now(UTC) + PACE.allowance


def test_after_days_of_silence_the_game_ends_without_a_result_and_all_are_told(
    house: House, clock: time_machine.Traveller
):
    table = begun(house, silent_days=12)
    miss(clock, 3)
    clock.shift(timedelta(days=11, hours=23))
    timekeeper.sweep()
    assert table.game().status is GameStatus.RUNNING
    clock.shift(timedelta(hours=2))
    timekeeper.sweep()
    game = table.game()
    assert (game.status, game.result, game.paused_until) == (GameStatus.FINISHED, None, None)
    assert all(len(player.letters("ended")) == 1 for player in table.players)
    (*_, last) = house.all(Ruling)
    assert in_words(last.reason) == "Nobody was there for 12 days."
    result = table.players[0].follow_link().browser.get(table.url("/result"))
    assert "Nobody played any more, and the game ended by itself." in result
    assert "ruling" not in result
    before = house.dump("heartbeat")
    timekeeper.sweep()
    assert house.dump("heartbeat") == before


def test_whoever_plays_once_a_round_keeps_the_game_awake(house: House, clock: time_machine.Traveller):
    table = begun(house)
    for _ in range(3):
        while table.to_move().name != "Chidi":
            miss(clock)
        table.player("Chidi").play()
    assert table.game().paused_at is None
    assert len(house.all(Move, Move.decided_by == "time-out")) >= 6


def test_the_organiser_chooses_after_how_many_rounds_and_days(house: House, clock: time_machine.Traveller):
    timekeeper.sweep()
    table = house.game(["Aiko", "Bruno"], **{"silent-rounds": "2", "silent-days": "5"})
    game = table.game()
    assert (game.silent_rounds, game.silent_days) == (2, 5)
    table = begun(house, ["Aiko", "Bruno"], silent_rounds=2)
    miss(clock, 3)
    assert table.game().paused_at is None
    miss(clock)
    assert table.game().silent_since is not None


def test_the_bot_never_takes_the_last_persons_seat(house: House, clock: time_machine.Traveller):
    table = begun(house, policy=Policy.BOT, bot_after=2, silent_rounds=9)
    miss(clock, 20)
    (person,) = [seat for seat in table.seats() if not seat.bot]
    assert table.game().silent_since is not None
    player = table.player(person.name)
    (letter,) = player.letters("silent")
    assert "Without you only bots would be left." in body(letter)
    (*_, ruling) = house.all(Ruling)
    assert in_words(ruling.reason) == f"Without {person.name} only bots would be left."
    assert "the bot never takes the last person's seat" in " ".join(body(player.letters("late")[-1]).split())
    page_of_letter(player).press("I am still here")
    assert table.game().silent_since is None
    assert person.asked == player.seat.asked


def test_in_a_game_that_paused_itself_letters_of_time_are_not_sent(house: House, clock: time_machine.Traveller):
    table = begun(house)
    miss(clock, 3)
    kinds = [letter.kind for letter in house.all(Letter, Letter.created_at == datetime.now(UTC))]
    assert kinds.count("silent") == 3
    (turn,) = table.to_move().letters("turn")[-1:]
    assert "The game is paused" in body(turn)


def test_whether_anybody_is_there_leads_a_letter_before_a_turn_that_nobody_waits_for(
    one_house: House, clock: time_machine.Traveller
):
    table = begun(one_house)
    miss(clock, 3)
    (letter,) = table.to_move().letters("silent")
    assert news(letter) == "Is anybody still there?"
    for kind in ("plain", "html"):
        words = " ".join(body(letter, kind).split())
        assert words.index("Is anybody still there?") < words.index("it is your turn")


def test_who_plays_alone_is_asked_as_one(one_house: House, clock: time_machine.Traveller):
    table = begun(one_house, ["Aiko", "Bot*"])
    miss(clock)
    (letter,) = table.player("Aiko").letters("silent")
    assert news(letter) == "Are you still there?"
    for kind in ("plain", "html"):
        words = " ".join(body(letter, kind).split())
        assert "Are you still there?" in words
        assert "It goes on as soon as you say so or play. If you do not, it ends without a result on" in words


def test_yokohama_with_everybody_silent_is_not_passed_for_ever(house: House, clock: time_machine.Traveller):
    table = begun(house, kind="yokohama")
    miss(clock, 30)
    assert table.game().silent_since is not None
    assert table.game().version <= 2 * len(NAMES)


def from_outside(house: House, clock: time_machine.Traveller) -> Table:
    """Olga has made the game, Mika looks after it, and neither plays."""
    mika, olga = ("Mika", mail_of("Mika")), ("Olga", mail_of("Olga"))
    table = begun(house, moderator=mika)
    house.begun(["Olga", "Bruno"])  # so that she is known
    house.execute("UPDATE game SET organiser_id = (SELECT id FROM person WHERE mail = :mail) WHERE id = :id",
                  mail=olga[1], id=table.game().id)  # fmt: skip
    miss(clock, 3)
    assert table.game().silent_since is not None
    return table


def test_who_made_the_game_or_looks_after_it_is_told_too_and_finds_it_at_home(
    one_house: House, clock: time_machine.Traveller
):
    table = from_outside(one_house, clock)
    (letter,) = one_house.letters(mail_of("Mika"), "silent-outside")
    assert "when you let it go on at the desk" in " ".join(body(letter).split())
    desk = one_house.browser().get(link_in(letter))
    assert desk.url.endswith("/desk")
    assert "Nobody plays any more" in desk
    home = desk.browser.get("/my")
    assert "Waiting for your decision" in home
    assert "nobody plays any more" in home
    (letter,) = one_house.letters(mail_of("Olga"), "silent-outside")
    assert "at the desk" not in body(letter)
    page = one_house.browser().get(link_in(letter))
    assert page.url.endswith("/organise")
    assert "Nobody plays any more" in page
    assert all(player.letters("silent-outside") == [] for player in table.players)


def test_a_moderator_can_let_a_silent_game_go_on(one_house: House, clock: time_machine.Traveller):
    table = from_outside(one_house, clock)
    clock.shift(timedelta(days=3))
    rule(table.desk(), "resume")
    game = table.game()
    assert (game.silent_since, game.paused_at) == (None, None)
    assert table.to_move().deadline > datetime.now(UTC)
    assert all("Decided by Mika" in " ".join(body(p.letters("resumed")[0]).split()) for p in table.players)
