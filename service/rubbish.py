"""When Python looks for rubbish among what a process has made: seldom, and never in what stays as long as that does."""

import gc

MANY = 10_000  # things, about as many as a page makes; by itself Python looks a dozen times while it makes one


def seldom() -> None:
    """Said once a process has loaded what it needs."""
    gc.freeze()
    gc.set_threshold(MANY, 10, 10)
