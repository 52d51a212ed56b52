"""`make mutants`: would the tests of a title notice if a rule were broken?

Breaks the rule modules of a title in many small ways, one at a time, and runs the title's own tests against each:
tests/engine/<title> and nothing that only compares with what was recorded. What no test notices survives, and is
listed. `make mutants ARGS="duel --sample 200 --seed 1"` tries so many of one title; without a title it tries all of
them, and with `--named` only the breakages that are listed by name in tests/engine/<title>/broken.py.

The tests are collected once; for each mutant a child is forked, in which the code of one function is exchanged for the
broken one, and only those tests are run that call it, the quickest first.
"""

import argparse
import ast
import contextlib
import importlib
import os
import random
import select
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

from engine import GAMES

ROOT = Path(__file__).resolve().parent.parent
# What shows, weighs or stores a game, but decides nothing in it.
NO_RULES = {
    *("__init__", "balance", "bot", "box", "gauges", "mends", "prospects", "secrets", "sheet", "view", "worth"),
}
AT_ONCE = 2
PATIENCE = 20.0  # seconds more than the tests take by themselves: a mutant that never ends is noticed too

SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
}
TWINS = {"min": "max", "max": "min", "any": "all", "all": "any"}
SAYS = {"Message", "Blocked", "tell", "later"}  # words, which other tests look at


@dataclass(frozen=True)
class Mutant:
    """One broken module: what was done to it, in which functions, and their code."""

    module: str
    what: str
    codes: dict[str, CodeType] = field(compare=False, hash=False)


# --- breaking


def mutants_of(module: str, source: str, numbers: Collection[int] | None = None) -> Iterator[Mutant]:
    """One for every place where something can be broken, or for those of these numbers."""
    whole = _functions(compile(source, f"<{module}>", "exec"))
    for number in range(_places(source)) if numbers is None else sorted(numbers):
        tree = ast.parse(source)
        line, how, do = _changes_in(tree)[number]
        what = how()
        do()
        broken = _changed(whole, _functions(compile(ast.fix_missing_locations(tree), f"<{module}>", "exec")))
        if broken:
            yield Mutant(module, f"{module}.py:{line}: {what}", broken)


def named(module: str, source: str, name: str, old: str, new: str) -> Mutant:
    """One that somebody has thought of: this text in place of that, which stands there once."""
    if source.count(old) != 1:
        raise ValueError(f"{module}.py: {old!r} stands there {source.count(old)} times ({name})")
    whole = _functions(compile(source, f"<{module}>", "exec"))
    broken = _changed(whole, _functions(compile(source.replace(old, new), f"<{module}>", "exec")))
    if not broken:
        raise ValueError(f"{module}.py: {name} changes no function")
    return Mutant(module, f"{module}.py: {name}", broken)


Change = tuple[int, Callable[[], str], Callable[[], None]]  # the line, what is done there in words, and doing it


def _changes_in(tree: ast.Module) -> list[Change]:
    """All that can be broken, in a fixed order."""
    return [change for body in tree.body for change in _changes(body, inside=False)]


def _places(source: str) -> int:
    return len(_changes_in(ast.parse(source)))


def _changes(node: ast.AST, *, inside: bool) -> Iterator[Change]:
    """Within functions only: what a module does when it is read has happened long before."""
    inside = inside or isinstance(node, ast.FunctionDef)
    for name, value in ast.iter_fields(node):
        if isinstance(node, ast.FunctionDef) and name != "body":
            continue  # defaults, annotations and decorators
        for at, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(child, ast.AST) and not _is_words(child) and not _is_check(child):
                put = _putter(node, name, at)
                if inside:
                    yield from _changes_of(child, put)
                yield from _changes(child, inside=inside)


