"""Positions as text, in both directions: the short, the long and the FEN-like form.

Short, as engines exchange it: the side and 64 letters from a8 to h1. Long, for people and bots:
eight ranks, framed or bare, below the number of the turn. FEN-like: eight ranks with runs of empty
squares counted, as in the URLs of arimaa.com's pictures of boards, which leave out the empty ends
of ranks. All are described in ``docs/reference/arimaa.md``. A list of pieces, ``Ef5 Rd1 ec8``, as
in posted puzzles, can be read, too.

Source: the Arimaa Engine Interface (AEI) for the first two, with what bot_sharp and posts in the
forum write; arimaa-utils for the third.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal

from trine.core.errors import IllegalError, MalformedError, TrineError
from trine.core.text.sentence import quoted, split_words
from trine.games.arimaa.board import (
    ARMY,
    EMPTY,
    KINDS,
    PIECES,
    SIDE_LETTERS,
    SIDE_NAMES,
    SIDES,
    SQUARE_NAMES,
    SQUARE_OF,
    STRENGTH,
    TRAPS,
    piece_name,
)
from trine.games.arimaa.notation import read_action
from trine.games.arimaa.position import Position
from trine.games.arimaa.rules import COMPETITION, RULE_SETS, STEPS_IN_TURN, RuleSet, is_supported

DIAGRAM: Final = "3rcr2/rR4mr/Dd1H2d1/3e4/2r2r1C/2rE3M/R1hr1hDH/1RCR1RRR"
"""The board that is shown in the Hungarian and the French document.

