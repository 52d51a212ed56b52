"""Everything Yokohama can say has words, also what random games rarely come to."""

import re
import tomllib
from pathlib import Path

import pytest

import engine.yokohama
from engine.yokohama.box import AREAS, COUNTRIES, GOODS, TECHNOLOGIES, Reward, load_box
from engine.yokohama.editions import RENAMED
from engine.yokohama.state import AREA_STEPS, SOURCES, STEPS
from tests.engine.yokohama.board import Position

ROOT = Path(engine.yokohama.__file__).parent
WORDS = tomllib.loads((ROOT.parent.parent / "templates/titles/yokohama/words/en.toml").read_text("utf-8"))
ACTIONS = sorted({area.action for area in load_box().areas.values()} - {"canal"})


def keys_in_source() -> set[str]:
    found: set[str] = set()
    for path in ROOT.glob("*.py"):
        found |= set(re.findall(r'"(yokohama\.[a-z_.]+)"', path.read_text("utf-8")))
    return found


@pytest.mark.parametrize("key", sorted(keys_in_source()))
def test_every_key_in_the_source_has_words(key):
    assert key in WORDS


FAMILIES = {
    "place": AREAS,
    "country": COUNTRIES,
    "good": [*GOODS, "imports"],
    "tech": TECHNOLOGIES,
    "effect": TECHNOLOGIES,
    "goal": list(load_box().achievements),
    "part": SOURCES,
    "reason": ["orders", "shops", "houses", "church", "customs"],
    "tier": ["t1", "t2", "t3"],
    "piece": ["assistant", "shop", "house"],
    "warehouse": ["assistant", "shop", "house"],
    "gain": Reward.__struct_fields__,
    "space": ["church", "customs"],
    "joined": ["church", "customs"],
    "why": ["church", "customs", "own_shop", "no_shop", "house_stands", "no_house"],
    "build": ["shop", "house", "shop.any", "house.any"],
    "scored": ["church_majority", "customs_majority", "technology_majority", "countries", "remainder"],
    "ask": ["opening", "closing", "church", "customs", "second_order", "order"],
    "take_order": ["yen", "imports", "hint"],
    "outlook": [f"{action}{after}" for action in [*ACTIONS, "none"] for after in ("", ".build", ".bonus", ".all")],
    "pawn": ["hand", "area"],
    "move": ["hand", "from", "to"],
    "option": ["edition", "edition.dlp", "edition.okazu", "open_information"],
    "step": [*STEPS, *(f"agent_{step}" for step in AREA_STEPS)],
    "score": [*SOURCES, "turn_order"],
}


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_every_member_of_a_family_has_words(family):
    missing = [name for name in FAMILIES[family] if f"yokohama.{family}.{name}" not in WORDS]
    assert not missing


@pytest.mark.parametrize("key", ["place", "pair", "go", "route"])
def test_fees_are_named_in_every_form(key):
    forms = ["", ".paying", ".fees"] + ([".canal"] if key in ("go", "route") else [])
    assert all(f"yokohama.{key}{form}" in WORDS for form in forms)


def test_a_name_of_the_other_edition_stands_beside_a_name():
    others = [key for key in WORDS if "@okazu" in key]
    assert all(key.replace("@okazu", "") in WORDS for key in others)
    said_by_pages = {"effect.brickyard", "effect.gaslight", "effect.tram", "part.customs", "part.customs_majority"}
    named = {key.removeprefix("yokohama.").removesuffix(".one").removesuffix("@okazu") for key in others}
    assert named == RENAMED | said_by_pages
    assert WORDS["yokohama.place.customs"] == "the Import Store"
    assert WORDS["yokohama.place.customs@okazu"] == "Customs"


@pytest.mark.parametrize(("edition", "name"), [("okazu", "customs@okazu"), ("dlp", "customs")])
def test_labels_and_events_use_the_names_of_their_edition(edition, name):
    position = Position(edition=edition)
    position.me().imports = 1
    script = position.play()
    option = next(option for option in script.asked.options if option.id == "place.customs")
    assert option.label.args["place"] == name
    assert option.spots == ("area:customs",)
    script = position.act("customs", 2)
    assert script.asked.prompt == f"yokohama.ask.{name}"
    script.do("space.0", "area")
    keys = [event.key for event in script.match.events]
    assert f"yokohama.joined.{name}" in keys
