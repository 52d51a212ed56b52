"""Bells ring beside letters: one post to an address however many ask for it, tried again when it fails, in waking hours
only, never when no longer true, and nothing in it that is hidden."""

import json
import random
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
import msgspec
import pytest
import time_machine
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02
from sqlmodel import select

from engine import Match
from service.db import db
from service.models import Bell, Game, Letter, LetterStatus, Person, Ring, Unwanted
from service.play import forgetting
from service.post import bells, blocked, hooks, links, outside, push
from service.post.bells import Rings
from service.post.wishes import Wish
from tests.engine.tables import scene_start
from tests.play import House, Table, at_once, killed_at, mint
from workers import ringer, timekeeper

NOON = datetime(2026, 6, 2, 12, tzinfo=UTC)


class Chat(ThreadingHTTPServer):
    """A chat, or a push service, on this machine. What it was posted, and how it answers."""

    def __init__(self) -> None:
        self.posts: list[tuple[str, dict[str, str], bytes]] = []
        self.status, self.headers = 204, dict[str, str]()
        chat = self

        class Answers(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                chat.posts.append((self.path, dict(self.headers), body))
                self.send_response(chat.status)
                for name, value in chat.headers.items():
                    self.send_header(name, value)
                self.end_headers()

            def log_message(self, *args: Any) -> None: ...

        super().__init__(("127.0.0.1", 0), Answers)
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def at(self, path: str = "/hook/secret-1") -> str:
        return f"http://127.0.0.1:{self.server_port}{path}"

    def said(self, n: int = -1) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.posts[n][2])
        return found


@pytest.fixture
def chat() -> Iterator[Chat]:
    server = Chat()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    """Everybody is awake."""
    with time_machine.travel(NOON, tick=False) as coordinates:
        yield coordinates


def listening(house: House) -> House:
    """It may post to this machine, and has a key for pushes."""
    house.settings = replace(house.settings, hooks="loopback", push=push.new_key())
    house.app.extensions["hikyaku"] = house.settings
    return house


def hook(table: Table, who: str | None, address: str, kind: str = "json", rings: Any = bells.OWN) -> int:
    """A hook of somebody's own; of the table without a name."""
    with db.writing() as session:
        player = table.player(who) if who else None
        owner = player.seat.person_id if player else table.game().organiser_id
        assert owner is not None
        bell = bells.add(session, owner, None if who else table.game().id, kind, address, rings)
        assert bell is not None
        return bell.id


def bell(house: House) -> Bell:
    return house.one(Bell)


def test_a_hook_tells_game_player_question_deadline_and_a_page_that_needs_no_key(house: House, chat: Chat):
    table = listening(house).begun(["Aiko", "Bruno"], name="Thursday crew")
    hook(table, None, chat.at())
    table.rush(1)
    said = chat.said()
    mover = table.to_move()
    assert said["format"] == hooks.FORMAT
    assert said["ring"] == "turn"
    assert said["game"] == {"id": table.public_id, "title": "Traders of Osaka", "name": "Thursday crew"}
    (seat,) = said["seats"]
    assert (seat["no"], seat["name"]) == (mover.no, mover.name)
    assert seat["question"].startswith("osaka.")
    assert seat["words"]
    assert datetime.fromisoformat(seat["until"]) == mover.seat.deadline
    assert said["text"].startswith(f"Traders of Osaka, Thursday crew\n{mover.name} is to play: {seat['words']}. Until ")
    assert said["link"] == f"http://localhost/g/{table.public_id}/now"
    page = house.browser().get(said["link"])
    assert page.status == 200
    assert f"{mover.name} is to play" in page
    assert "/l/" not in json.dumps(said)
    house.execute("DELETE FROM bell")
    assert house.browser().get(said["link"]).status == 403


@pytest.mark.both_databases
def test_one_post_goes_to_an_address_however_many_ask_for_it(house: House, chat: Chat):
    """The table's own, and one of each player: about a turn, and about the end."""
    table = listening(house).begun(["Aiko", "Bruno"])
    for who in (None, "Aiko", "Bruno"):
        hook(table, who, chat.at())
    table.rush(1)
    assert len(chat.posts) == 1
    table.rush()
    assert len([n for n in range(len(chat.posts)) if chat.said(n)["ring"] == "over"]) == 1
    assert chat.said()["ranking"][0]["name"] in chat.said()["text"]