Source: both name the squares of some pieces; the others are placed as in an old diagram of the game
that agrees with all their sentences.
"""
NAMED_POSITIONS: Final = {"diagram": f"2g {DIAGRAM}"}
FILES: Final = "abcdefgh"
MAX_MISPRINTS: Final = 2  # letters; the most wrong letters that are forgiven below a board
MARK: Final = "competition"  # the word after a position of `classic` with the rule for competitions
Form = Literal["short", "long", "fen"]

_SIDE = {"g": 0, "w": 0, "s": 1, "b": 1}  # sides by letter; records from before 2008 have w and b
_SHORT = re.compile(
    r"(?:setposition[ \t]+)?(?:([0-9]{0,6})([gswb])[ \t]+)?"
    r"(?:\[([^\[\]\"\n]*)\]|\"([^\"\n]*)\")"
)
_FEN = re.compile(
    r"(?:([0-9]{0,6})([gswb])[ \t]+)?(?:\S*ranks=([EMHDCRemhdcr1-8.*/]+)(?:&\S*)?|"
    r"([EMHDCRemhdcr1-8.*]*(?:/[EMHDCRemhdcr1-8.*]*){3,}))"
)
_LONG = re.compile(r"([0-9]{0,6})([gswb])(?:[ \t]+(.*))?")
_RANK = re.compile(r"[ \t]*([1-8])[ \t]?\|(.*)")
_BARE_RANKS = re.compile(r"[ \t]*\|?((?:[EMHDCRemhdcr.*xX-]{8}){1,8})\|?[ \t]*")
_SPACED_RANK = re.compile(
    r"[ \t]*(?:[1-8][ \t]+)?\|?[ \t]?((?:[EMHDCRemhdcr.*xX-] ){7}[EMHDCRemhdcr.*xX-])[ \t]?\|?"
    r"(?:[ \t]+[1-8])?[ \t]*"
)
_PIECES = re.compile(
    r"(?:([0-9]{0,6})([gswb])\s+)?((?:[EMHDCRemhdcr][a-h][1-8]\s+){2,})"
    r"(?:(?i:(gold|silver) to move)\W*)?"
)
_VALUES = re.compile(r"(?:[PST][ \t]*=[ \t]*([0-9]{1,6})[gs]?[ \t,;]*)+")
_FRAME = re.compile(r"[ \t]*\+-+\+[ \t]*")
_FOOT = re.compile(r"(?:[ \t]*[a-h]){8}")


def parse_position(words: str, rules: RuleSet = RULE_SETS["official"]) -> Position:
    """Read a position in any of the three forms.

    Raises:
        MalformedError: the text is in none of these forms.
        IllegalError: no play can lead there: too many of a kind, or an unsupported one on a trap.

    >>> parse_position("7s 8/8/8/4e3/8/8/8/R7").board.index("e")
    36
    """
    words = words.strip(" \t\r\n")
    bare = re.sub("(?i:gold:|silver:)|[,;]", " ", words).strip()
    if found := _PIECES.fullmatch(f"{bare} "):
        number, side, pieces, mover = found.groups()
        return _position(
            rules, _board_of_pieces(pieces.split()), mover[0].lower() if mover else side, number
        )
    if "\n" in words:
        return _parse_rows(words.split("\n"), rules)
    # In brackets the side is needed; programs print quoted letters without one.
    if (found := _SHORT.fullmatch(words)) and (found[2] or found[4]):
        number, side, bracketed, in_quotes = found.groups()
        return _position(rules, _board_from_top(bracketed or in_quotes or ""), side, number)
    if found := _FEN.fullmatch(words):
        number, side, in_address, ranks = found.groups()
        letters = re.sub(r"\d", lambda run: EMPTY * int(run.group()), in_address or ranks)
        rows = letters.split("/")
        if len(rows) != 8 or max(map(len, rows)) > 8:
            raise MalformedError(
                "a board has eight ranks of eight squares; these have {given}",
                given=", ".join(str(len(row)) for row in rows),
            )
        return _position(rules, _board_of(rows), side, number)
    raise MalformedError(
        "{given} is not a position; expected g [64 letters], 2g with eight ranks parted by /, "
        "or a framed board",
        given=quoted(words),
    )


def format_position(position: Position, form: Form = "short") -> str:
    """Write a position in one of the three forms.

    Limits: an open turn is written like one that has not begun.

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
    """Read a position, or the name of one, by a named rule set or the default.

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
            "only {rules} has a rule of its own for competitions", rules=COMPETITION.name
        )
    return parse_position(board, COMPETITION)


def write_position(position: Position) -> str:
    """Write a position on a line, with `MARK` if it has the rule for competitions."""
    words = format_position(position, "fen")
    return f"{words} {MARK}" if position.rules.is_competition else words


def _ranks(board: str) -> list[str]:
    """Return the ranks of a board, from the eighth to the first."""
    return [board[start : start + 8] for start in range(56, -1, -8)]


def _board_from_top(letters: str) -> str:
    letters = letters.replace(" ", EMPTY)
    if len(letters) != 64:
        raise MalformedError("a board has 64 squares; {count} were given", count=len(letters))
    return "".join(_ranks(letters))  # reversing the ranks is its own inverse


def _board_of_pieces(words: Sequence[str]) -> str:
    """Return the board of a list of both sides' pieces, such as ``Ef5 Rd1 ec8``."""
    board = {SQUARE_OF[word[1:]]: word[0] for word in words}
    letters = "".join(board.get(square, EMPTY) for square in range(len(SQUARE_NAMES)))
    if len(board) < len(words) or not all({*letters} & {*side} for side in PIECES):
        raise MalformedError(
            "a list of pieces names pieces of both sides, each on a square of its own"
        )
    return letters


def _position(rules: RuleSet, board: str, side: str | None, number: str | None) -> Position:
    check_board(board)
    return Position.of(rules, board, _SIDE[side or "g"], max(2, int(number or 2)))


def check_board(board: str) -> None:
    """Raise an error unless a play could lead to a board.

    Raises:
        MalformedError: a letter stands for no piece.
        IllegalError: too many pieces of a kind, or an unsupported piece on a trap.
    """
    for square, letter in enumerate(board):
        if letter not in STRENGTH:
            raise MalformedError(
                "{given} on {cell} is no piece; pieces are {letters}",
                given=quoted(letter),
                cell=SQUARE_NAMES[square],
                letters=" ".join(PIECES),
            )
    for side in SIDES:
        for kind in KINDS:
            letter = kind if side == 0 else kind.lower()
            if board.count(letter) > ARMY[kind]:
                raise IllegalError(
                    "{side}: {count} of the kind {piece}, and {limit} at most",
                    side=SIDE_NAMES[side],
                    limit=ARMY[kind],
                    piece=piece_name(kind),
                    count=board.count(letter),
                )
    for trap in TRAPS:
        if board[trap] != EMPTY and not is_supported(board, trap):
            raise IllegalError(
                "the {piece} on the trap {cell} has no friend beside it; it would be gone",
                piece=piece_name(board[trap]),
                cell=SQUARE_NAMES[trap],
            )


