"""The notations of one action of Quoridor in several programs.

barricade.gg puts the direction of a wall first (``he2``). OpenSpiel counts the ranks from the
north, so that South starts on e9; a wall that lies there is named by the square north of its west
half, and one that stands by the square west of its upper half.

Source: for OpenSpiel, thousands of positions of random games, played there (version 2.0.2) and here
side by side.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from trine.core.errors import MalformedError
from trine.core.text.sentence import text
from trine.core.text.words import quoted
from trine.games.corridor.board import USUAL_SIZE
from trine.games.corridor.notation import parse_action
from trine.games.corridor.rules import PASS, Wall


class Dialect(NamedTuple):
    """A program's notation of one action."""

    read: Callable[[str], str]
    """Converts to our notation. Raises `MalformedError`."""
    write: Callable[[str], str]
    has_pass: bool = True


def _read_standard(word: str) -> str:
    return str(parse_action(word))


_BARRICADE = re.compile("([hv])([a-i][1-8])|([a-i][1-9])")


def _read_barricade(word: str) -> str:
    """Read ``he2`` as ``e2h``; moves and passes are those of the standard."""
    if word == str(PASS):
        return word
    if not (found := _BARRICADE.fullmatch(word)):
        raise MalformedError(
            text(
                "{given} is neither a move such as e2 nor a wall such as he2 or vc4",
                given=quoted(word),
            )
        )
    axis, middle, square = found.groups()
    return square or f"{middle}{axis}"


def _write_barricade(word: str) -> str:
    return f"{word[-1]}{word[:-1]}" if isinstance(parse_action(word), Wall) else word


_OPENSPIEL = re.compile("([a-i])([1-9])([hv]?)")


def _turn_over(word: str) -> str:
    """Return an action with the ranks counted from the other side; doing so twice restores it.

    A square of rank 1 is one of rank 9. A wall has its middle between two ranks, so its 1 is 8.
    """
    if not (found := _OPENSPIEL.fullmatch(word)):
        raise MalformedError(
            text(
                "{given} is neither a move such as e8 nor a wall such as e8h or e8v",
                given=quoted(word),
            )
        )
    file, rank, axis = found.groups()
    turned = (USUAL_SIZE if axis else USUAL_SIZE + 1) - int(rank)
    if not turned:
        raise MalformedError(text("no wall can stand at {given}", given=quoted(word)))
    return f"{file}{turned}{axis}"


STANDARD: Final = Dialect(_read_standard, str)
BARRICADE: Final = Dialect(_read_barricade, _write_barricade)
OPENSPIEL: Final = Dialect(_turn_over, _turn_over, has_pass=False)
"""OpenSpiel 2.0.2 prints a forced pass as an unrelated square."""
