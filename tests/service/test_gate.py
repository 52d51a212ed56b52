"""What comes to the gate: behind any web server every form works, forms of other sites never, and odd requests are
answered with a plain page."""

import gzip
import hashlib
import re
from dataclasses import replace
from typing import Any

import brotli
import flask
import pytest
from flask import Flask, request
from flask.testing import FlaskClient

from service.config import Settings
from service.db import db
from service.web import files
from service.web.app import create_app
from tests.play import House, mail_of
from tests.servers import free_port

PUBLIC = "https://games.example"


@pytest.fixture
def public(one_house: House) -> Flask:
    """The service as people reach it: over https, through one web server in front."""
    return create_app(replace(one_house.settings, base_url=PUBLIC, proxies=1))


def ask(client: FlaskClient, app: Flask, token_of: dict[str, Any], **headers: str) -> int:
    """Send the form with which links are asked for, as it comes through the web server in front."""
    with app.app_context():
        page = client.get("/links", **token_of)
    token = page.get_data(as_text=True).partition('name="csrf_token" value="')[2].partition('"')[0]
    form = {"csrf_token": token, "mail": mail_of("Aiko")}
    return client.post("/links", data=form, headers=headers, **token_of).status_code


HTTPS = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.7"}
THROUGH = {  # what the line of the web server makes of the Host
    "the right host": PUBLIC,
    "the host of the process": "https://web:8000",
}
OURS: list[dict[str, str]] = [
    {},
    {"Origin": PUBLIC},
    {"Origin": PUBLIC, "Referer": f"{PUBLIC}/links"},
    {"Origin": "null"},
    {"Sec-Fetch-Site": "same-origin", "Origin": "null"},
    {"Sec-Fetch-Site": "none"},
]
FOREIGN: list[dict[str, str]] = [
    {"Origin": "https://evil.example"},
    {"Origin": "https://games.example.evil.example"},
    {"Origin": "http://["},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site", "Origin": "https://other.example"},
]


@pytest.mark.parametrize("host", THROUGH)
def test_every_form_works_behind_a_web_server_whatever_the_browser_leaves_out(public: Flask, host: str):
    client = public.test_client()
    for said in OURS:
        assert ask(client, public, {"base_url": THROUGH[host]}, **HTTPS, **said) == 200, said


def test_a_form_that_another_site_sends_is_refused_even_with_our_token(public: Flask):
    client = public.test_client()
    for said in FOREIGN:
        assert ask(client, public, {"base_url": PUBLIC}, **HTTPS, **said) == 400, said


def test_at_any_name_of_this_machine_forms_work_without_a_web_server(one_house: House):
    app, client = one_house.app, one_house.app.test_client()
    for name in ("http://localhost:8000", "http://127.0.0.1:8000", "http://[::1]:8000"):
        assert ask(client, app, {"base_url": name}, Origin=name) == 200


@pytest.mark.parametrize(("proxies", "seen"), [(0, "10.0.0.9"), (1, "203.0.113.7"), (2, "198.51.100.1")])
def test_so_many_web_servers_in_front_are_believed_who_asks(one_house: House, proxies: int, seen: str):
    app = create_app(replace(one_house.settings, proxies=proxies))
    environ = {"REMOTE_ADDR": "10.0.0.9", "HTTP_X_FORWARDED_FOR": "192.0.2.66, 198.51.100.1, 203.0.113.7"}
    found = []
    app.before_request(lambda: found.append(request.remote_addr))
    app.test_client().get("/healthz", environ_overrides=environ)
    assert found == [seen]


def test_over_https_browsers_are_told_to_stay_there_and_otherwise_not(public: Flask, one_house: House):
    assert public.test_client().get("/healthz").headers["Strict-Transport-Security"] == "max-age=31536000"
    assert "Strict-Transport-Security" not in one_house.app.test_client().get("/healthz").headers


def test_a_database_that_is_down_is_said_with_when_to_come_back(one_house: House):
    db.configure(f"postgresql+psycopg://nobody@127.0.0.1:{free_port()}/none")
    for page in ("/my", "/g/nothing", "/l/" + "a" * 43):
        answer = one_house.browser().client.get(page)
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "10"), page
        assert "Nothing of yours is lost" in answer.get_data(as_text=True)


NUMBERS = ["2147483648", "9" * 19, "9" * 40, "9" * 5000]


