"""Positions as text, in both directions: the short, the long and the FEN-like form.

Short, as engines exchange it: the side and 64 letters from a8 to h1. Long, as people and bots read
it: eight framed ranks below the number of the turn. FEN-like: eight ranks with runs of empty
squares counted. All three are described in ``docs/arimaa.md``.

Source: the Arimaa Engine Interface (AEI) for the first two, arimaa-utils for the third.
"""

from __future__ import annotations

import re
from typing import Final, Literal

from trine.core.errors import IllegalError, MalformedError, TrineError
from trine.core.text.sentence import text
from trine.core.text.words import quoted, split_words
from trine.games.arimaa.board import (
    ARMY,
    EMPTY,
    KINDS,
    PIECES,
    SIDE_LETTERS,
    SIDE_NAMES,
    SIDES,
    SQUARE_NAMES,
    STRENGTH,
    TRAPS,
    piece_name,
)
from trine.games.arimaa.notation import read_action
from trine.games.arimaa.position import Position
from trine.games.arimaa.rules import COMPETITION, RULE_SETS, RuleSet, is_supported

NAMED_POSITIONS: Final = {"diagram": "2g 3rcr2/rR4mr/Dd1H2d1/3e4/2r2r1C/2rE3M/R1hr1hDH/1RCR1RRR"}
"""Positions that can be asked for by name: that which the Hungarian and the French document show.

Source: both tell where pieces stand; what they say nothing of stands as in an old diagram of the
game that all their sentences fit.
"""
MARK: Final = "competition"
"""The word behind a position of `classic` that has the rule for competitions."""
Form = Literal["short", "long", "fen"]

_SIDE = {"g": 0, "w": 0, "s": 1, "b": 1}
"""Sides by letter; w and b are those of records from before 2008."""
_SHORT = re.compile(r"([0-9]{0,6})([gswb]) \[([^\[\]\n]*)\]")
_FEN = re.compile(r"([0-9]{1,6})([gswb]) ([EMHDCRemhdcr1-8/]+)")
_LONG = re.compile(r"([0-9]{1,6})([gswb])(?:[ \t]+(.*))?")
_RANK = re.compile(r"[ \t]*([1-8])\|(.*)")


def parse_position(words: str, rules: RuleSet = RULE_SETS["official"]) -> Position:
    """Read a position in any of the three forms.

    Raises:
        MalformedError: the text is in none of these forms.
        IllegalError: no play can lead there: too many of a kind, one unsupported on a trap.

    >>> parse_position("7s 8/8/8/4e3/8/8/8/R7").board.index("e")
    36
    """
    words = words.strip(" \t\r\n")
    if "\n" in words:
        return _parse_long(words, rules)
    if found := _SHORT.fullmatch(words):
        number, side, letters = found.groups()
        return _position(rules, _board_from_top(letters), side, number)
    if found := _FEN.fullmatch(words):
        number, side, ranks = found.groups()
        letters = re.sub(r"\d", lambda run: EMPTY * int(run.group()), ranks)
        lengths = [len(rank) for rank in letters.split("/")]
        if lengths != [8] * 8:
            raise MalformedError(
                text(
                    "a board has eight ranks of eight squares; these have {given}",
                    given=", ".join(map(str, lengths)),
                )
            )
        return _position(rules, _board_from_top(letters.replace("/", "")), side, number)
    raise MalformedError(
        text(
            "{given} is not a position; expected g [64 letters], 2g with eight ranks parted by /, "
            "or a framed board",
            given=quoted(words),
        )
    )


def format_position(position: Position, form: Form = "short") -> str:
    """Write a position as it stands, in one of the three forms.

    Limits: a turn that is still open cannot be told from one that has not begun.

    >>> format_position(parse_position("7s 8/8/8/4e3/8/8/8/R7"), "fen")
    '7s 8/8/8/4e3/8/8/8/R7'
    """
    side = SIDE_LETTERS[position.mover]
    if form == "short":
        return f"{side} [{''.join(_ranks(position.board)).replace(EMPTY, ' ')}]"
    if form == "fen":
        ranks = [
            re.sub(r"\.+", lambda run: str(len(run.group())), rank)
            for rank in _ranks(position.board)
        ]
        return f"{position.number}{side} {'/'.join(ranks)}"
    return _format_long(position)


def read_position(words: str, rules: str) -> Position:
    """Read a position, or the name of one, by a rule set that is named, or else the usual one.

    Raises:
        MalformedError, IllegalError: as `parse_position`; or the position has other rules.

    >>> read_position("2g 8/8/8/4e3/8/8/8/R7 competition", "classic").rules.no_rabbits_loses
    True
    """
    words = NAMED_POSITIONS.get(words.strip().lower(), words)
    board, space, mark = words.strip(" \t\r\n").rpartition(" ")
    if not (space and mark == MARK):
        return parse_position(words, RULE_SETS[rules or "official"])
    if rules not in ("", COMPETITION.name):
        raise IllegalError(
            text("only {rules} has a rule of its own for competitions", rules=COMPETITION.name)
        )
    return parse_position(board, COMPETITION)


