"""A title has two homes of one shape, and nothing else in the tree knows it: proved by a title of the tests' own."""

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, get_type_hints

import pytest
import time_machine

from engine import GAMES, simulate
from engine.scene import State
from service.db import utcnow
from service.models import Game, GameStatus, Move
from service.post import render, words
from service.post.folders import FOLDERS
from service.post.language import speaking
from service.web.app import create_app
from tests import play
from tests.play import House, Table, body, link_in
from tests.toy import TITLE as TOY
from workers import timekeeper

ROOT = Path(__file__).resolve().parent.parent
ENGINE, TEMPLATES = ROOT / "engine", FOLDERS[0]

# What a title needs of each of its modules, and the field of engine.game.Game that it becomes.
NAMES = {
    "box": {"load_box": "load_box"},
    "setup": {"setup": "setup"},
    "turn": {"next_scene": "scene"},
    "scoring": {"result": "result", "scores": "scores"},
    "view": {"view": "view", "changes": "changes"},
    "bot": {"choose": "bot"},
    "secrets": {"census": "census", "scramble": "scramble"},
}
WHERE_NEEDED = {"orders": {"ORDERS": "orders", "follow": "follow"}}
SHOWN = {
    "panes.html", "players.html", "sheet.html", "text.txt", "picture.svg", "symbols.svg", "style.css",
    "words/en.toml", "rules/en.html", "rules/short.en.html",
}  # fmt: skip

HOMES = {title: (f"engine.{title}", ENGINE / title, TEMPLATES / "titles" / title) for title in GAMES}
HOMES["toy"] = ("tests.toy", ROOT / "tests" / "toy", ROOT / "tests" / "toy" / "templates" / "titles" / "toy")
each_title = pytest.mark.parametrize(("package", "engine", "shown"), HOMES.values(), ids=HOMES)


# --- two homes of one shape


@each_title
def test_the_engine_of_a_title_has_the_same_files_as_every_other(package: str, engine: Path, shown: Path):
    files = {path.name for path in engine.iterdir() if path.is_file()}
    assert {"__init__.py", "components.toml", "state.py", *(f"{name}.py" for name in NAMES)} <= files
    assert {path.suffix for path in engine.iterdir() if path.is_file()} == {".py", ".toml"}


@each_title
def test_the_same_things_have_the_same_names_in_every_title(package: str, engine: Path, shown: Path):
    title = import_module(package).TITLE
    for name, things in (NAMES | WHERE_NEEDED).items():
        if name in NAMES or (engine / f"{name}.py").exists():
            module = import_module(f"{package}.{name}")
            for thing, field in things.items():
                assert getattr(module, thing) is getattr(title, field), f"{package}.{name}.{thing}"
    balance = import_module(f"{package}.balance") if (engine / "balance.py").exists() else None
    assert title.balance is balance
    assert import_module(package).__all__ == ["TITLE"]


@each_title
def test_the_state_of_a_title_is_in_state_and_knows_the_type_of_its_box(package: str, engine: Path, shown: Path):
    state = import_module(package).TITLE.state
    assert issubclass(state, State)
    assert state.__module__ == f"{package}.state"
    assert get_type_hints(state)["box"] == ClassVar[import_module(f"{package}.box").Box]


@each_title
def test_all_that_shows_a_title_has_the_same_files_as_every_other(package: str, engine: Path, shown: Path):
    files = {str(path.relative_to(shown)) for path in shown.rglob("*") if path.is_file()}
    assert not SHOWN - files
    assert {path.partition("/")[0] for path in files if "/" in path} == {"words", "rules"}


def test_every_folder_of_templates_for_a_title_belongs_to_one():
    assert {path.name for path in (TEMPLATES / "titles").iterdir()} == set(GAMES)


# --- nothing else names one

ELSEWHERE = [
    *(path for folder in ("service", "workers", "migrations") for path in (ROOT / folder).rglob("*")),
    *ENGINE.glob("*.py"),
    *(path for path in TEMPLATES.rglob("*") if "titles" not in path.relative_to(TEMPLATES).parts),
    *(ROOT / name for name in ("Makefile", "Dockerfile", "compose.yaml", "pyproject.toml", ".env.example", ".ci/run")),
]
READ = {".py", ".html", ".txt", ".css", ".js", ".toml", ".yaml", ".svg", ".pot", ".mako", ".example", ""}


