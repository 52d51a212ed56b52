"""Sentences that were false in some case: each is true in that case now."""

from tests.play import House, body, link_in, mail_of, take_seat
from tests.service.test_desk import desk_of, rule


def flat(letter) -> str:
    return " ".join(body(letter).split())


def test_who_has_declined_is_not_counted_among_the_missing_answers(one_house: House):
    table = one_house.game(["Aiko", "Bruno", "Chidi"])
    table.player("Bruno").decline()
    page = table.organise()
    assert "One answer is missing: Chidi." in page
    assert "Bruno has declined; the seat waits for somebody else." in page
    table.player("Chidi").accept()
    assert "missing" not in table.organise()


def test_a_game_begun_with_fewer_does_not_say_that_all_have_accepted(one_house: House):
    table = one_house.game(["Aiko", "Bruno", "Chidi"])
    table.player("Bruno").accept()
    table.organise().press("Start with those who accepted")
    (letter,) = one_house.letters(kind="started")
    assert "all have accepted" not in flat(letter)
    assert "You play together: Aiko and Bruno." in flat(letter)


def test_an_invitation_to_a_game_for_one_names_nobody_else(one_house: House):
    alone = {"organiser-name": "Aiko", "organiser-mail": mail_of("Aiko"), "playing": "", "seat-1-name": "Emil"}
    page = one_house.browser().get("/new?kind=zaibatsu")
    assert page.press("Invite the players", **alone, **{"seat-1-mail": mail_of("Emil")}).status == 200
    (letter,) = one_house.letters(mail_of("Emil"), "invitation")
    page = one_house.browser().get(link_in(letter))
    for text in (flat(letter), body(letter, "html"), page.text):
        assert "with ." not in text
        assert "with you:" not in text


def test_after_a_rewind_nobody_reads_that_the_game_has_just_begun(one_house: House):
    table, page = desk_of(one_house)
    table.rush(3)
    rule(page.browser.get(table.url("/desk")), "rewind", version=1)
    seen = table.to_move().see()
    assert "just begun" not in seen
    assert "A ruling changed the game" in seen


def test_a_replay_names_the_turn_of_the_position_it_shows(one_house: House):
    table = one_house.begun(["Aiko", "Bruno"])
    table.rush(9)
    turn = table.game().turn
    assert turn > 1
    browser = table.players[0].follow_link().browser
    assert f"turn {turn}" in browser.get(table.url("/replay"))
    assert f"turn {turn}" not in browser.get(table.url("/replay?move=0"))


def test_a_letter_with_a_desks_link_does_not_say_that_one_plays_with_it(one_house: House):
    table, page = desk_of(one_house)
    table.player("Bruno").follow_link()
    player = table.player("Bruno")
    player.browser.get(player.url("/leave")).press("Leave the game for good")
    (letter,) = one_house.letters(mail_of("Mika"), "vacant")
    assert "plays as you" not in flat(letter)
    assert "Keep this letter to yourself: whoever has a link from it acts as you." in flat(letter)
    assert "has left the game; the seat is free" in page.browser.get(page.url)


def test_whoever_had_somebody_asked_hears_that_they_have_taken_the_seat_and_by_whom_they_were_asked(one_house: House):
    table, page = desk_of(one_house)
    rule(page, "substitute", seat=1, name="Emil", mail=mail_of("Emil"))
    (offer,) = one_house.letters(mail_of("Emil"), "offer")
    assert "Aiko has made a game of Traders of Osaka that is under way" in flat(offer)
    assert "At the table: Aiko and Chidi." in flat(offer)
    take_seat(one_house.browser().get(link_in(offer)))
    (letter,) = one_house.letters(mail_of("Mika"), "answered")
    assert "Emil has taken over from Bruno, and plays on." in flat(letter)
    ruled = table.player("Chidi").letters("ruled")[-1]
    assert "Emil was asked, and has accepted." in flat(ruled)


def test_a_reason_in_somebodys_own_words_is_quoted(one_house: House):
    table, page = desk_of(one_house)
    rule(page, "extend", seat=table.to_move().no, hours=5, reason="A wedding")
    other = next(player for player in table.players if player is not table.to_move())
    assert "“A wedding”" in flat(other.letters("ruled")[-1])


def test_an_organiser_who_does_not_play_gets_their_link_to_a_running_game_again(one_house: House):
    one_house.begun(["Aiko", "Bruno"])
    one_house.browser().get("/links").press("Mail me my links", mail=mail_of("Aiko"))
    (letter,) = one_house.letters(mail_of("Aiko"), "links")
    assert "the organiser's page" in flat(letter)
    assert "key to one seat" not in flat(letter)
