"""Everything the engine can say has words, and they are said as a person would."""

import ast
import re
from collections import Counter
from pathlib import Path
from random import Random

import msgspec
import pytest
from markupsafe import Markup

import engine
from engine import GAMES
from engine.scene import Event, Message
from service.post import words
from service.post.language import speaking
from tests.engine.tables import COMBINED, TABLES, pick

NAMES = ["Ann", "Bo", "Chidi", "Dewi"]


@pytest.mark.parametrize("table", [*TABLES, *COMBINED], ids=str)
def test_no_two_options_of_a_question_read_the_same(table):
    """Label and hint together, in words, as whoever is asked reads them."""
    alike, random = set[tuple[str, str]](), Random(103)
    match = table.start(103)
    with speaking("en", table.game.dialect_of(table.options)):
        while match.pending:
            for decision in match.pending:
                read = Counter(
                    (words.tell(option.label, NAMES), words.tell(option.hint, NAMES) if option.hint else "")
                    for option in decision.worked_out().options
                )
                alike.update((decision.prompt, text) for (text, _hint), times in read.items() if times > 1)
            match.choose(*pick(random, match))
    assert not alike


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_every_prompt_label_hint_reason_and_event_has_words(table):
    for seed in range(3):
        match, random = table.start(seed), Random(seed)
        while match.pending:
            for decision in match.pending:
                for message in words.sentences(decision):
                    assert_well_said(words.tell(message, NAMES), message)
                assert words.tip(decision), f"no words for {words.tip_key(decision.prompt)}"
            match.choose(*pick(random, match))
        for event in match.events:
            assert_well_said(words.tell(event, NAMES), event)


def assert_well_said(text, message):
    assert text, message
    assert not re.search(r"[{}<>]|None|True|False|\w\.\w", text), (text, message)


@pytest.mark.parametrize("title", GAMES)
def test_every_question_has_a_tip_of_a_line_and_every_tip_is_to_a_question(title):
    """All that the rules may ask by name; of questions whose names they put together, all that have words."""
    asked = {words.tip_key(prompt) for prompt in questions_of(title)}
    tips = {key for key in words.catalogue() if key.startswith(f"{title}.tip.")}
    assert asked <= tips
    for key in tips:
        plain = key.partition("@")[0]  # an edition may have a tip of its own
        assert f"{title}.{plain.removeprefix(f'{title}.tip.')}" in words.catalogue(), f"{key} is a tip to nothing"
        assert len(words.say(key)) <= LONGEST_TIP, key


LONGEST_TIP = 180  # two lines of a phone


def questions_of(title: str) -> set[str]:
    """The second argument of every `ask` in the rules of a title, where it stands there as a text."""
    found = set()
    for path in (Path(engine.__file__).parent / title).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "ask":
                values = (each.value for each in ast.walk(node.args[1]) if isinstance(each, ast.Constant))
                found |= {value for value in values if isinstance(value, str)}
    return {prompt for prompt in found if prompt in words.catalogue()}


@pytest.mark.parametrize("title", GAMES)
def test_every_game_has_a_title_and_names_for_its_options_and_scores(title):
    assert words.say(f"{title}.title") == GAMES[title].title
    for setting in GAMES[title].options:
        assert words.say(f"{title}.option.{setting.id}")
        for choice in setting.choices:
            assert words.say(f"{title}.option.{setting.id}.{choice}")


@pytest.mark.parametrize("title", GAMES)
def test_every_standing_order_and_each_of_its_choices_has_words(title):
    for order in GAMES[title].orders:
        assert_well_said(words.say(f"{title}.order.{order.id}"), order)
        for choice in order.choices:
            assert_well_said(words.say(f"{title}.order.choice.{choice}"), order)


@pytest.mark.parametrize("key", ["osaka.order.why.no_card", "osaka.order.why.which"])
@pytest.mark.parametrize("n", [1, 2])
def test_an_order_that_does_not_fit_says_why(key, n):
    reason = Message(key, {"n": n, "colour": "red"})
    assert_well_said(words.tell(reason), reason)


def test_no_sentence_of_the_catalogue_carries_markup_or_space_around_it():
    for key, said in words.catalogue().items():
        for sentence in [said] if isinstance(said, str) else said.forms.values():
            assert not re.search(r"[<>&]", sentence), key
            assert sentence.strip() == sentence or key.startswith("words."), key


def test_names_cards_and_numbers_are_put_in():
    args = {"seat": 2, "n": 2, "price": 5, "coins": 6, "cards": ["red3", "blue2"], "paid_cards": ["green3", "green3"]}
    assert (
        words.say("osaka.bought", args, NAMES)
        == "Chidi bought 2 goods for 5, paying 6: lacquer 3 and indigo 2 for 2 × tea 3."
    )


def test_one_is_said_as_one():
    args = {"seat": 0, "colour": "green", "n": 1, "cards": ["green5"]}
    assert words.say("osaka.lost", args, NAMES) == "Ann lost tea 5 to the Black Tide."


def test_lists_are_joined_with_commas_and_and():
    assert words.say("osaka.over", {"seats": [0], "vp": 9}, NAMES) == "The game is over: won by Ann with 9 VP."
    three = words.say("osaka.over", {"seats": [0, 1, 2], "vp": 9}, NAMES)
    assert three == "The game is over: won by Ann, Bo and Chidi with 9 VP."


