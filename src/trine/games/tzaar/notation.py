"""The notation of actions, in both directions.

An action is ``d3xf5`` (a capture), ``d3+f5`` (a stacking), ``-`` (a pass) or ``Zc3`` (a placement).
Records are read strictly, letter by letter. `trine.games.tzaar.typed` reads what people type.
"""

from __future__ import annotations

import re
from functools import partial

from trine.core.contract import notation
from trine.core.errors import MalformedError
from trine.core.text.sentence import quoted
from trine.games.tzaar.board import CENTRE, COLUMN_LENGTHS, COLUMNS, POINT_OF
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
    """Read the name of a point, a letter and a digit.

    >>> parse_point("b1")
    5
    """
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
