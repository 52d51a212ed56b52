"""The board in the letter: light, legible, in words of its reader, with what is new marked, and nothing that its reader
may not see. Where it cannot be made, the letter goes without it."""

import logging
import re
from collections import Counter
from collections.abc import Iterator
from email.message import EmailMessage
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from engine import GAMES, Match
from service.models import Draft, Person
from service.post import envelope, links, picture, render
from service.post.language import speaking
from service.post.words import say
from tests.engine.duel.position import table as position
from tests.engine.saves.record import path_of
from tests.engine.tables import TABLES, Table
from tests.play import House, body, mint
from workers import doctor

NAMES = ["Aiko", "Chidi <b> Okonkwo-Adeyemi of Lagos", "美咲", "Dana"]
LONGEST_LINE = 72
NEW = '<path class="new"'
SMALLEST = 20  # of 640; shown at 360 that is 11
OPEN, HIDDEN = (table for table in TABLES if table.game.id == "osaka" and table.players == 4)


def middle(table: Table) -> Match:
    return Match.load(path_of(table).read_bytes())


@cache
def played(kind: str) -> tuple[bytes, ...]:
    """A short way into a game between built-in players, turn by turn."""
    match = Match.start(kind, players=2, seed=5, options={})
    saves: list[bytes] = []
    while match.turn < 10:
        decision = match.pending[0]
        match.choose(decision.seat, match.bot_choice(decision.seat))
        if not saves or Match.load(saves[-1]).turn != match.turn:
            saves.append(match.save())
    return tuple(saves)


def drawn(match: Match, seat: int | None, changed: Any = ()) -> str:
    with speaking("en", match.game.dialect_of(match.view(seat)["options"])):
        return picture.draw(match.game.id, match.view(seat), NAMES[: match.players], changed)


def written(drawing: str) -> list[str]:
    """What can be read in it."""
    return re.findall(r"<text[^>]*>([^<]*)</text>", drawing)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_every_position_can_be_drawn_for_everybody(table: Table):
    for match in (table.start(7), middle(table)):
        for seat in (None, 0, table.players - 1):
            drawing = drawn(match, seat)
            assert "var(" not in drawing
            assert not re.search(r"None|Undefined|@okazu|\{", "".join(written(drawing)))
            sizes = re.findall(r"font-size: ?(\d+)px", drawing)
            assert min(map(int, sizes)) >= SMALLEST


@pytest.mark.parametrize("kind", GAMES)
def test_a_picture_is_light_enough_for_a_letter_and_sharp_enough_for_a_phone(kind: str, pictures: None):
    most = max((table for table in TABLES if table.game.id == kind), key=lambda table: table.players)
    match = middle(most)
    with speaking("en", match.game.dialect_of(match.view(0)["options"])):
        made = picture.of(kind, match.view(0), NAMES[: match.players])
    image = Image.open(BytesIO(made))
    assert len(made) <= 40_000
    assert image.format == "PNG"
    assert image.width == (640 if kind in ("yokohama", "zaibatsu") else 720)  # twice the 360 it is shown at, or nearly
    assert image.mode == "P"
    assert len(image.getcolors() or range(65)) <= 64
    assert "transparency" not in image.info


def test_what_would_be_too_heavy_has_fewer_colours_rather_than_none(pictures: None, monkeypatch: pytest.MonkeyPatch):
    drawing = drawn(middle(OPEN), 0)
    monkeypatch.setattr(picture, "MUCH", 0)
    picture.rasterised.cache_clear()
    whole = picture.rasterised(drawing)
    monkeypatch.setattr(picture, "MOST_BYTES", len(whole) - 1)
    picture.rasterised.cache_clear()
    few = Image.open(BytesIO(picture.rasterised(drawing)))
    assert few.width == Image.open(BytesIO(whole)).width == 640
    assert len(few.getcolors() or range(65)) <= 32
    monkeypatch.setattr(picture, "MOST_BYTES", 100)
    picture.rasterised.cache_clear()
    with pytest.raises(picture.NoPicture, match="would have"):
        picture.rasterised(drawing)