def test_an_empty_list_is_said():
    args = {"moved_cards": [], "market_cards": ["red2"], "farm_cards": []}
    assert words.say("osaka.refreshed", args) == (
        "From the farm to the market: nothing. New in the market: lacquer 2. New in the farm: nothing."
    )


def test_a_stored_event_is_said_like_a_fresh_one():
    event = Event("osaka.took", {"seat": 1, "card": "red5"})
    stored = msgspec.json.decode(msgspec.json.encode(event))
    assert words.tell(stored, NAMES) == words.tell(event, NAMES) == "Bo took lacquer 5 as coins."


def test_messages_inside_messages_are_said():
    then = [
        {"key": "osaka.foresee.sails", "args": {"colour": "red", "place": "edo"}},
        Message("osaka.foresee.paid", {"seat": 1, "colour": "red", "vp": 3}),
    ]
    hint = Message("osaka.action.buy.hint", {"cards": ["red2"], "price": 2, "then": then})
    assert words.tell(hint, NAMES) == "You pay 2 for lacquer 2: lacquer sails to Edo and Bo earns 3 VP in lacquer."


def test_as_markup_names_are_wrapped_and_all_else_is_escaped():
    event = Event("osaka.took", {"seat": 1, "card": "red5"})
    said = words.tell(event, name=lambda seat: Markup("<b>{}</b>").format("<i>Bo</i>"))
    assert isinstance(said, Markup)
    assert said == "<b>&lt;i&gt;Bo&lt;/i&gt;</b> took lacquer 5 as coins."
    assert words.tell(event, name=lambda seat: "<Bo>").startswith("&lt;Bo&gt; took")


def test_a_name_with_braces_is_only_a_name():
    assert words.say("osaka.starts", {"seat": 0}, ["{seat}"]) == "{seat} plays first."


@pytest.mark.parametrize(
    ("key", "args"),
    [
        ("osaka.no_such_thing", {}),
        ("osaka.took", {"seat": 0}),
        ("osaka.took", {"seat": 0, "card": "purple9"}),
        ("osaka.took", {"seat": 7, "card": "red5"}),
        ("osaka.took", {"seat": 0, "card": None}),
    ],
)
def test_missing_words_are_an_error_in_tests_and_a_neutral_phrase_in_service(key, args, monkeypatch, caplog):
    with pytest.raises(words.MissingWords):
        words.say(key, args, NAMES)
    monkeypatch.setattr(words, "strict", False)
    said = words.say(key, args, NAMES)
    assert said == words.catalogue()["words.missing"]
    assert "osaka" not in said
    assert "no words for" in caplog.text


@pytest.fixture
def catalogues(tmp_path, monkeypatch):
    """Other catalogues than the service's own: `catalogues(en=..., pl=...)` writes them."""

    def write(**texts: str) -> None:
        for folder in ("words", "titles/a/words"):
            (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (tmp_path / "titles/a/words" / f"{name}.toml").write_text(text, encoding="utf-8")
        words.catalogue.cache_clear()

    monkeypatch.setattr(words, "FOLDERS", [tmp_path])
    yield write
    words.catalogue.cache_clear()


def test_a_language_without_a_sentence_says_it_in_english(catalogues):
    catalogues(en='"a.b" = "one"\n"a.c" = "two"', de='"a.b" = "eins"')
    with speaking("de"):
        assert words.say("a.b") == "eins"
        assert words.say("a.c") == "two"


def test_a_dialect_is_spoken_where_it_has_a_word_of_its_own(catalogues):
    catalogues(
        en='"a.took" = "took {good}"\n"a.good.fish" = "fish"\n"a.good.fish@okazu" = "seafood"\n"a.good.tea" = "tea"',
        de='"a.good.fish" = "Fisch"',
    )
    with speaking("en", "okazu"):
        assert words.say("a.took", {"good": "fish"}) == "took seafood"
        assert words.say("a.took", {"good": "tea"}) == "took tea"
    assert words.say("a.took", {"good": "fish"}) == "took fish"
    with speaking("de", "okazu"):  # a plain word of the language goes before a dialect of English
        assert words.say("a.took", {"good": "fish"}) == "took Fisch"


def test_numbers_are_said_in_the_plural_of_their_language(catalogues):
    catalogues(
        en='"a.got" = { one = "{n} card", other = "{n} cards" }',
        pl='"a.got" = { one = "{n} karta", few = "{n} karty", many = "{n} kart", other = "{n} karty" }',
    )
    assert [words.say("a.got", {"n": n}) for n in (0, 1, 2, 5)] == ["0 cards", "1 card", "2 cards", "5 cards"]
    with speaking("pl"):
        assert [words.say("a.got", {"n": n}) for n in (1, 3, 5)] == ["1 karta", "3 karty", "5 kart"]


def test_a_number_may_be_said_in_a_way_of_its_own(catalogues):
    catalogues(en='"a.home" = { 0 = "came alone", one = "came with one", other = "came with {n}" }')
    assert [words.say("a.home", {"n": n}) for n in (0, 1, 2)] == ["came alone", "came with one", "came with 2"]


def test_a_noun_is_put_into_the_form_its_sentence_asks_for(catalogues):
    catalogues(
        en='"a.took" = "took {card:acc}"\n"a.card.axe" = "the axe"',
        de='"a.took" = "nahm {card:acc}"\n"a.card.axe" = "der Hammer"\n"a.card.axe:acc" = "den Hammer"',
    )
    assert words.say("a.took", {"card": "axe"}) == "took the axe"
    with speaking("de"):
        assert words.say("a.took", {"card": "axe"}) == "nahm den Hammer"
