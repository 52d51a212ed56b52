"""The pages of bells: who puts one up, what is shown of it and to whom, and what is refused."""

from dataclasses import replace

import pytest

from service.models import Bell, Person, Ring
from service.post import bells, links, push
from service.post.bells import Rings
from service.post.letters import KINDS
from service.post.wishes import Wish
from tests.madeup import abroad
from tests.play import Browser, House, Page, Table, mail_of, mint
from tests.workers.test_ringer import Chat, Phone, chat, listening

__all__ = ["abroad", "chat"]

SECRET = "https://discord.com/api/webhooks/1234/very-secret-part"


@pytest.fixture
def table(one_house: House) -> Table:
    return listening(one_house).begun(["Aiko", "Bruno"], name="Crew", moderator=("Mika", mail_of("Mika")))


def seated(table: Table, no: int) -> Browser:
    browser = table.house.browser()
    browser.get(mint(table.house, links.mint_seat, table.seats()[no]))
    return browser


def organiser(table: Table) -> Browser:
    browser = table.house.browser()
    browser.get(mint(table.house, links.mint_organiser, table.game()))
    return browser


def own(table: Table, no: int = 0) -> str:
    return f"/my/settings/{table.seats()[no].person_id}/bells"


def add(page: Page, address: str, **more: object) -> Page:
    return page.press("Add the hook", **{"address": address, "rings": ["turn", "over"], **more})


def test_a_hook_is_put_up_known_by_its_address_changed_tried_and_taken_away(table: Table, chat: Chat):
    browser = seated(table, 0)
    page = add(browser.get(own(table)), SECRET)
    bell = table.house.one(Bell)
    assert (bell.kind, bell.rings, bell.game_id) == ("discord", ["turn", "over"], None)
    assert "very-secret" not in page.html
    assert "discord.com/…art" in page
    page = page.press("Save", **{"letters": ["turn", "talk"], f"bell-{bell.id}": ["talk"]})
    assert "Saved." in page
    assert table.house.one(Bell).rings == [Rings.TALK]
    person = table.house.one(Person, Person.id == table.seats()[0].person_id)
    assert {wish for wish in Wish if wish.of(person)} == {Wish.TURNS, Wish.TALK}
    table.house.execute("UPDATE bell SET off_at = created_at")
    page = browser.get(own(table))
    assert "It rings again." in page.press("Switch it on again")
    assert table.house.one(Bell).off_at is None
    page.press("Take it away")
    assert not table.house.all(Bell)
    page = add(browser.get(own(table)), chat.at(), kind="slack")
    page.press("Try it")
    assert "This is how it rings." in chat.said()["text"]
    assert "rang just now" in browser.get(own(table))


def test_organiser_and_moderator_put_up_the_tables_hook_and_all_see_that_there_is_one_and_nobody_where(table: Table):
    add(organiser(table).get(table.url("/bells")), SECRET)
    assert table.house.one(Bell).game_id == table.game().id
    desk = table.desk().browser
    assert "discord.com/…art" in desk.get(table.url("/bells"))
    for page in (seated(table, 1).get(table.url("/seat/1/settings")), seated(table, 1).get(table.url("/log"))):
        assert "This table has a hook" in page
        assert "Discord" in page
        assert "discord.com" not in page.html
    assert seated(table, 1).get(table.url("/bells")).status == 403
    assert table.house.browser().get(table.url("/now")).status == 200
    assert "Crew" in table.house.browser().get(table.url("/now"))


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("http://discord.com/x", "must begin with https://"),
        ("https://10.0.0.1/x", "not public"),
        ("https://ntfy.sh/", "name of a topic"),
        ("nonsense", "https://"),
    ],
)
def test_what_is_no_address_for_a_hook_is_refused_at_the_form(table: Table, address: str, why: str):
    page = add(seated(table, 0).get(own(table)), address)
    assert why in page
    assert not table.house.all(Bell)


def test_the_same_address_twice_is_one_bell_and_there_is_an_end_to_them(table: Table):
    browser = seated(table, 0)
    for n in [1, *range(1, bells.MOST + 2)]:
        page = add(browser.get(own(table)), f"https://chat.example/hook/{n}")
    assert len(table.house.all(Bell)) == bells.MOST
    assert "Take one away first." in page


def test_a_browser_is_added_with_its_keys_and_forgotten_with_all_else_it_holds(table: Table):
    browser, phone = seated(table, 0), Phone()
    page = browser.get(own(table))
    assert push.public_key(table.house.settings.push_key or "") in page.html
    keys = {"endpoint": "https://push.example/v2/abc", **phone.keys}
    page = page.press("Ring in this browser", **keys)
    assert "This browser rings from now on." in page
    bell = table.house.one(Bell)
    assert (bell.kind, bell.secrets) == (bells.PUSH, phone.keys)
    assert f'data-browser="{bell.hash}"' in page.html
    for wrong in ({"endpoint": "https://10.0.0.1/x"}, {"p256dh": "BBBB"}, {"auth": "x"}, {"auth": "AAAA"}):
        page.press("Ring in this browser", **keys | wrong)
    assert len(table.house.all(Bell)) == 1
    browser.get("/my").press("Forget")
    assert not table.house.all(Bell)


def test_a_bell_put_up_in_another_window_is_not_silenced_by_a_page_that_does_not_show_it(table: Table):
    browser = seated(table, 0)
    before = browser.get(own(table))
    add(browser.get(own(table)), SECRET)
    before.press("Save", letters=["turn"])
    assert table.house.one(Bell).rings == [Rings.TURN, Rings.OVER]


def test_every_wish_for_letters_is_a_row_of_the_table_and_every_row_a_wish():
    assert {wish.rings for wish in Wish} == set(bells.OWN)
    assert all(kind.wish is None or kind.rings in (None, kind.wish.rings) for kind in KINDS.values())


def test_nobody_changes_or_tries_anothers_bell(table: Table, chat: Chat):
    add(organiser(table).get(table.url("/bells")), chat.at())
    add(seated(table, 1).get(own(table, 1)), chat.at("/other"))
    own_page = seated(table, 0)
    token = own_page.get(own(table)).forms[0].fields["csrf_token"]
    for bell in table.house.all(Bell):
        for deed in ("try", "remove", "on"):
            own_page.post(f"{own(table)}/{bell.id}/{deed}", {"csrf_token": token})
    assert len(table.house.all(Bell)) == 2
    assert not table.house.all(Ring)


def test_where_they_are_switched_off_nothing_can_be_put_up(table: Table):
    table.house.settings = replace(table.house.settings, hooks="off")
    table.house.app.extensions["hikyaku"] = table.house.settings
    page = seated(table, 0).get(own(table))
    assert "switched hooks and pushes off" in page
    assert "Add the hook" not in page
    assert "Ring in this browser" not in page


def test_the_worker_of_pushes_is_at_the_root_and_allowed_by_the_policy(one_house: House):
    page = one_house.browser().get("/bell-worker.js")
    assert "javascript" in page.response.headers["Content-Type"]
    assert page.response.headers["Cache-Control"] == "no-store"
    assert "worker-src 'self'" in page.response.headers["Content-Security-Policy"]
