"""What a balance report counts: how often something was had, and how those who had it ended. Knows no game."""

import msgspec


class Taken(msgspec.Struct):
    """How often something was had, how far above the mean of their match its owners ended, and how many of them won."""

    n: int = 0
    ahead: float = 0.0
    won: int = 0


def take(table: dict[str, Taken], name: str, ahead: float, won: bool) -> None:
    entry = table.setdefault(name, Taken())
    entry.n += 1
    entry.ahead += ahead
    entry.won += won