def test_equal_pictures_are_made_once(pictures: None):
    match = middle(OPEN)
    picture.rasterised.cache_clear()
    for _ in range(3):
        picture.of(match.game.id, match.view(None), NAMES[: match.players])
    assert picture.rasterised.cache_info().misses == 1
    assert picture.rasterised.cache_info().maxsize == picture.KEPT


@pytest.mark.parametrize("kind", GAMES)
def test_what_is_new_since_the_readers_last_turn_is_marked(kind: str):
    before, *_, now = played(kind)
    match = Match.load(now)
    changed = match.game.changes(Match.load(before).view(0), match.view(0))
    marked, plain = drawn(match, 0, changed), drawn(match, 0, {"elsewhere:1"})
    assert marked.count(NEW) > 1  # the last one says what it means
    assert "new since your last turn" in written(marked)
    assert NEW not in plain
    assert "new since your last turn" not in written(plain)


@pytest.mark.parametrize("table", [table for table in TABLES if table.game.id == "yokohama"], ids=str)
def test_yokohama_shows_the_orders_and_technologies_on_offer(table: Table):
    match = middle(table)
    drawing, boards = drawn(match, 0), match.view(0)["boards"]
    slots = [slot for board in boards.values() for slot in board]
    for slot in slots:
        if slot.get("tech"):
            with speaking("en", match.game.dialect_of(match.view(0)["options"])):
                assert say(f"yokohama.tech.{slot['tech']['name']}:short") in written(drawing)
    lying = [slot.get("order") or slot.get("tech") for slot in slots]
    assert len(boards) > 1
    assert drawing.count('<use href="#from-') == sum(card is not None for card in lying) > 6


@pytest.mark.parametrize("table", [table for table in TABLES if table.game.id == "zaibatsu"], ids=str)
def test_zaibatsu_shows_who_can_be_hired_for_what_and_the_factories_to_build(table: Table):
    match = middle(table)
    seen, view = Counter(written(drawn(match, 0))), match.view(0)
    offered = {action for space in view["hiring"] for action in space["actions"]}
    with speaking("en"):
        assert all(say("zaibatsu.table.action", {"action": action}) in seen for action in offered)
        waiting = Counter(say(f"zaibatsu.sign.{colour}") for space in view["hiring"] for colour in space["workers"])
    free = Counter(tile["tile"][-2] for row in view["supply"] for tile in row["tiles"] if tile["owner"] is None)
    assert waiting <= seen
    assert free <= seen


def test_duel_shows_what_bonus_and_church_cards_give():
    match = Match.load(played("duel")[-1])
    view = match.view(0)
    drawing = drawn(match, 0)
    signs = Counter(re.findall(r'<use href="#([\w-]+)"', drawing))
    given = [reward for card in view["bonus"] for reward in card["rewards"]]
    given += [card["reward"] for card in view["church"] if card]
    alike = {"flips": "flipped", "help1": "help", "help2": "help"}
    wanted = Counter(alike.get(what, what) for reward in given for what in reward)
    assert wanted <= signs
    assert [written(drawing).count(level) >= 3 for level in "567"] == [True] * 3


def test_duel_shows_what_a_place_would_truly_give():
    """One copper more with Mining Technology, and nothing at customs without an import."""
    match = position(played=["tea", "fish", "", ""], technologies=["mining"])
    names = {place["id"]: say(f"duel.place.{place['id']}:short") for place in match.view(0)["places"]}
    tiles = {id: drawn(match, 0).partition(f">{name}<")[2][:400] for id, name in names.items()}
    assert written(tiles["copper"])[0] == "2"
    assert written(tiles["customs"])[0] == "0"


def test_a_picture_shows_what_its_reader_may_see_and_no_more():
    match = middle(HIDDEN)
    mine, watched = written(drawn(match, 0)), written(drawn(match, None))
    assert "Hand" in mine
    assert mine.count("?") == 3
    assert "Hand" not in watched
    assert watched.count("?") == 4


