"""Whoever reads in another language finds no English left: every page, letter, answer and error in a made-up one."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import ChoiceLoader, FileSystemLoader

from engine import GAMES
from service.post import language, words
from service.post.language import speaking
from tests import madeup, play
from tests.play import Browser, House, Page

# What is a name in every language.
PROPER = {"Hikyaku", "UTC", "HTML", "JSON", "TOML", *(title.title for title in GAMES.values())}
PEOPLE = ["Aiko", "Bruno", "Chidi", "Dana"]


@pytest.fixture(scope="session")
def made_up(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("templates")
    madeup.make(folder)
    return folder


@pytest.fixture
def abroad(house: House, made_up: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """A house in which the made-up language is spoken by every browser and every person."""
    monkeypatch.setattr(words, "strict", True)
    monkeypatch.setattr(words, "TEMPLATES", made_up)
    monkeypatch.setattr(language, "FOLDER", made_up / "languages")
    loader = house.app.jinja_env.loader
    assert loader is not None
    monkeypatch.setattr(house.app.jinja_env, "loader", ChoiceLoader([FileSystemLoader(made_up), loader]))
    monkeypatch.setattr(play, "Browser", ForeignBrowser)
    words.catalogue.cache_clear()
    language._translations.cache_clear()
    with speaking(madeup.CODE):
        yield house
    language.speak(language.ENGLISH)
    words.catalogue.cache_clear()
    language._translations.cache_clear()


class ForeignBrowser(Browser):
    """Asks for the made-up language, and reads every page it is shown."""

    def __init__(self, app: object) -> None:
        super().__init__(app)  # type: ignore[arg-type]
        self.client.environ_base["HTTP_ACCEPT_LANGUAGE"] = f"{madeup.CODE}, en;q=0.5"

    def _land(self, url: str, response: object) -> Page:
        page = super()._land(url, response)  # type: ignore[arg-type]
        assert_no_english(page)
        return page


def assert_no_english(page: Page) -> None:
    kind = page.response.content_type
    if kind.startswith("text/html"):
        assert f'lang="{madeup.CODE}"' in page.html
        texts = madeup.seen(page.html)
    elif kind.startswith("text/plain"):
        texts = page.html.splitlines()
    else:
        return
    assert madeup.plain_words(texts, {*PROPER, *PEOPLE, *madeup.dates()}) == [], page.url
