"""Positions as text, in both directions.

A position is four words, such as ``open ...../.Y..../...Z2T../…/....*..../… black 2``: the rule
set; the board, column by column from a to i, each upward from 1, with the piece on top of each
stack, its height if it is 2 or more, ``.`` for an empty point and ``*`` for the missing centre; the
side to move; and the kind of the next action (`Stage`). Boards of other programs are read, too, by
`trine.games.tzaar.grids`.
"""

import re

from trine.core.errors import IllegalError, MalformedError
from trine.core.text.sentence import Word, quoted, split_words
from trine.games.tzaar import board
from trine.games.tzaar.grids import HOLE, as_position
from trine.games.tzaar.position import Position
from trine.games.tzaar.referee import Stage
from trine.games.tzaar.rules import RULE_SETS, RuleSet, missing_kind, shown

_STACK = re.compile(r"[.*]|[TYZtyz](?:[1-9][0-9]|[2-9])?")
_TURNS = ("white", "black")


def format_position(position: Position) -> str:
    """Write a position on one line; each position has exactly one text.

    >>> format_position(Position.before_placement(RULE_SETS["open"]))
    'open ...../....../......./......../....*..../......../......./....../..... white place'
    """
    stacks = [
        top + (str(height) if height > 1 else "")
        for top, height in zip(position.tops, position.heights, strict=True)
    ]
    stacks.insert(board.POINT_OF["e4"] + 1, HOLE)
    columns = []
    for length in board.COLUMN_LENGTHS:
        columns.append("".join(stacks[:length]))
        stacks = stacks[length:]
    turn = _TURNS[position.mover]
    return f"{position.rules.name} {'/'.join(columns)} {turn} {position.stage.value}"


def parse_position(given: str, rules: RuleSet | None = None) -> Position:
    """Read a position, as `format_position` writes it; turns are counted from it.

    Raises:
        MalformedError: the text is no position.
        IllegalError: the position is impossible, or its rule set is not ``rules``.

    >>> start = Position.before_placement(RULE_SETS["open"])
    >>> parse_position(format_position(start)) == start
    True
    """
    if described := as_position(given, rules.name if rules else ""):
        return parse_position(described, rules)
    fields = split_words(given)
    if len(fields) != 4 or given != " ".join(map(str, fields)):
        raise MalformedError(
            "{given} is not a position; expected four words with one space between: rules, "
            "board, white or black, and place, first, 1 or 2",
            given=quoted(given),
        )
    named = _parse_rules(fields[0], rules)
    tops, heights = _parse_board(fields[1])
    if fields[2].text not in _TURNS:
        raise MalformedError(
            "{given} is not to move; expected white or black", given=quoted(fields[2].text)
        ).at(column=fields[2].column)
    if fields[3].text not in [stage.value for stage in Stage]:
        raise MalformedError(
            "{given} is no action of a turn; expected place, first, 1 or 2",
            given=quoted(fields[3].text),
        ).at(column=fields[3].column)
    position = Position(named, tops, heights, _TURNS.index(fields[2].text), Stage(fields[3].text))
    check_position(position)
    return position


def _parse_rules(word: Word, rules: RuleSet | None) -> RuleSet:
    if word.text not in RULE_SETS:
        raise MalformedError(
            "{given} is no rule set of TZAAR; expected {known}",
            given=quoted(word.text),
            known=", ".join(RULE_SETS),
        ).at(column=word.column)
    if rules and rules.name != word.text:
        raise IllegalError(
            "this is a position of tzaar/{given}, and tzaar/{expected} is to be played",
            given=word.text,
            expected=rules.name,
        ).at(column=word.column)
    return RULE_SETS[word.text]


def _parse_board(word: Word) -> tuple[str, tuple[int, ...]]:
    columns = word.text.split("/")
    if len(columns) != len(board.COLUMN_LENGTHS):
        raise MalformedError(
            "the board has {given} columns; expected {expected}",
            given=len(columns),
            expected=len(board.COLUMN_LENGTHS),
        ).at(column=word.column)
    stacks: list[str] = []
    begins = word.column
    for name, written in zip(board.COLUMNS, columns, strict=True):
        try:
            stacks += _parse_column(name, written)
        except MalformedError as error:
            raise error.at(column=begins) from None
        begins += len(written) + 1
    tops = "".join(stack[0] for stack in stacks)
    heights = tuple(0 if stack == board.EMPTY else int(stack[1:] or 1) for stack in stacks)
    return tops, heights


