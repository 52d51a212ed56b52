"""The table of Traders of Osaka: it shows all of the view, what a purchase would do, and every choice at its place."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from engine import GAMES, Match
from service.post import words
from service.post.render import board_text, environment
from service.web.table import Table
from tests.engine.osaka.positions import do, position
from tests.look.laid import NAMES, lay, on_disk, render
from tests.look.laid import environment as pages
from tests.look.test_templates import Page

POSITION: dict[str, Any] = {
    "market": "yellow5 blue2 red3@1 green2 yellow2",
    "farm": "red5@2 green3 blue5",
    "hands": [
        "red2 red2 blue5 yellow3",
        "red2 blue3 green5 green5 yellow2",
        "red5 blue2 blue2",
        "red2 red3 blue2 blue3 yellow2 yellow3 green2",
    ],
    "had": ["red5 red3! blue2", "yellow5 yellow5 yellow2", "blue3 green3 green2"],
    "tokens": [{"red": 2, "green": 1}, {"yellow": 3}, {"blue": 1, "green": 1}, {"yellow": 1, "red": 1}],
    "vp": [7, 6, 5, 4],
    "ships": {"red": 1, "blue": 4, "green": 2},
}


def osaka(**changes: Any) -> Match:
    """A position of Traders of Osaka, with some of it changed."""
    return position(**(POSITION | changes))


def sit(match: Match, *choices: str) -> Table:
    return lay(match, 0, *choices)


def after_a_purchase(**changes: Any) -> Match:
    """Another player has brought blue to Edo, and red is in the waves: the first seat may insure goods."""
    bought = {"turn_of": 1, "market": "blue2", "hands": ["red2 red2 blue5", "blue2 green2"]}
    return do(osaka(ships={"blue": 4, "red": 3}, **(bought | changes)), "buy", "pay.blue2")


def drawn(state: Table) -> Page:
    return Page(render("table.html", state))


def classes(page: Page, name: str) -> list[str]:
    """The classes of all elements that have this one."""
    return [own["class"] for _, own in page.elements if name in own.get("class", "").split()]


def cards_in(view: dict[str, Any]) -> list[str]:
    """Every card lying open, as a person would say it."""
    cards = [slot["card"] for slot in view["market"] + view["farm"]]
    for seat in view["seats"]:
        cards += (seat["hand"] or []) + [good["card"] for good in seat["goods"]]
    return [words.say(f"osaka.card.{card}") for card in cards]


@pytest.mark.parametrize("open_information", [True, False])
def test_the_text_board_tells_every_card_and_no_more(open_information):
    view = osaka(open_information=open_information).view(0)
    text = render("titles/osaka/text.txt", {"view": view, "names": NAMES})
    tokens = re.findall(r"(?:lacquer|indigo|rice|tea) \d", " ".join(re.findall("tokens: (.*)", text)))
    everything = re.findall(r"\b(?:lacquer|indigo|rice|tea) \d\b", text.replace("\n          ", " "))
    assert sorted(everything) == sorted(cards_in(view) + tokens)


def test_the_text_board_fits_a_letter_and_reads_the_same_however_blocks_are_trimmed():
    context = {"view": osaka().view(0), "names": [*NAMES[:3], "D" * 40]}
    text = render("titles/osaka/text.txt", context)
    assert max(len(line) for line in text.splitlines()) <= 72
    untrimmed = environment().overlay(trim_blocks=False, lstrip_blocks=False)
    assert untrimmed.get_template("titles/osaka/text.txt").render(**context).strip("\n") == text.strip("\n")


def test_the_text_board_foretells_what_the_drawn_one_does():
    text = render("titles/osaka/text.txt", {"view": osaka().view(0), "names": NAMES})
    assert "IF AIKO BUYS FOR 11" in text
    assert "indigo sails to Edo" in text
    assert "lacquer: Aiko 3" in text


def test_the_drawn_board_shows_every_card_of_the_view():
    view = osaka(turn_of=1, open_information=False).view(0)
    labels = [
        own["aria-label"]
        for _, own in drawn(sit(osaka(turn_of=1, open_information=False))).elements
        if "aria-label" in own
    ]
    lying = [slot["card"] for slot in view["market"] + view["farm"]] + view["seats"][0]["hand"]
    for card in lying:
        assert any(label.startswith(words.say(f"osaka.card.{card}")) for label in labels), card


def test_hidden_hands_and_points_are_said_to_be_hidden():
    page = drawn(sit(osaka(turn_of=1, open_information=False)))
    assert page.text.count("points hidden") == 3
    assert len(classes(page, "o-back")) == 3, "the backs of the others' cards"


def test_the_sea_shows_where_buying_takes_the_ships_what_lands_and_what_sinks():
    page = drawn(sit(osaka(ships={"blue": 4, "red": 3, "green": 1})))
    ghosts = sorted(own.split()[-1] for own in classes(page, "o-ghost"))
    assert ghosts == ["o-c2", "o-c2", "o-c5"], "yellow and green to Anori, blue to Edo"
    assert len(classes(page, "lands")) == 2, "blue, at the quay and among the goods"
    assert classes(page, "o-sinks") == ["o-sinks o-c3"], "red stays in the waves"


def test_nothing_is_foretold_of_a_purchase_that_cannot_be_paid():
    page = drawn(sit(osaka(hands=["red2"])))
    assert classes(page, "o-ghost") == []
    assert "9 coins short" in page.text


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, "Take or reserve a card, or buy all 4 for 11: you have 12."),
        ({"hands": ["red5 blue5"]}, "Take or reserve a card: one coin short of buying."),
        ({"market": "yellow5@0 blue2", "hands": ["red2 red5"]}, "Take a card, or buy all 2 for 7: you have 7."),
        ({"market": "yellow5 red2@1", "hands": ["blue5"]}, "Take or reserve a card, or buy one for 5: you have 5."),
        ({"market": "yellow5@0 red2@1", "hands": ["blue5"]}, "Take a card, or buy it for 5: you have 5."),
        ({"market": "yellow5@0 blue2", "hands": ["red2"], "open_information": False}, "Take a card: 5 coins short of"),
    ],
)
def test_the_question_names_what_can_be_done_and_nothing_else(changes, said):
    """The piece of whoever is asked may lie on a card, others' pieces on others, and the hand be too small."""
    hidden = {} if changes.get("open_information", True) else {"players": 2, "vp": [7, 6], "had": [], "tokens": []}
    assert said in words.prompt(osaka(farm="", **(changes | hidden)).pending[0], NAMES)