def _is_words(node: ast.AST) -> bool:
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant) or _is_words(node.value)
    if not isinstance(node, ast.Call):
        return isinstance(node, (ast.JoinedStr, ast.AnnAssign)) or (
            isinstance(node, ast.arg) or isinstance(getattr(node, "value", None), str)
        )
    called = node.func
    return (called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")) in SAYS


def _is_check(node: ast.AST) -> bool:
    """`zip(..., strict=True)` decides nothing: it only says aloud what is always so."""
    return isinstance(node, ast.keyword) and node.arg == "strict"


def _putter(node: ast.AST, name: str, at: int | None) -> Callable[[ast.AST], None]:
    def put(new: ast.AST) -> None:
        if at is None:
            setattr(node, name, new)
        else:
            getattr(node, name)[at] = new

    return put


def _changes_of(node: ast.AST, put: Callable[[ast.AST], None]) -> Iterator[Change]:
    line = getattr(node, "lineno", 0)

    def change(new: ast.AST, how: str) -> Change:
        return line, _into(node, how), lambda: put(ast.copy_location(new, node) if line else new)

    if isinstance(node, (ast.Compare, ast.BoolOp, ast.BinOp)):
        yield from _other_operator(node, line)
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield from (change(ast.Constant(node.value + by), str(node.value + by)) for by in (1, -1))
    if isinstance(node, ast.Constant) and type(node.value) is bool:
        yield change(ast.Constant(not node.value), str(not node.value))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield change(node.operand, "without not")
    if isinstance(node, ast.Name) and node.id in TWINS:
        yield change(ast.Name(TWINS[node.id], ast.Load()), TWINS[node.id])
    if isinstance(node, (ast.If, ast.While, ast.IfExp)):
        for value in (True, False):
            if not (isinstance(node, ast.While) and value):
                yield line, _into(node, f"always {value}"), _setter(node, "test", ast.Constant(value))
    if isinstance(node, ast.comprehension) and node.ifs:
        ifs = " and ".join(ast.unparse(each) for each in node.ifs)
        yield node.target.lineno, lambda: f"if {ifs}  ->  without it", _setter(node, "ifs", [])
    if isinstance(node, (ast.Expr, ast.AugAssign, ast.Delete, ast.Continue, ast.Break)) or _sets_something(node):
        yield change(ast.Pass(), "left out")


def _into(node: ast.AST, how: str) -> Callable[[], str]:
    """What becomes of this node, in words: said of few of them, so worked out for those alone."""
    return lambda: f"{ast.unparse(node).splitlines()[0][:90]}  ->  {how}"


def _setter(node: ast.AST, name: str, value: Any) -> Callable[[], None]:
    if isinstance(value, ast.AST):
        value = ast.copy_location(value, node)
    return lambda: setattr(node, name, value)


def _other_operator(node: ast.Compare | ast.BoolOp | ast.BinOp, line: int) -> Iterator[Change]:
    if isinstance(node, ast.Compare):
        for at, op in enumerate(node.ops):
            if other := SWAPS.get(type(op)):
                ops: list[Any] = [*node.ops[:at], other(), *node.ops[at + 1 :]]
                yield line, _into(node, other.__name__), _setter(node, "ops", ops)
    elif other := SWAPS.get(type(node.op)):
        yield line, _into(node, other.__name__), _setter(node, "op", other())


def _sets_something(node: ast.AST) -> bool:
    """An assignment that others can see: to an attribute or an element. Without a local name nothing would run."""
    return isinstance(node, ast.Assign) and all(isinstance(to, (ast.Attribute, ast.Subscript)) for to in node.targets)


def _functions(code: CodeType, within: str = "") -> dict[str, CodeType]:
    """The code of every function of a module and method of its classes, by its name."""
    found: dict[str, CodeType] = {}
    for each in code.co_consts:
        if isinstance(each, CodeType) and not each.co_name.startswith("<"):
            name = f"{within}{each.co_name}"
            if each.co_flags & 0x2:  # it has local names of its own: a function, and no class
                found[name] = each
            else:
                found |= _functions(each, f"{name}.")
    return found


def _changed(whole: dict[str, CodeType], broken: dict[str, CodeType]) -> dict[str, CodeType]:
    return {name: code for name, code in broken.items() if name in whole and code != whole[name]}


# --- running


def _find(module: Any, name: str) -> FunctionType:
    """The function of this name, under whatever it is wrapped in."""
    found = module
    for part in name.split("."):
        found = vars(found)[part] if isinstance(found, type) else getattr(found, part)
    if isinstance(found, property):
        found = found.fget
    while hasattr(found, "__wrapped__"):
        if hasattr(found, "cache_clear"):
            found.cache_clear()
        found = found.__wrapped__
    assert isinstance(found, FunctionType), name
    return found


def _forget(title: str) -> None:
    """What the rules have worked out once and kept: from it nobody would learn that they are broken."""
    for name, module in list(sys.modules.items()):
        if name.startswith(f"engine.{title}.") and not name.endswith(".box"):
            for thing in vars(module).values():
                if hasattr(thing, "cache_clear"):
                    thing.cache_clear()


@dataclass
class Trial:
    """A plugin of pytest: in place of running the tests once it runs them for every mutant."""

    title: str
    mutants: list[Mutant]
    called: dict[CodeType, list[int]] = field(default_factory=lambda: defaultdict(list))
    seconds: list[float] = field(default_factory=list)
    survivors: list[Mutant] = field(default_factory=list)
    broken_already: bool = False
    failed: bool = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed = self.failed or report.failed

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self._watch(session.items)
        if self.failed:
            self.broken_already = True
            return True
        running: dict[int, tuple[Mutant, float, int]] = {}
        waiting = list(reversed(self.mutants))
        while waiting or running:
            while waiting and len(running) < AT_ONCE:
                mutant = waiting.pop()
                if tests := self._tests_of(mutant):
                    pid, fd = self._fork(mutant, [session.items[at] for at in tests])
                    running[fd] = mutant, time.monotonic() + PATIENCE + 3 * sum(self.seconds[at] for at in tests), pid
                else:
                    self.survivors.append(mutant)
            self._wait(running)
        return True

    def _watch(self, items: list[pytest.Item]) -> None:
        """Run all tests as they are, and note how long each takes and whose code it runs."""
        folder = str(ROOT / "engine" / self.title)
        for at, item in enumerate(items):
            seen: set[CodeType] = set()

            def note(frame: Any, event: str, argument: Any, seen: set[CodeType] = seen) -> None:
                if event == "call" and frame.f_code.co_filename.startswith(folder):
                    seen.add(frame.f_code)

            _forget(self.title)
            began = time.monotonic()
            sys.setprofile(note)
            try:
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=items[at + 1] if items[at + 1 :] else None)
            finally:
                sys.setprofile(None)
            self.seconds.append(time.monotonic() - began)
            for code in seen:
                self.called[code].append(at)

    def _tests_of(self, mutant: Mutant) -> list[int]:
        module = importlib.import_module(f"engine.{self.title}.{mutant.module}")
        tests = {at for name in mutant.codes for at in self.called[_find(module, name).__code__]}
        return sorted(tests, key=lambda at: self.seconds[at])

    def _fork(self, mutant: Mutant, items: list[pytest.Item]) -> tuple[int, int]:
        """A child that runs these tests against this mutant, and says by one letter how it went."""
        reads, writes = os.pipe()
        if pid := os.fork():
            os.close(writes)
            return pid, reads
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), 1)
            os.dup2(nowhere.fileno(), 2)
        module = importlib.import_module(f"engine.{self.title}.{mutant.module}")
        for name, code in mutant.codes.items():
            _find(module, name).__code__ = code
        _forget(self.title)
        for item in items:
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
            if self.failed:
                break
        os.write(writes, b"k" if self.failed else b"s")
        os._exit(0)

    def _wait(self, running: dict[int, tuple[Mutant, float, int]]) -> None:
        """Until one is through, or has taken too long."""
        ready = select.select(list(running), [], [], 0.5)[0]
        for fd, (mutant, until, pid) in list(running.items()):
            if fd not in ready and time.monotonic() < until:
                continue
            said = os.read(fd, 1) if fd in ready else b""
            os.close(fd)
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            del running[fd]
            if said == b"s":
                self.survivors.append(mutant)


