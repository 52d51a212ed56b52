"""A whole match of Yokohama Duel through its pages: both decide at once, drafts stop at reveals, and it comes to a result."""

from service.models import GameStatus
from tests.play import House, Table


def asked(table: Table) -> list[str]:
    return [seat.name for seat in table.seats() if seat.asked is not None]


def test_a_match_is_played_by_clicks_to_its_result(house: House) -> None:
    table = house.begun(["Aiko", "Bruno"], kind="duel")
    assert asked(table) == ["Aiko", "Bruno"], "both choose their orders at the same time"
    while table.game().status is GameStatus.RUNNING:
        player = table.player(asked(table)[0])
        page = player.play()
        assert page.status == 200
        assert table.game().version < 400
    result = table.game().result
    assert result is not None
    page = table.player("Aiko").browser.get(table.url("/result?seat=0"))
    assert page.status == 200
    for standing in result:
        assert sum(standing["parts"].values()) == standing["score"]
        assert f'<td class="num total">{standing["score"]}</td>' in page.html
    assert "Highest production cost" in page.html


def test_an_order_in_hand_is_on_its_owners_page_alone(house: House) -> None:
    table = house.begun(["Aiko", "Bruno"], kind="duel")
    for name in ("Aiko", "Bruno"):
        table.player(name).play()
    hands = [seat["hand"] for no in (0, 1) for seat in [table.match().view(no)["seats"][no]]]
    assert all(len(hand) == 2 for hand in hands)
    for name, hand in zip(("Aiko", "Bruno"), hands, strict=True):
        page = table.player(name).see()
        assert page.html.count("only you see them") == 1
        assert len(hand) == 2