def test_the_quay_says_what_each_colour_brings_everybody():
    labels = [own["aria-label"] for _, own in drawn(sit(osaka())).elements if "o-quay" in own.get("class", "")]
    assert labels[0] == "lacquer, if it lands now: Aiko 3"
    assert labels[2].endswith("Chidi <b> 5")


def test_a_card_with_two_uses_asks_which_and_one_with_a_single_use_is_its_button():
    both, single = drawn(sit(osaka())), drawn(sit(osaka(market="yellow5 blue2 red3@1 green2 yellow5@0")))
    assert {own["data-spot"] for own in both.all("details") if "o-slot" in own.get("class", "")} == {
        "market:0",
        "market:1",
        "market:3",
        "market:4",
    }
    assert single.all("details", name="card") == []
    assert single.all("button", value="take.blue2")


def test_while_paying_each_card_says_how_far_it_goes_and_the_way_on_is_the_plan():
    rich = ["red2 red2 red3 blue2 blue5 yellow2 yellow3 green5", *POSITION["hands"][1:]]
    state = sit(osaka(hands=rich), "buy", "pay.green5")
    page = drawn(state)
    badges = [choice.brief or choice.hint for choices in state.lit.values() for choice in choices]
    assert set(badges) == {"4 to go", "3 to go", "1 to go"}
    assert "at least 1 lost" in page.text, "more is said where there is room for it"
    assert page.text.count("4 to go") >= 3
    assert "Finish with lacquer 3 and rice 3" in page.text