def test_names_are_cut_where_their_room_ends_and_are_never_markup():
    drawing = drawn(middle(OPEN), 0)
    assert "Chidi &lt;b" in drawing
    assert any(name.startswith("Chidi") and name.endswith("…") for name in written(drawing))
    named_oddly = picture.draw("osaka", middle(OPEN).view(0), ["var(--no)", "\v", "}", "Dana"])
    assert "var(--no)" in named_oddly
    assert picture.fit("W" * 9, 100, 20).endswith("…")
    assert picture.fit("美" * 6, 100, 20).startswith("美美美")
    assert picture.fit("美" * 6, 100, 20) != picture.fit("美" * 6, 130, 20) == "美" * 6


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_the_board_in_words_has_short_lines_and_ones_own_things_before_those_of_others(table: Table):
    names = ["Aiko", "B" * 40, "Chidi", "E" * 38][: table.players]
    match = middle(table)
    last = table.players - 1
    with speaking("en", match.game.dialect_of(match.view(0)["options"])):
        text = render.board_text(table.game.id, match.view(last), names)
    assert max(map(len, text.splitlines())) <= LONGEST_LINE
    if last:
        own = re.search(rf"^(?:{names[last].upper()}|YOU)\b", text, re.MULTILINE)
        other = re.search(r"^AIKO\b", text, re.MULTILINE)
        assert own
        assert other
        assert own.start() < other.start()


@pytest.mark.parametrize("kind", GAMES)
def test_the_board_in_words_is_broken_by_whoever_shows_it_as_html(kind: str):
    match = Match.load(played(kind)[-1])
    text, lines = (made(kind, match.view(0), ["Aiko", "Bruno"]) for made in (render.board_text, render.board_lines))
    assert " ".join(text.split()) == " ".join(" ".join(lines).split())
    assert len(lines) <= len(text.splitlines())


# --- in letters


def shown_in(letter: EmailMessage) -> bytes | None:
    """The picture that the html of a letter shows."""
    if f'src="cid:{envelope.PICTURE}"' not in body(letter, "html"):
        return None
    (part,) = [part for part in letter.walk() if part["Content-ID"] == f"<{envelope.PICTURE}>"]
    assert part.get_content_disposition() == "inline"
    content = part.get_content()
    assert isinstance(content, bytes)
    return content


def test_a_turn_letter_shows_the_board_as_its_reader_sees_it(house: House, pictures: None):
    table = house.begun(["Aiko", "Bruno"], kind="osaka")
    player = next(player for player in table.players if player.seat.asked is not None)
    letter = player.letters("turn")[-1]
    view = Match.load(table.game().saved or b"").view(player.seat.no)
    assert shown_in(letter) == picture.of("osaka", view, ["Aiko", "Bruno"])
    assert 'alt="The board as you see it' in body(letter, "html")
    assert [part.get_content_type() for part in letter.walk()] == [
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
    ]


def test_a_line_of_the_board_in_html_goes_on_further_in(house: House):
    table = house.begun(["Aiko", "Bruno"], kind="yokohama")
    player = next(player for player in table.players if player.seat.asked is not None)
    lines = re.findall(
        r'<div style="padding-left:([\d.]+)em;\s*text-indent:-1em">([^<]*)</div>', body(player.letters()[-1], "html")
    )
    assert {within for within, _ in lines} >= {"1.0", "2.2"}
    assert max(len(line) for _, line in lines) > LONGEST_LINE


def test_whoever_asks_for_the_board_by_mail_sees_it_with_what_they_have_chosen(house: House, pictures: None):
    player = house.begun(["Aiko", "Bruno*"], kind="osaka").player("Aiko")
    player.answer("1, send")
    assert shown_in(player.answer("1")) is None
    letter = player.answer("2, board")
    match = player.table.match()
    before = picture.of("osaka", match.view(0), ["Aiko", "Bruno"])
    for choice in house.one(Draft).choices:
        match.choose(0, choice)
    assert shown_in(letter) == picture.of("osaka", match.view(0), ["Aiko", "Bruno"]) != before
    assert render.board_text("osaka", match.view(0), ["Aiko", "Bruno"]) in body(letter)
    player.browser.get(player.link())
    player.browser.get(player.url("/settings")).press("Save", pictures=None)
    assert shown_in(player.answer("board")) is None


