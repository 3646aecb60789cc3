"""Positions as other programs show them: as a grid of nine rows, and as JSON.

A grid has nine rows of nine cells: ``w1`` and ``b1`` for Totts, ``2`` for Tzarras and ``3`` for
Tzaars, a height of 2 or more before or behind it (``2w1``), ``e`` or ``f`` for an empty point and
``n`` where there is none. Its columns are those of the board; its rows count up from rank 1 of the
columns a to e, and each column to the right of e begins one row later. JSON has the same grid as a
list of lists, or a list of pieces with their ``x`` and ``y`` in it.

Numbers alone are a side, 81 kinds and 81 heights: White's are positive, 100 is no point, and the
rows go from e1 toward i1, their cells from e1 toward a1.

Source: the boards that the programs fversnel/tzaar, jeroenmaas/tzaar-python-ai,
LaszloMocsy/tzaar-game and PavelVesely/tzaar-ai read and write.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from trine.core.contract.notation import read_data
from trine.core.errors import IllegalError, MalformedError
from trine.core.text.sentence import quoted
from trine.games.tzaar.board import ARMY_SIZE, CENTRE, COLUMN_LENGTHS, COLUMNS, EMPTY, POINT_OF

HOLE: Final = "*"  # the sign of the missing centre
SIDE: Final = len(COLUMNS)
_CELL = re.compile(r"([1-9][0-9]?)?([wb][123])([1-9][0-9]?)?|([efn.*_-])", re.IGNORECASE)
_CELL_WORD: Final = r"(?:(?:[1-9][0-9]?)?[wb][123](?:[1-9][0-9]?)?|[efn.*_-])"
_ROW = re.compile(
    rf"(?:([0-9])[ \t]+)?((?:{_CELL_WORD}[\s,]+){{8}}{_CELL_WORD}),?(?:[ \t]+([0-9]))?",
    re.IGNORECASE,
)
_NUMBERS = re.compile(rf"-?1(?:\s+-?[0-9]{{1,3}}){{{2 * SIDE * SIDE}}}")
_AXIS = re.compile(r"(?:[a-i0-9](?:\s+|$)){9}", re.IGNORECASE)
_TURN = re.compile(
    r"(?:(official|open)\s+)?(white|black)(?:\s+(place|first|1|2)|\s+to\s+move)?", re.IGNORECASE
)
_LETTERS: Final = {
    f"{side[0]}{key}": letter if side == "white" else letter.lower()
    for side in ("white", "black")
    for letter, keys in (("T", ("1", "tott")), ("Y", ("2", "tzarra")), ("Z", ("3", "tzaar")))
    for key in keys
}
"""The letters of pieces by side and kind, as in ``w1`` and ``wtott``."""
_EMPTY_CELLS: Final = ("e", "f", "empty", "free", "")
_NO_POINT: Final = ("n", "nothing", "none")
_LISTS: Final = ("figures", "pieces", "stacks", "board", "slots")
_PLACES: Final = ("location", "position")
_TURNS: Final = ("turn", "mover", "toMove", "currentPlayer")


class Cell(NamedTuple):
    """A cell of a grid: a stack, `EMPTY`, or nothing where the board has no point."""

    letter: str
    height: int = 1


def as_position(given: str, rules: str = "") -> str | None:
    """Return a grid or a board in JSON as a position on one line; None if the text is none.

    Raises:
        MalformedError: it is one with a fault; the error names the line.
    """
    given = given.strip()
    if given.startswith(("{", "[")):
        return _of_json(given, rules)
    if _NUMBERS.fullmatch(given):
        return _of_numbers([int(word) for word in given.split()], rules)
    return _of_grid(given, rules) if "\n" in given else None


def _of_grid(given: str, rules: str) -> str | None:
    rows, labels, turn = list[list[Cell]](), list[int](), ""
    lines: list[int] = []
    for number, line in enumerate(map(str.strip, given.split("\n")), start=1):
        if not line or line.startswith("#"):
            continue
        if found := _ROW.fullmatch(line):
            rows.append([_cell(cell) for cell in re.split(r"[\s,]+", found[2])])
            labels += [int(label) for label in (found[1] or found[3],) if label]
            lines.append(number)
        elif _TURN.fullmatch(line) and not turn:
            turn = line.lower()
        elif not _AXIS.fullmatch(line):
            if len(rows) < 2:
                return None
            raise MalformedError(
                "{given} is no row of a board of nine rows and columns", given=quoted(line)
            ).at(line=number)
    if not rows:
        return None
    if len(rows) != SIDE:
        raise MalformedError("this board has {count} rows; expected nine", count=len(rows)).at(
            line=lines[-1]
        )
    if labels and labels == sorted(labels, reverse=True):
        rows.reverse()
        lines.reverse()
    return _written(dict(_points(rows, lines)), turn, rules, lines[0])


def _of_numbers(numbers: Sequence[int], rules: str) -> str | None:
    side, kinds, heights = numbers[0], numbers[1 : SIDE**2 + 1], numbers[SIDE**2 + 1 :]
    at: dict[str, Cell] = {}
    for index, (kind, height) in enumerate(zip(kinds, heights, strict=True)):
        row, cell = divmod(index, SIDE)
        name = _point(row - cell + COLUMNS.index(CENTRE[0]), row)
        letter = _LETTERS.get(f"{'w' if kind > 0 else 'b'}{abs(kind)}", "" if kind else EMPTY)
        if name and not letter:
            return None
        if name:
            at[name] = Cell(letter, height or 1)
    return _written(at, "white to move" if side > 0 else "black to move", rules, 1)


def _cell(word: str) -> Cell:
    found = _CELL.fullmatch(word)
    assert found is not None
    before, stack, behind, other = found.groups()
    if stack:
        return Cell(_LETTERS[stack.lower()], int(before or behind or 1))
    return Cell("" if other in "nN*" else EMPTY)


def _points(rows: Sequence[Sequence[Cell]], lines: Sequence[int]) -> Iterator[tuple[str, Cell]]:
    """Yield the cells of the points of the board, each with the name of its point."""
    for row, (cells, line) in enumerate(zip(rows, lines, strict=True)):
        for column, cell in enumerate(cells):
            name = _point(column, row)
            if name and not cell.letter:
                raise MalformedError(
                    "column {column} of this row has a point of the board; expected a piece or e",
                    column=column + 1,
                ).at(line=line)
            if cell.letter not in ("", EMPTY) and not name:
                raise MalformedError(
                    "column {column} of this row has no point of the board; expected n",
                    column=column + 1,
                ).at(line=line)
            if name:
                yield name, cell


def _point(column: int, row: int) -> str:
    """Return the name of the point in a column and row, from 0; nothing where there is none."""
    rank = row - max(0, column - COLUMNS.index(CENTRE[0]))
    name = f"{COLUMNS[column]}{rank + 1}" if column in range(SIDE) else ""
    return name if name and rank in range(COLUMN_LENGTHS[column]) and name != CENTRE else ""


def _written(at: Mapping[str, Cell], turn: str, rules: str, line: int) -> str:
    pieces = [cell for cell in at.values() if cell.letter != EMPTY]
    full = len(pieces) == 2 * ARMY_SIZE
    found = _TURN.fullmatch(turn)
    named, mover, action = found.groups() if found else (None, "", None)
    if not found and (full or not pieces):
        mover, action = "white", "first" if full else "place"
    if not mover:
        raise MalformedError(
            "this board does not say who is to move; add a line such as white 1"
        ).at(line=line)
    named = rules or named or "official"
    action = action or ("first" if full and mover == "white" and named == "official" else "1")
    columns = []
    for column, length in zip(COLUMNS, COLUMN_LENGTHS, strict=True):
        cells = [at.get(f"{column}{rank}", Cell(EMPTY)) for rank in range(1, length + 1)]
        words = [cell.letter + (str(cell.height) if cell.height > 1 else "") for cell in cells]
        if column == CENTRE[0]:
            words[int(CENTRE[1]) - 1] = HOLE
        columns.append("".join(words))
    return f"{named} {'/'.join(columns)} {mover} {action}"


def write_grid(tops: str, stage: str) -> str:
    """Write a full board before White's first turn as a grid.

    Raises:
        IllegalError: it is another position; nothing in a grid says who is to move.
    """
    if EMPTY in tops or stage != "first":
        raise IllegalError("only a full board before White's first turn can be written")
    words = {letter: key for key, letter in _LETTERS.items() if len(key) == 2}
    rows = (
        [
            words[tops[POINT_OF[name]]] if (name := _point(column, row)) else "n"
            for column in range(SIDE)
        ]
        for row in range(SIDE)
    )
    return "\n".join(" ".join(f"{cell:2}" for cell in cells).rstrip() for cells in rows)


# --- JSON ----------------------------------------------------------------------------------------


def _of_json(given: str, rules: str) -> str | None:
    data: Any = read_data(given)
    turn = ""
    if isinstance(data, dict):
        turn = next((str(data[name]).lower() for name in _TURNS if name in data), "")
        data = next((data[name] for name in _LISTS if name in data), None)
        if isinstance(data, dict):
            data = next((data[name] for name in _LISTS if name in data), None)
    if not isinstance(data, list) or not data:
        return None
    if all(isinstance(row, list) and len(row) == SIDE for row in data) and len(data) == SIDE:
        rows = [[_cell_of_json(cell) for cell in row] for row in data]
        if any(cell is None for row in rows for cell in row):
            return None
        grid = [[cell or Cell("") for cell in row] for row in rows]
        return _written(dict(_points(grid, [1] * SIDE)), turn, rules, 1)
    pieces = [(_place(piece), _cell_of_json(piece)) for piece in data]
    if any(place is None or cell is None for place, cell in pieces):
        return None
    places = [place for place, _ in pieces if place]
    lowest, highest = min(map(min, places)), max(map(max, places))
    if lowest > 0 and highest < SIDE:
        raise MalformedError("x and y of these pieces can count from 0 or from 1").at(line=1)
    at: dict[str, Cell] = {}
    for (x, y), (_, cell) in zip(places, pieces, strict=True):
        name = _point(x - (lowest > 0), y - (lowest > 0))
        if not name or name in at or not cell:
            raise MalformedError(
                "the piece at x {x}, y {y} stands on no point of its own", x=x, y=y
            ).at(line=1)
        at[name] = cell
    return _written(at, turn, rules, 1)


def _place(piece: object) -> tuple[int, int] | None:
    if not isinstance(piece, dict):
        return None
    place = next((piece[name] for name in _PLACES if name in piece), piece)
    if isinstance(place, dict):
        place = [place.get("x"), place.get("y")]
    if not isinstance(place, list) or len(place) != 2 or not all(type(n) is int for n in place):
        return None
    return place[0], place[1]


def _cell_of_json(data: object) -> Cell | None:
    """Return a cell: a word, a stack as a list from the top, or a piece with its height."""
    if data is None:
        return Cell("")
    if isinstance(data, str):
        word = data.strip().lower()
        if word in (*_EMPTY_CELLS, *_NO_POINT):
            return Cell("" if word in _NO_POINT else EMPTY)
        return _cell(word) if _CELL.fullmatch(word) else None
    height: Any = 1
    if isinstance(data, list) and data:
        height, data = len(data), data[0]
    if isinstance(data, list) and len(data) == 2:
        side, kind = data
    elif isinstance(data, dict):
        side = data.get("color", data.get("colour"))
        kind = data.get("type", data.get("kind"))
        height = data.get("height", data.get("size", height))
    else:
        return None
    letter = _LETTERS.get(f"{str(side).lower()[:1]}{str(kind).lower()}")
    return Cell(letter, height) if letter and type(height) is int and height > 0 else None
