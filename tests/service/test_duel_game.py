"""A whole match of Yokohama Duel through the service: both decide at once, drafts stop at reveals, and it ends."""

from service.models import GameStatus
from tests.play import House, Table
from workers import adjudicator

CLICKED = 12  # moves made by clicks on pages; the rest is handed straight to the adjudicator


def asked(table: Table) -> list[str]:
    return [seat.name for seat in table.seats() if seat.asked is not None]


def test_a_match_is_played_to_its_result(one_house: House) -> None:
    table = one_house.begun(["Aiko", "Bruno"], kind="duel")
    assert asked(table) == ["Aiko", "Bruno"], "both choose their orders at the same time"
    for _ in range(CLICKED):
        page = table.player(asked(table)[0]).play()
        assert page.status == 200
    while table.game().status is GameStatus.RUNNING:
        player = table.player(asked(table)[0])
        adjudicator.adjudicate(player.submit(player.best()))
        assert table.game().version < 400
    result = table.game().result
    assert result is not None
    page = table.player("Aiko").browser.get(table.url("/result?seat=0"))
    assert page.status == 200
    for standing in result:
        assert sum(standing["parts"].values()) == standing["score"]
        assert f'<b class="total">{standing["score"]}</b>' in page.html
    assert "Highest production cost" in page.html


def test_an_order_in_hand_is_on_its_owners_page_alone(one_house: House) -> None:
    table = one_house.begun(["Aiko", "Bruno"], kind="duel")
    for name in ("Aiko", "Bruno"):
        table.player(name).play()
    pages = [table.player(name).see().html for name in ("Aiko", "Bruno")]
    for no, page in enumerate(pages):
        held = table.match().view(no)["seats"][no]["hand"]
        assert len(held) == 2
        for card in held:
            assert f'data-spot="hand:{card["card"]}"' in page
            assert f'data-spot="hand:{card["card"]}"' not in pages[1 - no]
