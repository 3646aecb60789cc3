"""The archive of the game server of arimaa.com: a table, one game a line, separated by tabs.

Its columns are named in the first line; one of them holds a move list.

Source: the archive's own files, and the list of its codes of termination
(arimaa.com/arimaa/gameroom/reasonCodes.html).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Final

from trine.core.clock import format_seconds
from trine.core.contract.position import Reason
from trine.core.contract.record import DRAW, Record
from trine.core.errors import MalformedError
from trine.games.arimaa.board import SEATS
from trine.games.arimaa.formats.movelists import read_turns, without_empty_end

TODAYS_RULES_SINCE: Final = "2008-07-01"
"""Before that day the server played what is now `classic`. Source: the match rules."""

# fmt: off
COLUMNS: Final = (
    "id", "wplayerid", "bplayerid", "wusername", "busername", "wtitle", "btitle", "wcountry",
    "bcountry", "wrating", "brating", "wratingk", "bratingk", "wtype", "btype", "event", "site",
    "timecontrol", "postal", "startts", "endts", "result", "termination", "plycount", "mode",
    "rated", "corrupt", "movelist", "events",
)
# fmt: on

_TAG_BY_COLUMN: Final = {
    "wusername": "Gold",
    "busername": "Silver",
    "event": "Event",
    "site": "Site",
    "timecontrol": "Clock",
}
"""Columns with a tag of our own. The others keep their names as tags, so only ``plycount``, which
the archive itself counts wrongly, and the wording of ``events`` get lost."""
_DERIVED: Final = ("result", "termination", "plycount", "movelist", "events")

_REASONS: Final = {
    "g": Reason.GOAL,
    "e": Reason.ELIMINATION,
    "m": Reason.IMMOBILIZATION,
    "p": Reason.REPETITION,
    "r": Reason.RESIGNATION,
    "t": Reason.TIME,
    "s": Reason.SCORE,
    "n": Reason.AGREEMENT,
    "f": Reason.FORFEIT,
    "i": Reason.FORFEIT,
    "a": Reason.FORFEIT,
}
"""The codes of termination; ``i`` is an illegal move, ``a`` an abandoned game."""
_WINNERS: Final = {"w": SEATS[0].tag, "b": SEATS[1].tag, "d": DRAW}


def read_archive(lines: Iterable[str], file: str = "") -> Iterator[Record]:
    """Read the games of an archive, one after the other; a damaged line loses only its own game.

    Raises:
        MalformedError: the first line does not name the columns.
    """
    columns: list[str] = []
    for number, line in enumerate(lines, start=1):
        cells = line.rstrip("\r\n").split("\t")
        if cells == [""]:
            continue
        if not columns:
            columns = cells
            missing = {"movelist", "result", "termination"} - set(columns)
            if missing:
                raise MalformedError(
                    "the table has no column {names}", names=", ".join(sorted(missing))
                ).at(file, number)
        elif len(cells) != len(columns):
            error = MalformedError(
                "{given} columns, but the head of the table names {expected}",
                given=len(cells),
                expected=len(columns),
            ).at(file, number)
            yield Record(line=number, file=file, error=error)
        else:
            yield _read_game(dict(zip(columns, cells, strict=True)), cells, file, number)


def _read_game(game: dict[str, str], cells: list[str], file: str, number: int) -> Record:
    tags = {"Game": "arimaa"}
    for column, tag in _TAG_BY_COLUMN.items():
        if game.get(column):
            tags[tag] = game[column]
    if re.fullmatch(r"\d{1,10}", game.get("startts", ""), re.ASCII):
        tags["Date"] = datetime.fromtimestamp(int(game["startts"]), UTC).date().isoformat()
        tags["Rules"] = "classic" if tags["Date"] < TODAYS_RULES_SINCE else "official"
    for column, value in game.items():
        if column in COLUMNS and column not in (*_TAG_BY_COLUMN, *_DERIVED) and value:
            tags[column] = value
    if game["result"] in _WINNERS and game["termination"] in _REASONS:
        tags["termination"] = game["termination"]
        tags["Result"] = _WINNERS[game["result"]]
        tags["Reason"] = str(_REASONS[game["termination"]])
    before = cells[: list(game).index("movelist")]
    first_column = sum(map(len, before)) + len(before) + 1
    record = Record(tags, line=number, file=file)
    for turn in read_turns(game["movelist"], file, number, first_column):
        if isinstance(turn, MalformedError):
            record.error = turn
            break
        record.turns.append(turn)
    times = _turn_times(game.get("events", ""))
    for turn in without_empty_end(record).turns:
        if turn.tag in times:
            turn.comments.append(times[turn.tag])
    return record


_TIME = re.compile(
    r"after ([0-9]+[wbgs]), move used:([0-9]{1,8}) wresv:([0-9]{1,8}) bresv:([0-9]{1,8})"
)


def _turn_times(events: str) -> dict[str, str]:
    """Return the clock comment of each turn, from the server's log."""
    times = {}
    for tag, used, gold, silver in _TIME.findall(events):
        reserve = gold if tag[-1] in "wg" else silver
        times[tag] = f"{format_seconds(int(used))}, {format_seconds(int(reserve))} left"
    return times