@pytest.mark.parametrize("title", sorted(GAMES))
def test_nothing_outside_its_homes_names_a_title(title: str):
    named = re.compile(rf"\b{title}\b", re.IGNORECASE)
    files = [path for path in ELSEWHERE if path.is_file() and path.suffix in READ]
    assert len(files) > 100
    assert [str(path.relative_to(ROOT)) for path in files if named.search(path.read_text(encoding="utf-8"))] == []


@each_title
def test_a_title_uses_nothing_of_another(package: str, engine: Path, shown: Path):
    others = {other for other, *_ in HOMES.values()} - {package}
    for path in engine.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            imported = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            assert not any(f"{imported}.".startswith(f"{other}.") for other in others), path
    for path in shown.rglob("*"):
        if path.suffix in (".html", ".txt"):
            used = set(re.findall(r'titles/(\w+)/|kind="(\w+)"', path.read_text(encoding="utf-8")))
            assert {name for pair in used for name in pair if name} <= {shown.name}, path


# --- what is drawn and said can be read

WIDEST = 140
DRAWN = [
    path
    for folder in (TEMPLATES, ROOT / "service" / "web" / "static", ROOT / "tests" / "toy" / "templates")
    for path in sorted(folder.rglob("*"))
    if path.suffix in {".html", ".txt", ".svg", ".css", ".js"}
]


def test_no_line_of_a_template_a_style_sheet_or_a_script_is_too_long_to_read():
    assert len(DRAWN) > 100
    too_long = [
        f"{path.relative_to(ROOT)}:{number} has {len(line)} characters"
        for path in DRAWN
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > WIDEST
    ]
    assert not too_long, f"lines longer than {WIDEST}:\n" + "\n".join(too_long)


# --- a title that nobody has told the service about


