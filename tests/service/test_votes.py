"""Whoever plays is a party: what a moderator who plays can only propose, and what players decide together. Through
pages, letters and the timekeeper."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import lxml.html
import pytest
import time_machine

from service.models import GameStatus, Jury, Letter, LetterStatus, Outcome, Policy, Proposal, Ruling, Stage
from service.play.clocks import Pace
from service.post import links
from service.post.told import in_words
from tests.play import House, Page, Player, Table, body, link_in, mail_of, mint, take_seat
from tests.service.test_desk import REASON, ask, rule
from workers import timekeeper

MORNING = datetime(2026, 11, 17, 9, tzinfo=UTC)
PACE = Pace(timedelta(hours=6), grace=timedelta(hours=1), round_the_clock=True)


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[time_machine.Traveller]:
    monkeypatch.setattr(timekeeper, "OUTAGE", timedelta(days=60))
    with time_machine.travel(MORNING, tick=False) as traveller:
        yield traveller


def begun(house: House, jury: Jury = Jury.PLAYER, names: tuple[str, ...] = ("Aiko", "Bruno", "Chidi")) -> Table:
    """Aiko looks after the game, and plays; or nobody does but the group."""
    return house.begun(names, pace=PACE, policy=Policy.MODERATOR, moderator_hours=5, jury=jury)


def others(table: Table, *names: str) -> list[Player]:
    return [player for player in table.players if player.name not in names]


def run_out(clock: time_machine.Traveller) -> None:
    for hours in (6, 7):
        clock.move_to(MORNING + timedelta(hours=hours))
        timekeeper.sweep()


def propose(player: Player, deed: str, **fields: object) -> Page:
    """On the players' own page: preview, then propose."""
    player.follow_link()
    return rule(player.browser.get(player.url("/propose")), deed, **fields)


def answer(player: Player, button: str) -> Page:
    """At the table, by the link in the letter that asks."""
    (*_, letter) = player.letters("proposed")
    return player.browser.get(link_in(letter)).press(button)


def proposal(house: House) -> Proposal:
    (*_, last) = house.all(Proposal)
    return last


def test_a_moderator_who_plays_ends_the_game_only_when_all_others_agree(house: House):
    table = begun(house)
    done = rule(table.desk(), "end")
    assert "It waits for an answer of Bruno and Chidi." in done
    assert table.game().status is GameStatus.RUNNING
    for player in others(table, "Aiko"):
        (letter,) = player.letters("proposed")
        assert "The game ends now, without a result." in " ".join(body(letter).split())
        assert REASON in body(letter)
    answer(table.player("Bruno"), "I agree")
    assert table.game().status is GameStatus.RUNNING
    answer(table.player("Chidi"), "I agree")
    assert table.game().status is GameStatus.FINISHED
    (ended,) = table.player("Bruno").letters("ended")
    assert "Proposed by Aiko and agreed by all who were asked" in " ".join(body(ended).split())


@pytest.mark.parametrize(("deed", "fields"), [("rewind", {"version": 1}), ("pause", {"days": 3}), ("end", {})])
def test_what_concerns_the_whole_game_a_moderator_who_plays_can_only_propose(
    house: House, deed: str, fields: dict[str, int]
):
    table = begun(house)
    table.rush(2)
    rule(table.desk(), deed, **fields)
    assert house.all(Ruling) == []
    assert (proposal(house).name, table.game().proposals) == (deed, 1)


@pytest.mark.parametrize("deed", ["auto-pass", "bot-turn", "bot", "extend", "excuse"])
def test_over_their_own_seat_a_moderator_who_plays_can_only_propose(house: House, deed: str):
    table = begun(house)
    while table.to_move().name != "Aiko":
        table.rush(1)
    version = table.game().version
    house.execute("UPDATE seat SET misses = 1 WHERE name = 'Aiko'")
    rule(table.desk(), deed, seat=table.player("Aiko").no, hours=3)
    assert (house.all(Ruling), table.game().version) == ([], version)
    for player in others(table, "Aiko"):
        answer(player, "I agree")
    assert house.one(Ruling).by_vote


