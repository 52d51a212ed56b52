"""A process that ends when the one that started it does, also when that was killed the hard way."""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1

# Looked up beforehand: between fork and exec as little as possible should happen.
_prctl = ctypes.CDLL(None).prctl if sys.platform.startswith("linux") else None


def end_with(parent: int) -> None:
    """Said by a child, right after it was forked. On Linux the kernel sees to it; elsewhere it is left to the child."""
    if _prctl is None:
        return
    _prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:  # it died before we could ask
        os._exit(1)
