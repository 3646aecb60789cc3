"""The notation of actions, in both directions.

An action is ``d3xf5`` (a capture), ``d3+f5`` (a stacking), ``-`` (a pass) or ``Zc3`` (a placement).
Records are read strictly, letter by letter. Lines that a person types are read leniently.
"""

import re
from functools import partial
from typing import Final

from trine.core.contract import notation
from trine.core.contract.checked import CheckedLine
from trine.core.contract.position import NO_HISTORY, History
from trine.core.errors import MalformedError
from trine.core.text.sentence import ctexts, quoted
from trine.games.tzaar.board import CENTRE, COLUMN_LENGTHS, COLUMNS, PIECES, POINT_OF
from trine.games.tzaar.position import Position
from trine.games.tzaar.rules import PASS, Action, Capture, Placement, Stacking

_MOVE = re.compile(r"([a-i][1-9])([x+])([a-i][1-9])")
_PLACEMENT = re.compile(r"([TYZ])([a-i][1-9])")


def parse_action(word: str) -> Action:
    """Read one action.

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
        "{given} is not an action; expected a capture such as d3xf5, a stacking such as "
        "d3+f5, - for a pass, or a placement such as Zc3",
        given=quoted(word),
    )


def parse_point(name: str) -> int:
    """Read the name of a point, a letter and a digit."""
    if name in POINT_OF:
        return POINT_OF[name]
    if name == CENTRE:
        raise MalformedError("{cell} is the missing centre of the board", cell=CENTRE)
    column = name[0]
    raise MalformedError(
        "there is no point {given}; column {column} goes from {first} to {last}",
        given=name,
        column=column,
        first=f"{column}1",
        last=f"{column}{COLUMN_LENGTHS[COLUMNS.index(column)]}",
    )


read_action = partial(notation.read_action, parse_action)
"""Read the next action of a record, strictly."""


WORDS: Final = ctexts("typed", "tott tzarra tzaar official open counter random fixed placement")
"""The words of the game that a catalogue translates."""

_TYPED_MOVE = re.compile(r"([a-i][0-9])([x+-]?)([a-i][0-9])")
_NAMED_PIECE = re.compile(r"\b(tott|tzarra|tzaar)s? (?=[a-i][0-9]\b)", re.IGNORECASE)
_LETTERS = {"tott": "t", "tzarra": "y", "tzaar": "z"}
_TYPED_PLACEMENT = re.compile(r"([tyz])([a-i][0-9])")


def read_actions(position: Position, line: str, history: History = NO_HISTORY) -> CheckedLine:
    """Read what a person types: ``d3xf5``, ``d3f5``, ``d3-f5``, ``d3+f5``, ``-``, ``Zc3``.

    ``tzaar c3`` is ``Zc3``. Case does not matter, commas may separate the words, ``pass`` is ``-``
    too. If neither ``x`` nor ``+`` is written, the board decides. Several words continue through
    the turns, so a line of placements places for both sides by turns.

    >>> from trine.games.tzaar.rules import RULE_SETS
    >>> start = Position.before_placement(RULE_SETS["official"])
    >>> [str(action) for action in read_actions(start, "zc3, Tc4")]
    ['Zc3', 'Tc4']
    """
    line = _NAMED_PIECE.sub(lambda found: _LETTERS[found[1].lower()], line)
    return notation.interpret(_read_word, position, line, history)


def _read_word(position: Position, word: str) -> Action:
    small = word.lower()
    if small in (str(PASS), "pass"):
        return PASS
    if found := _TYPED_MOVE.fullmatch(small):
        origin, target = parse_point(found.group(1)), parse_point(found.group(3))
        if found.group(2) == "x":
            return Capture(origin, target)
        stacks = found.group(2) == "+"
        return Stacking(origin, target) if stacks else moved(position, origin, target)
    if found := _TYPED_PLACEMENT.fullmatch(small):
        return Placement(found.group(1).upper(), parse_point(found.group(2)))
    if position.in_setup:
        raise MalformedError("{given} is not a placement; type one like Zc3", given=quoted(word))
    raise MalformedError(
        "{given} is not an action; type one like d3f5, or - to pass", given=quoted(word)
    )


def moved(position: Position, origin: int, target: int) -> Capture | Stacking:
    """Return the action that moves a stack to a point: the board decides its kind."""
    own = position.tops[target] in PIECES[position.mover]
    return Stacking(origin, target) if own else Capture(origin, target)
