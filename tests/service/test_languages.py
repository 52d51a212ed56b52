"""Who is spoken to in which language, and what is kept to be said later to a reader who is not known yet."""

import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import get_args

import pytest

from engine import GAMES
from engine.scene import Event, Message
from service.models import Person
from service.post import language
from service.post.language import ENGLISH, speaking
from service.post.told import in_words, ntold, steps, told, verbatim
from tests import madeup
from tests.play import Browser, House, news
from tests.service.test_made_up_language import LISTENER, send

MORNING = datetime(2026, 11, 17, 10, tzinfo=UTC)


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    """What is said does not depend on where it is kept."""
    return sqlite_url


# --- who is spoken to in which language


def test_only_english_ships():
    assert language.languages() == (ENGLISH,)


def test_a_page_speaks_the_persons_language_else_the_browsers_else_english(abroad: House):
    table = abroad.begun(["Aiko", "Bruno"])
    abroad.execute("UPDATE person SET language = 'en' WHERE name = 'Bruno'")
    aiko, bruno = table.players
    polish = {"Accept-Language": f"de, {madeup.CODE};q=0.8"}
    assert spoken_by(abroad.browser(), "/") == ENGLISH
    assert spoken_by(abroad.browser(), "/", **polish) == madeup.CODE
    assert spoken_by(abroad.browser(), "/nowhere", **polish) == madeup.CODE
    assert spoken_by(aiko.follow_link().browser, aiko.url()) == madeup.CODE
    assert spoken_by(aiko.browser, "/my") == madeup.CODE
    assert spoken_by(bruno.follow_link().browser, bruno.url(), **polish) == ENGLISH
    assert spoken_by(bruno.browser, "/", **polish) == ENGLISH
    both = aiko.follow_link(
        bruno.browser
    ).browser  # somebody who looks through two seats is told in the language of each
    assert (spoken_by(both, aiko.url()), spoken_by(both, bruno.url())) == (madeup.CODE, ENGLISH)


def spoken_by(browser: Browser, url: str, **headers: str) -> str:
    page = browser.client.get(url, headers=headers).get_data(as_text=True)
    return str(re.findall(r'<html lang="(\w+)"', page)[0])


def test_a_letter_speaks_its_readers_language_and_an_invitation_that_of_whoever_invites(abroad: House):
    table = abroad.begun(["Aiko", "Bruno"])
    for player in table.players:
        subjects = [str(letter["Subject"]) for letter in player.letters("invitation")]
        assert subjects == []  # accepted already when it was to be sent
    abroad.execute("UPDATE person SET language = 'en' WHERE name = 'Bruno'")
    table.rush(2, letters=True)
    said = {player.name: news(player.letters("turn")[-1]) for player in table.players}
    assert LISTENER.plain(said["Aiko"]) == []
    assert LISTENER.plain(said["Bruno"]) != []
    with speaking(ENGLISH):
        abroad.begun(["Emil", "Dana"])
    assert abroad.one(Person, Person.given == "Emil").language == ENGLISH
    assert abroad.one(Person, Person.given == "Aiko").language == madeup.CODE


def test_the_settings_offer_the_languages_that_there_are_and_keep_the_choice(abroad: House):
    table = abroad.begun(["Aiko", "Bruno"])
    player = table.players[0]
    page = player.follow_link().browser.get(player.url("/settings"))
    assert '<option value="en" lang="en">English</option>' in " ".join(page.html.split())
    send(page, player.url("/settings"), name="Aiko", zone="UTC", language="en")
    assert abroad.one(Person, Person.given == "Aiko").language == ENGLISH
    send(page, player.url("/settings"), name="Aiko", zone="UTC", language="tlh")
    assert abroad.one(Person, Person.given == "Aiko").language == ENGLISH
    assert "Your language" in player.browser.get(player.url("/settings"))


def test_with_one_language_there_is_nothing_to_choose(house: House):
    player = house.begun(["Aiko", "Bruno"]).players[0]
    assert "Your language" not in player.follow_link().browser.get(player.url("/settings"))


