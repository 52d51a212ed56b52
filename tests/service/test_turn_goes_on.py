"""A turn that meets something hidden is sent up to there and goes on: the page says so, and when it is really over."""

from tests.play import House

GOES_ON = "your turn goes on"
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
