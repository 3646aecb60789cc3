"""The official notation of steps, setups and turns, in both directions.

Records are read strictly: every letter as `format_turn` writes it, removals included. Typed input
is read leniently, by `interpret`.

Source: arimaa.com/arimaa/learn/notation.html.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from trine.core.checked import CheckedLine, Checker
from trine.core.errors import IllegalError, MalformedError
from trine.core.history import FIRST_STANDING, History
from trine.core.text import text
from trine.core.words import Word, quoted, split_words
from trine.games.arimaa.board import (
    DIRECTION_TO,
    DIRECTIONS,
    EMPTY,
    OFF_BOARD,
    PIECES,
    SQUARE_NAMES,
    SQUARE_OF,
)
from trine.games.arimaa.position import Position
from trine.games.arimaa.rules import END, STEPS, Action, Placement, Step

_STEP = re.compile(r"([EMHDCRemhdcr])([a-h][1-8])([ns][ew]|[nesw])")
_PLACEMENT = re.compile(r"([EMHDCRemhdcr])([a-h][1-8])")
_REMOVAL = re.compile(r"[EMHDCRemhdcr][a-h][1-8]x")


# --- strict: records -----------------------------------------------------------------------------


def parse_action(word: str) -> Action:
    """Read one step or placement.

    Raises:
        MalformedError: the word is neither.

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
        text(
            "{given} is neither a step such as Ra2n nor a placement such as Ra1", given=quoted(word)
        )
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
    """Return the mark of the removal that a possible step causes, such as ``Hc6x``, or nothing."""
    trap = position.removal(step)
    if trap == OFF_BOARD:
        return ""
    piece = step.piece if step.target == trap else position.board[trap]
    return f"{piece}{SQUARE_NAMES[trap]}x"


def read_action(
    position: Position, words: Sequence[Word], history: History = FIRST_STANDING
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
        raise IllegalError(text("{given}: nothing is removed here", given=first.text)).at(
            column=first.column
        )
    try:
        action = parse_action(first.text)
    except MalformedError as error:
        raise error.at(column=first.column) from None
    if reason := position.why_not(action, history):
        raise IllegalError(text("{given}: {reason}", given=first.text, reason=reason)).at(
            column=first.column
        )
    mark = removal_mark(position, action) if isinstance(action, Step) else ""
    if not mark:
        return action, 1
    if len(words) < 2 or words[1].text != mark:
        raise IllegalError(
            text("{given}: the removal {mark} must follow", given=first.text, mark=mark)
        ).at(column=first.column)
    return action, 2


def parse_turn(
    position: Position, turn: str, history: History = FIRST_STANDING
) -> tuple[Action, ...]:
    """Read a whole turn strictly, its end included.

    Raises:
        MalformedError: a word is no action.
        IllegalError: an action, or ending the turn after the last, is against the rules.
    """
    actions: list[Action] = []
    words = split_words(turn)
    while words:
        action, used = read_action(position, words, history)
        actions.append(action)
        position = position.play_unchecked(action)
        words = words[used:]
    if reason := position.why_not(END, history):
        raise IllegalError(reason).at(column=len(turn))
    return (*actions, END)


def format_turn(position: Position, actions: Iterable[Action]) -> str:
    """Write actions, played one after the other from a position, as in a record."""
    words = []
    for action in actions:
        if action != END:
            words.append(format_action(position, action))
        position = position.play_unchecked(action)
    return " ".join(words)


# --- kind: the prompt ----------------------------------------------------------------------------

_TYPED = re.compile(r"([emhdcr]?)([a-h][1-8])-?([a-h][1-8]|[nesw]*|x)", re.IGNORECASE)
_SEPARATORS = re.compile(r"[ \t,;]+")


def interpret(position: Position, line: str, history: History = FIRST_STANDING) -> CheckedLine:
    """Read what a person types: ``a2n``, ``a2a3``, ``Ra2n``, ``Ha2nnn``, several at once, ``end``.

    Case does not matter, commas may part the words, and removal marks may be left out. Two letters
    such as ``ne`` are a step over a corner where the rules have corners, else two steps.

    Raises:
        MalformedError: a word cannot be read.
        IllegalError: an action is against the rules; then none of the line counts.

    >>> from trine.games.arimaa.rules import RULE_SETS
    >>> start = Position.before_setup(RULE_SETS["official"])
    >>> [str(action) for action in interpret(start, "ra1, Eb1")]
    ['Ra1', 'Eb1']
    """
    checker, removed = Checker(position, history), ""
    for word in filter(None, _SEPARATORS.split(line)):
        if word.lower().endswith("x") and _TYPED.fullmatch(word):
            if word.lower() not in (removed.lower(), removed[1:].lower()):
                raise IllegalError(text("{given}: nothing is removed here", given=quoted(word)))
            continue
        for action in _interpret_word(checker.position, word):
            before = checker.position
            empty = isinstance(action, Step) and before.board[action.origin] == EMPTY
            checker.play(action, quoted(word) if empty else None)
            removed = removal_mark(before, action) if isinstance(action, Step) else ""
    if not (judged := checker.line()):
        raise MalformedError(
            text("{given} is not a step; type one like a2n, a2a3 or Ra2n", given=quoted(line))
        )
    return judged


def _interpret_word(position: Position, word: str) -> list[Action]:
    if word.lower() == "end":
        return [END]
    found = _TYPED.fullmatch(word)
    if not found:
        raise MalformedError(
            text("{given} is not a step; type one like a2n, a2a3 or Ra2n", given=quoted(word))
        )
    letter, name, rest = found.group(1), found.group(2).lower(), found.group(3).lower()
    if position.hands and not rest:
        return [Placement(_own_letter(position, letter, word), SQUARE_OF[name])]
    square = SQUARE_OF[name]
    piece = _piece_meant(position, letter, square)
    if rest in SQUARE_OF:
        return [_step_between(piece, square, SQUARE_OF[rest], word)]
    if not rest:
        raise MalformedError(
            text("{given} names no direction; add n, e, s or w, or a square", given=quoted(word))
        )
    if rest in DIRECTIONS and position.rules.diagonal:
        return [STEPS[piece, square, rest]]  # ne is never n and then e: a word means one thing
    return _steps_along(piece, square, rest)


def _own_letter(position: Position, letter: str, word: str) -> str:
    if not letter:
        raise MalformedError(text("{given} names no piece; place one like Ra1", given=quoted(word)))
    return letter.upper() if position.mover == 0 else letter.lower()


def _piece_meant(position: Position, letter: str, square: int) -> str:
    """The piece on the square, unless another was named: then the referee says what is wrong."""
    stands = position.board[square]
    if not letter or letter.lower() == stands.lower():
        return stands if stands in "".join(PIECES) else PIECES[position.mover][0]
    return letter


def _step_between(piece: str, square: int, target: int, word: str) -> Step:
    if (square, target) not in DIRECTION_TO:
        raise MalformedError(
            text("{given} is not one step; name neighbouring squares", given=quoted(word))
        )
    return STEPS[piece, square, DIRECTION_TO[square, target]]


def _steps_along(piece: str, square: int, directions: str) -> list[Action]:
    steps: list[Action] = []
    for direction in directions:
        if square == OFF_BOARD:
            raise IllegalError(text("that leads off the board"))
        step = STEPS[piece, square, direction]
        steps.append(step)
        square = step.target
    return steps
