"""What happened, as a person would write it: a turn is a paragraph of a few sentences."""

import re
from typing import Any

import lxml.html
import pytest

from engine import Event
from service.db import utcnow
from service.models import Move, Policy
from service.play import record
from service.post import story
from service.post.story import entries, in_a_paragraph
from tests.play import House, Player, body, link_in, mail_of, take_seat
from tests.service.test_desk import desk_of, rule

NAMES = ["Aiko", "Bruno"]


def happened(key: str, **args: object) -> Event:
    return Event(f"yokohama.{key}", args)


def test_what_one_player_did_in_a_row_is_one_sentence():
    told = [
        happened("placed_two", seat=0, place="bank"),
        happened("went", seat=0, place="bank", power=3),
        happened("received", seat=0, gains=[{"key": "yokohama.gain.yen", "args": {"n": 3}}]),
    ]
    assert in_a_paragraph(told, NAMES) == (
        "Aiko placed two assistants at the Bank, went to the Bank with power 3 and received 3 yen."
    )


def test_a_list_ends_its_sentence_and_so_do_three_clauses():
    told = [
        happened("placed", seat=1, places=["bank", "port"], n=2),
        happened("paid", seat=1, to=0, n=1),
        happened("went", seat=1, place="port", power=3),
        happened("learned", seat=1, tech="ball"),
        happened("built.house", seat=1, place="port"),
    ]
    assert in_a_paragraph(told, NAMES) == (
        "Bruno placed assistants at the Bank and the Port. "
        "Bruno paid 1 yen to Aiko, went to the Port with power 3 and learned Ball. "
        "Bruno built a trading house at the Port."
    )


def test_what_is_said_in_the_same_words_is_said_once():
    took = [happened("took_an_order", seat=0, place="port")]
    assert in_a_paragraph(took * 2, NAMES) == "Aiko took an order at the Port twice."
    assert in_a_paragraph(took * 3, NAMES) == "Aiko took an order at the Port 3 times."


def goods(**n: int) -> list[dict[str, Any]]:
    return [{"key": f"zaibatsu.amount.{what}", "args": {"n": many}} for what, many in n.items()]


def test_what_differs_in_nothing_but_its_amounts_is_told_once():
    made, gained = [goods(bento=1), goods(bento=1), goods(clocks=2)], [(5, "vp"), (5, "vp"), (2, "coal")]
    told = [
        *(Event("zaibatsu.produced", {"seat": 0, "goods": each}) for each in made),
        Event("zaibatsu.produced", {"seat": 1, "goods": goods(bento=1)}),
        *(Event("zaibatsu.gained", {"seat": 1, "n": n, "what": what}) for n, what in gained),
        *(Event("zaibatsu.laid", {"seat": 0, "place": "west"}) for _ in range(2)),
    ]
    assert in_a_paragraph(told, NAMES) == (
        "Aiko has 2 bento and 2 clocks more. Bruno has 1 bento more, gained 10 VP and gained 2 coal. "
        "Aiko built a train in the West twice."
    )


def test_another_player_and_a_sentence_about_nobody_begin_anew():
    told = [
        happened("went", seat=0, place="bank", power=2),
        happened("rent", seat=1, place="bank"),
        happened("mined", seat=0),
        happened("learned", seat=0, tech="ball"),
        happened("round", round=3),
    ]
    assert in_a_paragraph(told, NAMES) == (
        "Aiko went to the Bank with power 2. Bruno earned 1 yen with the trading house at the Bank. "
        "Mining Technology gave Aiko 1 more copper. Aiko learned Ball. Round 3 begins."
    )


def test_a_name_that_looks_like_the_beginning_of_a_sentence_is_no_trouble():
    told = [happened("agent_joined", seat=1, country="france"), happened("learned", seat=0, tech="ball")]
    assert in_a_paragraph(told, ["An", "Round"]) == "An agent of France joined Round. An learned Ball."


