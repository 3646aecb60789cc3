"""The official notation of steps, setups and turns, in both directions.

Records are read strictly: every letter as `format_turn` writes it, removals included. Typed input
is read leniently, by `trine.games.arimaa.typed`.

Source: arimaa.com/arimaa/learn/notation.html.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from trine.core.contract.position import NO_HISTORY, History
from trine.core.errors import IllegalError, MalformedError
from trine.core.text.sentence import Word, quoted
from trine.games.arimaa.board import OFF_BOARD, SQUARE_NAMES, SQUARE_OF
from trine.games.arimaa.position import Position
from trine.games.arimaa.rules import END, STEPS, Action, Placement, Step

_STEP = re.compile(r"([EMHDCRemhdcr])([a-h][1-8])([ns][ew]|[nesw])")
_PLACEMENT = re.compile(r"([EMHDCRemhdcr])([a-h][1-8])")
_REMOVAL = re.compile(r"[EMHDCRemhdcr][a-h][1-8]x")


def parse_action(word: str) -> Action:
    """Read one step or placement.

    >>> str(parse_action("Ra2n")), str(parse_action("Ra1"))
    ('Ra2n', 'Ra1')
    """
    if found := _STEP.fullmatch(word):
        piece, square, direction = found.groups()
        return STEPS[piece, SQUARE_OF[square], direction]
    if found := _PLACEMENT.fullmatch(word):
        piece, square = found.groups()
        return Placement(piece, SQUARE_OF[square])
    raise MalformedError(
        "{given} is neither a step such as Ra2n nor a placement such as Ra1", given=quoted(word)
    )


def format_action(position: Position, action: Action) -> str:
    """Write an action as in a record, with the removal that it causes.

    The end of a turn is not written; the end of the line stands for it.

    >>> from trine.games.arimaa.rules import RULE_SETS
    >>> start = Position.before_setup(RULE_SETS["official"])
    >>> format_action(start, parse_action("Ra1"))
    'Ra1'
    """
    if action == END:
        return ""
    mark = removal_mark(position, action) if isinstance(action, Step) else ""
    return f"{action} {mark}" if mark else str(action)


def removal_mark(position: Position, step: Step) -> str:
    """Return the mark of the removal by a possible step, such as ``Hc6x``; empty if none."""
    trap = position.removal(step)
    if trap == OFF_BOARD:
        return ""
    piece = step.piece if step.target == trap else position.board[trap]
    return f"{piece}{SQUARE_NAMES[trap]}x"


def read_action(
    position: Position, words: Sequence[Word], history: History = NO_HISTORY
) -> tuple[Action, int]:
    """Read the next action of a record, and the removal mark that must follow it.

    Returns: the action, and the number of words that it took.

    Raises:
        MalformedError: the word is no action.
        IllegalError: the action is against the rules, or its removal mark is wrong or missing.
            The column of the error is that of the word at fault.
    """
    first = words[0]
    if _REMOVAL.fullmatch(first.text):
        raise IllegalError("{given}: nothing is removed here", given=first.text).at(
            column=first.column
        )
    try:
        action = parse_action(first.text)
    except MalformedError as error:
        raise error.at(column=first.column) from None
    if reason := position.why_not(action, history):
        raise IllegalError("{given}: {reason}", given=first.text, reason=reason).at(
            column=first.column
        )
    mark = removal_mark(position, action) if isinstance(action, Step) else ""
    if not mark:
        return action, 1
    if len(words) < 2 or words[1].text != mark:
        raise IllegalError(
            "{given}: the removal {mark} must follow", given=first.text, mark=mark
        ).at(column=first.column)
    return action, 2


def format_turn(position: Position, actions: Iterable[Action]) -> str:
    """Write consecutive actions from a position, as in a record."""
    words = []
    for action in actions:
        if action != END:
            words.append(format_action(position, action))
        position = position.play_unchecked(action)
    return " ".join(words)
