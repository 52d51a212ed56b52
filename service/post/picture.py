"""The board as a picture: what a seat may see, drawn by its title's templates/titles/<title>/picture.svg, and turned
into a PNG that a letter can carry. Knows templates, fonts and pixels; nothing of letters, and of a game only its view.

A drawing is 640 units wide. It names colours as the style sheets of the tables do, var(--ink): there is one palette.
"""

import re
import unicodedata
from collections.abc import Collection, Sequence
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any

import resvg_py
from jinja2 import TemplateError
from PIL import Image, ImageFont

from service.post import render
from service.post.folders import find

# At 720 pixels it is sharp on a phone, where it is 360 wide. What has much on it is made at its own size at once;
# larger it would weigh too much, and to learn that by trying takes too long. Too heavy even so, it has fewer colours.
LARGE, OWN_SIZE = 1.125, 1.0
MUCH = 32_000  # characters of a drawing
MOST_COLOURS, FEW_COLOURS = 64, 32
MOST_BYTES = 40_000
KEPT = 64  # pictures, of at most so many bytes each

# By file name, with the Debian package that brings it: they are looked for where a system keeps its fonts.
SANS, BOLD, SERIF, EASTERN = "DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSerif-Bold.ttf", "NotoSansCJK-Regular.ttc"
FONTS = {SANS: "fonts-dejavu-core", BOLD: "fonts-dejavu-core", SERIF: "fonts-dejavu-core", EASTERN: "fonts-noto-cjk"}
SYSTEM = "/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "/Library/Fonts", "~/Library/Fonts"
FIRST_EASTERN = "\u2e80"  # from here on DejaVu has nothing to show

SHEET = Path(__file__).parents[1] / "web" / "static" / "hikyaku.css"
SET = re.compile(r"--([\w-]+): ([^;]+);")
ROOT = re.compile(r"^:root \{[^}]*\}", re.MULTILINE)
SET_BY_CLASS = re.compile(r"^\.([\w-]+) \{\s*--([\w-]+): ([^;]+);", re.MULTILINE)
USED = re.compile(r"var\(--([\w-]+)(?:, [^)]*)?\)")


class NoPicture(Exception):
    """There is none to be had here. The text says why, and what would help."""


def of(kind: str, view: dict[str, Any], names: Sequence[str], changed: Collection[str] = ()) -> bytes:
    """The board as a PNG, with what is new on it marked."""
    return rasterised(draw(kind, view, names, changed))


def draw(kind: str, view: dict[str, Any], names: Sequence[str], changed: Collection[str] = ()) -> str:
    """The board as SVG, in the language that is spoken."""
    try:
        drawing = render.render(
            f"titles/{kind}/picture.svg", kind=kind, view=view, names=names, me=view["you"], changed=changed, fit=fit
        )
    except TemplateError as error:
        raise NoPicture(f"{kind} cannot be drawn: {error!r}") from error
    colours = _colours(kind)
    return USED.sub(lambda used: colours.get(used[1], used[0]), drawing)  # somebody may be called var(--x)


@lru_cache(KEPT)
def rasterised(svg: str) -> bytes:
    """Equal drawings are turned into pixels once."""
    for zoom in (LARGE, OWN_SIZE) if len(svg) <= MUCH else (OWN_SIZE,):
        whole = _pixels(svg, zoom)
        picture = _reduced(whole, MOST_COLOURS)
        if len(picture) <= MOST_BYTES:
            return picture
    picture = _reduced(whole, FEW_COLOURS)
    if len(picture) > MOST_BYTES:
        raise NoPicture(f"the picture would have {len(picture)} bytes")
    return picture


def _pixels(svg: str, zoom: float) -> Image.Image:
    fonts = [str(font(SANS)), str(font(BOLD)), str(font(SERIF))]
    if max(svg) >= FIRST_EASTERN:
        fonts.append(str(font(EASTERN)))
    try:
        png = resvg_py.svg_to_bytes(svg_string=svg, zoom=zoom, skip_system_fonts=True, font_files=fonts)
    except ValueError as error:
        raise NoPicture(f"the drawing cannot be read: {error}") from error
    return Image.open(BytesIO(png)).convert("RGB")


def _reduced(whole: Image.Image, colours: int) -> bytes:
    few = whole.quantize(colours, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    reduced = BytesIO()
    few.save(reduced, "PNG", compress_level=7)  # from 8 on it takes twice as long, for little
    return reduced.getvalue()


def fit(text: object, room: float, size: float, face: str = SANS) -> str:
    """So much of this text as there is room for at this size: a drawing cannot break a line."""
    whole = short = str(text)
    if _length(whole, face) * size <= room:
        return whole
    while short and _length(f"{short}…", face) * size > room:
        short = short[:-1].rstrip()
    return f"{short}…"


@lru_cache(4096)
def _length(text: str, face: str) -> float:
    """In units of its size."""
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    return _measure(face).getlength(text) / 100 + wide * 0.4


@cache
def _measure(face: str) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(font(face), 100)


@cache
def font(name: str) -> Path:
    """Where this font lies; NoPicture if it does not."""
    for folder in SYSTEM:
        for path in Path(folder).expanduser().rglob(name):
            return path
    raise NoPicture(f"the font {name} is missing: install the package {FONTS[name]}")


@cache
def _colours(kind: str) -> dict[str, str]:
    """By name, as the style sheets of the tables set them: for the whole of a light page, or else where they do first.
    What a class sets at its head goes by the names of both: --band of .k-tea is --k-tea-band here."""
    named: dict[str, str] = {}
    for sheet in (SHEET, find(f"titles/{kind}/style.css")):
        text = sheet.read_text(encoding="utf-8")
        first = dict(reversed(SET.findall(text)))
        whole = dict(SET.findall(root[0])) if (root := ROOT.search(text)) else {}
        named = first | named | whole
        named |= {f"{by}-{name}": colour for by, name, colour in reversed(SET_BY_CLASS.findall(text))}
    return {name: USED.sub(lambda used: named.get(used[1], used[0]), colour) for name, colour in named.items()}
