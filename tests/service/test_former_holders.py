"""Whoever held a seat gets the result, also those who were replaced, with a link that still opens something."""

from service.models import Letter
from tests.play import House, body, link_in, mail_of, take_seat
from tests.service.test_desk import desk_of, rule


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


def test_nobody_who_never_played_is_written_to(house: House):
    _, page = desk_of(house)
    rule(page, "end", result="yes")
    assert house.all(Letter, Letter.kind == "over-former") == []
