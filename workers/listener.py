"""A door for mail: a server hands messages over by LMTP or SMTP. A message is taken (250) once its row is on disk, an
address that nobody has is refused before it comes (550), and while the database is away both are to be tried again.
"""

import asyncio
import logging
import threading
from collections.abc import Callable

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session
from sqlalchemy.exc import SQLAlchemyError

from service.config import MailIn
from service.inbox import receiving
from service.inbox.message import LONGEST

log = logging.getLogger(__name__)

PATIENCE = 60.0  # seconds, for one command or one whole message
MOST_AT_ONCE = 100  # connections
MOST_COMMANDS = 200  # of a kind in one connection
SIGN_OF_LIFE_EVERY = 20.0  # seconds

NOBODY = "550 5.1.1 Nobody here has this address"
LATER = "451 4.3.0 Not now, please try again later"
ONE_EACH = "452 4.5.3 One recipient at a time, please"
FULL = b"421 4.3.2 Too many connections, please try again later\r\n"


class Door:
    """What is said to whoever brings mail. The database is asked in threads, so that nobody waits for another."""

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if envelope.rcpt_tos:
            return ONE_EACH  # so that one answer is about one row, also in LMTP
        try:
            if not await asyncio.to_thread(receiving.is_ours, address):
                return NOBODY
        except (SQLAlchemyError, OSError) as error:
            return _not_now(error)
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        (recipient,) = envelope.rcpt_tos
        try:
            await asyncio.to_thread(receiving.receive, _delivered(envelope), recipient)
        except receiving.NotForUs:
            return NOBODY
        except (SQLAlchemyError, OSError) as error:
            return _not_now(error)
        return "250 2.0.0 It is kept"

    async def handle_exception(self, error: Exception) -> str:
        log.error("a connection went wrong", exc_info=error)
        return LATER


def _not_now(error: Exception) -> str:
    log.warning("a message has to be brought again, for the database does not answer: %s", type(error).__name__)
    return LATER


def _delivered(envelope: Envelope) -> bytes:
    """With the envelope's sender on top, as whoever delivers a message has to write it."""
    sender = (envelope.mail_from or "").strip("<>").encode("ascii", errors="replace")
    content = envelope.original_content or b""
    return b"Return-Path: <" + sender + b">\r\n" + content


class _Full(asyncio.Protocol):
    """Has no place for one more, and says so."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        transport.write(FULL)
        transport.close()


class _Counted(SMTP):
    """One connection of a few. Lines that are longer than the standard has them are no reason to refuse a message."""

    line_length_limit = 64 * 1024
    connected: set["_Counted"] = set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.connected.add(self)
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        self.connected.discard(self)
        super().connection_lost(error)


class _CountedLmtp(_Counted, LMTP):
    """The same in the other protocol."""


def protocol(door: MailIn, name: str) -> asyncio.Protocol | SMTP:
    """Who speaks with the next to connect."""
    if len(_Counted.connected) >= MOST_AT_ONCE:
        return _Full()
    return (_CountedLmtp if door.by == "lmtp" else _Counted)(
        Door(),
        data_size_limit=LONGEST,
        enable_SMTPUTF8=True,
        hostname=name,
        ident="Hikyaku",
        timeout=PATIENCE,
        command_call_limit=MOST_COMMANDS,
        auth_exclude_mechanism=["LOGIN", "PLAIN"],
        loop=asyncio.get_running_loop(),
    )


def listen(door: MailIn, name: str, stop: threading.Event, alive: Callable[[], None]) -> None:
    """Until told to stop. `name` is what the server calls itself; `alive` is called every now and then."""
    asyncio.run(_listen(door, name, stop, alive))


async def _listen(door: MailIn, name: str, stop: threading.Event, alive: Callable[[], None]) -> None:
    server = await asyncio.get_running_loop().create_server(lambda: protocol(door, name), door.host, door.port)
    async with server:
        while not stop.is_set():
            await asyncio.to_thread(alive)
            await asyncio.to_thread(stop.wait, SIGN_OF_LIFE_EVERY)