# --- the long form -------------------------------------------------------------------------------


def _parse_rows(lines: list[str], rules: RuleSet) -> Position:
    """Read eight ranks, one a line, framed or bare.

    The turn comes before them: ``3g`` or, from bots, ``P = 1, S = 0``, where P is 1 for Gold, S the
    number of steps made, and T the number of the turn. Without a turn, Gold begins one.
    """
    number, side, made, steps, rows, framed = "", "g", "", 0, list[str](), False
    for at, line in enumerate(map(str.rstrip, lines), start=1):
        if not line or line.lstrip()[0] == "#":
            continue
        if found := _LONG.fullmatch(line.strip()) if not rows else None:
            number, side, made = found.groups()
        elif _VALUES.fullmatch(line.strip()) and not rows:
            values = dict(re.findall(r"([PST])[ \t]*=[ \t]*([0-9]+)", line))
            number, steps = values.get("T", number), int(values.get("S", steps))
            side = "s" if values.get("P") == "0" else side
        elif found := _RANK.fullmatch(line):
            if int(found.group(1)) != 8 - len(rows):
                raise _bad_line(line).at(line=at)
            framed = True
            try:
                rows.append(_parse_rank(8 - len(rows), found.group(2)))
            except MalformedError as error:
                raise error.at(line=at) from None
        elif found := _BARE_RANKS.fullmatch(line) or _SPACED_RANK.fullmatch(line):
            rows += re.findall(".{8}", found.group(1).replace(" ", ""))
        elif _FOOT.fullmatch(line):
            _check_foot(line, at)
        elif not _FRAME.fullmatch(line):
            if not framed and len(rows) < 2:
                raise _no_board()  # without a line number: the text may be no board at all
            raise _bad_line(line).at(line=at)
    if len(rows) != 8 or steps >= STEPS_IN_TURN:
        raise _no_board()
    position = replace(_position(rules, _board_of(rows), side, number), steps=steps)
    return _after_steps(position, made) if made else position


def _no_board() -> MalformedError:
    return MalformedError("a framed board shows the ranks 8 to 1, each once, 8 on top")


def _bad_line(line: str) -> MalformedError:
    return MalformedError(
        "{given} does not belong to the board, which shows the ranks 8 to 1, each once, 8 on top",
        given=quoted(line.strip()),
    )


def _check_foot(line: str, at: int) -> None:
    """Raise an error if the letters below a board are not those of its files; misprints are none.

    Raises:
        IllegalError: the board is shown from another side.
    """
    wrong = [
        (given, file)
        for given, file in zip("".join(line.split()), FILES, strict=True)
        if given != file
    ]
    if len(wrong) > MAX_MISPRINTS:
        raise IllegalError(
            "{given} stands below the board where the file {file} is",
            given=wrong[0][0],
            file=wrong[0][1],
        ).at(line=at)


def _parse_rank(rank: int, row: str) -> str:
    row, _, _ = row.partition("|")
    if re.fullmatch(r"\S{8}", row):
        return row
    if len(row) > 17 or row[::2].strip():
        raise MalformedError("rank {rank} does not show eight squares", rank=rank)
    return row[1::2].replace(" ", EMPTY)


def _board_of(rows: Sequence[str]) -> str:
    """Return the board of ranks from the eighth down; their empty ends may be missing."""
    letters = []
    for rank, row in zip(range(7, -1, -1), rows, strict=True):
        for file, letter in enumerate(row.ljust(8, EMPTY)):
            trap = rank * 8 + file in TRAPS
            letters.append(EMPTY if letter in "*-" or (trap and letter in "xX") else letter)
    return _board_from_top("".join(letters))


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
