"""The official notation of steps, setups and turns, in both directions.

Records are read strictly: every letter as `format_turn` writes it, removals included. Lines that a
person types are read leniently.

Source: arimaa.com/arimaa/learn/notation.html.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from trine.core.contract.checked import CheckedLine, Checker
from trine.core.contract.position import NO_HISTORY, History
from trine.core.errors import IllegalError, MalformedError
from trine.core.text.sentence import Word, ctexts, quoted
from trine.games.arimaa import board
from trine.games.arimaa.position import Position
from trine.games.arimaa.rules import END, STEPS, STEPS_IN_TURN, Action, Placement, Step

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
        return STEPS[piece, board.SQUARE_OF[square], direction]
    if found := _PLACEMENT.fullmatch(word):
        piece, square = found.groups()
        return Placement(piece, board.SQUARE_OF[square])
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
    if trap == board.OFF_BOARD:
        return ""
    piece = step.piece if step.target == trap else position.board[trap]
    return f"{piece}{board.SQUARE_NAMES[trap]}x"


def read_action(
    position: Position, words: Sequence[Word], history: History = NO_HISTORY
) -> tuple[Action, int]:
    """Read the next action of a record, and the removal mark that must follow it.

    Returns: the action, and the number of words that it took.

    Raises:
        MalformedError: the word is no action.
        IllegalError: the action is against the rules, or its removal mark is wrong or missing.
            The error has the column of the faulty word.
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


WORDS: Final = ctexts(
    "typed",
    "arimaa official classic ejection diagonal trapper 99of9-dogs rabbits-behind gold silver "
    "elephant camel horse dog cat rabbit",
)
"""The words of the game that a catalogue translates."""

_LETTERS = {name.template: letter for letter, name in board.KIND_NAMES.items()}
_TYPED = re.compile(r"([emhdcr]?)([a-h][1-8])-?([a-h][1-8]|[nesw]*|x)", re.IGNORECASE)
_NAMED_PIECE = re.compile(
    rf"\b({'|'.join(name.template for name in board.KIND_NAMES.values())}) (?=[a-h][1-8])",
    re.IGNORECASE,
)
_SEPARATORS = re.compile(r"[ \t,;]+")


def read_actions(position: Position, line: str, history: History = NO_HISTORY) -> CheckedLine:
    """Read what a person types: ``a2n``, ``a2a4``, ``Ra2n``, ``Ha2nnn``, several at once, ``end``.

    A piece can be called by its name, as in ``rabbit a2n``. Case does not matter, commas may
    separate the words, and removal marks may be left out. Two letters such as ``ne`` are a diagonal
    step if the rules have diagonal steps, else two steps.
    """
    line = _NAMED_PIECE.sub(lambda found: _LETTERS[found[1].lower()], line)
    checker, removed = Checker(position, history), ""
    for word in filter(None, _SEPARATORS.split(line)):
        if word.lower().endswith("x") and _TYPED.fullmatch(word):
            if word.lower() not in (removed.lower(), removed[1:].lower()):
                raise IllegalError("{given}: nothing is removed here", given=quoted(word))
            continue
        for action in _interpret_word(checker.position, word):
            before = checker.position
            empty = isinstance(action, Step) and before.board[action.origin] == board.EMPTY
            checker.play(action, quoted(word) if empty else None)
            removed = removal_mark(before, action) if isinstance(action, Step) else ""
    if not (judged := checker.line()):
        raise MalformedError(
            "{given} is not a step; type one like a2n, a2a3 or Ra2n", given=quoted(line)
        )
    return judged


def _interpret_word(position: Position, word: str) -> list[Action]:
    if word.lower() == "end":
        return [END]
    found = _TYPED.fullmatch(word)
    if not found:
        raise MalformedError(
            "{given} is not a step; type one like a2n, a2a3 or Ra2n", given=quoted(word)
        )
    letter, name, rest = found.group(1), found.group(2).lower(), found.group(3).lower()
    if position.hands and not rest:
        return [Placement(_own_letter(position, letter, word), board.SQUARE_OF[name])]
    square = board.SQUARE_OF[name]
    piece = _piece_meant(position, letter, square)
    if rest in board.SQUARE_OF:
        return _steps_between(piece, square, board.SQUARE_OF[rest], word)
    if not rest:
        raise MalformedError(
            "{given} names no direction; add n, e, s or w, or a square", given=quoted(word)
        )
    if rest in board.DIRECTIONS and position.rules.diagonal:
        return [STEPS[piece, square, rest]]  # here, ne never means n and then e
    return _steps_along(piece, square, rest)


def _own_letter(position: Position, letter: str, word: str) -> str:
    if not letter:
        raise MalformedError("{given} names no piece; place one like Ra1", given=quoted(word))
    return letter.upper() if position.mover == 0 else letter.lower()


def _piece_meant(position: Position, letter: str, square: int) -> str:
    """Return the piece on the square, or another one that was named: the referee will refuse it."""
    stands = position.board[square]
    if not letter or letter.lower() == stands.lower():
        return stands if stands in "".join(board.PIECES) else board.PIECES[position.mover][0]
    return letter


def _steps_between(piece: str, square: int, target: int, word: str) -> list[Action]:
    """Return a step to a square beside, or steps along the line to one that is further away."""
    if (square, target) in board.DIRECTION_TO:
        return [STEPS[piece, square, board.DIRECTION_TO[square, target]]]
    east, north = target % 8 - square % 8, target // 8 - square // 8
    if (east and north) or not 0 < abs(east + north) <= STEPS_IN_TURN:
        raise MalformedError(
            "{given} is no line of steps; name a square in the same file or rank",
            given=quoted(word),
        )
    directions = "we"[east > 0] * abs(east) + "sn"[north > 0] * abs(north)
    return _steps_along(piece, square, directions)


def _steps_along(piece: str, square: int, directions: str) -> list[Action]:
    steps: list[Action] = []
    for direction in directions:
        if square == board.OFF_BOARD:
            raise IllegalError("that leads off the board")
        step = STEPS[piece, square, direction]
        steps.append(step)
        square = step.target
    return steps
