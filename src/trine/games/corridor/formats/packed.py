"""Whole games of Quoridor packed into one word, as words of a dialect.

Sources: OpenQuoridorFramework, `ProgressUtils/Coding`; for quoridorfansite.com two programs that
write its codes, and agree.
"""

from __future__ import annotations

import re
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Final

from trine.games.corridor.board import FILES, USUAL_SIZE, square_name

_MAX_LETTERS: Final = 2000
"""Units: letters; longer words hold no game."""
_OQF: Final = "1234567890qwertyuiopasdfghjklzxcvbnm"
_OQF_ACTION = re.compile("(0?)([1-9])([1-9])((?<=0..)[12]|(?<!0..))")
_QF: Final = f"{ascii_uppercase}{ascii_lowercase}{digits}-_"
_DIRECTIONS: Final = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")


def unpack_oqf(word: str) -> str:
    """Return the actions of OpenQuoridorFramework's compressed string; nothing if it is none.

    It is a number of base 36. Its decimal digits are a 9, then two for a pawn's file and rank, or
    for a wall a 0, file, rank and direction; ranks are counted from the north. 00 resigns.
    """
    if len(word) > _MAX_LETTERS or not word or not {*word.lower()} <= {*_OQF}:
        return ""
    number = 0
    for letter in word.lower():
        number = number * len(_OQF) + _OQF.index(letter)
    found = re.fullmatch("9((?:0[1-9]{2}[12]|[1-9]{2})+)(00)?", str(number))
    words = _OQF_ACTION.findall(found.group(1)) if found else []
    return " ".join(
        f"{FILES[int(file) - 1]}{USUAL_SIZE + 1 - int(rank)}{'hv'[int(axis) - 1] if wall else ''}"
        for wall, file, rank, axis in words
    )


def unpack_qf(word: str) -> str:
    """Return the actions of a code of quoridorfansite.com that is a game; nothing if it is none.

    Its letters are six bits each: 01, the number of actions in ten, and each action: 0 and its
    direction in three, or 1, whether the wall stands, and in six its square, eight in a row.
    """
    word = word.replace("+", "-").replace("/", "_")
    if len(word) > _MAX_LETTERS or not {*word} <= {*_QF}:
        return ""
    bits, at, words = "".join(f"{_QF.index(letter):06b}" for letter in word), 12, list[str]()
    if not bits.startswith("01") or len(bits) < at:
        return ""
    for _ in range(int(bits[2:at], 2)):
        count = 8 if bits[at : at + 1] == "1" else 4
        action = bits[at : at + count]
        at += count
        if len(action) < count:
            return ""
        if count == 4:
            words.append(_DIRECTIONS[int(action[1:], 2)])
        else:
            square = square_name(USUAL_SIZE - 1, int(action[2:], 2))
            words.append(f"{square}{'-/'[int(action[1])]}")
    return "" if "1" in bits[at:] or len(bits) - at > 6 else " ".join(words)
