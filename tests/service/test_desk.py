"""The desk: each ruling through its page, with a reason, a preview, a confirmation, and an entry in the log."""

import re

import pytest

from service.models import GameStatus, Jury, Letter, Move, Ruling, Tenure
from service.post import words
from service.post.told import in_words
from tests.play import House, Page, Table, body, link_in, mail_of, take_seat

REASON = "They are ill."


def desk_of(house: House, **plan) -> tuple[Table, Page]:
    table = house.begun(["Aiko", "Bruno", "Chidi"], moderator=("Mika", mail_of("Mika")), **plan)
    (letter,) = house.letters(mail_of("Mika"), "moderator")
    return table, house.browser().get(link_in(letter))


def ask(page: Page, deed: str, **fields) -> Page:
    """Send a ruling's form as the page would."""
    hidden = dict(re.findall(r'name="(csrf_token|stamp)" value="([^"]+)"', page.html))
    return page.browser.post(f"{page.url}/{deed}", data=hidden | fields)


def rule(page: Page, deed: str, **fields) -> Page:
    """Preview, then confirm."""
    fields = {"reason": REASON, **fields}
    preview = ask(page, deed, **fields)
    assert preview.status == 200, preview.text
    assert "This will happen" in preview
    (stamp, *_) = re.findall(r'name="stamp" value="([^"]+)"', preview.html)
    return ask(page, deed, **fields, confirmed="yes", stamp=stamp)


def logged(house: House, name: str) -> Ruling:
    (ruling,) = house.all(Ruling, Ruling.name == name)
    assert in_words(ruling.reason) == f"“{REASON}”"
    return ruling


def test_a_desk_that_was_left_open_says_that_there_is_nothing_to_excuse_any_more(house: House):
    """The form is not offered then, so what it came to stands above all of them."""
    _, page = desk_of(house)
    said = ask(page, "excuse", seat=0, reason=REASON, confirmed="yes")
    assert said.status == 400
    assert "There is nothing to excuse: no miss in a row, and the reserve is full." in said
    assert house.all(Ruling) == []


def test_a_ruling_needs_a_reason_and_a_preview_changes_nothing(house: House):
    table, page = desk_of(house)
    before = house.dump()
    answer = ask(page, "auto-pass", seat=table.to_move().no)
    assert answer.status == 400
    assert "reason" in answer
    ask(page, "auto-pass", seat=table.to_move().no, reason=REASON)
    ask(page, "extend", seat=table.to_move().no, reason=REASON, hours=5)
    assert house.dump() == before


def test_a_ruling_confirmed_twice_is_made_once(house: House):
    table, page = desk_of(house)
    player = table.to_move()
    before = player.deadline
    fields = {"reason": REASON, "seat": player.no, "hours": 5, "confirmed": "yes"}
    for _ in range(2):
        answer = ask(page, "extend", **fields)  # both carry what the page showed before the first
        assert answer.status == 200
    assert "Something has happened since you looked" in answer
    assert (player.deadline - before).total_seconds() == 5 * 3600
    logged(house, "extend")


@pytest.mark.parametrize("deed", ["auto-pass", "bot-turn"])
def test_neither_preview_nor_log_tell_what_only_the_player_may_know(house: House, deed: str):
    """The Duel begins with orders dealt face down, of which each player keeps some."""
    table = house.begun(["Aiko", "Bruno"], kind="duel", moderator=("Mika", mail_of("Mika")))
    (letter,) = house.letters(mail_of("Mika"), "moderator")
    page = house.browser().get(link_in(letter))
    dealt = next(d for d in table.match().pending if d.seat == 0)
    secrets = [words.tell(option.label, ["Aiko", "Bruno"]) for option in dealt.options]
    assert any("order" in secret for secret in secrets)
    preview = ask(page, deed, seat=0, reason=REASON)
    rule(page, deed, seat=0)
    told = preview.text + in_words(logged(house, deed).effect, names=["Aiko", "Bruno"])
    assert [secret for secret in secrets if secret in told] == []
    (missed,) = table.player("Aiko").letters("missed")
    assert any(secret in " ".join(body(missed).split()) for secret in secrets)


def test_auto_pass_plays_the_default_and_says_so_in_the_log(house: House):
    table, page = desk_of(house)
    late = table.to_move()
    rule(page, "auto-pass", seat=late.no)
    assert table.game().version == 1
    assert late.name in in_words(logged(house, "auto-pass").effect, names=[player.name for player in table.players])
    late.follow_link()
    assert REASON in late.browser.get(table.url("/log"))


def test_the_bot_can_play_one_turn(house: House):
    table, page = desk_of(house)
    rule(page, "bot-turn", seat=table.to_move().no)
    assert [m.decided_by for m in house.all(Move, Move.version == 1)] == ["moderator"]


def test_more_time_moves_the_deadline_and_tells_the_player(house: House):
    table, page = desk_of(house)
    player = table.to_move()
    before = player.deadline
    rule(page, "extend", seat=player.no, hours=48)
    assert (player.deadline - before).total_seconds() == 48 * 3600
    assert len(player.letters("extended")) == 1