def some_of(title: str, sample: int | None, seed: int) -> list[Mutant]:
    """What can be broken in a title, or so many of it: only those are made."""
    folder = ROOT / "engine" / title
    paths = sorted(path for path in folder.glob("*.py") if path.stem not in NO_RULES)
    sources = {path.stem: path.read_text(encoding="utf-8") for path in paths}
    places = [(module, number) for module, source in sources.items() for number in range(_places(source))]
    if sample is not None and sample < len(places):
        places = random.Random(seed).sample(places, sample)
    numbers = defaultdict(set)
    for module, number in places:
        numbers[module].add(number)
    return [mutant for module, source in sources.items() for mutant in mutants_of(module, source, numbers[module])]


def listed_of(title: str) -> list[Mutant]:
    if not (ROOT / "tests" / "engine" / title / "broken.py").exists():
        return []
    listed = importlib.import_module(f"tests.engine.{title}.broken").BROKEN
    sources = {module: (ROOT / "engine" / title / f"{module}.py").read_text(encoding="utf-8") for module, *_ in listed}
    return [named(module, sources[module], name, old, new) for module, name, old, new in listed]


def attempt(title: str, sample: int | None, seed: int, *, only_named: bool) -> Trial:
    mutants = [] if only_named else some_of(title, sample, seed)
    trial = Trial(title, listed_of(title) + mutants)
    options = ["-q", "-s", "--no-header", "--no-summary", "-p", "no:cacheprovider", "-p", "no:xdist"]
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        pytest.main([*options, f"tests/engine/{title}"], plugins=[trial])
    return trial


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="make mutants", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("titles", nargs="*", metavar="title", help=f"of {', '.join(GAMES)}; all if none is named")
    parser.add_argument("--sample", type=int, help="how many of each title to try, besides those listed by name")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    parser.add_argument("--named", action="store_true", help="only those listed by name")
    wanted = parser.parse_args(arguments)
    lasting = []
    for title in wanted.titles or GAMES:
        began = time.monotonic()
        trial = attempt(title, wanted.sample, wanted.seed, only_named=wanted.named)
        if trial.broken_already:
            print(f"{title}: its tests fail as it is")
            return 1
        for what, times in sorted(Counter(mutant.what for mutant in trial.survivors).items()):
            print(f"  survived: {what}" + (f" ({times} times)" if times > 1 else ""))
        tried, killed = len(trial.mutants), len(trial.mutants) - len(trial.survivors)
        print(f"{title}: {killed} of {tried} noticed, {killed / max(1, tried):.1%}, {time.monotonic() - began:.0f} s")
        listed = {mutant.what for mutant in listed_of(title)}
        lasting += [mutant.what for mutant in trial.survivors if mutant.what in listed]
    return 1 if lasting else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
