"""Arrows point one way: workers -> service -> engine; and the engine knows the rules and nothing else."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MODULES = sorted(path for folder in ("engine", "service", "workers") for path in (ROOT / folder).rglob("*.py"))
OURS = ("engine", "service", "workers", "tests")
MAY_IMPORT = {"engine": {"engine"}, "service": {"engine", "service"}, "workers": {"engine", "service", "workers"}}

# What a rules engine may use: pure functions and types. A box may also read the component file it lies next to.
ENGINE_MAY_USE = {
    "abc", "bisect", "collections", "contextlib", "copy", "dataclasses", "enum", "fractions", "functools", "hashlib",
    "heapq", "hmac", "importlib", "itertools", "math", "msgspec", "operator", "pkgutil", "re", "statistics", "string",
    "struct", "tomllib", "types", "typing",
}  # fmt: skip
ALONE_MAY_USE = {
    "components.py": {"pathlib"},  # reads a file: the box of a game
    "shapes.py": {"threading"},  # has a lock
}
FORBIDDEN_CALLS = {"open", "input", "print", "exec", "eval", "__import__"}


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def imported(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: a relative import hides where its arrow points"
            inside = node.module in OURS  # "from service import queue" names a module, not something in one
            yield from (
                (node.lineno, f"{node.module}.{alias.name}" if inside else node.module or "") for alias in node.names
            )


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_from_workers_to_service_to_engine(path: Path):
    package = path.relative_to(ROOT).parts[0]
    for line, module in imported(parsed(path)):
        top = module.split(".")[0]
        assert top not in OURS or top in MAY_IMPORT[package], f"{path}:{line}: {package} must not import {module}"


# The rooms of service/. What lies beside them (config, db, models, queue, results) needs none of them. A game is
# played and written about without any page being open, so only web/ knows that there are pages. What happens in a game
# causes letters: play/ knows the post. The post knows nothing of play/, but where it reads the game it writes about.
ROOMS = {
    "service": {"service"},
    "service/inbox": {"service", "service/inbox", "service/play", "service/post"},
    "service/play": {"service", "service/play", "service/post"},
    "service/post": {"service", "service/post"},
    "service/web": {"service", "service/inbox", "service/play", "service/post", "service/web"},
}
READ_THE_GAME = {"compose.py", "ringing.py", "story.py"}
ONLY_IN_WEB = {"flask", "flask_babel", "flask_wtf", "werkzeug", "wtforms"}


def room_of(module: str) -> str:
    room = "/".join(module.split(".")[:2])
    return room if room in ROOMS else module.split(".")[0]


@pytest.mark.parametrize(
    "path",
    [p for p in MODULES if p.relative_to(ROOT).parts[0] == "service"],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_each_room_of_the_service_knows_only_the_rooms_it_may(path: Path):
    here = room_of(".".join(path.relative_to(ROOT).with_suffix("").parts))
    known = ROOMS[here] | ({"service/play"} if here == "service/post" and path.name in READ_THE_GAME else set())
    for line, module in imported(parsed(path)):
        top = module.split(".")[0]
        assert top != "service" or room_of(module) in known, f"{path}:{line}: {here} must not import {module}"
        assert here == "service/web" or top not in ONLY_IN_WEB, f"{path}:{line}: only service/web knows {top}"


def test_pages_leave_every_check_of_a_key_to_access():
    for path in sorted((ROOT / "service/web/pages").glob("*.py")):
        tree = parsed(path)
        looked_at = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        named = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        assert "NoKey" not in named | looked_at, f"{path}: refuse in service/web/access.py"
        assert path.name == "keys.py" or "scope" not in looked_at, f"{path}: compare scopes in service/web/access.py"


@pytest.mark.parametrize(
    "path",
    [p for p in MODULES if p.relative_to(ROOT).parts[0] == "engine"],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_the_engine_has_no_clock_no_network_no_database_and_no_chance_of_its_own(path: Path):
    tree = parsed(path)
    allowed = ENGINE_MAY_USE | {"engine"} | ALONE_MAY_USE.get(path.name, set())
    for line, module in imported(tree):
        assert module.split(".")[0] in allowed, f"{path}:{line}: the engine must not import {module}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in FORBIDDEN_CALLS, f"{path}:{node.lineno}: the engine must not call {node.func.id}"


def test_the_check_sees_every_package():
    assert {path.relative_to(ROOT).parts[0] for path in MODULES} == {"engine", "service", "workers"}