def test_those_who_are_asked_at_once_are_told_of_in_one_post(house: House, chat: Chat):
    table = listening(house).game(["Aiko", "Bruno", "Chidi"], kind="yokohama")
    hook(table, None, chat.at())
    hook(table, "Bruno", chat.at())
    for player in table.players:
        player.accept()
    assert len(chat.posts) == 1
    assert [seat["name"] for seat in chat.said()["seats"]] == ["Aiko", "Bruno", "Chidi"]
    assert {seat["question"] for seat in chat.said()["seats"]} == {"yokohama.ask.keep"}


@pytest.mark.both_databases
def test_what_is_not_taken_is_tried_again_with_growing_delay_and_the_page_says_why(
    house: House, chat: Chat, clock: time_machine.Traveller
):
    table = listening(house).begun(["Aiko", "Bruno"])
    house.execute("UPDATE person SET quiet_from = NULL, quiet_to = NULL")
    hook(table, None, chat.at())
    chat.status = 500
    table.rush(1)
    (ring,) = house.all(Ring)
    organiser = house.browser()
    organiser.get(mint(house, links.mint_organiser, table.game()))
    assert "It answered 500. We try again on Tue 2 Jun, 12:01." in organiser.get(table.url("/bells"))
    delays = []
    while ring.status is LetterStatus.WAITING:
        delays.append(ring.due_at - datetime.now(UTC))
        clock.move_to(ring.due_at - timedelta(seconds=1))
        timekeeper.sweep(house.settings)
        assert house.one(Ring).attempts == ring.attempts
        clock.move_to(ring.due_at)
        timekeeper.sweep(house.settings)
        ring = house.one(Ring)
    assert delays == ringer.RETRY_AFTER
    assert ring.status is LetterStatus.FAILED
    assert len(chat.posts) == 6
    assert len({headers["Idempotency-Key"] for _, headers, _ in chat.posts}) == 1
    assert bell(house).failures == 1
    assert bell(house).off_at is None
    page = organiser.get(table.url("/bells"))
    assert "It answered 500." in page
    assert "We try again" not in page
    assert "secret-1" not in page.html


def test_a_chat_that_asks_for_patience_gets_it(one_house: House, chat: Chat, clock: time_machine.Traveller):
    table = listening(one_house).begun(["Aiko", "Bruno"])
    hook(table, None, chat.at())
    chat.status, chat.headers = 429, {"Retry-After": "1800"}
    table.rush(1)
    assert one_house.one(Ring).due_at - NOON == timedelta(minutes=30)


@pytest.mark.both_databases
def test_a_hook_that_fails_again_and_again_is_switched_off_and_its_owner_told_once(house: House, chat: Chat):
    table = listening(house).begun(["Aiko", "Bruno"])
    chat.status = 403
    hook(table, None, chat.at())
    for n in range(ringer.OFF_AFTER):
        with db.writing() as session:
            session.get_one(Bell, bell(house).id).failures = n
        with house.lose():
            table.rush(1)
        ring = house.all(Ring)[-1]
        house.execute("UPDATE ring SET attempts = 5 WHERE id = :id", id=ring.id)
        assert ringer.ring(ring.id, house.settings) is LetterStatus.FAILED
    assert bell(house).off_at is not None
    (letter,) = house.all(Letter, Letter.kind == "bell-off")
    assert letter.person_id == table.game().organiser_id
    rings = len(house.all(Ring))
    table.rush(2)
    assert len(house.all(Ring)) == rings


def test_an_address_where_nothing_is_any_more_ends_a_hook_at_once(one_house: House, chat: Chat):
    table = listening(one_house).begun(["Aiko", "Bruno"])
    hook(table, None, chat.at())
    chat.status = 404
    table.rush(1)
    assert bell(one_house).off_at is not None
    (letter,) = one_house.letters(kind="bell-off")
    assert "There is nothing at this address any more" in str(letter)
    assert "secret-1" not in str(letter)
    assert one_house.one(Ring).status is LetterStatus.FAILED