@pytest.mark.both_databases
def test_a_number_that_no_table_holds_leads_nowhere(house: House):
    table = house.begun(["Aiko", "Bruno"])
    client = table.player("Aiko").follow_link().browser.client
    for number in NUMBERS:
        for path in (f"/seat/{number}", f"/seat/{number}/settings", f"/board/{number}", f"/offer/{number}"):
            assert client.get(table.url(path)).status_code == 404, path
        assert client.get(f"/post-office/{number}").status_code == 404
        assert client.get(f"/post-office?person={number}").status_code == 200
        for query in ("log?page=", "replay?move=", "where?move="):
            assert client.get(table.url(f"/{query}{number}")).status_code == 200


@pytest.mark.both_databases
def test_a_nul_byte_is_refused_wherever_it_stands(house: House):
    table = house.begun(["Aiko", "Bruno"])
    browser = table.player("Aiko").follow_link().browser
    assert browser.client.get("/g/a%00b").status_code == 404
    assert browser.client.get("/my/next?after=%00").status_code == 400
    page = browser.get("/links")
    before = house.dump()
    for form in ({"mail": "a\0@players.example"}, {"ma\0il": "x"}):
        url, data = page.request("Mail me", **form)
        assert browser.client.post(url, data=data).status_code == 400
    assert house.dump() == before


def test_a_setting_that_is_no_number_of_web_servers_is_refused():
    for value in ("many", "-1", "6", "1.0"):
        with pytest.raises(ValueError, match="HIKYAKU_PROXIES is a number from 0 to 5"):
            Settings.from_env({"HIKYAKU_PROXIES": value})
    assert Settings.from_env({"HIKYAKU_PROXIES": "2"}).proxies == 2


def test_style_sheets_and_scripts_are_asked_for_by_what_is_in_them_and_kept_for_ever(one_house: House):
    client = one_house.browser().client
    for page in ("/", "/rules/osaka"):
        asked = re.findall(r'(?:href|src)="(/(?:static|titles)/[^"]+)"', client.get(page).get_data(as_text=True))
        assert len(asked) >= 3
        for address in asked:
            name, _, stamp = address.partition("?v=")
            answer = client.get(address)
            assert stamp == hashlib.sha256(answer.get_data()).hexdigest()[:12]
            assert "immutable" in answer.headers["Cache-Control"]
            again = client.get(address, headers={"If-None-Match": answer.headers["ETag"]})
            assert again.status_code == 304
            assert "immutable" in again.headers["Cache-Control"]
            for old in (name, f"{name}?v=0123456789ab"):
                assert "immutable" not in client.get(old).headers["Cache-Control"]


def test_they_are_packed_once_as_the_browser_likes_it_and_bare_of_what_only_we_read(
    one_house: House, monkeypatch: pytest.MonkeyPatch
):
    client = one_house.browser().client
    sheet, script = (client.get(address).get_data() for address in ("/titles/osaka/table.css", "/static/hikyaku.js"))
    assert b"/*" not in sheet + script
    assert b"  " not in sheet
    for sources in files.sheets_of("osaka"):  # what stands in quotes is what a page says
        assert all(words.encode() in sheet for words in re.findall(r'content: ("[^"]*")', sources.read_text()))
    for accepted, unpack in (("br", brotli.decompress), ("gzip", gzip.decompress), ("fax", bytes)):
        assert unpack(_asked(client, accepted)) == sheet
    monkeypatch.setitem(files.PACKED, "br", lambda _: pytest.fail("it was packed again"))
    assert brotli.decompress(_asked(client, "gzip, br")) == sheet


def _asked(client: FlaskClient, accepted: str) -> bytes:
    return client.get("/titles/osaka/table.css", headers={"Accept-Encoding": accepted}).get_data()


def test_an_address_that_is_kept_is_that_of_the_place_and_the_host_that_were_asked(public: Flask):
    def address(of: str = "/", host: str = "games.example", root: str = "", **whole: Any) -> str:
        with public.test_request_context(of, base_url=f"https://{host}{root}"):
            return public.url_for("story.log", public_id="abc", **whole)

    assert address() == address(of="/my") == "/g/abc/log"
    assert address(seat=1) == "/g/abc/log?seat=1"
    assert address(seat=True) == "/g/abc/log?seat=True"
    assert address(root="/play") == "/play/g/abc/log"
    assert address(_external=True) == "https://games.example/g/abc/log"
    assert address(host="other.example", _external=True) == "https://other.example/g/abc/log"


def test_an_address_is_kept_whoever_asks_for_it(public: Flask, monkeypatch: pytest.MonkeyPatch):
    """Flask's own helper, which pages call, says of each address that it is not to be a whole one."""
    with public.test_request_context("/"):
        address = flask.url_for("story.log", public_id="abc")
        monkeypatch.setattr(Flask, "url_for", lambda *asked, **how: pytest.fail("it was put together again"))
        assert flask.url_for("story.log", public_id="abc") == address == "/g/abc/log"
