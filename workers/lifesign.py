"""A sign of life after the sweep, to an address that raises the alarm when it hears nothing: a dead-man's switch.

It goes out in a thread of its own, one at a time, so that whoever is slow to answer holds up no sweep and no turn. The
address is a secret, and no line of the log has it.
"""

import logging
import threading
import urllib.error
import urllib.request
from datetime import timedelta
from http.client import HTTPException

log = logging.getLogger(__name__)

EVERY = timedelta(minutes=1)  # such services take no more than a few a minute
PATIENCE = 5  # seconds

_on_its_way = threading.Lock()


def send(address: str) -> threading.Thread | None:
    """None if the last one is still on its way."""
    if not _on_its_way.acquire(blocking=False):
        return None
    thread = threading.Thread(target=_call, args=(address,), name="lifesign", daemon=True)
    thread.start()
    return thread


def _call(address: str) -> None:
    try:
        with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
            log.info("the sign of life was answered with %s", answer.status)
    except urllib.error.HTTPError as answer:
        log.warning("the sign of life was answered with %s", answer.code)
    except (OSError, HTTPException, ValueError) as error:  # its text may show the address
        log.warning("the sign of life did not arrive: %s", type(getattr(error, "reason", error)).__name__)
    finally:
        _on_its_way.release()
