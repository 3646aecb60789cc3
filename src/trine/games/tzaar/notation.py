"""The notation of actions, in both directions.

An action is ``d3xf5`` (a capture), ``d3+f5`` (a stacking), ``-`` (a pass) or ``Zc3`` (a placement).
Records are read strictly, letter by letter. Typed input is read leniently, by `interpret`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from trine.core import oneword
from trine.core.checked import CheckedLine
from trine.core.errors import MalformedError
from trine.core.history import FIRST_STANDING, History
from trine.core.text import text
from trine.core.words import Word, quoted
from trine.games.tzaar.board import (
    CENTRE,
    COLUMN_LENGTHS,
    COLUMNS,
    PIECES,
    POINT_OF,
)
from trine.games.tzaar.position import Position
from trine.games.tzaar.rules import (
    PASS,
    Action,
    Capture,
    Placement,
    Stacking,
)

_MOVE = re.compile(r"([a-i][1-9])([x+])([a-i][1-9])")
_PLACEMENT = re.compile(r"([TYZ])([a-i][1-9])")


# --- strict: records -----------------------------------------------------------------------------


def parse_action(word: str) -> Action:
    """Read one action.

    Raises:
        MalformedError: the word is no action, or names a point that does not exist.

    >>> parse_action("a1xa2"), parse_action("Za1")
    (Capture(origin=0, target=1), Placement(kind='Z', point=0))
    """
    if word == str(PASS):
        return PASS
    if found := _MOVE.fullmatch(word):
        origin, target = parse_point(found.group(1)), parse_point(found.group(3))
        return Capture(origin, target) if found.group(2) == "x" else Stacking(origin, target)
    if found := _PLACEMENT.fullmatch(word):
        return Placement(found.group(1), parse_point(found.group(2)))
    raise MalformedError(
        text(
            "{given} is not an action; expected a capture such as d3xf5, a stacking such as "
            "d3+f5, - for a pass, or a placement such as Zc3",
            given=quoted(word),
        )
    )


def parse_point(name: str) -> int:
    """Read the name of a point, a letter and a digit.

    Raises:
        MalformedError: there is no such point.

    >>> parse_point("b1")
    5
    """
    if name in POINT_OF:
        return POINT_OF[name]
    if name == CENTRE:
        raise MalformedError(text("{cell} is the missing centre of the board", cell=CENTRE))
    column = name[0]
    raise MalformedError(
        text(
            "there is no point {given}; column {column} goes from {first} to {last}",
            given=name,
            column=column,
            first=f"{column}1",
            last=f"{column}{COLUMN_LENGTHS[COLUMNS.index(column)]}",
        )
    )


def read_action(
    position: Position, words: Sequence[Word], history: History = FIRST_STANDING
) -> tuple[Action, int]:
    """Read the next action of a record strictly; see `trine.core.oneword.read_action`."""
    return oneword.read_action(parse_action, position, words, history)


# --- kind: the prompt ----------------------------------------------------------------------------

_TYPED_MOVE = re.compile(r"([a-i][0-9])([x+-]?)([a-i][0-9])")
_TYPED_PLACEMENT = re.compile(r"([tyz]?)([a-i][0-9])")


def interpret(position: Position, line: str, history: History = FIRST_STANDING) -> CheckedLine:
    """Read what a person types: ``d3xf5``, ``d3f5``, ``d3-f5``, ``d3+f5``, ``-``, ``Zc3``.

    Case does not matter, commas may part the words, ``pass`` is ``-`` too. Where neither ``x`` nor
    ``+`` is written, the board decides. Several words go on through the turns, so a line of
    placements places for both sides by turns.

    Raises:
        MalformedError: a word cannot be read.
        IllegalError: an action is against the rules; then none of the line counts.

    >>> from trine.games.tzaar.rules import RULE_SETS
    >>> start = Position.before_placement(RULE_SETS["official"])
    >>> [str(action) for action in interpret(start, "zc3, Tc4")]
    ['Zc3', 'Tc4']
    """
    return oneword.interpret(_read_word, position, line, history)


def _read_word(position: Position, word: str) -> Action:
    small = word.lower()
    if small in (str(PASS), "pass"):
        return PASS
    if found := _TYPED_MOVE.fullmatch(small):
        origin, target = parse_point(found.group(1)), parse_point(found.group(3))
        onto_own = position.tops[target] in PIECES[position.mover]
        if found.group(2) == "+" or (onto_own and found.group(2) != "x"):
            return Stacking(origin, target)
        return Capture(origin, target)
    if found := _TYPED_PLACEMENT.fullmatch(small):
        if not found.group(1):
            raise _unreadable(position, word)
        return Placement(found.group(1).upper(), parse_point(found.group(2)))
    raise _unreadable(position, word)


def _unreadable(position: Position, given: str) -> MalformedError:
    if position.in_setup:
        return MalformedError(
            text("{given} is not a placement; type one like Zc3", given=quoted(given))
        )
    return MalformedError(
        text("{given} is not an action; type one like d3f5, or - to pass", given=quoted(given))
    )