@pytest.fixture
def toy_house(tmp_path: Path, sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """An installation with one more title: its module in the catalogue and its folder beside the others'."""
    monkeypatch.setitem(GAMES, "toy", TOY)
    FOLDERS.append(ROOT / "tests" / "toy" / "templates")
    _forget()
    house = House(tmp_path, sqlite_url, monkeypatch)
    yield house
    house.close()
    FOLDERS.pop()
    _forget()


def _forget() -> None:
    """What is read once in the life of a process."""
    for kept in (play._app, render.environment, words.catalogue):
        kept.cache_clear()


def new_game(house: House, names: list[str], **fields: Any) -> Table:
    return house.game(names, kind="toy", **fields)


def test_a_new_title_is_in_the_catalogue_with_its_rules_and_its_style(toy_house: House):
    browser = toy_house.browser()
    home = browser.get("/")
    assert "Lanterns" in home
    assert "2 to 5 players" in home
    rules = browser.get("/rules/toy")
    assert "Take the best of 15 lanterns" in rules
    assert "Take lanterns, and greet." in browser.get("/rules/toy/short")
    (style,) = re.findall(r'href="(/titles/[^"]+)"', rules.html)
    assert ".lanterns" in browser.get(style).html
    assert "text/css" in browser.get(style).response.headers["Content-Type"]


def test_the_form_shows_the_options_of_a_new_title_and_takes_them(toy_house: House):
    browser = toy_house.browser()
    form = browser.get("/new?kind=toy")
    for said in ("With greetings", "The next player is asked to greet", "two rounds", "of silk"):
        assert said in form
    table = new_game(toy_house, ["Aiko", "Bruno"], **{"toy-length": "long", "toy-edition": "silk"})
    assert table.game().options == {"greeting": True, "length": "long", "edition": "silk"}
    people = {"organiser-name": "Chidi", "organiser-mail": "c@x.example", "seat-1-who": "bot"}
    where, data = form.request("Invite the players", **people)
    del data["toy-greeting"]  # a check box that is off is not sent
    assert browser.post(where, data).status == 200
    assert toy_house.all(Game)[-1].options == {"greeting": False, "length": "short", "edition": "paper"}


def test_the_form_has_a_row_for_every_seat_of_a_new_title(toy_house: House):
    table = new_game(toy_house, ["Aiko", "Bruno", "Chidi", "Dana", "Emil"])
    assert len(table.seats()) == 5


def test_a_game_of_a_new_title_is_played_over_the_pages_to_its_end(toy_house: House):
    table = new_game(toy_house, ["Aiko", "Bruno", "Ciro*"], **{"toy-edition": "silk"})
    for name in ("Aiko", "Bruno"):
        table.player(name).accept()
    first = table.to_move()
    (turn,) = first.letters("turn")
    assert "THE SILKEN LANTERNS" in body(turn)
    page = first.see()
    assert "The silken lanterns" in page
    assert "The best lanterns bring the most points" in page
    assert 'href="/titles/toy/table.css?v=' in page.html
    assert 'href="#lantern"' in page.html
    assert "THE SILKEN LANTERNS" in first.browser.get(table.url("/text"))
    while table.game().status is GameStatus.RUNNING:
        player = table.to_move()
        assert player.play().status == 200
    told = first.browser.get(table.url("/log?page=0")).text
    assert "lanterns are in the pile" in told
    assert "Ciro took the" in told
    assert "Ciro greeted." in told
    for name in ("Aiko", "Bruno"):
        (over,) = table.player(name).letters("over")
        result = table.player(name).browser.get(link_in(over)).browser.get(table.url("/result"))
        assert "Greetings" in result
    assert {move.decided_by for move in toy_house.all(Move)} == {"nobody", "player", "bot"}
    assert first.browser.get(table.url("/replay?move=1")).status == 200
    assert first.browser.get(table.url("/export.json")).status == 200


def test_standing_orders_of_a_new_title_are_given_on_its_page_and_followed(toy_house: House):
    table = new_game(toy_house, ["Aiko", "Bruno"])
    for name in ("Aiko", "Bruno"):
        table.player(name).accept()
    first = table.to_move()
    (other,) = (player for player in table.players if player.name != first.name)
    settings = other.browser.get(other.url("/settings"))
    assert "A greeting is a point." in settings
    settings.press("Keep these orders", greet="always")
    first.play()
    with time_machine.travel(utcnow() + timekeeper.OUTAGE, tick=False):
        timekeeper.sweep()
    assert [move.decided_by for move in toy_house.all(Move)][-1] == "order"


def test_the_sample_game_is_one_of_a_new_title_too(toy_house: House):
    home = toy_house.browser().get("/")
    (form,) = (form for form in home.forms if form.fields.get("kind") == "toy")
    page = home.browser.post("/sample", data={**form.fields, "against": "bots"})
    assert "Which lantern?" in page


def test_the_words_of_a_new_title_are_said_in_its_dialects(toy_house: House):
    with speaking("en", ""):
        assert words.say("toy.row") == "The lanterns"
    with speaking("en", "silk"):
        assert words.say("toy.row") == "The silken lanterns"


def test_the_bot_of_a_new_title_plays_in_simulations(toy_house: House):
    for players in TOY.players:
        played = simulate.play("toy", players=players, seed=players, kinds=("bot",))
        assert played.failure is None


def test_an_application_made_without_the_title_knows_nothing_of_it(tmp_path: Path):
    assert "toy" not in GAMES
    app = create_app(play._settings(tmp_path, "sqlite:////nonexistent", post_office=True))
    assert app.test_client().get("/rules/toy").status_code == 404


EVERYTHING_BEHIND_HAS = re.compile(r":has\([^{},]*[ >+~]\*(?=\s*[,{])")


@pytest.mark.parametrize(
    "sheet", [path for path in DRAWN if path.suffix == ".css"], ids=lambda path: path.parent.name + "/" + path.name
)
def test_no_rule_behind_has_is_about_everything(sheet: Path):
    """One is enough for a browser to style all of a table anew whenever something comes to it or goes."""
    rules = re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert EVERYTHING_BEHIND_HAS.findall(rules) == []
