"""Whoever held a seat gets the result, also those who were replaced, with a link that still opens something."""

from sqlmodel import Session

from service.db import utcnow
from service.models import Letter, Policy
from service.play import lateness, record, silence
from service.post import outbox
from tests.play import House, body, link_in, mail_of, news, take_seat
from tests.service.test_desk import REASON, desk_of, rule


def test_everybody_who_held_a_seat_gets_the_result_once(house: House):
    table, page = desk_of(house)
    replaced, rest = table.players[0], table.players[1:]
    rule(page, "substitute", seat=replaced.no, name="Emil", mail=mail_of("Emil"))
    offer = house.browser().get(link_in(house.letters(mail_of("Emil"), "offer")[0]))
    take_seat(offer)
    rule(page, "end", result="yes")
    (letter,) = replaced.letters("over-former")
    assert replaced.letters("over") == []
    for player in rest:
        assert len(player.letters("over")) == 1
        assert player.letters("over-former") == []
    assert len(house.letters(mail_of("Emil"), "over")) == 1
    assert "Emil" in body(letter)
    stranger = house.browser()
    page = stranger.get(link_in(letter))
    assert page.status == 200
    assert "Every move again" in page
    assert stranger.get(table.url("/result")).status == 200
    assert stranger.get(table.url("/seat/0")).status == 403


def test_everybody_who_held_a_seat_is_told_of_an_end_without_a_result(one_house: House):
    table, page = desk_of(one_house)
    left, replaced = table.players[0], table.players[1]
    left.follow_link().browser.get(left.url("/leave")).press("Leave the game for good")
    rule(page, "substitute", seat=replaced.no, name="Emil", mail=mail_of("Emil"))
    take_seat(one_house.browser().get(link_in(one_house.letters(mail_of("Emil"), "offer")[0])))
    rule(page, "end")
    assert len(one_house.letters(mail_of("Emil"), "ended")) == 1
    assert len(one_house.all(Letter, Letter.kind == "ended-former")) == 2
    for player in (left, replaced):
        assert player.letters("ended") == []
        (letter,) = player.letters("ended-former")
        words = " ".join(body(letter).split())
        assert f"The game ends now, without a result. “{REASON}” Decided by Mika" in words
        assert "The link is for watching: you held a seat in this game once." in words
        stranger = one_house.browser()
        assert "The game was ended without a result." in stranger.get(link_in(letter))
        for rest in ("/result", "/log", "/replay", "/export.json"):
            assert stranger.get(table.url(rest)).status == 200


def test_who_loses_the_seat_to_the_bot_is_told_why_and_that_it_is_the_bot(one_house: House):
    table = one_house.begun(["Aiko", "Bruno", "Chidi"], policy=Policy.BOT, bot_after=1)
    late = table.to_move()
    out_of_time(table.game().id, late.no)
    (letter,) = late.letters("left")
    assert news(letter) == "The bot plays your seat now"
    words = " ".join(body(letter).split())
    assert "The bot plays your seat now The time was up. Decided by itself, as laid down when the game" in words


def test_who_is_replaced_is_told_by_whom(one_house: House):
    table, page = desk_of(one_house)
    replaced = table.players[0]
    rule(page, "substitute", seat=replaced.no, name="Emil", mail=mail_of("Emil"))
    take_seat(one_house.browser().get(link_in(one_house.letters(mail_of("Emil"), "offer")[0])))
    (letter,) = replaced.letters("left")
    words = " ".join(body(letter).split())
    assert "Your seat is with somebody else now Emil was asked, and has accepted. Decided by Emil" in words


@outbox.transaction
def out_of_time(session: Session, game_id: int, no: int) -> None:
    game = record.lock(session, game_id)
    lateness._out_of_time(session, game, record.seats_of(session, game)[no], utcnow())


def test_nobody_who_never_played_is_written_to(house: House):
    _, page = desk_of(house)
    rule(page, "end", result="yes")
    assert house.all(Letter, Letter.kind == "over-former") == []


def test_who_was_replaced_is_told_when_a_game_is_abandoned(one_house: House):
    table, page = desk_of(one_house)
    replaced = table.players[0]
    rule(page, "substitute", seat=replaced.no, name="Emil", mail=mail_of("Emil"))
    take_seat(one_house.browser().get(link_in(one_house.letters(mail_of("Emil"), "offer")[0])))
    abandon(table.game().id)
    (letter,) = replaced.letters("ended-former")
    assert "Nobody was there for 30 days." in body(letter)


@outbox.transaction
def abandon(session: Session, game_id: int) -> None:
    silence.end(session, record.lock(session, game_id))
