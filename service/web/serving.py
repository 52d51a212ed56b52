"""Serves the pages: waitress, which reads a request whole before a thread takes it, and sends an answer after the
thread has let go of it. So however slowly some clients speak or listen, they hold up nobody else. Knows no page.
"""

import signal
import time

from flask import Flask
from waitress import create_server
from waitress.server import BaseWSGIServer

from service.config import Settings
from service.web.app import LARGEST_FORM, create_app

MOST_CONNECTIONS = 800  # below the 1,024 files that a process may have open on most machines
IDLE = 30  # seconds until a connection on which nothing is said is closed
PATIENCE_AT_STOP = 2.0  # seconds
LARGEST_HEAD = 32 * 1024  # our own cookie, which holds the keys of a browser, is the most of it
LARGEST_BODY = 2 * LARGEST_FORM  # what is a little too large is still told so by a page


def serve(settings: Settings, threads: int) -> None:
    """Until SIGTERM or Ctrl-C; what is being answered then gets its answer."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    server = make_server(create_app(settings), settings, threads)
    server.run()
    server.close()  # takes no more connections
    _send_what_is_left(server)


def _send_what_is_left(server: BaseWSGIServer) -> None:
    give_up = time.monotonic() + PATIENCE_AT_STOP
    while any(channel.total_outbufs_len for channel in server.active_channels.values()) and time.monotonic() < give_up:
        server.asyncore.loop(timeout=0.1, map=server._map, use_poll=True, count=1)


def make_server(app: Flask, settings: Settings, threads: int) -> BaseWSGIServer:
    return create_server(
        app,
        listen=settings.listen,
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
