"""Renders every state of the table page to files, and takes pictures of them if asked: for looking, not for asserting.

python -m tests.look.preview /tmp/look --shoot [state ...]
"""

import re
import sys
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from service.post.render import furnish
from service.web.table import Table
from tests.look.scenery import STATES

ROOT = Path(__file__).parents[2]
CHROMIUM = "/usr/bin/chromium"
NETWORK_OFF = "--disable-background-networking --disable-component-update --disable-sync"
QUIET = f"--no-sandbox --disable-gpu --no-first-run {NETWORK_OFF}"
SIZES = {"390": (390, 844), "1280": (1280, 860)}


@cache
def environment(trimmed: bool = True) -> Environment:
    """Templates as the service sets them up: strict, trimmed, escaped by file name."""
    env = Environment(
        loader=FileSystemLoader(ROOT / "templates"),
        autoescape=select_autoescape(("html", "svg"), default=False),
        undefined=StrictUndefined,
        trim_blocks=trimmed,
        lstrip_blocks=trimmed,
    )
    env.globals["url_for"] = lambda endpoint, **values: "/".join(["", endpoint, *map(str, values.values())])
    env.globals["csrf_token"] = lambda: "c5rf"
    furnish(env)
    env.trim_blocks = env.lstrip_blocks = trimmed
    return env


def on_disk(html: str) -> str:
    """The page with its style sheets and script taken from the tree, for a browser without a server."""
    html = html.replace('"/static/', f'"{(ROOT / "service/web/static").as_uri()}/')
    return re.sub(r'"/start\.style/(\w+)"', rf'"{(ROOT / "templates/titles").as_uri()}/\1/style.css"', html)


def render(template: str, context: Table | dict[str, Any]) -> str:
    given = context.shown() if isinstance(context, Table) else context
    return environment().get_template(template).render(**given)


def shoot(folder: Path, states: list[str]) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=QUIET.split())
        for size, (width, height) in SIZES.items():
            for scheme in ("light", "dark"):
                page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
                for state in states:
                    page.goto((folder / f"{state}.html").as_uri())
                    page.wait_for_timeout(80)
                    page.screenshot(path=folder / f"{state}-{size}-{scheme}.png")
                    page.add_style_tag(content=".bar { position: static !important }")
                    page.screenshot(path=folder / f"{state}-{size}-{scheme}-whole.png", full_page=True)
                    wide = page.evaluate("document.documentElement.scrollWidth")
                    if wide > width:
                        print(f"{state} at {size}: scrolls sideways ({wide} > {width})")
                page.close()
        browser.close()


def main(arguments: list[str]) -> None:
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    states = [a for a in arguments[1:] if a in STATES] or list(STATES)
    for state in states:
        html = render("table.html", STATES[state]())
        (folder / f"{state}.html").write_text(on_disk(html))
    if "--shoot" in arguments:
        shoot(folder, states)


if __name__ == "__main__":
    main(sys.argv[1:])
