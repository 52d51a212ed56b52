"""How the text of a letter is broken into lines: so that none of them reads like an answer.

A letter may come back beneath an answer without any mark that it is quoted, and a line that begins with a number or a
word and a comma would be heard (`service/inbox/grammar.py`). So what stands right before a comma, and what stands last,
keeps the word before it.
"""

import re
from textwrap import wrap

JOIN = "\N{NO-BREAK SPACE}"
TOGETHER = re.compile(
    r"(?<![,;])[ ](?=\S+[,;](?:\s|$))"  # tea 3,
    r"|[ ](?=[(#]?\d+[.)]*[,;](?:\s|$))"  # 2, 3, 5
    r"|[ ](?=\S+$)"  # the last word
)


def broken(text: str, width: int, wrapstring: str = "\n") -> str:
    """In place of Jinja's own filter `wordwrap`."""
    return wrapstring.join(wrapstring.join(_lines(line, width)) for line in text.splitlines()).replace(JOIN, " ")


def _lines(line: str, width: int) -> list[str]:
    together = TOGETHER.sub(JOIN, line)
    parts = [part if len(part) <= width // 2 else part.replace(JOIN, " ") for part in together.split(" ")]
    return wrap(" ".join(parts), width, expand_tabs=False, replace_whitespace=False, break_on_hyphens=True)