def test_whoever_wants_no_pictures_gets_none(house: House):
    table = house.begun(["Aiko", "Bruno"], kind="osaka")
    for player in table.players:
        player.browser.get(player.link())
        player.browser.get(player.url("/settings")).press("Save", pictures=None)
    assert not any(person.pictures for person in house.all(Person))
    for _ in range(2):
        player = next(player for player in table.players if player.seat.asked is not None)
        player.play()
    letter = next(player for player in table.players if player.seat.asked is not None).letters("turn")[-1]
    assert shown_in(letter) is None
    assert not list(letter.iter_attachments())


def test_the_post_office_shows_the_picture_without_loading_anything(house: House):
    table = house.begun(["Aiko", "Bruno"], kind="osaka")
    assert table
    newest = house.browser().get("/post-office").html
    shown = [
        house.browser().get(f"/post-office/{number}/html").html
        for number in sorted(set(re.findall(r"/post-office/(\d+)", newest)))
    ]
    assert any('src="data:image/png;base64,' in page for page in shown)
    assert not any("cid:" in page for page in shown)


@pytest.fixture
def no_fonts(pictures: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setattr(picture, "SYSTEM", (str(tmp_path),))
    caches = picture.font, picture._measure, picture._length
    for kept in caches:
        kept.cache_clear()
    yield
    for kept in caches:
        kept.cache_clear()


def test_without_fonts_a_letter_goes_without_its_picture_and_the_doctor_says_why(
    house: House, no_fonts: None, caplog: pytest.LogCaptureFixture
):
    with caplog.at_level(logging.WARNING):
        table = house.begun(["Aiko", "Bruno"], kind="osaka")
    player = next(player for player in table.players if player.seat.asked is not None)
    assert shown_in(player.letters("turn")[-1]) is None
    assert "goes without its picture: the font DejaVu" in caplog.text
    with pytest.raises(doctor.Ailment, match="install the package fonts-dejavu-core"):
        doctor._pictures(house.settings)


# --- in chats


def test_a_chat_that_follows_a_spectators_link_finds_the_board_as_everybody_sees_it(house: House, pictures: None):
    table = house.begun(["Aiko", "Bruno"], kind="osaka", options={"open_information": False})
    crawler = house.app.test_client(use_cookies=False)
    door = crawler.get(mint(house, links.mint_watch, table.game()))
    assert door.headers["Refresh"] == f"0; url={table.url('/watch')}"
    (address,) = re.findall(r'<meta property="og:image" content="([^"]*)"', door.text)
    answer = crawler.get(address)
    view = Match.load(table.game().saved or b"").view(None)
    assert answer.data == picture.of("osaka", view, ["Aiko", "Bruno"])
    assert answer.content_type == "image/png"
    assert answer.headers["Cache-Control"] == "public, max-age=300"
    assert "Set-Cookie" not in answer.headers
    again = crawler.get(address, headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert crawler.get(table.url("/watch")).status_code == 403


def test_only_a_spectators_link_has_a_preview_and_only_while_it_works(house: House):
    table = house.begun(["Aiko", "Bruno"], kind="osaka")
    crawler = house.app.test_client()
    for opened in (links.mint_organiser, links.mint_watch):
        token = mint(house, opened, table.game())
        assert crawler.get(f"{token}/board.png").status_code == (200 if opened is links.mint_watch else 404)
    own = mint(house, links.mint_seat, table.seats()[0])
    assert crawler.get(f"{own}/board.png").status_code == 404
    assert "og:" not in crawler.get(own, follow_redirects=True).text
    house.execute("UPDATE link SET revoked_at = created_at")
    assert crawler.get(f"{token}/board.png").status_code == 404
