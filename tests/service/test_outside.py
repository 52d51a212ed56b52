"""Nothing is posted but to public addresses, over a connection to the very address that was checked."""

import ipaddress
import socket
import ssl
import threading
import time
from typing import Any

import pytest

from service.config import Hooks
from service.post import outside


@pytest.mark.parametrize(
    "address",
    [
        "http://chat.example/hook",
        "ftp://chat.example/hook",
        "https://",
        "https:///hook",
        "https://user:pass@chat.example/hook",
        "https://chat.example:25/hook",
        "https://chat.example:99999/hook",
        "https://localhost/hook",
        "https://intranet/hook",
        "https://127.0.0.1/hook",
        "https://127.1/hook",
        "https://2130706433/hook",
        "https://0177.0.0.1/hook",
        "https://0x7f000001/hook",
        "https://0x7f.1/hook",
        "https://10.1.2.3/hook",
        "https://192.168.0.1/hook",
        "https://169.254.169.254/latest/meta-data",
        "https://100.64.0.1/hook",
        "https://224.0.0.1/hook",
        "https://0.0.0.0/hook",
        "https://255.255.255.255/hook",
        "https://[::1]/hook",
        "https://[::]/hook",
        "https://[::ffff:127.0.0.1]/hook",
        "https://[::ffff:10.0.0.1]/hook",
        "https://[fe80::1]/hook",
        "https://[fc00::1]/hook",
        "https://[fec0::1]/hook",
        "https://[ff02::1]/hook",
        "https://[64:ff9b::7f00:1]/hook",
        "https://[2002:7f00:1::]/hook",
        "https://chat.example/a b",
        "https://chat.example/\r\nHost: x",
        "https://bücher.example/hook",
        "https://chat.example/" + "x" * 500,
    ],
)
def test_an_address_that_is_no_public_https_address_is_refused_as_it_is_typed(address: str):
    with pytest.raises(outside.Refused) as refused:
        outside.read(address, "on")
    assert refused.value.final
    assert "hook" not in str(refused.value)


@pytest.mark.parametrize(
    "address", ["https://chat.example/hook?x=1", "https://93.184.216.34/", "https://chat.example:8443/"]
)
def test_a_public_https_address_is_taken_as_it_is(address: str):
    assert outside.read(address, "on").geturl() == address


@pytest.mark.parametrize("hooks", ["on", "loopback"])
def test_this_machine_is_reached_only_where_the_operator_allows_it(hooks: Hooks):
    try:
        outside.read("http://127.0.0.1:8001/hook", hooks)
    except outside.Refused:
        assert hooks == "on"
    else:
        assert hooks == "loopback"
    with pytest.raises(outside.Refused):
        outside.read("http://10.0.0.1:8001/hook", hooks)


def resolving(monkeypatch: pytest.MonkeyPatch, *numbers: str) -> list[tuple[str, int]]:
    """The name leads to these; and where was connected to."""
    asked: list[str] = []
    connected: list[tuple[str, int]] = []

    def look_up(host: str, port: int, **how: Any) -> list[Any]:
        asked.append(host)
        assert len(asked) == 1, "the name was looked up again"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (number, port)) for number in numbers]

    def connect(where: tuple[str, int], timeout: float) -> socket.socket:
        connected.append(where)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr(socket, "create_connection", connect)
    return connected


@pytest.mark.parametrize(
    "numbers", [["10.0.0.1"], ["93.184.216.34", "127.0.0.1"], ["::ffff:192.168.1.1"], ["fe80::1%eth0"], ["100.64.0.7"]]
)
def test_a_name_that_leads_to_any_private_place_is_not_connected_to(
    monkeypatch: pytest.MonkeyPatch, numbers: list[str]
):
    connected = resolving(monkeypatch, *numbers)
    with pytest.raises(outside.Refused, match="not public"):
        outside.post("https://chat.example/secret", b"{}", {}, "on")
    assert not connected


def test_the_connection_goes_to_the_very_number_that_was_checked(monkeypatch: pytest.MonkeyPatch):
    connected = resolving(monkeypatch, "93.184.216.34")
    with pytest.raises(outside.Refused, match="connection failed"):
        outside.post("https://chat.example/secret", b"{}", {}, "on")
    assert connected == [("93.184.216.34", 443)]


def test_every_kind_of_number_that_is_not_everybodys_is_private():
    private = ["192.0.2.1", "198.18.0.1", "240.0.0.1", "172.16.0.1", "2001:db8::1", "::ffff:0:7f00:1", "100::1"]
    assert not any(outside.is_public(ipaddress.ip_address(number)) for number in private)
    assert all(outside.is_public(ipaddress.ip_address(number)) for number in ("1.1.1.1", "2606:4700::1111"))


class Odd:
    """A server of one connection that answers as it likes."""

    def __init__(self, *answers: bytes, pause: float = 0) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.asked = b""
        self.answers, self.pause = answers, pause
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        line, _ = self.listener.accept()
        with line:
            self.asked = line.recv(65536)
            try:
                for answer in self.answers:
                    line.sendall(answer)
                    time.sleep(self.pause)
            except OSError:
                return

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.listener.getsockname()[1]}/hook"


def test_a_redirect_is_an_answer_and_is_not_followed():
    other = Odd()
    server = Odd(b"HTTP/1.1 307 Elsewhere\r\nLocation: " + other.address.encode() + b"\r\nContent-Length: 0\r\n\r\n")
    answer = outside.post(server.address, b"{}", {}, "loopback")
    assert answer.status == 307
    assert not answer.took_it
    assert not other.asked
    assert b"POST /hook HTTP/1.1\r\nHost: 127.0.0.1:" in server.asked


def test_whoever_answers_a_byte_at_a_time_is_not_waited_for(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(outside, "IN_ALL", 0.3)
    server = Odd(*([b"HTTP/1.1 200 OK\r\n"] + [b"X-Slow: 1\r\n"] * 50), pause=0.1)
    began = time.monotonic()
    with pytest.raises(outside.Refused, match="in time"):
        outside.post(server.address, b"{}", {}, "loopback")
    assert time.monotonic() - began < 2


def test_of_a_long_answer_only_the_beginning_is_read():
    server = Odd(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n" + b"x" * 8192)
    assert outside.post(server.address, b"{}", {}, "loopback").took_it


def test_over_tls_the_name_is_what_the_certificate_is_checked_for(monkeypatch: pytest.MonkeyPatch):
    named: list[str | None] = []

    class Trust:
        def wrap_socket(self, wire: Any, server_hostname: str | None, do_handshake_on_connect: bool) -> Any:
            named.append(server_hostname)
            raise ssl.SSLCertVerificationError

    server = Odd()
    there = socket.create_connection(server.listener.getsockname())
    resolving(monkeypatch, "93.184.216.34")
    monkeypatch.setattr(socket, "create_connection", lambda where, timeout: there)
    monkeypatch.setattr(outside, "_trust", Trust)
    with pytest.raises(outside.Refused, match="certificate"):
        outside.post("https://chat.example/secret", b"{}", {}, "on")
    assert named == ["chat.example"]
    assert ssl.create_default_context().check_hostname