def test_the_first_token_is_picked_on_the_lanes_of_the_sea():
    match = Match.start("osaka", players=4, seed=5)
    while not any(decision.seat == 0 for decision in match.pending):
        do(match, match.pending[0].default)
    assert len(classes(drawn(sit(match)), "o-pick")) == 4


def test_what_may_be_insured_is_touched_in_the_hand_and_among_the_goods():
    page = drawn(sit(after_a_purchase()))
    assert len([own for own in classes(page, "o-slot") if "lit" in own]) == 2
    goods = ["red5 red3 red2 blue2", *POSITION["had"][1:]]
    page = drawn(sit(after_a_purchase(had=goods, hands=["red2 blue5", "blue2 green2"]), "insure.red2"))
    assert len([own for own in classes(page, "o-chip") if "lit" in own]) == 3


def test_on_a_desktop_what_sinks_is_asked_in_full_beside_what_was_spent_and_the_way_on(
    browser: Browser, tmp_path: Path
):
    match = position(
        turn_of=1,
        market="blue2",
        hands=["yellow2 green3 green3 red2", "blue2 green2"],
        had=["yellow2 green2 green3"],
        ships={"blue": 4, "yellow": 3, "green": 3},
        players=2,
        open_information=False,
    )
    html = render("table.html", sit(do(match, "buy", "pay.blue2"), "insure.yellow2"))
    assert "Send it and see" in html
    tab, page = browser.new_page(viewport={"width": 1280, "height": 900}), tmp_path / "insuring.html"
    page.write_text(on_disk(html), encoding="utf-8")
    tab.goto(page.as_uri())
    prompt = tab.locator("#prompt")
    assert prompt.inner_text() == "Your tea 2 and tea 3 sink. Insure them?"
    assert prompt.evaluate("el => el.scrollHeight - el.clientHeight") <= 1
    tab.close()


@pytest.mark.parametrize("no", range(4))
def test_another_player_s_board_tells_goods_tokens_and_hand(no):
    view = osaka().view(0)
    page = Page(render("sheet.html", {**sit(osaka()).shown(), "no": no}))
    for card in view["seats"][no]["hand"]:
        assert any(own.get("aria-label", "").startswith(words.say(f"osaka.card.{card}")) for _, own in page.elements)


def test_the_rules_page_says_where_every_table_comes_from():
    title = GAMES["osaka"]
    box = title.load_box(None)
    page = Page(render("titles/osaka/rules/en.html", {"title": title, "box": box}))
    for name in box.tables.__struct_fields__:
        assert getattr(box.tables, name).source in page.text


def test_the_discard_pile_is_opened_where_it_lies_and_told_in_the_text():
    match = position(**POSITION | {"discard": "blue3 red5 blue3"})
    assert "× 2" in drawn(sit(match)).text
    assert "2 × indigo 3" in board_text("osaka", match.view(0), ["Ann", "Bo", "Chidi", "Dewi"])


def test_the_plate_says_when_buying_ends_the_game():
    match = position(market="red5", hands=["red5"], tokens=[{"red": 7}], ships={"red": 4, "blue": 3}, had=["", "blue2"])
    page = drawn(sit(match))
    assert "The game ends." in page.text
    assert "sinks" not in page.text


def test_the_turn_told_on_the_rules_page_brings_a_ship_home_and_sinks_others_whoever_insures():
    """Pick another seed and turn where the built-in player has changed its mind."""
    page = pages().get_template("titles/osaka/rules/en.html")
    shown = Page(page.render(title=GAMES["osaka"], box=GAMES["osaka"].load_box(None))).text
    assert "sailed 2 spaces to Edo." in shown
    assert "Bruno insured" in shown
    assert "to the Black Tide." in shown
    assert "New in the market:" in shown
