"""What somebody is called whose name is not kept any more, or a seat that nobody has taken yet. It is said anew each
time, in the language that is spoken, and how is known to the post alone: service/post/language.py sets it.
"""

from collections.abc import Callable

nameless: Callable[[], str] = str
unoccupied: Callable[[], str] = str
