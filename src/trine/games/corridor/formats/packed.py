"""Unpacks games of Quoridor that are packed into one word, to words of a dialect.

Sources: OpenQuoridorFramework, `ProgressUtils/Coding`; for quoridorfansite.com two programs that
write its codes alike.
"""

from __future__ import annotations

import re
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Final

from trine.games.corridor.board import FILES, USUAL_SIZE, square_name

_MAX_LETTERS: Final = 2000
"""Units: letters; longer words are not unpacked."""
_OQF: Final = "1234567890qwertyuiopasdfghjklzxcvbnm"
_OQF_ACTION = re.compile("(0?)([1-9])([1-9])((?<=0..)[12]|(?<!0..))")
_QF: Final = f"{ascii_uppercase}{ascii_lowercase}{digits}-_"
_DIRECTIONS: Final = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")


def unpack_oqf(word: str) -> str:
    """Return the actions of OpenQuoridorFramework's compressed string; empty for other words.

    The string is a number in base 36. Its decimal digits are a 9, then for each move the file and
    rank, for each wall a 0, file, rank and direction; ranks count from the north; 00 resigns.
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
    """Return the actions of a game code of quoridorfansite.com; empty for other words.

    A letter is six bits. The bits are 01, the number of actions in ten bits, and the actions: for a
    move 0 and three bits of direction; for a wall 1, a bit that is set if it is vertical, and six
    bits of its square, in rows of eight.
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