def test_where_there_is_nothing_to_excuse_it_is_not_offered(one_house: House):
    table, page = desk_of(one_house)
    assert "Excuse the misses" not in page
    one_house.execute("UPDATE seat SET misses = 1 WHERE no = 1")
    assert "Excuse the misses" in page.browser.get(table.url("/desk"))


def test_misses_are_excused_and_the_reserve_is_given_back(house: House):
    table, page = desk_of(house)
    player = table.to_move()
    house.execute("UPDATE seat SET stage = 'late' WHERE id = :id", id=player.seat.id)
    rule(page, "auto-pass", seat=player.no)
    assert player.seat.misses == 1
    rule(page, "excuse", seat=player.no)
    assert player.seat.misses == 0


def test_a_player_can_be_removed_and_the_bot_plays_on(house: House):
    table, page = desk_of(house)
    player = table.to_move()
    old_link = player.link()
    rule(page, "bot", seat=player.no)
    assert player.seat.bot
    assert house.browser().get(old_link).status == 403
    assert [t.person_id for t in house.all(Tenure, Tenure.seat_id == player.seat.id)][-1] is None


def test_a_newcomer_sees_the_position_accepts_and_the_old_link_stops(house: House):
    table, page = desk_of(house)
    player = table.to_move()
    old_link = player.link()
    no = player.no
    rule(page, "substitute", seat=no, name="Emil", mail=mail_of("Emil"))
    (letter,) = house.letters(mail_of("Emil"), "offer")
    browser = house.browser()
    offer = browser.get(link_in(letter))
    assert "would you take over" in offer
    assert house.browser().get(old_link).status == 200  # until it is accepted nothing changes
    take_seat(offer)
    seat = table.seats()[no]
    assert seat.name == "Emil"
    assert house.browser().get(old_link).status == 403
    assert len(house.letters(mail_of("Emil"), "turn")) == 1
    assert len(house.all(Tenure, Tenure.seat_id == seat.id)) == 2


def test_a_moderator_pauses_and_resumes(house: House):
    table, page = desk_of(house)
    rule(page, "pause", days=3)
    assert table.game().paused_until is not None
    rule(page, "resume")
    assert table.game().paused_until is None
    assert len(table.player("Aiko").letters("resumed")) == 1


def test_a_rewind_keeps_the_later_moves_as_withdrawn(house: House):
    table, page = desk_of(house)
    for _ in range(4):
        table.to_move().play()
    early = table.match().view(None)
    rule(page, "rewind", version=2)
    assert table.game().version == 5
    assert [m.version for m in house.all(Move, Move.withdrawn)] == [3, 4]
    assert table.match().view(None) != early
    (letter,) = table.player("Aiko").letters("ruled")
    assert "Back to the position after move 2: 2 moves are withdrawn." in " ".join(body(letter).split())
    table.to_move().play()
    assert table.game().version == 6


@pytest.mark.parametrize("counted", [True, False])
def test_a_game_can_be_ended_with_or_without_a_result(house: House, counted: bool):
    table, page = desk_of(house)
    rule(page, "end", **({"result": "yes"} if counted else {}))
    assert table.game().status is GameStatus.FINISHED
    assert (table.game().result is not None) == bool(counted)
    assert (table.game().result is not None) == counted
    aiko = table.player("Aiko")
    assert aiko.letters("over" if counted else "ended")
    if counted:
        aiko.follow_link()
        assert aiko.browser.get(table.url("/result")).status == 200


def test_a_hidden_view_is_a_ruling_and_never_for_a_moderator_who_plays(house: House):
    table, page = desk_of(house, options={"open_information": False})
    seen = rule(page, "open-view", seat=0)
    assert "Aiko" in seen
    logged(house, "open-view")
    player = table.player("Aiko")
    player.follow_link()
    assert "saw the table" not in player.browser.get(table.url("/log"))
    table.rush()
    assert "saw the table" in player.browser.get(table.url("/log?page=0"))
    own = house.begun(["Aiko", "Bruno"], jury=Jury.PLAYER).desk()
    assert "a player can never look" in ask(own, "open-view", seat=1, reason=REASON)


def test_the_desk_of_another_game_and_a_stranger_get_nothing(house: House):
    _, page = desk_of(house)
    other = house.begun(["Dana", "Emil"])
    assert page.browser.get(other.url("/desk")).status == 403
    elsewhere = Page(page.browser, other.url("/desk"), page.response)
    assert ask(elsewhere, "end", reason=REASON, confirmed="yes").status == 403
    assert house.browser().get(other.url("/desk")).status == 403
    assert page.browser.get("/desk").status == 200
    assert house.browser().get("/desk").status == 403
    assert other.game().status is GameStatus.RUNNING
    assert {letter.kind for letter in house.all(Letter)} >= {"moderator"}
