"""Lines that a person types at a board of TZAAR, read leniently."""

from __future__ import annotations

import re
from random import Random
from typing import Final

from trine.core.contract import notation
from trine.core.contract.checked import CheckedLine, Checker
from trine.core.contract.position import NO_HISTORY, History
from trine.core.errors import IllegalError, MalformedError
from trine.core.text.sentence import ctexts, quoted
from trine.games.tzaar.board import PIECES
from trine.games.tzaar.notation import parse_point
from trine.games.tzaar.position import Position
from trine.games.tzaar.rules import PASS, Action, Capture, Placement, Stacking
from trine.games.tzaar.starts import PROMPT_WORDS, parse_seed, random_placement

WORDS: Final = ctexts("typed", "tott tzarra tzaar official open counter random fixed placement")
"""The words of the game that a catalogue translates."""

_TYPED_MOVE = re.compile(r"([a-i][0-9])([x+-]?)([a-i][0-9])")
_NAMED_PIECE = re.compile(r"\b(tott|tzarra|tzaar)s? (?=[a-i][0-9]\b)", re.IGNORECASE)
_LETTERS = {"tott": "t", "tzarra": "y", "tzaar": "z"}
_TYPED_PLACEMENT = re.compile(r"([tyz]?)([a-i][0-9])")


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
        return MalformedError("{given} is not a placement; type one like Zc3", given=quoted(given))
    return MalformedError(
        "{given} is not an action; type one like d3f5, or - to pass", given=quoted(given)
    )


def interpret(position: Position, line: str, history: History = NO_HISTORY) -> CheckedLine:
    """Read what a person types: ``random``, ``fill``, or what `read_actions` reads.

    >>> from trine.games.tzaar.starts import start
    >>> len(interpret(start("official", {"Setup": "placement"}), "fill 7"))
    60
    """
    words = line.lower().split()
    if not words or words[0] not in PROMPT_WORDS:
        return read_actions(position, line, history)
    if len(words) > 2:
        raise MalformedError(
            "{word} takes one number at most, not {given}", word=words[0], given=quoted(line)
        )
    if not position.in_setup:
        raise IllegalError("nothing is placed any more; stacks are moved now")
    rng = Random(parse_seed(words[1]) if len(words) == 2 else None)
    checker = Checker(position, history)
    checker.play_unchecked(random_placement(position, rng))
    while words[0] == "fill" and checker.position.in_setup and not checker.outcome:
        checker.play_unchecked(random_placement(checker.position, rng))
    return checker.line()
