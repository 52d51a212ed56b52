"""What effects are made of, without any choice: amounts, steps on tracks, tokens unlocked, and what bonuses are called.

An agenda is the list of effects a player still has to resolve; `effects` resolves it.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from engine.scene import Blocked, Message
from engine.zaibatsu.box import Box
from engine.zaibatsu.state import Board, Zaibatsu

Effect = tuple[Any, ...]
Agenda = list[Effect]
Said = dict[str, Any]


# In words


def amounts(things: Iterable[tuple[str, int]]) -> list[Said]:
    """Amounts to be said one after the other, those of 0 left out."""
    return [{"key": f"zaibatsu.amount.{what}", "args": {"n": n}} for what, n in things if n]


def costs(board: Board, price: int) -> list[Said]:
    """A price in money as this board would pay it, to be said: silk stands in for what money it lacks."""
    money = min(price, board.money)
    return amounts((("money", money), ("silk", price - money)))


def named(box: Box, upgraded: Sequence[str], bonuses: Iterable[str]) -> list[Said]:
    """Icons of the zaibatsu board to be said one after the other: of a Department what it gives, and that it does."""
    return [_named(box, bonus, bonus in upgraded) for bonus in bonuses]


def _named(box: Box, bonus: str, better: bool) -> Said:
    if bonus not in box.department:
        return {"key": f"zaibatsu.bonus.{bonus}"}
    what, *n = box.department[bonus]
    return {"key": "zaibatsu.bonus.department", "args": {"gains": amounts(((what, n[better]),)), "colour": bonus}}


def also(hint: Message, more: list[Said]) -> Message:
    """A hint, and what else comes with what it tells of."""
    return Message("zaibatsu.hint.also", {"first": _said(hint), "more": more}) if more else hint


def priced(hint: Message, ways: Sequence[list[Said]]) -> Message:
    """A hint after its price, or the two ways to pay; nothing more where there is none."""
    if not ways:
        return hint
    args = {"first": _said(hint), "prices": ways[0]}
    if len(ways) == 1:
        return Message("zaibatsu.hint.priced", args)
    return Message("zaibatsu.hint.priced_either", {**args, "others": ways[1]})


def _said(hint: Message) -> Said:
    return {"key": hint.key, "args": hint.args}


def thresholds_met(box: Box, what: str, at: int, to: int) -> list[Said]:
    """The thresholds of a track, or of ships, machines or trains, that lie on the way, to be said."""
    both = zip(("lower", "higher"), box.thresholds[what], strict=True)
    return [
        {"key": f"zaibatsu.threshold.{name}", "args": {"objective": what}} for name, mark in both if at < mark <= to
    ]


def on_the_way(box: Box, track: str, at: int, to: int) -> tuple[str, ...]:
    """The bonuses a marker reaches or passes when it goes forward."""
    return box.on_the_way[track][at][to]


def income_at(box: Box, track: str, space: int) -> int:
    """0 for Research, which has none."""
    income = box.track[track].income
    return income[space - 1] if income else 0


def along(box: Box, upgraded: Sequence[str], track: str, income: int, bonuses: tuple[str, ...]) -> list[Said]:
    """What going forward on a track brings, to be said."""
    what = "coal" if track == "mining" else "money"
    said: list[Said] = [{"key": f"zaibatsu.income.{what}", "args": {"n": income}}] if income else []
    return said + named(box, upgraded, bonuses)


def tell_why_not(state: Zaibatsu, seat: int, blocked: Iterable[Blocked]) -> None:
    """Where one answer is left nobody is asked, and reads the reasons in their own story instead."""
    by_reason: dict[str, tuple[Said, list[Said]]] = {}
    for no in blocked:
        why = {"key": no.reason.key, "args": no.reason.args}
        by_reason.setdefault(f"{why}", (why, []))[1].append({"key": no.label.key, "args": no.label.args})
    for why, things in by_reason.values():
        state.tell("zaibatsu.not_possible", [seat], things=things, why=why)


# As effects


def bonus_effect(name: str) -> Effect:
    """What an icon on the zaibatsu board stands for."""
    if name == "any":
        return ("any",)
    if name == "finance":
        return ("advance", "finance", 1)
    if name.startswith("token"):
        return ("token", int(name[-1]))
    return ("department", name)


def gain_effects(gains: Iterable[tuple[str, int]]) -> Agenda:
    """The effects a table row's `gains` stand for. Ships first, so that later Departments are already upgraded."""
    effects: Agenda = []
    for what, n in gains:
        if what in ("rd", "mining", "finance"):
            effects.append(("advance", what, n))
        elif what in ("ship", "train", "machine"):
            effects[:0] = [(what,)] * n
        else:
            effects.append(("gain", what, n))
    return effects


def withdraw_offers(agenda: Agenda) -> None:
    """One more is only for those who could build the first."""
    agenda[:] = [effect for effect in agenda if effect[0] != "offer"]


# Applied


def gain(state: Zaibatsu, seat: int, what: str, n: int) -> None:
    board = state.boards[seat]
    if what == "vp":
        board.score("bonuses", n)
    else:
        setattr(board, what, getattr(board, what) + n)
    state.tell("zaibatsu.gained", seat=seat, n=n, what=what)


def advance(state: Zaibatsu, seat: int, track: str, n: int, agenda: Agenda) -> None:
    """Bonuses: every space reached or passed through on the way forward grants its bonus."""
    board, box = state.boards[seat], state.box
    at: int = getattr(board, track)
    to = min(at + n, box.last_space[track])
    if to == at:
        return
    setattr(board, track, to)
    agenda.extend(map(bonus_effect, on_the_way(box, track, at, to)))
    state.tell("zaibatsu.advanced", seat=seat, track=track, n=to - at, to_space=to)


def go_back(state: Zaibatsu, seat: int, n: int) -> None:
    """General concepts: a marker that should go back past the first space remains on it."""
    board = state.boards[seat]
    n = min(n, board.finance - 1)
    board.finance -= n
    if n:
        state.tell("zaibatsu.went_back", seat=seat, n=n, to_space=board.finance)


def pay(state: Zaibatsu, seat: int, price: int) -> None:
    """Money, and silk in its place as far as it is lacking (A note on silk)."""
    board = state.boards[seat]
    silk = board.silk
    board.pay_money(price)
    if board.silk < silk:
        state.tell("zaibatsu.paid_silk", seat=seat, n=silk - board.silk)


def unlock(state: Zaibatsu, seat: int, value: int) -> None:
    board = state.boards[seat]
    if value in board.locked:
        board.locked.remove(value)
        board.hand.append(value)
        board.hand.sort()
        state.tell("zaibatsu.unlocked", seat=seat, n=value)
