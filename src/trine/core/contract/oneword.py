"""Notation and records of games in which every action is one word, and ``str`` gives that word.

TZAAR and Corridor are such games. Arimaa is not: its steps are followed by removal marks.
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
    """Read the next action of a record strictly.

    Returns: the action, and the number of words it took: one.

    Raises:
        MalformedError: the word is no action.
        IllegalError: the action is against the rules. The column of the error is that of the word.
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
    """Read a line that a person types; it may span several turns, and commas may separate words.

    Raises:
        MalformedError: a word cannot be read.
        IllegalError: an action is against the rules; then none of the line counts.
    """
    checker = Checker(position, history)
    for word in list(filter(None, _SEPARATORS.split(line))) or [line]:
        checker.play(read_word(checker.position, word))
    return checker.line()


def kept_turns(record: Record) -> list[tuple[WrittenTurn, list[Word]]]:
    """Return the turns of a record that count, and their words, those that end a play included."""
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
