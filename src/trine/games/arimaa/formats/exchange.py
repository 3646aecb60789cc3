r"""Other programs' formats for records of Arimaa: move lists, and the game server's archive.

A move list is the official notation, a turn a line; real line breaks part the lines, or the two
characters ``\n`` as in the archive. The archive is a table, one game a line, parted by tabs, with
the columns named in the first line; one of them holds a move list.

Source: arimaa.com/arimaa/learn/notation.html; the archive's own files and the list of its codes of
termination (arimaa.com/arimaa/gameroom/reasonCodes.html).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final

from trine.core.clock import format_seconds
from trine.core.doors import Format
from trine.core.errors import FileError, MalformedError
from trine.core.outcome import Reason
from trine.core.record import (
    DRAW,
    TAKEBACK,
    UNDO,
    Record,
    WrittenTurn,
    parse_written_turn,
)
from trine.core.text import text
from trine.core.words import Word, quoted
from trine.games.arimaa.board import SEATS

TODAYS_RULES_SINCE: Final = "2008-07-01"
"""Before that day the server played what is now `classic`. Source: the match rules."""
LINE_BREAK: Final = r"\n"
"""The two characters that the archive writes for a line break inside a column."""


# --- move lists ----------------------------------------------------------------------------------


def read_movelists(lines: Iterable[str], file: str = "") -> Iterator[Record]:
    """Read the move lists of a file; each begins with Gold's setup, ``1g`` or ``1w``.

    A list does not say when it was played. One with the letters ``w`` and ``b`` may be from before
    2008, so what is not legal today is tried by the rules of that time.
    """
    record = Record({"Game": "arimaa"}, file=file)
    for number, line in enumerate(lines, start=1):
        for turn in _read_turns(line.rstrip("\r\n"), file, number, column=1):
            if isinstance(turn, MalformedError):
                record.error = record.error or turn
            elif turn.tag in ("1g", "1w") and not _may_go_on(record):
                yield _without_empty_end(record)
                record = Record({"Game": "arimaa"}, [turn], line=number, file=file)
            elif not record.error:
                record.turns.append(turn)
            if record.turns and record.turns[-1].letter in "wb":
                record.older_rules = "classic"  # letters of before 2008, when that was played
    yield _without_empty_end(record)


def _may_go_on(record: Record) -> bool:
    """Whether Gold's setup can follow: as the first turn, or after the first was taken back."""
    turns = record.turns
    return not turns or any(word.text == TAKEBACK for word in turns[-1].words)


def _read_turns(
    lines: str, file: str, number: int, column: int
) -> Iterator[WrittenTurn | MalformedError]:
    """The turns of a move list that stands on one line of a file, from a column on.

    A line of it that is no turn is given out as the error that it is.
    """
    for line in lines.split(LINE_BREAK):
        if line.strip(" \t"):
            try:
                turn = parse_written_turn(line, file, number)
                turn.words = [Word(word.text, word.column + column - 1) for word in turn.words]
                yield turn
            except MalformedError as error:
                at = column + max(error.place.column - 1, 0)
                yield MalformedError(error.message).at(file, number, at)
        column += len(line) + len(LINE_BREAK)


def _without_empty_end(record: Record) -> Record:
    """Drop the tag of the next turn, with no steps, that ends the archive's move lists."""
    if record.turns and not record.turns[-1].words:
        record.turns.pop()
    return record


def write_movelists(records: Iterable[Record]) -> Iterator[str]:
    """Write records as move lists, a turn a line, an empty line between two."""
    for index, record in enumerate(records):
        yield "\n" if index else ""
        for turn in _official_turns(record):
            yield f"{turn}\n"


def _official_turns(record: Record, letters: Mapping[str, str] | None = None) -> Iterator[str]:
    """The lines of a move list: no comments, nothing undone inside a turn, no open turn."""
    for turn in record.turns:
        if turn.closed:
            letter = (letters or _OFFICIAL_LETTERS).get(turn.letter, turn.letter)
            yield " ".join([f"{turn.number}{letter}", *_kept_words(turn)])


def check_has_setups(record: Record) -> None:
    """Raise an error unless a move list can hold a record.

    Raises:
        FileError: it starts from a position or with a handicap.
    """
    for tag in ("Start", "Handicap"):
        if start := record.tags.get(tag):
            raise FileError(
                text(
                    "a move list begins with full setups; this record has {tag} {start}",
                    tag=tag,
                    start=quoted(start),
                )
            ).at(record.file, record.tag_lines.get(tag, record.line))


def check_is_movelist(record: Record) -> None:
    """Raise an error unless a move list can hold a record: nothing but turns can stand there.

    Raises:
        FileError: no turn was played, or `check_has_setups` says so.
    """
    check_has_setups(record)
    if not any(turn.closed and turn.words for turn in record.turns):
        raise FileError(text("the format cannot hold a game in which nothing was played")).at(
            record.file, record.line
        )


_OFFICIAL_LETTERS: Final = {"w": "g", "b": "s"}
_ARCHIVE_LETTERS: Final = {"g": "w", "s": "b"}


