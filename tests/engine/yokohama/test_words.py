"""Everything Yokohama can say has words, also what random games rarely come to, and each edition has its own names: one
and the same for an area or a piece in the log, in the choices, on the board and in letters."""

import re
import tomllib
from pathlib import Path
from random import Random

import pytest

import engine.yokohama
from engine import Match
from engine.yokohama.box import AREAS, COUNTRIES, GOODS, TECHNOLOGIES, Reward, load_box
from engine.yokohama.state import AREA_STEPS, SOURCES, STEPS
from service.post import render, words
from service.post.language import speaking
from tests.engine.yokohama.board import Position
from tests.look import laid

CODE = Path(engine.yokohama.__file__).parent
PAGES = CODE.parent.parent / "templates/titles/yokohama"
WORDS = tomllib.loads((PAGES / "words/en.toml").read_text("utf-8"))
WAYS_ON = [
    "opening",
    "place",
    "telegram",
    "recall",
    "order",
    "second_order",
    "tech",
    "exchange",
    "warehouse",
    "church",
    "customs",
    "move",
    "token",
    "build",
    "closing",
]
ACTIONS = sorted({area.action for area in load_box().areas.values()} - {"canal"})
PORTS = [f"port.{what}{points}" for what in ("t1", "t2", "t3", "full") for points in ("", ".points")]
BECAUSE = [
    *("power", "full_hand", "unpaid_order", "no_orders", "no_tech", "no_techs", "no_exchange", "no_space", "no_pawn"),
    *("dear", "warehouse", "own_shop", "no_shop", "house_stands", "no_house"),
]
EDITIONS = ("dlp", "okazu")
NAMES = ["Aiko", "Bruno", "Chidi", "Dana"]


def keys_in_source() -> set[str]:
    found: set[str] = set()
    for path in (*CODE.glob("*.py"), *PAGES.rglob("*.html"), *PAGES.rglob("*.txt")):
        found |= set(re.findall(r'"(yokohama\.[a-z_.:@]*[a-z])"', path.read_text("utf-8")))
    return found


@pytest.mark.parametrize("key", sorted(keys_in_source()))
def test_every_key_in_the_source_has_words(key):
    assert key in WORDS


