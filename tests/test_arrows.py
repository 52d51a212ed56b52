"""Arrows point one way: workers -> service -> engine; and the engine knows the rules and nothing else."""

import ast
from collections.abc import Iterator
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
READER_MAY_USE = {"pathlib"}  # engine/components.py alone reads a file: the box of a game
FORBIDDEN_CALLS = {"open", "input", "print", "exec", "eval", "__import__"}


def imported(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: a relative import hides where its arrow points"
            yield node.lineno, node.module or ""


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_from_workers_to_service_to_engine(path: Path):
    package = path.relative_to(ROOT).parts[0]
    for line, module in imported(ast.parse(path.read_text())):
        top = module.split(".")[0]
        assert top not in OURS or top in MAY_IMPORT[package], f"{path}:{line}: {package} must not import {module}"


@pytest.mark.parametrize(
    "path",
    [p for p in MODULES if p.relative_to(ROOT).parts[0] == "engine"],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_the_engine_has_no_clock_no_network_no_database_and_no_chance_of_its_own(path: Path):
    tree = ast.parse(path.read_text())
    allowed = ENGINE_MAY_USE | {"engine"} | (READER_MAY_USE if path.name == "components.py" else set())
    for line, module in imported(tree):
        assert module.split(".")[0] in allowed, f"{path}:{line}: the engine must not import {module}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in FORBIDDEN_CALLS, f"{path}:{node.lineno}: the engine must not call {node.func.id}"


def test_the_check_sees_every_package():
    assert {path.relative_to(ROOT).parts[0] for path in MODULES} == {"engine", "service", "workers"}
