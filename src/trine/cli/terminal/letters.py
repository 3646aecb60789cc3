"""Output without Unicode: ASCII in place of lines, arrows and dots.

A console that knows some of the letters keeps those.
"""

from __future__ import annotations

import unicodedata
from typing import Final

_STAND_INS: Final = {
    "·": ".",
    "•": "o",
    "↑": "^",
    "↓": "v",
    "←": "<",
    "→": ">",
    "…": "...",
    "–": "-",
    "—": "-",
    "−": "-",
    "×": "x",
    "«": '"',
    "»": '"',
    "’": "'",
    "½": "1/2",
    "\N{NARROW NO-BREAK SPACE}": " ",
    "\N{NO-BREAK SPACE}": " ",
}


def in_letters_of(encoding: str, words: str) -> str:
    """Return words with stand-ins, where there are any, for letters that an encoding lacks.

    >>> in_letters_of("ascii", "┣━━┫ → ·")
    '#==# > .'
    >>> in_letters_of("utf-8", "┣━━┫")
    '┣━━┫'
    """
    if has_all(encoding, words):
        return words
    return "".join(
        letter if has_all(encoding, letter) else _stand_in(letter) or letter for letter in words
    )


def has_all(encoding: str, words: str) -> bool:
    try:
        words.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def _stand_in(letter: str) -> str:
    name = unicodedata.name(letter, "")
    if not name.startswith("BOX DRAWINGS"):
        return _STAND_INS.get(letter, "")
    if "HEAVY" in name or "DOUBLE" in name:  # walls, which must not look like the board's lines
        return "=" if letter in "━═" else "#"
    return {"─": "-", "│": "|"}.get(letter, "+")