@pytest.mark.both_databases
def test_a_row_delivered_twice_or_by_two_ringers_at_once_is_posted_once(house: House, chat: Chat):
    table = listening(house).begun(["Aiko", "Bruno"])
    hook(table, None, chat.at())
    with house.hold():
        table.rush(1)
    (ring,) = house.all(Ring)
    became = at_once([lambda: ringer.ring(ring.id, house.settings)] * 3)
    assert sorted(map(str, became)) == ["None", "None", "sent"]
    assert ringer.ring(ring.id, house.settings) is None
    assert len(chat.posts) == 1


@pytest.mark.both_databases
def test_what_the_queue_lost_is_swept_up_and_a_ringer_that_died_after_its_post_posts_once_more_with_the_same_key(
    house: House, chat: Chat, clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
):
    table = listening(house).begun(["Aiko", "Bruno"])
    hook(table, None, chat.at())
    with house.lose():  # Redis is emptied
        table.rush(1)
    assert not chat.posts
    clock.shift(timekeeper.LOST_AFTER + timedelta(seconds=1))

    def dies(*args: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(ringer, "_rung", dies)
        with pytest.raises(KeyboardInterrupt):
            timekeeper.sweep(house.settings)
    assert len(chat.posts) == 1
    clock.shift(ringer.CLAIM + timedelta(seconds=1))
    timekeeper.sweep(house.settings)
    assert len(chat.posts) == 2
    assert chat.posts[0][1]["Idempotency-Key"] == chat.posts[1][1]["Idempotency-Key"]
    assert house.one(Ring).status is LetterStatus.SENT


@pytest.mark.parametrize("status", [204, 404], ids=["taken", "nothing there"])
def test_a_ringer_killed_between_any_two_statements_loses_no_post_and_writes_down_once_what_became_of_it(
    house: House, chat: Chat, clock: time_machine.Traveller, status: int
):
    table = listening(house).begun(["Aiko", "Bruno"])
    hook(table, None, chat.at())
    with house.lose():
        table.rush(1)
    (ring,) = house.all(Ring)
    chat.status = status
    step, killed = 0, True
    while killed:
        step += 1
        chat.posts.clear()
        house.execute("UPDATE ring SET status = 'waiting', claimed_at = NULL, attempts = 0")
        house.execute("UPDATE bell SET off_at = NULL, failures = 0")
        house.execute("DELETE FROM letter WHERE kind = 'bell-off'")
        killed = killed_at(step, partial(ringer.ring, ring.id, house.settings))
        clock.shift(ringer.CLAIM + timekeeper.LOST_AFTER + timedelta(seconds=1))
        timekeeper.sweep(house.settings)
        became = house.one(Ring)
        assert became.status is (LetterStatus.SENT if status == 204 else LetterStatus.FAILED), step
        assert len(chat.posts) in (1, 2)  # twice, if it died before it was written down
        assert len({headers["Idempotency-Key"] for _, headers, _ in chat.posts}) == 1
        assert len(house.all(Letter, Letter.kind == "bell-off")) == (status == 404)
        assert (bell(house).off_at is not None) == (status == 404)
    assert 10 < step < 60


def test_nothing_rings_in_quiet_hours_and_all_that_is_still_true_in_the_morning(
    house: House, chat: Chat, clock: time_machine.Traveller
):
    table = listening(house).begun(["Aiko", "Bruno"])
    with db.writing() as session:
        for person in session.exec(select(Person)):
            person.quiet_from, person.quiet_to, person.zone = time(11), time(14), "UTC"
    for who in (None, "Aiko", "Bruno"):
        hook(table, who, chat.at(f"/{who}"))
    table.rush(1)
    assert not chat.posts
    assert {ring.due_at for ring in house.all(Ring)} == {NOON + timedelta(hours=2)}
    clock.move_to(NOON + timedelta(hours=2))
    timekeeper.sweep(house.settings)
    assert sorted(path for path, _, _ in chat.posts) == sorted(["/None", f"/{table.to_move().name}"])


def test_what_is_true_no_more_when_it_is_sent_is_not_posted(one_house: House, chat: Chat):
    table = listening(one_house).begun(["Aiko", "Bruno"])
    hook(table, None, chat.at())
    with one_house.lose():
        table.rush(1)
        stale = one_house.one(Ring)
    table.rush(1)
    posts = len(chat.posts)
    assert ringer.ring(stale.id, one_house.settings) is LetterStatus.OBSOLETE
    assert len(chat.posts) == posts


@pytest.mark.parametrize("how", ["not chosen", "unsubscribed", "all letters off", "blocked", "left", "forgotten"])
def test_a_bell_rings_no_more_for_whoever_does_not_want_it_or_is_gone(one_house: House, chat: Chat, how: str):
    house = listening(one_house)
    table = house.begun(["Aiko", "Bruno", "Chidi"])
    player = table.to_move()
    person_id = player.seat.person_id
    assert person_id is not None
    hook(table, player.name, chat.at(), rings=[Rings.OVER] if how == "not chosen" else bells.OWN)
    with house.lose():
        table.rush(3)
    assert table.to_move().name == player.name
    house.execute("UPDATE ring SET posted_at = NULL")
    with db.writing() as session:
        person = session.get_one(Person, person_id)
        if how == "unsubscribed":
            session.add(Unwanted(person_id=person_id, game_id=table.game().id, wish=Wish.TURNS))
        elif how == "all letters off":
            bells.stop_all(session, person_id, NOON)
        elif how == "blocked":
            blocked.block(session, house.settings, person.address)
    if how == "left":
        house.execute("UPDATE seat SET person_id = NULL WHERE person_id = :id", id=person_id)
    elif how == "forgotten":
        with db.writing() as session:
            forgetting.forget(session, person_id, NOON)
        assert not house.all(Bell)
        assert not house.all(Ring)
    timekeeper.sweep(house.settings)
    assert not chat.posts


def test_a_personal_hook_rings_for_its_owners_turns_alone(one_house: House, chat: Chat):
    table = listening(one_house).begun(["Aiko", "Bruno"])
    hook(table, "Aiko", chat.at())
    table.rush(6)
    assert chat.posts
    assert {seat["name"] for n in range(len(chat.posts)) for seat in chat.said(n)["seats"]} == {"Aiko"}


def test_a_hook_tells_of_a_question_that_orders_could_answer_when_they_would_have_whether_there_are_some_or_not(
    one_house: House, chat: Chat
):
    """Else its moment would tell the table who has given orders. Of a question for oneself it tells at once."""
    house = listening(one_house)
    table = house.begun(["Aiko", "Bruno", "Chidi"])
    hook(table, None, chat.at())
    with house.hold():
        while (asked := table.match().pending[0]).prompt != "osaka.insure" or asked.seat == table.match().view(None)[
            "current"
        ]:
            before = table.game().version
            table.rush(1)
            assert table.game().version > before
    rings = {ring.asked: ring for ring in house.all(Ring)}
    seat = table.to_move().seat
    assert seat.asked is not None
    assert seat.orders_at is not None
    assert rings.pop(seat.asked).due_at > seat.orders_at
    assert all(ring.due_at == ring.created_at for ring in rings.values())


def test_a_bell_rings_with_a_nudge_and_with_talk_that_is_for_its_owner_and_says_nothing_of_it(
    one_house: House, chat: Chat, clock: time_machine.Traveller
):
    table = listening(one_house).begun(["Aiko", "Bruno"], whispers=True)
    mover = table.to_move()
    other = next(player for player in table.players if player is not mover)
    hook(table, mover.name, chat.at())
    clock.shift(timedelta(hours=7))
    other.see().press("Remind ")
    assert chat.said()["ring"] == "reminder"
    assert f"{mover.name} is still to play, until " in chat.said()["text"]
    assert f"{other.name} would love to see the turn of {mover.name}." in chat.said()["text"]
    assert chat.said()["askers"] == [other.name]
    for text, to in (("Well met, all!", "all"), ("Psst", f"{mover.no}:{mover.name}")):
        other.see().press("Say", text=text, to=to)
    assert len(chat.posts) == 1  # it can still be taken back
    clock.shift(timedelta(minutes=11))
    timekeeper.sweep()
    assert len(one_house.letters(mover.mail, "said")) == 1
    assert len(chat.posts) == 2
    assert chat.said()["ring"] == "talk"
    assert "Psst" not in json.dumps(chat.said())
    assert other.name not in json.dumps(chat.said())


def test_the_tables_hook_says_who_asks_for_a_turn_and_the_phone_of_whoever_thinks_too(
    one_house: House, chat: Chat, clock: time_machine.Traveller
):
    table, phone = listening(one_house).begun(["Aiko", "Bruno", "Chidi"]), Phone()
    mover = table.to_move()
    first, second = (player for player in table.players if player is not mover)
    hook(table, None, chat.at("/table"), kind="discord")
    push_to(table, mover.name, phone, chat.at("/push"))
    clock.shift(timedelta(hours=7))
    with one_house.put_off():  # both ask before it is posted
        first.see().press("Remind ")
        second.see().press("Remind ")
    posts = {path: body for path, _, body in chat.posts}
    names = f"{first.name} and {second.name}"
    assert f"{names} would love to see the turn of {mover.name}." in json.loads(posts["/table"])["content"]
    assert phone.read(posts["/push"])["body"].startswith(f"{names} would love to see your turn.\nIt is still your turn")


def test_a_bell_does_not_ring_for_a_line_that_was_taken_back(
    one_house: House, chat: Chat, clock: time_machine.Traveller
):
    table = listening(one_house).begun(["Aiko", "Bruno"])
    hook(table, "Bruno", chat.at())
    table.player("Aiko").see().press("Say", text="Hurry, Bruno").press("Take it back")
    clock.shift(timedelta(hours=1))
    timekeeper.sweep()
    assert not [n for n in range(len(chat.posts)) if chat.said(n)["ring"] == "talk"]


# --- what is said


def notice(**more: Any) -> hooks.Notice:
    usual: dict[str, Any] = {
        "key": "turn:1:2",
        "title": "Osaka, @everyone <!channel> *x*",
        "lines": ("A & B_ `c` @here",),
        "link": "https://h.example/g/a/now",
        "about": {"ring": "turn"},
    }
    return hooks.Notice(**usual | more)


def test_names_are_no_markup_and_call_nobody():
    def body(kind: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(hooks.parcel(kind, "https://chat.example/topic-1", notice()).body)
        return found

    discord = body("discord")
    assert discord["allowed_mentions"] == {"parse": []}
    assert "@everyone" not in discord["content"]
    assert r"\*x\*" in discord["content"]
    assert r"B\_ \`c\`" in discord["content"]
    slack = body("slack")
    assert "<!channel>" not in slack["text"]
    assert "&lt;!channel&gt;" in slack["text"]
    assert "A &amp; B_" in slack["text"]
    assert slack["mrkdwn"] is False
    matrix = body("matrix")
    assert "@here" not in matrix["text"]
    assert "&lt;!channel&gt;" in matrix["html"]
    ntfy = hooks.parcel("ntfy", "https://ntfy.example/topic-1?auth=x", notice())
    assert ntfy.address == "https://ntfy.example/?auth=x"
    assert json.loads(ntfy.body)["topic"] == "topic-1"
    assert json.loads(ntfy.body)["click"] == "https://h.example/g/a/now"
    assert body("json")["format"] == hooks.FORMAT


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("https://discord.com/api/webhooks/1/x", "discord"),
        ("https://canary.discord.com/api/webhooks/1/x", "discord"),
        ("https://hooks.slack.com/services/T/B/x", "slack"),
        ("https://ntfy.sh/topic", "ntfy"),
        ("https://ntfy.home.example.org/topic", "ntfy"),
        ("https://hookshot.example.org/webhook/x", "matrix"),
        ("https://notdiscord.com/api/webhooks/1/x", "json"),
    ],
)
def test_the_kind_of_a_hook_is_told_by_its_address(address: str, kind: str):
    assert hooks.kind_of(outside.read(address, "on")) == kind
    assert address.rpartition("/")[2] not in hooks.shortened(address) or len(address.rpartition("/")[2]) < 3