def test_a_turn_is_told_as_one_in_a_letter_beside_the_board_and_in_the_log(
    one_house: House, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(story, "WALL", 5000)
    table = one_house.begun(["Aiko", "Bruno", "Chidi"], "yokohama")
    for player in table.players:
        player.play()
    while table.match().turn < 7:
        table.rush(1)
    text = body(table.player("Aiko").letters("turn")[-1])
    told = re.split(r"\n- ", text.split("SINCE YOUR LAST TURN")[-1].split("Play your turn")[0])[1:]
    assert len(one_house.all(Move)) > 9  # somebody's turn was two moves, with new cards between them
    assert [paragraph.split()[0] for paragraph in told] == ["Bruno", "Chidi"]
    assert all(paragraph.rstrip().endswith(".") for paragraph in told)
    table_page, log = table.player("Aiko").follow_link(), table.player("Aiko").browser.get(table.url("/log"))
    beside = lxml.html.fromstring(table_page.html).xpath("//*[@id='pane-story']//ol[@class='log']/li")
    whose = [li.xpath("string(.//b)") for li in beside if li.xpath(".//b")]
    assert whose == ["Chidi", "Bruno", "Aiko"] * 2, "newest first, and the turn of two moves once"
    turns = lxml.html.fromstring(log.html).xpath("//h2[@class='turn']")
    assert [turn.text_content().strip() for turn in turns] == [
        "Before the first turn",
        *(f"Turn {n}" for n in range(1, 7)),
    ]
    assert [turn.xpath("count(following-sibling::ol[1]/li)") for turn in turns] == [1, 2, 1, 1, 1, 1, 1]
    for turn in turns:
        assert turn.xpath("./a/@href") == turn.xpath("following-sibling::ol[1]/li[last()]//small/a/@href")


def entry(*lines: str) -> story.Entry:
    told: Any = {"version": 1, "turn": 1, "ends": True, "who": 0, "decided_by": "player", "withdrawn": False}
    about: Any = {
        "person_id": 1,
        "at": utcnow(),
        "brief": "",
        "mine": [],
        "besides": [],
        "subjects": [None] * len(lines),
    }
    return story.Entry(**told, **about, lines=list(lines), paragraph=" ".join(lines))


def test_a_turn_that_would_be_a_wall_of_text_is_told_line_by_line_and_a_short_one_is_not():
    short, long = ["Aiko did this.", "Aiko did that."], [f"Aiko did thing number {n} of very many." for n in range(12)]
    assert story.paragraphs([entry(*short)]) == [" ".join(short)]
    assert story.paragraphs([entry(*long)]) == long


def test_before_sending_the_page_tells_the_whole_turn_and_nothing_of_the_next(one_house: House):
    table = one_house.begun(["Aiko", "Bruno"], "yokohama")
    for player in table.players:
        player.play()
    aiko = table.player("Aiko")
    page = aiko.draft()
    assert page.can_send
    summary = re.search(r'<p class="summary"[^>]*>(.*?)</p>', page.html)
    assert summary is not None
    assert summary[1].startswith("Aiko placed ")
    assert "Aiko went to" in summary[1] or ", went to" in summary[1]
    assert "Round" not in summary[1]
    assert "Bruno placed" not in summary[1]


def test_what_happened_meanwhile_is_told_beside_the_board_without_what_the_board_shows(one_house: House):
    table = one_house.begun(["Aiko", "Bruno*"], "yokohama")
    table.rush(4)
    page = table.player("Aiko").see()
    meanwhile = page.html.split('class="away"')[1].split("</aside>")[0]
    assert "Bruno placed" in page
    assert "went to" in meanwhile
    assert "placed" not in meanwhile


def test_beside_the_board_a_rivals_turn_is_told_in_a_line():
    events = [
        Event(
            "osaka.bought",
            {"seat": 1, "n": 4, "price": 9, "coins": 10, "cards": ["red3"] * 4, "paid_cards": ["blue5"] * 2},
        ),
        Event("osaka.sailed", {"colour": "red", "n": 2, "place": "edo"}),
        Event(
            "osaka.scored",
            {"seat": 1, "n": 2, "colour": "red", "price": 3, "tokens": 1, "total": 8, "value": 10, "vp": 2},
        ),
    ]
    packed = [record.pack(event) for event in events]
    move = Move(version=5, turn=3, seat_no=1, decided_by="player", events=packed, created_at=utcnow())
    (told,) = entries([move], 0, NAMES)
    assert told.brief == "Bruno bought 4 goods for 9 and sold 2 lacquer goods for 2 VP."
    assert "The lacquer ship sailed 2 spaces to Edo." in told.paragraph


def test_the_log_names_who_played_each_move(one_house: House):
    """Whoever held the seat then, whoever ruled, the bot, nobody: also after somebody else has taken the seat."""
    house = one_house
    table, desk = desk_of(house, policy=Policy.PASS)
    first = table.to_move()
    table.rush(1)
    second = table.to_move()
    rule(desk, "auto-pass", seat=second.no)
    no = first.no
    first.follow_link()
    first.browser.get(first.url("/leave")).press("Leave the game for good")
    rule(desk.browser.get(table.url("/desk")), "substitute", seat=no, name="Dana", mail=mail_of("Dana"))
    page = take_seat(house.browser().get(link_in(house.letters(mail_of("Dana"), "offer")[0])))
    table.players.append(Player(table, "Dana"))
    table.rush(4)
    log = page.browser.get(table.url("/log")).text
    for words in (f"played by {first.name}", "by a ruling of Mika", "played by Dana"):
        assert words in log


def test_what_is_told_of_the_reader_first_is_not_told_again_among_the_rest(one_house: House):
    table = one_house.begun(["Aiko", "Bruno"])
    player = table.to_move()
    meanwhile = player.follow_link().html.split('class="away"')[1].split("</aside>")[0]
    assert meanwhile.count("opened with") == len(table.players)  # each under their own mark


def test_what_a_period_brings_is_told_first_to_whom_it_brings_something_and_not_at_length():
    region = {"key": "zaibatsu.scored_in", "args": {"place": "north", "vp": 8}}
    standing = [{"key": "zaibatsu.standing", "args": {"seat": no, "n": 5 - no, "vp": 8 - no}} for no in (0, 1)]
    events = [
        Event("zaibatsu.acted", {"seat": 1, "colour": "red", "action": "mining"}),
        Event("zaibatsu.scored_region", {"place": "north", "standings": standing}),
        Event("zaibatsu.scored_influence", {"seat": 0, "vp": 8, "regions": [region]}),
        Event("zaibatsu.scored_influence", {"seat": 1, "vp": 8, "regions": [region]}),
    ]
    packed = [record.pack(event) for event in events]
    move = Move(version=5, turn=3, seat_no=1, decided_by="player", events=packed, created_at=utcnow())
    (others,) = entries([move], 0, NAMES)
    assert others.mine == ["Influence brings Aiko 8 VP: 8 in the North."]
    assert others.brief == "Bruno hired red for Mining."
    (own,) = entries([move], 1, NAMES)
    assert own.besides == ["Influence brings Bruno 8 VP: 8 in the North."]


def test_what_went_back_is_not_said_to_have_done_what_follows():
    where = {"seat": 1, "place": "west", "city": 6, "good": "clocks"}
    events = [
        Event("zaibatsu.replaced", {**where, "n": 6, "value": 5}),
        Event("zaibatsu.placed", {**where, "n": 1}),
    ]
    packed = [record.pack(event) for event in events]
    move = Move(version=5, turn=3, seat_no=1, decided_by="player", events=packed, created_at=utcnow())
    (told,) = entries([move], 0, NAMES)
    assert told.brief == "Bruno placed 6 in the West (a 5 went back) and placed 1 in the West."


def test_what_made_a_player_a_winner_is_told_as_all_may_read_it():
    order = {"key": "duel.order", "args": {"gains": [{"key": "duel.gain.tea", "args": {"n": 2}}]}}
    events = [
        Event("duel.went", {"seat": 1, "place": "bank", "influence": 5}),
        Event("duel.yen.rent", {"seat": 0}),
        Event("duel.bonus.took", {"seat": 1, "n": 1}),
        Event("duel.drew", {"seat": 1, "card": order}, who=(1,)),
    ]
    packed = [record.pack(event) for event in events]
    move = Move(version=5, turn=3, seat_no=1, decided_by="player", events=packed, created_at=utcnow())
    (told,) = entries([move], None, NAMES, about=1)
    assert told.brief == "Bruno went to the bank with influence 5 and took a bonus card."
    (told,) = entries([move], None, NAMES, about=0)
    assert told.mine == ["Aiko got 1 yen for the trading house there."]
    (told,) = entries([move], 1, NAMES)
    assert "You drew the order for 2 tea." in told.lines
