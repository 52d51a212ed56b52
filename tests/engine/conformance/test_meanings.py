"""A choice means something: the meaning of every option is plain data of its own, and no rule, standing order or bot
takes the id of an option apart to find out."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

import engine
from tests.engine.tables import pick

APART = {"split", "rsplit", "partition", "rpartition", "removeprefix", "removesuffix", "startswith", "endswith"}
FOLDER = Path(engine.__file__).parent
CUT_IN_A_TEMPLATE = re.compile(rf"\.(?:value|id)\.(?:{'|'.join(APART)})\(|\bin \w+\.value\b")


def test_every_meaning_is_plain_data_and_belongs_to_one_option(table):
    match, random = table.start(59), Random(59)
    while match.pending:
        for decision in match.pending:
            for option in decision.options:
                assert plain(msgspec.json.decode(msgspec.json.encode(option.meaning))) == option.meaning
                assert decision.id_of(option.meaning) == option.id
        match.choose(*pick(random, match))


def test_ids_can_be_sent_in_a_row_and_the_way_on_is_one_of_them(table):
    """A page joins ids by a blank, and begins with an @ where it wants to go back."""
    match, random = table.start(61), Random(61)
    while match.pending:
        for decision in match.pending:
            ids = [option.id for option in decision.options]
            assert all(id and id == "".join(id.split()) and id[0] != "@" for id in ids)
            assert not decision.main or decision.main in ids
        match.choose(*pick(random, match))


def plain(decoded: Any) -> Any:
    """What JSON gives back, with tuples where it has lists."""
    return tuple(plain(each) for each in decoded) if isinstance(decoded, list) else decoded


@pytest.mark.parametrize("title", sorted(engine.GAMES))
def test_no_module_of_a_title_takes_an_id_apart(title):
    for path in sorted(FOLDER.joinpath(title).glob("*.py")):
        if path.name not in ("box.py", "mends.py"):  # components have ids too, and an old save has nothing else
            assert taken_apart(path.read_text(encoding="utf-8")) == [], path.name


@pytest.mark.parametrize("title", sorted(engine.GAMES))
def test_no_template_of_a_title_takes_an_id_apart(title):
    for path in sorted(FOLDER.parent.joinpath("templates", "titles", title).rglob("*.*")):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert [line for line in lines if CUT_IN_A_TEMPLATE.search(line)] == [], path.name


def test_taking_an_id_apart_in_a_template_would_be_noticed():
    for line in ('choice.value.split(".")', 'chosen.id.startswith("go.")', '"go." ~ area.id in choice.value'):
        assert CUT_IN_A_TEMPLATE.search("{% if " + line + " %}")
    assert not CUT_IN_A_TEMPLATE.search("{% if spot.partition(':')[0] in lit and option.id == step.chosen.id %}")


@pytest.mark.parametrize(
    "line",
    [
        "choice.removeprefix('token.')",
        "choice.partition('.')[2].split('+')",
        "choice[5:]",
        "int(choice)",
        "[option for option in options if option.id.startswith('go.')]",
        "options[0].id[4:]",
        "int(options[0].id)",
    ],
)
def test_taking_an_id_apart_would_be_noticed(line):
    assert taken_apart(f"def scene(options):\n    choice = yield ask(0, 'toy', options, 'a')\n    return {line}\n") == [
        3
    ]


def test_an_id_that_was_handed_over_is_one_too():
    assert taken_apart("def foresee(state, choice):\n    return choice.partition('.')") == [2]
    assert taken_apart("def mend(old: Old):\n    return [choice[1:] for _, choice in old.choices]") == []


def test_what_is_no_id_may_be_taken_apart():
    assert (
        taken_apart("def scene(name):\n    at = yield ask(0, 'toy', [], '')\n    return name[1:], int(name), at + 1")
        == []
    )


def taken_apart(source: str) -> list[int]:
    """The lines where an answer to a question, or the id of an option, is cut to pieces."""
    tree = ast.parse(source)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    answers = {function: _answers(function) for function in functions}
    cut = {node.lineno for node in _expressions(tree) if _cuts(node, set())}
    for function in functions:
        cut |= {node.lineno for node in _expressions(function) if _cuts(node, answers[function])}
    return sorted(cut)


def _expressions(tree: ast.AST) -> Iterator[ast.expr]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.expr))


def _answers(function: ast.FunctionDef) -> set[str]:
    """The names that a function gives to what `yield ask(...)` brings back, and those by which choices go elsewhere:
    but for a mend, which is given an old save."""
    if any(isinstance(each.annotation, ast.Name) and each.annotation.id == "Old" for each in function.args.args):
        return set()
    return {"choice"} | {
        target.id
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and _asks(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _asks(value: ast.expr) -> bool:
    asked = value.value if isinstance(value, ast.Yield) else None
    return isinstance(asked, ast.Call) and isinstance(asked.func, ast.Name) and asked.func.id == "ask"


def _cuts(node: ast.expr, answers: set[str]) -> bool:
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        return _is_id(node.value, answers)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "int":
        return any(_is_id(argument, answers) for argument in node.args)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in APART:
        return _is_id(node.func.value, answers)
    return False


def _is_id(node: ast.expr, answers: set[str]) -> bool:
    return (isinstance(node, ast.Attribute) and node.attr == "id") or (
        isinstance(node, ast.Name) and node.id in answers
    )