def test_over_anothers_seat_they_rule_once_it_is_out_of_time_and_see_no_automatic_play_before(
    house: House, clock: time_machine.Traveller
):
    table = begun(house)
    while table.to_move().name == "Aiko":
        table.rush(1)
    late, desk = table.to_move(), table.desk()
    for deed in ("auto-pass", "bot-turn", "bot", "substitute"):
        fields = {"seat": late.no, "reason": REASON, "name": "Emil", "mail": mail_of("Emil")}
        refused = ask(desk, deed, **fields)
        assert refused.status == 400
        assert f"only once {late.name} is out of time" in refused
        assert f"For {late.name}" not in refused
        assert ask(desk, deed, confirmed="yes", **fields).status == 400
    run_out(clock)
    assert late.seat.stage is Stage.DESK
    rule(desk.browser.get(desk.url), "auto-pass", seat=late.no)
    assert house.one(Ruling).name == "auto-pass"


def test_an_open_page_is_told_when_something_is_proposed_answered_closed_or_decided(one_house: House):
    table = begun(one_house, Jury.GROUP)
    aiko, bruno, chidi = table.players
    spectator = one_house.browser()
    spectator.get(mint(one_house, links.mint_watch, table.game()))

    def beats(page: Page) -> tuple[list[str], list[str]]:
        """What the page compares itself by, and what the pulse says to it now."""
        (main,) = lxml.html.document_fromstring(page.html).xpath("//main")
        beat = json.loads(page.browser.get(main.get("data-pulse")).html)
        return [main.get(f"data-{key}") for key in ("said", "standing")], [str(beat["said"]), beat["standing"]]

    def everybody() -> list[Page]:
        seated = [player.see() for player in table.players]
        return [*seated, bruno.browser.get(table.url("/watch")), spectator.get(table.url("/watch"))]

    bruno.see().press("Say", text="Well met")
    for deed in (
        lambda: propose(aiko, "pause", days=3),
        lambda: answer(bruno, "I agree"),
        lambda: answer(chidi, "I do not agree"),
        lambda: (propose(aiko, "pause", days=3), answer(bruno, "I agree"), answer(chidi, "I agree")),
        lambda: (propose(aiko, "end"), answer(bruno, "I agree"), answer(chidi, "I agree")),
    ):
        before = everybody()
        for shown, now in map(beats, before):
            assert shown == now  # nothing has changed: no page loads itself again for nothing
        deed()
        for shown, now in map(beats, before):
            assert shown != now


def test_a_no_closes_a_proposal_and_is_told_to_all(house: House):
    table = begun(house)
    rule(table.desk(), "end")
    answer(table.player("Bruno"), "I do not agree")
    assert proposal(house).outcome is Outcome.REFUSED
    for name in ("Aiko", "Chidi"):
        (letter,) = table.player(name).letters("dropped")
        assert "Bruno does not agree. Nothing changes." in " ".join(body(letter).split())
    chidi = table.player("Chidi")
    chidi.follow_link()
    late = chidi.browser.get(chidi.url("/propose"))
    page = chidi.browser.post(
        chidi.url("/vote"),
        {"proposal": proposal(house).id, "answer": "yes", "csrf_token": late.forms[0].fields["csrf_token"]},
    )
    assert "closed already" in page
    assert table.game().status is GameStatus.RUNNING


