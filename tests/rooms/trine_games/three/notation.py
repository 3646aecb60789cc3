"""The notation of actions: the name of the square, as in ``b2``."""

from __future__ import annotations

from collections.abc import Sequence

from trine.core.contract import oneword
from trine.core.contract.checked import CheckedLine
from trine.core.errors import MalformedError
from trine.core.history import FIRST_STANDING, History
from trine.core.text.sentence import text
from trine.core.text.words import Word, quoted
from trine_games.three.board import NAMES
from trine_games.three.position import Position
from trine_games.three.rules import Mark


def parse_action(word: str) -> Mark:
    """Read one action; raises `MalformedError`.

    >>> parse_action("b2")
    Mark(square=4)
    """
    if word not in NAMES:
        raise MalformedError(text("{given} is no square; expected a1 to c3", given=quoted(word)))
    return Mark(NAMES.index(word))


def read_action(
    position: Position, words: Sequence[Word], history: History = FIRST_STANDING
) -> tuple[Mark, int]:
    """Read the next action of a record strictly."""
    return oneword.read_action(parse_action, position, words, history)


def interpret(position: Position, line: str, history: History = FIRST_STANDING) -> CheckedLine:
    """Read what a person types: ``b2``, ``B2``, and several of them."""
    return oneword.interpret(
        lambda position, word: parse_action(word.lower()), position, line, history
    )
