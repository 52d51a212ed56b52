"""Where templates lie, and beside them the words, rules and style sheets of the titles."""

from pathlib import Path

FOLDERS = [Path(__file__).resolve().parents[2] / "templates"]


def find(name: str) -> Path:
    """The file of this name, in the first folder that has it."""
    return next(folder / name for folder in FOLDERS if (folder / name).exists())
