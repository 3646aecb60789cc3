"""The notation of actions, read and written: ``e2``, ``e3h``, ``@e1``, ``-``.

Records are read strictly: only the exact form that is written. Typed input is read leniently.

Source: the notation of Lisa Glendenning, *Mastering Quoridor* (2005), for moves and walls; start
squares and passes are ours.
"""

import re
from functools import partial
from typing import Final

from trine.core.contract import notation
from trine.core.contract.checked import CheckedLine
from trine.core.contract.position import NO_HISTORY, History
from trine.core.errors import MalformedError
from trine.core.text.sentence import ctexts, quoted
from trine.games.corridor.board import FILES
from trine.games.corridor.position import Position
from trine.games.corridor.rules import PASS, Action, Choice, Move, Wall

_SQUARE = rf"([{FILES}])([1-9][0-9]?)"
_MOVE_OR_WALL = re.compile(rf"{_SQUARE}([hv]?)")
_CHOICE = re.compile(rf"@{_SQUARE}")


def parse_action(word: str) -> Action:
    """Read one action.

    >>> [str(parse_action(word)) for word in ("e2", "e3h", "@e1", "-")]
    ['e2', 'e3h', '@e1', '-']
    """
    if word == str(PASS):
        return PASS
    if found := _MOVE_OR_WALL.fullmatch(word):
        file, rank, axis = found.groups()
        if axis:
            return Wall(FILES.index(file), int(rank) - 1, "h" if axis == "h" else "v")
        return Move(FILES.index(file), int(rank) - 1)
    if found := _CHOICE.fullmatch(word):
        file, rank = found.groups()
        return Choice(FILES.index(file), int(rank) - 1)
    raise MalformedError(
        "{given} is neither a move such as e2, nor a wall such as e3h or e3v, nor a start "
        "square such as @e1, nor the pass -",
        given=quoted(word),
    )


read_action = partial(notation.read_action, parse_action)
"""The next action of a record, read strictly."""


WORDS: Final = ctexts(
    "typed", "corridor quoridor corridor-8 great-wall pathfinder wall-builder usual caught"
)
"""Words of the game that people may type in their language."""

_MARK_FIRST = re.compile(rf"([hv]){_SQUARE}")
_PASSES = (str(PASS), "pass")


def interpret(position: Position, line: str, history: History = NO_HISTORY) -> CheckedLine:
    """Read typed input: ``e2``, ``E3H``, ``he3``, ``@e1`` or just ``e1``, ``-``, ``pass``.

    Case does not matter. Several words, separated by spaces or commas, are consecutive turns.
    """
    return notation.interpret(_read_word, position, line, history)


def _read_word(position: Position, word: str) -> Action:
    word = word.lower()
    if word in _PASSES:
        return PASS
    if found := _MARK_FIRST.fullmatch(word):
        axis, file, rank = found.groups()
        word = f"{file}{rank}{axis}"
    action = parse_action(word)
    if position.in_setup and isinstance(action, Move):
        return Choice(action.file, action.rank)
    return action
