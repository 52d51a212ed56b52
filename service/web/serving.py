"""Serves the pages: waitress, which reads a request whole before a thread takes it, and sends an answer after the
thread has let go of it. So however slowly some clients speak or listen, they hold up nobody else. Python makes pages on
one core at a time, so several processes listen at one address, each at a door of its own. Knows no page.
"""

import logging
import os
import signal
import socket
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from multiprocessing import connection, get_context
from multiprocessing.context import ForkProcess

from flask import Flask
from waitress import create_server
from waitress.server import BaseWSGIServer

from service import lifeline, rubbish
from service.config import Settings, split_listen
from service.web.app import LARGEST_FORM, create_app

log = logging.getLogger(__name__)

MOST_CONNECTIONS = 800  # below the 1,024 files that a process may have open on most machines
IDLE = 30  # seconds until a connection on which nothing is said is closed
PATIENCE_AT_STOP = 2.0  # seconds
WAITING = 1024  # connections that nobody has taken yet
TOO_SOON = 5.0  # seconds: who ends earlier cannot work here, and neither could another one
LARGEST_HEAD = 32 * 1024  # our own cookie, which holds the keys of a browser, is the most of it
LARGEST_BODY = 2 * LARGEST_FORM  # what is a little too large is still told so by a page


def serve(settings: Settings, threads: int, processes: int) -> None:
    """Until SIGTERM or Ctrl-C; what is being answered then gets its answer."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with ExitStack() as stack:
        doors = [stack.enter_context(door) for door in open_doors(settings.listen, processes)]
        if processes == 1:
            answer(doors[0], settings, threads)
        else:
            _answer_together(doors, settings, threads)


def open_doors(listen: str, count: int = 1) -> list[socket.socket]:
    """All at one address, at which nobody else listens; the system leads whoever comes to one of them by lot. At a
    common door the process that happens to be awake would let them all in, and browsers and proxies stay."""
    host, port = split_listen(listen)
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    only = socket.create_server(address[:2], family=family, backlog=WAITING)
    if count == 1:
        return [only]
    with only:
        taken = only.getsockname()[:2]
    return [socket.create_server(taken, family=family, backlog=WAITING, reuse_port=True) for _ in range(count)]


def answer(door: socket.socket, settings: Settings, threads: int) -> None:
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # it would tell of every page that has to wait
    server = make_server(create_app(settings), settings, threads, door)
    rubbish.seldom()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    server.run()
    server.close()  # takes no more connections
    _send_what_is_left(server)


def _answer_together(doors: Sequence[socket.socket], settings: Settings, threads: int) -> None:
    """Until this process is told to end. One of the others that dies is replaced at its door, where those who came
    meanwhile have waited; they end with this one, whatever ends it."""
    beside = get_context("fork").Process
    parent, began = os.getpid(), dict[ForkProcess, tuple[float, socket.socket]]()

    def start(door: socket.socket) -> None:
        child = beside(target=_answer_beside, args=(parent, door, settings, threads), daemon=True)
        child.start()
        began[child] = time.monotonic(), door

    try:
        for door in doors:
            start(door)
        while True:
            connection.wait([child.sentinel for child in began])
            for child in [child for child in began if not child.is_alive()]:
                log.error("a process that makes pages ended (status %s)", child.exitcode)
                since, door = began.pop(child)
                if time.monotonic() - since < TOO_SOON:
                    sys.exit(1)
                start(door)
    except KeyboardInterrupt:
        log.info("the pages are closed")
    finally:
        for child in began:
            child.terminate()
        for child in began:
            child.join()


def _answer_beside(parent: int, door: socket.socket, settings: Settings, threads: int) -> None:
    """Until it is open nothing is lost when it ends at once, and an interrupt might be: whatever it meets on the way,
    an import or a finaliser, may swallow it, and the process would stay behind when all others have gone."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    lifeline.end_with(parent)
    answer(door, settings, threads)


def _send_what_is_left(server: BaseWSGIServer) -> None:
    give_up = time.monotonic() + PATIENCE_AT_STOP
    while any(channel.total_outbufs_len for channel in server.active_channels.values()) and time.monotonic() < give_up:
        server.asyncore.loop(timeout=0.1, map=server._map, use_poll=True, count=1)


def make_server(app: Flask, settings: Settings, threads: int, door: socket.socket) -> BaseWSGIServer:
    return create_server(
        app,
        sockets=[door],
        threads=threads,
        ident=None,
        connection_limit=MOST_CONNECTIONS,
        channel_timeout=IDLE,
        cleanup_interval=10,
        max_request_header_size=LARGEST_HEAD,
        max_request_body_size=LARGEST_BODY,
        asyncore_use_poll=True,  # `select` can watch only so many connections
        clear_untrusted_proxy_headers=settings.proxies == 0,
    )