def test_who_proposed_reads_of_it_as_theirs_and_one_who_is_asked_agrees(one_house: House):
    table = one_house.begun(["Aiko", "Bruno"])
    aiko, bruno = table.players
    aiko.follow_link()
    asked = ask(aiko.browser.get(aiko.url("/propose")), "pause", days="2", reason=REASON)
    assert "This will happen if Bruno agrees:" in asked
    rule(aiko.browser.get(aiko.url("/propose")), "pause", days="2")
    answer(bruno, "I do not agree")
    (letter,) = aiko.letters("dropped")
    assert "You proposed: All clocks stand still" in " ".join(body(letter).split())
    assert "You proposed: All clocks stand still" in " ".join(body(letter, "html").split())


def test_silence_is_shown_and_never_taken_as_yes(house: House, clock: time_machine.Traveller):
    table = begun(house)
    rule(table.desk(), "pause", days=3)
    answer(table.player("Chidi"), "I agree")
    clock.shift(timedelta(days=2))
    timekeeper.sweep()
    for player in table.players:
        page = player.follow_link()
        silent = "You were asked on" if player.name == "Bruno" else "Bruno has not answered since"
        assert f"{silent} Tue 17 Nov" in page
        assert ("You agree." if player.name == "Chidi" else "Chidi agrees.") in page
    assert table.game().paused_at is None


def test_whoever_proposes_can_take_it_back(house: House):
    table = begun(house)
    bruno = table.player("Bruno")
    propose(bruno, "pause", days=2)
    bruno.see().press("Take it back")
    assert proposal(house).outcome is Outcome.REFUSED
    (letter,) = table.player("Aiko").letters("dropped")
    assert "Bruno has taken it back" in body(letter)


def test_a_rewind_that_the_game_has_moved_on_from_is_closed_and_told(house: House):
    table = begun(house)
    table.rush(2)
    rule(table.desk(), "rewind", version=1)
    table.to_move().play()
    assert (proposal(house).outcome, table.game().proposals) == (Outcome.OVERTAKEN, 0)
    for player in table.players:
        (letter,) = player.letters("dropped")
        assert "The game has moved on" in body(letter)


def test_a_proposal_about_a_question_is_closed_when_it_is_answered_and_no_letter_asks_any_more(house: House):
    table = begun(house)
    while table.to_move().name != "Aiko":
        table.rush(1)
    with house.hold():
        rule(table.desk(), "extend", seat=table.player("Aiko").no, hours=3)
    table.player("Aiko").play()
    assert proposal(house).outcome is Outcome.OVERTAKEN
    for letter in house.all(Letter, Letter.kind == "proposed"):
        house.run("deliver", letter.id)
    assert {letter.status for letter in house.all(Letter, Letter.kind == "proposed")} == {LetterStatus.OBSOLETE}


def test_players_pause_and_go_on_by_vote_in_any_game(house: House, clock: time_machine.Traveller):
    table = house.begun(["Aiko", "Bruno"], moderator=("Mika", mail_of("Mika")), pace=PACE)
    aiko, bruno = table.players
    propose(aiko, "pause", days=5)
    assert "I agree" in bruno.follow_link()
    answer(bruno, "I agree")
    assert table.game().paused_until == MORNING + timedelta(days=5)
    assert "for the moderator to decide" in ask(bruno.browser.get(bruno.url("/propose")), "excuse", seat=0, reason="x")
    propose(bruno, "resume")
    clock.shift(timedelta(hours=3))
    answer(aiko, "I agree")
    assert table.game().paused_at is None


def test_opening_the_link_in_the_letter_changes_nothing(house: House):
    table = begun(house)
    rule(table.desk(), "end")
    (letter,) = table.player("Bruno").letters("proposed")
    link = link_in(letter)
    before = house.dump()
    assert "I agree" in house.browser().get(link)
    assert house.dump() == before


def test_one_who_plays_alone_against_bots_needs_nobodys_agreement(house: House):
    table = begun(house, names=("Aiko", "Bot*"))
    rule(table.desk(), "end")
    assert table.game().status is GameStatus.FINISHED