def test_what_is_posted_depends_on_nothing_that_is_hidden(one_house: House, chat: Chat):
    """The same turn of a game in which all that spectators may not know is shuffled gives the same bytes."""
    house = listening(one_house)
    table = house.begun(["Aiko", "Bruno", "Chidi"], options={"open_information": False})
    hook(table, None, chat.at())
    with house.lose():
        table.rush(9)
    ring = house.all(Ring)[-1]
    ringer.ring(ring.id, house.settings)
    match = table.match()
    state = msgspec.msgpack.decode(scene_start(match), type=match.game.state)
    state.attach([], match.game.load_box(None))
    match.game.scramble(state, None, lambda items: random.Random(1).sample(items, len(items)))
    other = Match(match.game, msgspec.msgpack.encode(state), match.game.load_box(None))
    with db.writing() as session:
        game = session.get_one(Game, table.game().id)
        assert other.save() != game.saved
        game.saved = other.save()
        again = session.get_one(Ring, ring.id)
        again.status = LetterStatus.WAITING
    ringer.ring(ring.id, house.settings)
    assert len(chat.posts) == 2
    assert chat.posts[0][2] == chat.posts[1][2]


# --- pushes


class Phone:
    """A browser that takes pushes, as RFC 8291 has it."""

    def __init__(self) -> None:
        self.key, self.auth = ec.generate_private_key(ec.SECP256R1()), b"0123456789abcdef"
        self.public = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    @property
    def keys(self) -> dict[str, str]:
        return {"p256dh": push._written(self.public), "auth": push._written(self.auth)}

    def read(self, body: bytes) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(
            http_ece.decrypt(body, private_key=self.key, auth_secret=self.auth, version="aes128gcm")
        )
        return found