@contextmanager
def another_language(code: str, made_up: Path) -> Iterator[None]:
    """One more that can be spoken, whose sentences are the made-up ones."""
    its_own = made_up / "languages" / code
    shutil.copytree(made_up / "languages" / madeup.CODE, its_own)
    language.languages.cache_clear()
    try:
        yield
    finally:
        shutil.rmtree(its_own)


def test_a_language_that_is_written_from_right_to_left_is_shown_so(abroad: House, made_up: Path):
    with another_language("he", made_up):
        page = abroad.browser().client.get("/", headers={"Accept-Language": "he"}).get_data(as_text=True)
    assert '<html lang="he" dir="rtl">' in page


@pytest.mark.parametrize("kind", GAMES)
def test_a_table_is_shown_in_a_language_of_which_little_is_known(abroad: House, made_up: Path, kind: str):
    """Babel does not know how German lists numbers with their units."""
    table = abroad.begun(["Aiko", "Bruno"], kind)
    table.rush(4)
    player = table.player("Aiko")
    with another_language("de", made_up):
        abroad.execute("UPDATE person SET language = 'de'")
        page = player.follow_link()
    assert page.status == 200
    assert '<html lang="de"' in page.html


@pytest.mark.parametrize("code", ["de", "es", "fr", "hy", "ja", "nl", "pt_BR", "ur", "zh_Hans"])
def test_things_are_listed_in_every_language(code: str):
    with speaking(code):
        for style in get_args(language.ListStyle):
            for numbers in ("", "1", "12", "123", "1234"):
                assert re.findall(r"\d", language.listed(numbers, style)) == list(numbers)


def test_rules_that_a_language_does_not_have_are_told_in_english(abroad: House, made_up: Path):
    rules = made_up / "titles" / "osaka" / "rules" / f"{madeup.CODE}.html"
    kept = rules.read_text(encoding="utf-8")
    rules.unlink()
    try:
        page = abroad.browser().client.get("/rules/osaka", headers={"Accept-Language": madeup.CODE})
    finally:
        rules.write_text(kept, encoding="utf-8")
    assert "Buy goods in Osaka" in page.get_data(as_text=True)


# --- what is kept to be said later


def test_what_is_kept_is_put_into_words_for_whoever_reads_it(abroad: House):
    kept = told("%(name)s has until %(deadline)s.", name="Aiko", deadline=MORNING)
    assert json.loads(json.dumps(kept)) == kept
    with speaking(ENGLISH):
        assert in_words(kept) == "Aiko has until Tue 17 Nov, 10:00 UTC."
        assert in_words(kept, "Asia/Tokyo") == "Aiko has until Tue 17 Nov, 19:00 (Tokyo), 10:00 UTC."
    assert LISTENER.plain(in_words(kept, "Asia/Tokyo")) == []


def test_what_is_kept_may_hold_lengths_numbers_messages_and_steps():
    with speaking(ENGLISH):
        assert in_words(told("Away for %(gap)s.", gap=timedelta(minutes=40))) == "Away for 40 minutes."
        many = ntold("%(num)s move by %(name)s", "%(num)s moves by %(name)s", 3, name="Bo")
        assert in_words(many) == "3 moves by Bo"
        passed = Event("osaka.passed", {"seat": 0})
        assert in_words(told("For %(name)s: %(played)s", name="Bo", played=[passed, told("So.")]), names=["Bo"]) == (
            "For Bo: Bo could do nothing and passed. So."
        )
        token = Message("osaka.token.colour", {"colour": "red"})
        assert in_words(steps([token, token])) == "A token of lacquer, then A token of lacquer"


@pytest.mark.parametrize("words_of_theirs", ["100 % sure", "%(name)s {seat}", "Saved.", ""])
def test_somebodys_own_words_are_the_same_in_every_language(abroad: House, words_of_theirs: str):
    assert f"“{words_of_theirs}”" in in_words(verbatim(words_of_theirs))
