"""Jinja as pages draw with it. A table puts out thousands of values and calls a thousand macros, so what is done for
each of them is the least that will do; what is drawn is what Jinja itself would draw. Knows no page."""

import re
from collections.abc import MutableMapping
from types import BuiltinMethodType, FunctionType, MethodType
from typing import Any

from flask.sansio.app import App
from flask.templating import Environment
from jinja2 import Template
from jinja2.compiler import CodeGenerator, Frame
from jinja2.environment import TemplateModule
from jinja2.ext import Extension
from jinja2.idtracking import VAR_LOAD_RESOLVE
from jinja2.nodes import Call, Concat, Const, Expr, Name
from jinja2.runtime import Context, Macro, markup_join
from jinja2.utils import _PassArg, missing
from markupsafe import Markup

from service.post.render import escaped, said

GETTEXT = ("_", "gettext")
PLAIN = {FunctionType, MethodType, BuiltinMethodType}
TEXT = {str, int}
MARKED = {*TEXT, Markup}
INDENTED = (".html", ".svg")


class Calls(Context):
    """Macros and plain functions, gettext among them, are called straight away; only what is neither may want something
    else of the context."""

    def call(self, called: Any, /, *args: Any, **named: Any) -> Any:
        kind = type(called)
        if kind is Macro:
            if called.catch_kwargs or called.catch_varargs or called.explicit_caller:
                return called(self.eval_ctx, *args, **named)
            if named or called.caller:
                rest = _taken(called, len(args), named)
            else:
                rest = [missing] * (called._argument_count - len(args))
            made = called._func(*args, *rest, **named)
            return str.__new__(Markup, made) if self.eval_ctx.autoescape else made
        wanted = getattr(called, "jinja_pass_arg", None) if kind in PLAIN else missing
        if wanted is None:
            return called(*args, **named)
        if wanted is _PassArg.eval_context:
            return called(self.eval_ctx, *args, **named)
        return super().call(called, *args, **named)


def _taken(macro: Macro, given: int, named: dict[str, Any]) -> list[Any]:
    """What a macro takes out of the named arguments, after so many that were given in order."""
    rest = [named.pop(name, missing) for name in macro.arguments[given:]]
    if macro.caller:
        caller = named.pop("caller", None)
        rest.append(macro._environment.undefined("No caller defined", name="caller") if caller is None else caller)
    return rest


def joined(parts: tuple[Any, ...]) -> str:
    """What `~` joins: mostly plain text and numbers, in which nothing is markup."""
    kinds = set(map(type, parts))
    if kinds <= TEXT:
        return "".join(map(str, parts))
    return str.__new__(Markup, "".join(map(escaped, parts))) if kinds <= MARKED else markup_join(parts)


class Escaping(CodeGenerator):
    """Values are put out by `escaped`, and joined by `joined`; what is called is given what the template gives it."""

    def visit_Call(self, node: Call, frame: Frame, forward_caller: bool = False) -> None:
        """And not what was set in a loop or a block around it: only a function that wants the context could see that,
        and pages have none. A sentence that stands in the template needs nothing to be said."""
        if _is_sentence(node, frame):
            self.write(f"environment.said({node.args[0].as_const()!r})")
            return
        self.write("context.call(")
        self.visit(node.node, frame)
        self.signature(node, frame, {"caller": "caller"} if forward_caller else None)
        self.write(")")

    def visit_Concat(self, node: Concat, frame: Frame) -> None:
        if not _is_markup(frame):
            super().visit_Concat(node, frame)
            return
        self.write("environment.joined((")
        for part in node.nodes:
            self.visit(part, frame)
            self.write(", ")
        self.write("))")

    def _output_child_pre(self, node: Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo) -> None:
        if _is_markup(frame) and finalize.src is None:
            self.write("environment.escaped(")
        else:
            super()._output_child_pre(node, frame, finalize)


def _is_sentence(node: Call, frame: Frame) -> bool:
    """Whether this is gettext's, with a sentence as it stands and nothing to fill in, and put out as markup."""
    if not isinstance(node.node, Name) or node.node.name not in GETTEXT or not _is_markup(frame):
        return False
    if len(node.args) != 1 or node.kwargs or node.dyn_args or node.dyn_kwargs or not isinstance(node.args[0], Const):
        return False
    how, _ = frame.symbols.find_load(frame.symbols.ref(node.node.name)) or ("", None)
    return how == VAR_LOAD_RESOLVE  # and not a name that the template has given to something of its own


def _is_markup(frame: Frame) -> bool:
    return bool(frame.eval_ctx.autoescape) and not frame.eval_ctx.volatile


class Flush(Extension):
    """Templates are indented for us to read: what they draw need not be, and is a third lighter."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        return re.sub(r"^[ \t]+", "", source, flags=re.MULTILINE) if name and name.endswith(INDENTED) else source


class Piece(Template):
    """All templates have the same globals, so one that is imported without context is the same for all who do so."""

    def _get_default_module(self, ctx: Context | None = None) -> TemplateModule:
        return super()._get_default_module()


class Drawing(Environment):
    context_class = Calls
    template_class = Piece
    code_generator_class = Escaping
    escaped = staticmethod(escaped)
    joined = staticmethod(joined)
    said = staticmethod(said)

    def __init__(self, app: App, **options: Any) -> None:
        super().__init__(app, **options)
        self._loaded: dict[str, Template] = {}

    def _load_template(self, name: str, globals: MutableMapping[str, Any] | None) -> Template:
        """A page is put together from fifty templates, which stay as they are while a process lives."""
        if name not in self._loaded or globals or self.auto_reload:
            self._loaded[name] = super()._load_template(name, globals)
        return self._loaded[name]

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Nobody gives a template any of its own."""
        return super().make_globals(d) if d else self.globals

    def getattr(self, obj: Any, attribute: str) -> Any:
        """What is looked up by a dot lies in a dict as often as not: there it is looked for first."""
        if type(obj) is dict and attribute in obj:
            return obj[attribute]
        found = getattr(obj, attribute, missing)
        return super().getattr(obj, attribute) if found is missing else found