def push_to(table: Table, who: str, phone: Phone, address: str) -> None:
    with db.writing() as session:
        owner = table.player(who).seat.person_id
        assert owner is not None
        bells.add(session, owner, None, bells.PUSH, address, bells.OWN, "Firefox, Linux", phone.keys)


def test_a_push_can_be_read_by_its_browser_alone_and_is_signed(house: House, chat: Chat):
    table, phone = listening(house).begun(["Aiko", "Bruno"], name="Crew"), Phone()
    push_to(table, "Aiko", phone, chat.at("/push/1"))
    table.rush(2)
    path, headers, body = chat.posts[0]
    assert path == "/push/1"
    assert headers["Content-Encoding"] == "aes128gcm"
    assert int(headers["TTL"]) > 0
    assert len(headers["Topic"]) == 32
    said = phone.read(body)
    assert said["title"] == "Traders of Osaka, Crew"
    assert said["body"].startswith("It is your turn: ")
    assert said["link"] == f"http://localhost/g/{table.public_id}/seat/0"
    assert b"Osaka" not in body
    assert Vapid02.verify(headers["Authorization"])
    assert push.public_key(house.settings.push_key or "") in headers["Authorization"]


def test_the_vector_of_rfc_8291_is_read_as_the_rfc_says():
    """Appendix A: so what our encryption is checked with is right itself."""
    key = push._read("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94")
    private = ec.derive_private_key(int.from_bytes(key, "big"), ec.SECP256R1())
    body = push._read(
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBr"
        "u3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    plain = http_ece.decrypt(
        body, private_key=private, auth_secret=push._read("BTBZMqHH6r4Tts7J_aSIgg"), version="aes128gcm"
    )
    assert plain == b"When I grow up, I want to be a watermelon"


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_takes_no_pushes_any_more_is_no_bell_any_more(one_house: House, chat: Chat, status: int):
    table = listening(one_house).begun(["Aiko", "Bruno"])
    push_to(table, table.to_move().name, Phone(), chat.at("/push/1"))
    chat.status = status
    table.rush(2)
    assert not one_house.all(Bell)
    assert not one_house.letters(kind="bell-off")


def test_where_the_operator_wants_no_posts_none_go_out(one_house: House, chat: Chat):
    table = listening(one_house).begun(["Aiko", "Bruno"])
    hook(table, None, chat.at())
    one_house.settings = replace(one_house.settings, hooks="off")
    table.rush(1)
    assert not chat.posts
    assert one_house.one(Ring).status is LetterStatus.FAILED


def test_no_log_line_holds_the_address_of_a_hook(one_house: House, chat: Chat, caplog: pytest.LogCaptureFixture):
    table = listening(one_house).begun(["Aiko", "Bruno"])
    chat.status = 500
    hook(table, None, chat.at())
    table.rush(1)
    assert "was not taken" in caplog.text
    assert "secret-1" not in caplog.text
