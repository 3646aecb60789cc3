"""Typed input for Corridor, read leniently."""

from __future__ import annotations

import re
from typing import Final

from trine.core.contract import notation
from trine.core.contract.checked import CheckedLine
from trine.core.contract.position import NO_HISTORY, History
from trine.core.text.sentence import ctexts
from trine.games.corridor.board import FILES
from trine.games.corridor.notation import parse_action
from trine.games.corridor.position import Position
from trine.games.corridor.rules import PASS, Action, Choice, Move

WORDS: Final = ctexts(
    "typed", "corridor quoridor corridor-8 great-wall pathfinder wall-builder usual caught"
)
"""Words of the game that people may type in their language."""

_SQUARE = rf"([{FILES}])([1-9][0-9]?)"
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
