"""Pages draw with a leaner Jinja: what they draw is what Jinja itself draws."""

from typing import Any

import pytest
from flask import Flask
from jinja2 import DictLoader, Environment, pass_context, pass_eval_context
from markupsafe import Markup

from service.post import language, render
from service.web.drawing import Drawing, Flush

MACROS = """
{%- macro plain(a, b=2) -%}<i>{{ a }}/{{ b }}</i>{%- endmacro -%}
{%- macro around(a) -%}<b>{{ a }}: {{ caller() }}</b>{%- endmacro -%}
"""
PIECES = """
{%- macro tag(a, sign="<", end=text) -%}{{ sign }}{{ a }}{{ end }}{{ _("Undo") }}{%- endmacro -%}
{%- macro all() -%}{{ varargs|join }}{{ kwargs|length }}{{ caller() if caller else "" }}{%- endmacro -%}
"""
TEMPLATES = [
    "{% from 'pieces' import tag %}{% for n in range(2) %}{{ tag(n) }}{{ tag(text, end=markup) }}{% endfor %}",
    "{% from 'pieces' import tag with context %}{{ tag(text) }}{{ tag(markup, '&') }}{{ tag() }}",
    "{% import 'pieces' as pieces %}{{ pieces.all(1, text, b=2) }}{{ pieces.all() }}",
    "{% import 'pieces' as pieces %}{% call pieces.all(text) %}{{ text }}{% endcall %}",
    "{% block inside %}{% set text = '<in>' %}{{ plain(text) }}{{ plain(b=text, a=1) }}{% endblock %}",
    "{{ 5 }}{{ true }}{{ nothing }}{{ half }}{{ missing }}",
    "{{ text }}|{{ markup }}|{{ shout }}|{{ tagged }}|{{ text ~ markup }}{{ text ~ 5 }}{{ 5 ~ nothing ~ shout }}",
    "{% for n in range(3) %}{{ plain(text, n) }}{{ plain(n, b=markup) }}{% endfor %}",
    "{% call around(text) %}{{ plain(1) }}{% endcall %}{{ around is defined }}",
    "{% macro maybe(a, b='<') %}{{ a }}{{ b }}{{ caller() if caller }}{% endmacro %}{{ maybe(text) }}"
    "{{ maybe(b=1, a=2) }}{% call maybe(b=markup, a=1) %}{{ text }}{% endcall %}"
    "{% call maybe(1, 2) %}{{ text }}{% endcall %}",
    "{% macro own(a, caller=none) %}{{ a }}{{ caller() if caller }}{% endmacro %}{{ own(text) }}"
    "{% call own(2) %}{{ text }}{% endcall %}{% call own(a=text) %}{{ text }}{% endcall %}",
    "{{ shelf.books }}{{ shelf['books'] }}{{ shelf.items()|list }}{{ shelf.get('none', text) }}{{ shelf.none }}",
    "{% for n in range(2) %}{{ with_context(n) }}{{ with_escaping(text) }}{{ text.upper() }}{% endfor %}",
    "{{ _('Undo') }}{{ _('%(who)s plays', who=text) }}{{ _('50 %% off') }}{{ ngettext('one', '%(num)s of them', 3) }}",
    "{% trans %}Undo{% endtrans %}{% macro m() %}{{ gettext('Undo') }}{% endmacro %}{{ m() }}{{ plain(_('Undo')) }}",
    "{% for _ in [shout_it] %}{{ _('Undo') }}{% endfor %}{% set gettext = shout_it %}{{ gettext('Undo') }}",
    "{% autoescape false %}{{ _('Undo') ~ text }}{% endautoescape %}{{ _('Undo')|upper }}{{ _(text) }}",
    "{% trans who=text, n=2 %}{{ who }} has one{% pluralize n %}{{ who }} has {{ n }}{% endtrans %}",
]


class Shout(str):
    """Text, but of a kind of its own."""


class Tagged:
    def __html__(self) -> str:
        return "<tag>"


@pass_context
def with_context(context: Any, n: int) -> str:
    return f"{n}: {context['text']} & more"


@pass_eval_context
def with_escaping(context: Any, text: str) -> str:
    return Markup(text) if context.autoescape else text


def shout_it(text: str) -> str:
    return f"<{text}>"


VALUES: dict[str, Any] = {
    "text": """<a href="x">Tom & 'Jerry'</a>""",
    "markup": Markup("<em>&amp;</em>"),
    "shout": Shout("<loud>"),
    "tagged": Tagged(),
    "nothing": None,
    "half": 0.5,
    "shelf": {"books": "<three>"},
    "shout_it": shout_it,
    "with_context": with_context,
    "with_escaping": with_escaping,
}


@pytest.mark.parametrize("name", ["page.html", "page.txt"])
@pytest.mark.parametrize("template", TEMPLATES)
def test_it_draws_what_jinja_draws(template: str, name: str):
    pages = DictLoader({name: MACROS + template.replace("pieces'", f"pieces-{name}'"), f"pieces-{name}": PIECES})
    options: dict[str, Any] = {"loader": pages, "autoescape": render.AUTOESCAPE}
    plain, lean = Environment(**options), Drawing(Flask("bare"), **options)
    render.furnish(lean)
    plain.add_extension("jinja2.ext.i18n")
    plain.install_gettext_callables(language.sentence, language.counted, newstyle=True)  # type: ignore[attr-defined]
    drawn = lean.get_template(name).render(VALUES)
    assert drawn == plain.get_template(name).render(VALUES)
    assert drawn


def test_a_page_is_not_indented_and_a_text_is():
    pages = dict.fromkeys(("page.html", "picture.svg", "page.txt"), "<p>\n    one\n  two</p>")
    lean = Drawing(Flask("bare"), loader=DictLoader(pages), extensions=[Flush])
    assert lean.get_template("page.html").render() == lean.get_template("picture.svg").render() == "<p>\none\ntwo</p>"
    assert lean.get_template("page.txt").render() == pages["page.txt"]


def test_a_piece_is_drawn_once_for_the_same_data_in_the_same_language() -> None:
    asked: list[str] = []
    piece = "{%- macro piece(row) -%}{% do asked.append(row.name) %}<b>{{ row.name }}</b>{%- endmacro -%}"
    env = Environment(loader=DictLoader({"pieces.html": piece}), autoescape=render.AUTOESCAPE)
    render.furnish(env)
    env.globals["asked"] = asked
    page = env.from_string('{% from "pieces.html" import piece %}{{ drawn(piece, row|only("name")) }}')
    for row in ({"name": "<tea>", "n": 1}, {"name": "<tea>", "n": 2}, {"name": "silk", "n": 2}):
        assert page.render(row=row) == Markup("<b>{}</b>").format(row["name"])
    with language.speaking("nl"):
        page.render(row={"name": "silk"})
    assert asked == ["<tea>", "silk", "silk"]