def test_in_a_pause_no_page_and_no_letter_names_a_deadline(house: House, clock: time_machine.Traveller):
    table = house.begun(["Aiko", "Bruno"], moderator=("Mika", mail_of("Mika")), pace=PACE)
    player = table.to_move()
    deadline = f"{player.deadline:%H:%M}"
    desk = table.desk()
    rule(desk, "pause", days=2)
    clock.shift(timedelta(minutes=20))
    rule(desk.browser.get(desk.url), "extend", seat=player.no, hours=1)
    pages = [player.follow_link(), player.browser.get("/my"), player.browser.get(player.url("/settings"))]
    pages += [desk.browser.get(desk.url), desk.browser.get("/desk"), desk.browser.get(table.url("/watch"))]
    for page in pages:
        assert deadline not in page.text, page.url
    assert "You are watching. The game is paused. Until " in pages[-1]
    (extended,) = player.letters("extended")
    assert f"{player.name} has 1 hour more." in body(extended)
    assert f"{player.deadline:%H:%M}" not in body(extended)


# --- a moderator who plays, and is out of time themselves


def moderator_runs_out(table: Table, clock: time_machine.Traveller) -> Player:
    while table.to_move().name != "Aiko":
        table.rush(1)
    run_out(clock)
    aiko = table.player("Aiko")
    assert aiko.seat.stage is Stage.DESK
    return aiko


def test_what_happens_to_a_moderator_who_is_out_of_time_the_others_decide_by_vote(
    one_house: House, clock: time_machine.Traveller
):
    table = begun(one_house)
    aiko = moderator_runs_out(table, clock)
    bruno, chidi = others(table, "Aiko")
    assert one_house.letters(mail_of("Aiko"), "out-of-time") == []
    assert "After that, the others decide what happens." in body(aiko.letters("late")[0])
    for player in (bruno, chidi):
        (letter,) = player.letters("together")
        assert "Aiko is out of time: what now?" in body(letter)
        assert "Aiko is out of time. Propose what happens" in player.follow_link()
    assert "you decide together too" in bruno.browser.get(bruno.url("/propose"))
    version = table.game().version
    propose(bruno, "auto-pass", seat=aiko.no)
    assert table.game().version == version
    answer(chidi, "I agree")
    assert table.game().version == version + 1
    assert aiko.seat.misses == 1


def test_about_another_seat_the_moderator_alone_decides(one_house: House, clock: time_machine.Traveller):
    table = begun(one_house)
    while table.to_move().name == "Aiko":
        table.rush(1)
    late = table.to_move()
    run_out(clock)
    (other,) = others(table, "Aiko", late.name)
    other.follow_link()
    page = other.browser.get(other.url("/propose"))
    assert "Auto-pass" not in page
    assert "for the moderator to decide" in ask(page, "auto-pass", seat=late.no, reason=REASON)


def test_what_the_others_do_not_decide_about_a_moderator_the_fallback_does(
    one_house: House, clock: time_machine.Traveller
):
    table = begun(one_house)
    moderator_runs_out(table, clock)
    version = table.game().version
    clock.move_to(MORNING + timedelta(hours=12, minutes=1))
    timekeeper.sweep()
    assert table.game().version == version + 1
    assert in_words(one_house.one(Ruling).reason) == "The players did not agree on anything in time."


# --- people come and go while something is voted on


def leave(player: Player) -> None:
    player.follow_link()
    player.browser.get(player.url("/leave")).press("Leave the game for good")


def test_who_leaves_is_waited_for_no_more_and_what_all_others_agreed_to_happens(one_house: House):
    table = begun(one_house, Jury.GROUP)
    aiko, bruno, chidi = table.players
    propose(aiko, "pause", days=5)
    answer(bruno, "I agree")
    assert table.game().paused_at is None
    leave(chidi)
    assert table.game().paused_until == MORNING + timedelta(days=5)
    assert proposal(one_house).outcome is Outcome.AGREED


