r"""Move lists: the official notation of Arimaa, a turn a line; and the archive of the game server.

Lines are separated by real line breaks, or by ``\n`` as inside a column of the archive, or by
``%13`` and ``%0d`` as in messages of the server; a line can hold several turns. Lists of the
planning window of arimaa.com set up only some pieces, anywhere, and have the word ``pass`` instead
of a turn or after its steps.

AbstractPlay leaves the numbers out, and writes the target of a step: ``Ed2d3,Ed3d4(xRc3)``.

The archive of the game server of arimaa.com is a table, one game a line, separated by tabs. Its
columns are named in the first line; one of them holds a move list.

Sources: arimaa.com/arimaa/learn/notation.html; the archive's own files, and the list of its codes
of termination (arimaa.com/arimaa/gameroom/reasonCodes.html).
"""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Final

from trine.core.clock import format_seconds
from trine.core.contract.position import Reason, position_after
from trine.core.contract.record import (
    DRAW,
    STOPS,
    TAKEBACK,
    UNDO,
    Record,
    WrittenTurn,
    parse_written_turn,
)
from trine.core.errors import FileError, MalformedError, TrineError
from trine.core.text.sentence import Word, quoted, text
from trine.games.arimaa.board import ARMY, EMPTY, GOLD, PIECES, SEATS, SQUARE_NAMES, SQUARE_OF
from trine.games.arimaa.diagrams import check_board, write_position
from trine.games.arimaa.notation import parse_action, read_actions
from trine.games.arimaa.position import Position
from trine.games.arimaa.rules import RULE_SETS, Step

PASS: Final = "pass"
_PLACEMENT = re.compile("([EMHDCRemhdcr])([a-h][1-8])")
_BREAK = re.compile(r"(\\n|%13|%0[adAD]|(?<=[ \t])(?=[0-9]{1,7}[wbgs](?:[ \t]|$)))")
"""A line break, or the beginning of another turn in the same line."""
_TAG_END = re.compile(r"(?<=[0-9][wbgs])[.:](?=\s)")
"""The sign that follows the tag of a turn in forum posts."""
_PLIES = re.compile(
    r"[ \t]*(?:makemove[ \t]+)?(?:[EMHDCRemhdcr][a-h][1-8](?:[a-h][1-8])?(?:\(x\w+\))?[, \t]*){4,}"
)


def read_movelists(lines: Iterable[str], file: str = "") -> Iterator[Record]:
    """Read the move lists of a file; each begins with Gold's setup, ``1g`` or ``1w``.

    A list has no date. A list with the letters ``w`` and ``b`` may be from before 2008; if it is
    not legal today, the rules of that time are tried.
    """
    for record in _read_lists(lines, file):
        yield _as_planned(without_empty_end(record))


def _read_lists(lines: Iterable[str], file: str) -> Iterator[Record]:
    record = Record({"Game": "arimaa"}, file=file, lenient=True)
    for number, line in enumerate(lines, start=1):
        line = _TAG_END.sub(" ", line.rstrip("\r\n").replace("\u00a0", " "))
        for turn in read_turns(line, file, number, column=1):
            if isinstance(turn, MalformedError):
                record.error = record.error or turn
            elif turn.tag in ("1g", "1w") and not _may_go_on(record):
                yield record
                record = Record({"Game": "arimaa"}, [turn], line=number, file=file, lenient=True)
            elif not record.error:
                record.turns.append(turn)
            if record.turns and record.turns[-1].letter in "wb":
                record.older_rules = "classic"  # the letters of records from before 2008
    yield record


def _as_planned(record: Record) -> Record:
    """Turn a list that sets up only some pieces, or has passes, into a record from a position.

    Turns before a pass are not kept, since no rule set allows a pass.
    """
    for turn in record.turns:
        if len(turn.words) > 1 and turn.words[-1].text == PASS:
            turn.words.pop()
    setups = [turn for turn in record.turns if turn.number == 1]
    placed = [_PLACEMENT.fullmatch(word.text) for turn in setups for word in turn.words]
    turns = record.turns[len(setups) :]
    passes = [at for at, turn in enumerate(turns, 1) if turn.words and turn.words[0].text == PASS]
    if record.error or None in placed or (all(map(_is_whole, setups)) and not passes):
        return record
    board = {SQUARE_OF[found.group(2)]: found.group(1) for found in placed if found}
    letters = "".join(board.get(square, EMPTY) for square in range(len(SQUARE_NAMES)))
    position = Position.of(RULE_SETS["official"], letters, GOLD)
    begins = max(passes, default=0)
    try:
        check_board(letters)
        for turn in turns[:begins]:
            after, typed = position, " ".join(map(str, turn.words))
            if typed != PASS:
                after = position_after(position, read_actions(position, typed))
            mover, number = 1 - position.mover, position.number + position.mover
            position = Position.of(position.rules, after.board, mover, number)
    except TrineError as error:
        record.error = error.at(record.file, record.line)
        return record
    record.tags["Start"], record.turns = write_position(position), turns[begins:]
    record.remarks.append(text("the list sets up a position, and the record begins there"))
    return record


