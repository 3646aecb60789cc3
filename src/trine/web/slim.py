"""The modules of the pages without what is for readers alone: comments and indentation.

A third fewer bytes travel, and the module that is served is still one that can be read.
"""

from __future__ import annotations

import re
from typing import Final

_WORDS: Final = re.compile(
    r"""(?P<kept> "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' | `(?:\\.|[^`\\])*`
      | (?<=[(,=:\[!&|?{};\s])/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/ )
      | /\*.*?\*/[ ]? | //[^\n]* | \n\s* | [ ]+(?=//|\n)""",
    re.VERBOSE | re.DOTALL,
)
"""What may hold the signs of a comment; then comments, and room at the ends of lines."""


def slim_module(words: str) -> str:
    r"""Return a module that does the same in fewer bytes.

    >>> slim_module('/** Adds. */\nconst a = "//"; // why\n\n  /* @type */ go(a);\n')
    'const a = "//";\ngo(a);\n'
    """
    slim = _WORDS.sub(lambda found: found["kept"] or ("\n" if "\n" in found[0][:1] else ""), words)
    return re.sub(r"\n+", "\n", slim).lstrip("\n")