def test_a_proposal_stays_open_when_somebody_leaves_who_had_answered(one_house: House):
    table = begun(one_house, Jury.GROUP)
    aiko, bruno, chidi = table.players
    propose(aiko, "pause", days=5)
    answer(bruno, "I agree")
    leave(bruno)
    assert proposal(one_house).outcome is Outcome.OPEN
    assert "Chidi has not answered" in aiko.follow_link()
    assert "Bruno agrees" not in aiko.see()
    answer(chidi, "I agree")
    assert table.game().paused_at is not None


def test_a_newcomer_is_asked_and_has_a_vote(one_house: House):
    table = begun(one_house, Jury.GROUP)
    aiko, bruno, chidi = table.players
    leave(chidi)
    propose(aiko, "pause", days=5)
    organiser = one_house.browser().get(link_in(one_house.letters(aiko.mail, "vacant")[0]))
    organiser.press("Ask them to take over", name="Dana", mail=mail_of("Dana"))
    take_seat(one_house.browser().get(link_in(one_house.letters(mail_of("Dana"), "offer")[0])))
    (letter,) = one_house.letters(mail_of("Dana"), "proposed")
    answer(bruno, "I agree")
    assert table.game().paused_at is None
    one_house.browser().get(link_in(letter)).press("I agree")
    assert table.game().paused_at is not None


def test_a_proposal_whose_proposer_has_left_is_closed_and_told_with_the_reason(one_house: House):
    table = begun(one_house, Jury.GROUP)
    propose(table.player("Chidi"), "pause", days=5)
    leave(table.player("Chidi"))
    assert (proposal(one_house).outcome, table.game().proposals) == (Outcome.OVERTAKEN, 0)
    for player in others(table, "Chidi"):
        (letter,) = player.letters("dropped")
        assert "Whoever proposed it is not at the table any more." in " ".join(body(letter).split())


def test_a_proposal_about_a_seat_that_has_changed_hands_is_closed_and_told_with_the_reason(
    one_house: House, clock: time_machine.Traveller
):
    table = begun(one_house, Jury.GROUP)
    late = table.to_move()
    first, second = others(table, late.name)
    run_out(clock)
    propose(first, "substitute", seat=late.no, name="Emil", mail=mail_of("Emil"))
    leave(late)
    (letter,) = second.letters("dropped")
    assert "The seat it was about has changed hands." in body(letter)


# --- only what can be decided now is offered


def test_a_pause_is_offered_where_none_is_and_going_on_in_one(one_house: House):
    table = one_house.begun(["Aiko", "Bruno"], moderator=("Mika", mail_of("Mika")))
    aiko = table.player("Aiko")
    aiko.follow_link()

    def offered() -> list[list[str]]:
        pages = table.desk().html, aiko.browser.get(aiko.url("/propose")).html
        return [re.findall(r"<summary>(.*?)</summary>", page, re.DOTALL) for page in pages]

    desk, together = offered()
    assert "Pause the game" in desk
    assert together == ["Pause the game", "End the game"]
    for impossible in ("Go on after a pause", "Go back to an earlier move"):
        assert impossible not in desk
    rule(table.desk(), "pause", days=3)
    desk, together = offered()
    assert together == ["Go on after a pause", "End the game"]
    assert "Go on after a pause" in desk
    assert "Pause the game" not in desk


def test_a_seat_is_offered_only_for_what_can_be_decided_about_it(one_house: House, clock: time_machine.Traveller):
    table = begun(one_house)
    while table.to_move().name == "Aiko":
        table.rush(1)
    late = table.to_move()
    assert "Auto-pass" not in table.desk()  # she plays, and nobody is out of time
    assert "Look at a hidden view" not in table.desk()
    run_out(clock)
    form, _ = next((f, b) for f in table.desk().forms for b in f.buttons if f.action.endswith("/auto-pass#notice"))
    assert form.fields["seat"] == str(late.no)
    assert "Auto-pass" in table.desk()
