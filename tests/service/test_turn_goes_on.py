"""A turn that meets something hidden is sent up to there and goes on: the page says so, and when it is really over."""

from tests.play import House

GOES_ON = "Your turn goes on"
PLAYED = "Your turn is played."


def test_a_turn_sent_up_to_something_new_is_not_called_played(one_house: House) -> None:
    table = one_house.begun(["Aiko", "Bruno"], kind="duel")
    for player in table.players:
        page = player.play()
        assert PLAYED in page
        assert GOES_ON not in page
    player = table.to_move()
    page = player.play(["port", "1+1"])
    assert GOES_ON in page
    assert PLAYED not in page
    page = player.play()
    assert PLAYED in page
    assert table.to_move() is not player
    story = page.html.partition('<ol class="log">')[2].partition("</ol>")[0].split("<li")
    assert "went to the port" in story[1], story[1]
    assert "kept" in story[1], "the newest turn is told as one"
    log = page.browser.get(table.url("/log")).html.split('<h2 class="turn">')
    assert "went to the port" in log[-1], log[-1]
    assert "kept" in log[-1], "both parts of the turn stand together"


def test_where_the_way_on_ends_the_turn_one_touch_sends_it(one_house: House) -> None:
    table = one_house.begun(["Aiko", "Bruno"], kind="duel")
    for other in table.players:
        other.play()
    player = table.to_move()
    page = player.draft(["bank", "1+0"])
    assert "end" in page.options
    assert not page.can_send
    page = page.press("Send my turn")
    assert PLAYED in page
    assert table.to_move() is not player


def test_what_is_sent_with_a_last_choice_must_be_complete_with_it(one_house: House) -> None:
    table = one_house.begun(["Aiko", "Bruno"], kind="duel")
    player = table.players[0]
    _, data = player.see().request(player.best()[0])
    page = player.browser.post(player.url("/send"), {**data, "last": "no such card"})
    assert PLAYED not in page
    assert player.seat.asked is not None