FAMILIES = {
    "place": [f"{area}{form}" for area in AREAS for form in ("", ":title", ":short")],
    "about": [*ACTIONS, "canal"],
    "unit": ACTIONS,
    "country": [f"{country}{form}" for country in COUNTRIES for form in ("", ":title")],
    "good": [*GOODS, "imports"],
    "tech": TECHNOLOGIES,
    "effect": TECHNOLOGIES,
    "goal": list(load_box().achievements),
    "reason": ["orders", "shops", "houses", "church", "customs"],
    "tier": ["t1", "t2", "t3"],
    "piece": ["assistant", "shop", "house"],
    "warehouse": ["assistant", "shop", "house"],
    "gain": Reward.__struct_fields__,
    "amount": [*Reward.__struct_fields__, "faith"],
    "meaning": ["vp", "yen", "imports", "warehouse", "moves", "any"],
    "held": ["assistants", "shops", "houses", "agents", "tokens", "orders", "fulfilled", "technologies"],
    "table": ["production", "commercial", "canal"],
    "text": ["hand", "warehouse", "dealt", "order", "technologies", "countries"],
    "space": ["church", "customs"],
    "joined": ["church", "customs"],
    "why": ["church", "customs", "own_shop", "no_shop", "house_stands", "no_house"],
    "build": ["shop", "house", "shop.any", "house.any"],
    "scored": ["church_majority", "customs_majority", "technology_majority", "countries", "remainder"],
    "ask": ["begin", "opening", "closing", "church", "customs", "second_order", "order"],
    "done": WAYS_ON,
    "take_order": ["yen", "imports", "hint"],
    "outlook": ["build", "bonus", "all"],
    "yields": [*sorted(set(ACTIONS) - {"port"}), *PORTS, "nothing"],
    "limit": ["first", "second", "more", "none"],
    "back": ["came", "forced", "stayed"],
    "tech.price": ["covered", "beyond", "later", "both"],
    "why.dear": ["beyond", "later", "both"],
    "because": BECAUSE,
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


@pytest.mark.parametrize("key", ["place", "pair", "again", "go", "route"])
def test_fees_are_named_in_every_form(key):
    forms = ["", ".paying", ".fees"] + ([".canal", ".fees.canal"] if key in ("go", "route") else [])
    assert all(f"yokohama.{key}{form}" in WORDS for form in forms)


def test_a_name_of_the_other_edition_stands_beside_a_name():
    assert all(key.removesuffix("@okazu") in WORDS for key in WORDS if "@" in key)
    assert {key.partition("@")[2] for key in WORDS} == {"", "okazu"}


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_engine_says_the_same_in_both_editions(edition):
    position = Position(edition=edition)
    position.me().imports = 1
    script = position.play()
    option = next(option for option in script.asked.options if option.id == "place.customs")
    assert option.label.args["place"] == "customs"
    script = position.act("customs", 2)
    assert script.asked.prompt == "yokohama.ask.customs"
    script.do("space.0", "area")
    assert script.told("joined.customs") == [{"seat": 0, "n": 1}]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("area", AREAS)
def test_an_area_has_one_name_in_sentences_as_a_heading_and_on_the_map(area, edition):
    with speaking("en", edition):
        said, title, short = (words.say(f"yokohama.place.{area}{form}") for form in ("", ":title", ":short"))
    assert said in (title, f"the {title}")
    assert all(any(word.startswith(part) for word in title.split()) for part in short.split())


# What only the other edition says.
FOREIGN = {
    "dlp": r"Customs|Port [AB]\b|Laboratory [AB]\b|Lab [AB]\b|[Mm]ercenar|[Ss]eafood|[Ss]hophouse",
    "okazu": r"Import Store|\bImport\b|\bPort\b(?! [AB])|\bDock\b|Laboratory(?! [AB])|\bLab\b(?! [AB])|Research"
    r"|\b[Aa]gents?\b|\bfish\b|\b[Ss]hops?\b",
}


def drawn(match: Match, seat: int) -> str:
    """All that board, players and letter say to a seat, what is said to those who do not see included."""
    page = laid.render("table.html", laid.lay(Match.load(match.save()), seat))
    spoken = re.findall(r'(?:aria-label|title)="([^"]*)"', page)
    return "\n".join([re.sub(r"<[^>]*>", "\n", page), *spoken, render.board_text("yokohama", match.view(seat), NAMES)])


def everything_said(edition: str, seed: int) -> tuple[str, str]:
    """What is said in a game, mostly between bots: the log with the questions and choices, and the boards."""
    match, random = Match.start("yokohama", players=4, seed=seed, options={"edition": edition}), Random(seed)
    said: set[str] = set()
    boards: list[str] = []
    while match.pending:
        decision = match.pending[0]
        said |= {words.tell(message, NAMES) for message in words.sentences(decision)}
        if random.random() < 0.02:
            boards.append(drawn(match, decision.seat))
        wild = random.random() < 0.2
        match.choose(decision.seat, random.choice(decision.options).id if wild else match.bot_choice(decision.seat))
    said |= {words.tell(event, NAMES) for event in match.events}
    return "\n".join(said), "\n".join(boards)


@pytest.mark.parametrize("edition", EDITIONS)
def test_log_choices_board_and_letters_of_whole_games_use_the_names_of_their_edition(edition):
    with speaking("en", edition):
        told = [everything_said(edition, seed) for seed in (1, 2)]
        titles = [words.say(f"yokohama.place.{area}:title") for area in AREAS]
    log, boards = ("\n".join(part) for part in zip(*told, strict=True))
    other = EDITIONS[1 - EDITIONS.index(edition)]
    for text in (log, boards):
        assert not re.findall(rf".*(?:{FOREIGN[edition]}).*", text)
        assert re.search(FOREIGN[other], text)
        assert [title for title in titles if title not in text and title != "Canal"] == []


# Games of okazu that began before an edition was a dialect have these in their logs, as keys and as values.
OLDER_KEYS = ("agent_joined", "built.shop", "joined.customs", "scored.customs_majority", "sent_agent", "gain.fish")
OLDER_VALUES = (
    "place.customs",
    "place.port",
    "place.dock",
    "place.lab",
    "place.research",
    "good.fish",
    "piece.shop",
    "goal.fish",
    "goal.tokens",
    "reason.customs",
    "reason.shops",
)


def test_what_older_games_of_okazu_have_in_their_logs_is_told_in_the_names_of_that_edition():
    assert all(f"yokohama.{key}@okazu" in WORDS for key in (*OLDER_KEYS, *OLDER_VALUES))
    fish = {"key": "yokohama.gain.fish@okazu", "args": {"n": 2}}
    older = {
        "Aiko built a shophouse at Port B.": ("built.shop@okazu", {"seat": 0, "place": "dock@okazu"}),
        "Bruno received 2 seafood.": ("received", {"seat": 1, "gains": [fish]}),
        "Bruno bought seafood for 1 yen.": ("bought", {"seat": 1, "good": "fish@okazu", "price": 1}),
        "Aiko handed in one import for a space in Customs.": ("joined.customs@okazu", {"seat": 0, "n": 1}),
        "Aiko placed assistants at Customs and Port B.": ("placed", {"seat": 0, "places": ["customs", "dock"], "n": 2}),
    }
    with speaking("en", "okazu"):
        for sentence, (key, args) in older.items():
            assert words.tell({"key": f"yokohama.{key}", "args": args}, NAMES) == sentence
