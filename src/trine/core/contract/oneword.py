"""Notation for games such as TZAAR and Corridor, whose actions are single words, their ``str``.

In Arimaa an action may be several words: removal marks follow its steps.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from trine.core.contract.checked import CheckedLine, Checker
from trine.core.contract.position import Action, Position
from trine.core.contract.record import TAKEBACK, UNDO, Record, WrittenTurn
from trine.core.errors import IllegalError, MalformedError
from trine.core.history import NO_HISTORY, History
from trine.core.text.words import Word

A = TypeVar("A", bound=Action)

_SEPARATORS: Final = re.compile(r"[ \t,;]+")


def read_action(
    parse: Callable[[str], A],
    position: Position,
    words: Sequence[Word],
    history: History = NO_HISTORY,
) -> tuple[A, int]:
    """Read the next action of a record strictly; return it and the number of words read: one.

    Raises:
        MalformedError: the word is no action.
        IllegalError: the action is against the rules. The error has the column of the word.
    """
    word = words[0]
    try:
        action = parse(word.text)
    except MalformedError as error:
        raise error.at(column=word.column) from None
    if reason := position.why_not(action, history):
        raise IllegalError("{given}: {reason}", given=word.text, reason=reason).at(
            column=word.column
        )
    return action, 1


def interpret(
    read_word: Callable[[Any, str], Action],
    position: Position,
    line: str,
    history: History = NO_HISTORY,
) -> CheckedLine:
    """Read a typed line; it may span several turns, and commas may separate words.

    Raises:
        MalformedError: a word cannot be read.
        IllegalError: an action is against the rules; then the whole line is refused.
    """
    checker = Checker(position, history)
    for word in list(filter(None, _SEPARATORS.split(line))) or [line]:
        checker.play(read_word(checker.position, word))
    return checker.line()


def kept_turns(record: Record) -> list[tuple[WrittenTurn, list[Word]]]:
    """Return a record's turns that were not taken back, each with its words, including the last."""
    turns: list[tuple[WrittenTurn, list[Word]]] = []
    for turn in record.turns:
        words: list[Word] = []
        for word in turn.words:
            if word.text == UNDO:
                words = words[:-1]
            else:
                words.append(word)
        if words and words[-1].text == TAKEBACK:
            turns = turns[:-1]
        elif words:
            turns.append((turn, words))
    return turns