def _kept_words(turn: WrittenTurn) -> list[str]:
    """The words of a turn, less the actions that were undone and their removal marks."""
    kept: list[str] = []
    for word in turn.words:
        if word.text != UNDO:
            kept.append(word.text)
            continue
        while kept and kept[-1].endswith("x"):
            kept.pop()
        if kept:
            kept.pop()
    return kept


# --- the archive of the game server --------------------------------------------------------------

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
"""Columns with a tag of the house. The others keep their own names as tags, so nothing gets lost
but ``plycount``, which the archive itself counts wrongly, and the wording of ``events``."""
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
"""Codes of termination; ``i`` is an illegal move, ``a`` an abandoned game."""
_CODES: Final = {reason: code for code, reason in reversed(_REASONS.items())}
_WINNERS: Final = {"w": SEATS[0].tag, "b": SEATS[1].tag, "d": DRAW}


def read_archive(lines: Iterable[str], file: str = "") -> Iterator[Record]:
    """Read the games of an archive, one after the other; a torn line spoils its own game only.

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
                    text("the table has no column {names}", names=", ".join(sorted(missing)))
                ).at(file, number)
        elif len(cells) != len(columns):
            error = MalformedError(
                text(
                    "{given} columns, but the head of the table names {expected}",
                    given=len(cells),
                    expected=len(columns),
                )
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
    for turn in _read_turns(game["movelist"], file, number, first_column):
        if isinstance(turn, MalformedError):
            record.error = turn
            break
        record.turns.append(turn)
    times = _turn_times(game.get("events", ""))
    for turn in _without_empty_end(record).turns:
        if turn.tag in times:
            turn.comments.append(times[turn.tag])
    return record


_TIME = re.compile(
    r"after ([0-9]+[wbgs]), move used:([0-9]{1,8}) wresv:([0-9]{1,8}) bresv:([0-9]{1,8})"
)


def _turn_times(events: str) -> dict[str, str]:
    """The clock comment of each turn, from the log of the server."""
    times = {}
    for tag, used, gold, silver in _TIME.findall(events):
        reserve = gold if tag[-1] in "wg" else silver
        times[tag] = f"{format_seconds(int(used))}, {format_seconds(int(reserve))} left"
    return times


def write_archive(records: Iterable[Record]) -> Iterator[str]:
    """Write records as an archive; what the server logged besides the moves becomes ``NULL``."""
    yield "\t".join(COLUMNS) + "\n"
    for index, record in enumerate(records, start=1):
        game = _write_game(record, index)
        # Tabs and line breaks would tear the table.
        yield "\t".join(" ".join(game.get(column, "").split("\t")) for column in COLUMNS) + "\n"


def _write_game(record: Record, index: int) -> dict[str, str]:
    tags = record.tags
    game: dict[str, str] = {column: tags[column] for column in COLUMNS if column in tags}
    game |= {column: tags[tag] for column, tag in _TAG_BY_COLUMN.items() if tag in tags}
    game.setdefault("id", str(index))
    with suppress(ValueError):  # a date that is none is left out
        began = datetime.fromisoformat(tags.get("Date", "")).replace(tzinfo=UTC)
        game.setdefault("startts", str(int(began.timestamp())))
    number, letter = _next_turn(record)
    turns = list(_official_turns(record, _ARCHIVE_LETTERS))
    game["movelist"] = LINE_BREAK.join([*turns, f"{number}{letter}"])
    # Completed moves; one in which Gold gave up counts, as in the archive itself.
    gold_resigned = tags.get("Reason") == Reason.RESIGNATION and tags.get("Result") == SEATS[1].tag
    game["plycount"] = str(number if letter == "b" or gold_resigned else number - 1)
    game["events"] = "NULL"
    result, reason = tags.get("Result"), tags.get("Reason")
    game["result"] = next((code for code, name in _WINNERS.items() if name == result), "u")
    if reason in _CODES and _REASONS.get(tags.get("termination", "")) != reason:
        game["termination"] = _CODES[Reason(reason)]
    return game


def _next_turn(record: Record) -> tuple[int, str]:
    """The number and the archive's letter of the turn that was not played any more.

    A line that only says ``resign`` counts as played.
    """
    played: list[WrittenTurn] = []
    for turn in record.turns:
        words = [word.text for word in turn.words]
        if TAKEBACK in words:
            played = played[:-1]
        elif turn.closed:
            played.append(turn)
    if not played:
        return 1, "w"
    last = played[-1]
    return (last.number, "b") if last.letter in "gw" else (last.number + 1, "w")


FORMATS: Final[Mapping[str, Format]] = {
    form.name: form
    for form in (
        Format(
            "movelist",
            text("the official notation, a turn a line"),
            read_movelists,
            write_movelists,
            check_is_movelist,
            lambda line: re.match(r"[ \t]*1[gw][ \t]", line) is not None,
            game="arimaa",
        ),
        Format(
            "archive",
            text("the game archive of the Arimaa server, a table"),
            read_archive,
            write_archive,
            check_has_setups,
            lambda line: line.startswith("id\t") and "\tmovelist" in line,
            game="arimaa",
        ),
    )
}