def write_position(position: Position) -> str:
    """Write a position on a line, with a mark where it has the rule for competitions."""
    words = format_position(position, "fen")
    return f"{words} {MARK}" if position.rules.is_competition else words


def _ranks(board: str) -> list[str]:
    """The ranks of a board, from the eighth to the first."""
    return [board[start : start + 8] for start in range(56, -1, -8)]


def _board_from_top(letters: str) -> str:
    letters = letters.replace(" ", EMPTY)
    if len(letters) != 64:
        raise MalformedError(text("a board has 64 squares; {count} were given", count=len(letters)))
    return "".join(_ranks(letters))  # the same reversal leads from a8…h1 to a1…h8 and back


def _position(rules: RuleSet, board: str, side: str, number: str | None) -> Position:
    check_board(board)
    return Position.of(rules, board, _SIDE[side], int(number or 2))


def check_board(board: str) -> None:
    """Raise an error unless a play could lead to a board.

    Raises:
        MalformedError: a letter stands for no piece.
        IllegalError: too many pieces of a kind, or an unsupported piece on a trap.
    """
    for square, letter in enumerate(board):
        if letter not in STRENGTH:
            raise MalformedError(
                text(
                    "{given} on {cell} is no piece; pieces are {letters}",
                    given=quoted(letter),
                    cell=SQUARE_NAMES[square],
                    letters=" ".join(PIECES),
                )
            )
    for side in SIDES:
        for kind in KINDS:
            letter = kind if side == 0 else kind.lower()
            if board.count(letter) > ARMY[kind]:
                raise IllegalError(
                    text(
                        "{side}: {count} of the kind {piece}, and {limit} at most",
                        side=SIDE_NAMES[side],
                        limit=ARMY[kind],
                        piece=piece_name(kind),
                        count=board.count(letter),
                    )
                )
    for trap in TRAPS:
        if board[trap] != EMPTY and not is_supported(board, trap):
            raise IllegalError(
                text(
                    "the {piece} on the trap {cell} has no friend beside it; it would be gone",
                    piece=piece_name(board[trap]),
                    cell=SQUARE_NAMES[trap],
                )
            )


# --- the long form -------------------------------------------------------------------------------


def _parse_long(words: str, rules: RuleSet) -> Position:
    lines = [line.rstrip("\r") for line in words.split("\n")]
    lines = [line for line in lines if line.strip() and not line.lstrip().startswith("#")]
    head = _LONG.fullmatch(lines[0].strip()) if lines else None
    if not head:
        raise MalformedError(text("the first line of a framed board is its turn, such as 3g"))
    rows = [found for line in lines[1:] if (found := _RANK.fullmatch(line))]
    if [row.group(1) for row in rows] != list("87654321"):
        raise MalformedError(text("a framed board shows the ranks 8 to 1, each once, 8 on top"))
    board = _board_from_top("".join(_parse_rank(int(row.group(1)), row.group(2)) for row in rows))
    number, side, made = head.groups()
    position = _position(rules, board, side, number)
    return _after_steps(position, made) if made else position


def _parse_rank(rank: int, row: str) -> str:
    row, _, _ = row.partition("|")
    if len(row) > 17 or row[::2].strip():
        raise MalformedError(text("rank {rank} does not show eight squares", rank=rank))
    row = row.ljust(17)
    letters = []
    for file, letter in enumerate(row[1::2]):
        empty_trap = letter in "xX" and (rank - 1) * 8 + file in TRAPS
        letters.append(EMPTY if empty_trap else letter)
    return "".join(letters)


def _after_steps(position: Position, made: str) -> Position:
    """Play the steps of the open turn, which follow its number."""
    words = split_words(made)
    while words:
        try:
            action, used = read_action(position, words)
        except TrineError as error:
            raise error.at(line=1) from None
        position, words = position.play_unchecked(action), words[used:]
    return position


def _format_long(position: Position) -> str:
    frame = " +-----------------+"
    lines = [f"{position.number}{SIDE_LETTERS[position.mover]}", frame]
    for rank, row in zip(range(8, 0, -1), _ranks(position.board), strict=True):
        squares = []
        for file, letter in enumerate(row):
            trap = (rank - 1) * 8 + file in TRAPS
            squares.append(letter if letter != EMPTY else "x" if trap else " ")
        lines.append(f"{rank}| {' '.join(squares)} |")
    return "\n".join([*lines, frame, "   a b c d e f g h"])