def _parse_column(name: str, written: str) -> list[str]:
    """Return the stacks on the points of a column, upward."""
    length = board.COLUMN_LENGTHS[board.COLUMNS.index(name)]
    stacks = _STACK.findall(written)
    if "".join(stacks) != written:
        raise MalformedError(
            "column {column}: cannot read {given}; expected . for an empty point, else T, Y, "
            "Z, t, y or z, and behind it the height of a stack of two or more",
            column=name,
            given=quoted(written),
        )
    if len(stacks) != length:
        raise MalformedError(
            "column {column} has {given} points; expected {expected}",
            column=name,
            given=len(stacks),
            expected=length,
        )
    holes = [f"{name}{rank}" for rank, stack in enumerate(stacks, start=1) if stack == HOLE]
    if holes != ([board.CENTRE] if name == board.CENTRE[0] else []):
        raise MalformedError("{hole} stands for the missing centre, fifth in column e", hole=HOLE)
    return [stack for stack in stacks if stack != HOLE]


# --- impossible positions ------------------------------------------------------------------------


def check_position(position: Position) -> None:
    """Raise an error if a position is impossible; whether play can reach it is not checked.

    Raises:
        IllegalError: a side has too many pieces, or the board does not fit the next action.
    """
    for side in board.SIDES:
        _check_army(position, side)
    if position.in_setup:
        _check_placement(position)
        return
    extinct = [side for side in board.SIDES if missing_kind(position.tops, side)]
    if len(extinct) == 2:
        raise IllegalError("neither side shows every type of piece; only one can have lost")
    if position.turn_open and position.mover in extinct:
        raise IllegalError(
            "{side} is in the middle of a turn and must still show a {piece}",
            side=board.SIDE_NAMES[position.mover],
            piece=board.piece_name(missing_kind(position.tops, position.mover)),
        )
    if position.stage is Stage.FIRST:
        if not position.rules.first_turn_single:
            raise IllegalError("a first turn of one capture is there in tzaar/official only")
        if position.mover == board.BLACK or extinct:
            raise IllegalError("the first turn is White's, and nobody has lost before it")


def _check_army(position: Position, side: int) -> None:
    for kind, count in zip(board.KINDS, shown(position.tops, side), strict=True):
        if count > board.ARMY[kind]:
            raise IllegalError(
                "{side} shows {given} of {piece}; there are {limit}",
                side=board.SIDE_NAMES[side],
                given=count,
                piece=board.piece_name(kind),
                limit=board.ARMY[kind],
            )
    pieces = sum(
        height
        for top, height in zip(position.tops, position.heights, strict=True)
        if top in board.PIECES[side]
    )
    if pieces > board.ARMY_SIZE:
        raise IllegalError(
            "{side} has {given} pieces; there are {limit}",
            side=board.SIDE_NAMES[side],
            given=pieces,
            limit=board.ARMY_SIZE,
        )


def _check_placement(position: Position) -> None:
    if board.EMPTY not in position.tops:
        raise IllegalError("the board is full; nothing can be placed")
    if max(position.heights) > 1:
        raise IllegalError("there are no stacks while the board is being filled")
    white, black = (sum(shown(position.tops, side)) for side in (board.WHITE, board.BLACK))
    if white - black != position.mover:
        raise IllegalError(
            "{white} white and {black} black pieces are placed, so {side} is not to place now",
            white=white,
            black=black,
            side=board.SIDE_NAMES[position.mover],
        )


def sketch(words: str, rules: str) -> str:
    """Return the text of a position of a rule set, from a list of its stacks.

    Args: ``words`` has each stack with its point, and its height if it is 2 or more, then the side
        to move and the stage, as in ``Td3 z2f5 white 1``; or it is the text of a position, but for
        ``{rules}``.

    >>> sketch("Ta1 z2c3 white 1", "open")
    'open T..../....../..z2..../......../....*..../......../......./....../..... white 1'
    """
    if "/" in words:
        return words.format(rules=rules)
    *stacks, side, stage = words.split()
    at = {word[-2:]: word[:-2] for word in stacks}
    at[board.CENTRE] = HOLE
    columns = (
        "".join(at.get(f"{column}{rank}", board.EMPTY) for rank in range(1, length + 1))
        for column, length in zip(board.COLUMNS, board.COLUMN_LENGTHS, strict=True)
    )
    return f"{rules} {'/'.join(columns)} {side} {stage}"