def _is_whole(setup: WrittenTurn) -> bool:
    """Return whether a first turn places a whole army on its own ranks."""
    ranks, pieces = ("12", PIECES[0]) if setup.letter in "gw" else ("78", PIECES[1])
    own = [word for word in setup.words if word.text[0] in pieces and word.text[2] in ranks]
    return len(own) == sum(ARMY.values())


def is_plies(head: str) -> bool:
    """Return whether a text begins like AbstractPlay's games: with a setup without a number."""
    return _PLIES.fullmatch(head.split("\n")[0]) is not None


def read_plies(lines: Iterable[str], file: str = "") -> Iterator[Record]:
    """Read games of AbstractPlay: a turn a line, without numbers; empty lines separate games."""
    record = Record({"Game": "arimaa"}, file=file, lenient=True)
    for number, line in enumerate([*lines, "\n"], start=1):
        if not line.strip():
            if record.turns:
                yield _as_planned(record)
            record = Record({"Game": "arimaa"}, line=number + 1, file=file, lenient=True)
            continue
        words = [
            Word(found.group().partition("(")[0], found.start() + 1)
            for found in re.finditer(r"[^, \t\r\n]+", line)
            if found.group() != "makemove"
        ]
        index = len(record.turns)
        record.turns.append(WrittenTurn(index // 2 + 1, "gs"[index % 2], words, line=number))


def write_plies(records: Iterable[Record]) -> Iterator[str]:
    for index, record in enumerate(records):
        yield "\n" if index else ""
        for turn in record.turns:
            if turn.closed:
                yield ",".join(map(_as_ply, _kept_words(turn))).replace(",(", "(") + "\n"


def _as_ply(word: str) -> str:
    if word.endswith("x"):
        return f"(x{word[:-1]})"
    if word in STOPS or not isinstance(step := parse_action(word), Step):
        return word
    return word[:3] + SQUARE_NAMES[step.target]


def _may_go_on(record: Record) -> bool:
    """Return whether Gold's setup may come next: nothing is played, or all is taken back."""
    turns = record.turns
    return not turns or any(word.text == TAKEBACK for word in turns[-1].words)


def read_turns(
    lines: str, file: str, number: int, column: int
) -> Iterator[WrittenTurn | MalformedError]:
    """Read the turns of a move list from one line of a file, starting at a column.

    Text that is no turn yields its error in place of a turn.
    """
    parts = _BREAK.split(lines)
    for line, mark in zip(parts[::2], [*parts[1::2], ""], strict=True):
        if line.strip(" \t"):
            try:
                turn = parse_written_turn(line, file, number)
                turn.words = [Word(word.text, word.column + column - 1) for word in turn.words]
                yield turn
            except MalformedError as error:
                at = column + max(error.place.column - 1, 0)
                yield MalformedError(error.message).at(file, number, at)
        column += len(line) + len(mark)


def without_empty_end(record: Record) -> Record:
    """Drop the tag of the next turn, with no steps, that ends the archive's move lists."""
    if record.turns and not record.turns[-1].words:
        record.turns.pop()
    return record


def write_movelists(records: Iterable[Record]) -> Iterator[str]:
    """Write records as move lists, one turn on each line, and an empty line between two records.

    Comments, undone actions and the open turn are left out.
    """
    for index, record in enumerate(records):
        yield "\n" if index else ""
        for turn in record.turns:
            if turn.closed:
                letter = _OFFICIAL_LETTERS.get(turn.letter, turn.letter)
                yield " ".join([f"{turn.number}{letter}", *_kept_words(turn)]) + "\n"


def check_is_movelist(record: Record) -> None:
    """Raise an error unless a move list, which holds nothing but turns, can hold a record."""
    for tag in ("Start", "Handicap"):
        if start := record.tags.get(tag):
            raise FileError(
                "a move list begins with full setups; this record has {tag} {start}",
                tag=tag,
                start=quoted(start),
            ).at(record.file, record.tag_lines.get(tag, record.line))
    if not any(turn.closed and turn.words for turn in record.turns):
        raise FileError("the format cannot hold a game in which nothing was played").at(
            record.file, record.line
        )


_OFFICIAL_LETTERS: Final = {"w": "g", "b": "s"}


def _kept_words(turn: WrittenTurn) -> list[str]:
    """Return the words of a turn without undone actions and their removal marks."""
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


TODAYS_RULES_SINCE: Final = "2008-07-01"
"""Before this date the game server used the rule set that is now `classic`.

Source: the match rules.
"""

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
