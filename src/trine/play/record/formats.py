"""The formats of record files: our own, and those of other programs, which the games provide."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final

from trine.core.contract.notation import Format, read_data
from trine.core.contract.position import Position
from trine.core.contract.record import (
    STOPS,
    Record,
    format_record,
    parse_written_turn,
    read_records,
)
from trine.core.errors import FileError, IllegalError, MalformedError, TrineError
from trine.core.text.sentence import Text, Word, quoted, text, typed
from trine.games import ROOMS, open_room, room_of_position
from trine.play.record.replay import replay_as_far_as_legal
from trine.play.record.text_files import read_lines


class UnknownFormatError(MalformedError):
    """A text that begins no format and is no position."""


def _write(records: Iterable[Record]) -> Iterator[str]:
    for index, record in enumerate(records):
        yield ("\n" if index else "") + format_record(record)


OURS: Final = Format(
    "trine",
    text("the records of this house"),
    read_records,
    lambda head: re.search(r"^\[Game ", head, re.MULTILINE) is not None,
    _write,
)
MAX_HEAD_LINES: Final = 300
"""Units: lines; the format of a file is detected from its first lines, at most this many."""
MAX_WORDS_IN_ROUND: Final = 4
"""The most moves of a list in a JSON list that can be a round of one game, not a game."""
MAX_COMPARED_GAMES: Final = 8
"""Units: games; the most games that are replayed to choose among several possible formats."""
_JSON: Final = re.compile(r"""\{|\[\s*(?:["'\[{0-9]|$)""")
_BARE_LIST: Final = re.compile(r"""\(?\s*(["'])\w+\1\s*,""")
"""The beginning of a list of words in the code of a program: in round brackets or in none."""
_MOVES: Final = ("moves", "actions", "history", "notation", "move", "action")
"""The JSON keys of a list of moves, and of a move in such a list."""


_SQUARE: Final = re.compile(r"[A-Za-z][1-9]|^[0-9]+[a-z](?=\s|$)")
"""The name of a square, or the number of a turn."""


def _formats_by_room() -> Iterator[Iterable[Format]]:
    """Yield the formats, ours first, then those of each game, which is loaded only when reached."""
    yield (OURS,)
    for name in ROOMS:
        yield open_room(name).rules.formats.values()


def known_formats() -> Mapping[str, Format]:
    """Return all formats by name: ours and those of the games."""
    return {form.name: form for forms in _formats_by_room() for form in forms}


def writable_formats() -> Mapping[str, Format]:
    """Return the formats that can be written, by name."""
    return {name: form for name, form in known_formats().items() if not form.only_read}


def named_format(name: str) -> Format:
    """Return the format with a name; raises `MalformedError` if there is none."""
    formats = known_formats()
    if name not in formats:
        raise MalformedError(
            "no format {given}; there are {known}", given=quoted(name), known=", ".join(formats)
        )
    return formats[name]


def check_can_hold(form: Format, record: Record) -> None:
    game = record.tags.get("Game", "")
    if form.game not in ("", game):
        raise FileError(
            "the format {name} holds games of {game}, not of {given}",
            name=form.name,
            game=typed(open_room(form.game).title),
            given=quoted(game),
        ).at(record.file, record.line)
    form.check(record)


def read_file(path: str | Path, form: str = "") -> tuple[Format, Iterator[Record]]:
    """Return a file's format, ``form`` or detected, and its records; raises `TrineError`."""
    return parse_records(read_lines(path), form, str(path))


def read_unambiguous(path: str | Path) -> Iterator[Record]:
    """Yield the records of a file; raises `TrineError`, also if other formats read other games."""
    for record in read_file(path)[1]:
        if record.readings:
            raise MalformedError("{told}", told=record.remarks[-1]).at(record.file, record.line)
        yield record


def parse_records(
    lines: Iterable[str], form: str = "", file: str = ""
) -> tuple[Format, Iterator[Record]]:
    """Return the format of lines, ``form`` or the detected one, and their records."""
    if form:
        chosen = named_format(form)
        return chosen, chosen.read(lines, file)
    return detect_format(lines, file)


def detect_format(lines: Iterable[str], file: str = "") -> tuple[Format, Iterator[Record]]:
    """Detect the format of lines by their beginning; return it and their records.

    If several formats can read the first record, the one that reads most of it as legal is chosen;
    if they tie, the next records decide. A remark on the first record names the format, and others
    that would read other legal games.

    Raises:
        TrineError: the lines cannot be read, or have none of the formats.
    """
    rest = iter(lines)
    head: list[str] = []
    while not head or not head[-1].strip() or head[-1].startswith("#"):
        if (line := next(rest, None)) is None:
            break
        head.append(line)
    first, place = (head[-1], len(head) - 1) if head else ("", 0)
    head += islice(rest, MAX_HEAD_LINES)
    begins = "".join(head[place:])
    if _JSON.match(first):
        head = ["".join(chain(head[place:], rest))]
        if record := _position(head, 0, file):
            return OURS, iter([record])
        return detect_format(_lines_of_json(head[0], file), file)
    if found := _matching_formats(begins):
        form, others = _choose(found, head)
        return form, _with_remark(form.read(chain(head, rest), file), form, others)
    if _BARE_LIST.match(first):
        listed = "".join(chain(head[place:], rest)).strip().strip("(),;")
        return detect_format([f"[{listed}]"], file)
    if len(head) < MAX_HEAD_LINES and (record := _position(head, place, file)):
        return OURS, iter([record])
    if first.startswith(("[", "#")):
        return OURS, OURS.read(chain(head, rest), file)
    if not first.strip():
        raise UnknownFormatError("there is no text; expected a record, a position or turns").at(
            file
        )
    raise UnknownFormatError(
        "this is no record: the first line {given} begins none of the formats {known}",
        given=quoted(first.strip()),
        known=", ".join(known_formats()),
    ).at(file, 1)


def _matching_formats(begins: str) -> list[Format]:
    """Return the formats that recognise a text, game by game; stop at a distinctive one."""
    found: list[Format] = []
    for forms in _formats_by_room():
        found += [form for form in forms if form.recognises(begins)]
        if any(not form.looks_like_others for form in found):
            break
    return sorted(found, key=lambda form: form.looks_like_others)


def _choose(candidates: Sequence[Format], head: Sequence[str]) -> tuple[Format, list[str]]:
    """Return the format that reads most of the first records as legal, and its rivals' names.

    Rivals read as much as legal, but as other games.
    """
    if len(candidates) == 1:
        return candidates[0], []
    left = {form.name: form.read(head, "") for form in candidates}
    played: dict[str, list[list[tuple[Any, ...]]]] = {name: [] for name in left}
    for index in range(MAX_COMPARED_GAMES):
        legal: dict[str, tuple[bool, int]] = {}
        for name, records in left.items():
            with suppress(TrineError, StopIteration):
                play, error = replay_as_far_as_legal(next(records))
                legal[name] = error is None, len(play.turns)
                played[name].append([turn.actions for turn in play.turns])
        if not legal:
            break
        most = whole, _ = max(legal.values())
        if index and not whole:
            continue  # a faulty record says nothing about the format
        left = {name: left[name] for name, count in legal.items() if count == most}
        if len(left) == 1:
            break
    chosen, *others = left
    form = next(form for form in candidates if form.name == chosen)
    return form, [name for name in others if played[name] != played[chosen]]


def format_remark(form: Format) -> Text | None:
    """Return the remark that a record was read in a format; None if the format needs no remark."""
    return form.begins and text("read as {form}: {begins}", form=form.name, begins=form.begins)


def _with_remark(
    records: Iterator[Record], form: Format, others: Sequence[str]
) -> Iterator[Record]:
    """Yield records, and add a remark to the first on the format they were read in."""
    first = next(records, None)
    if first is None:
        return
    if remark := format_remark(form):
        if others:
            first.readings = (form.name, *others)
            remark = text(
                "{told}; it would be another legal game as {others}; --from, here or in trine "
                "convert, says which is meant",
                told=remark,
                others=", ".join(others),
            )
        first.remarks.append(remark)
    yield first
    yield from records


def _lines_of_json(content: str, file: str) -> list[str]:
    """Return the moves in a JSON text, one a line, or several games or turns, one a line each.

    Raises:
        MalformedError: it has none.
    """
    data = read_data(content)
    if data is None:
        raise MalformedError("this begins like JSON, but is no valid JSON; is it whole?").at(
            file, 1
        )
    parts = [list(_words_of_json(part)) for part in data] if isinstance(data, list) else []
    if len(parts) > 1 and min(map(len, parts)) > MAX_WORDS_IN_ROUND:
        return [f"{' '.join(words)}\n" for words in parts]
    words = list(_words_of_json(data))
    if lines := [f"{move}\n" for move in words] or _lines_of_moves(_moves_of_json(data), file):
        return lines
    raise MalformedError(
        "this JSON has no list of moves as words; give such a list, or a move a line"
    ).at(file, 1)


def _lines_of_moves(moves: Sequence[object], file: str) -> list[str]:
    """Return moves that are objects or numbers as words of a format, one a line.

    If an object has several meanings, the legal one is chosen; for numbers, all meanings are legal.

    Raises:
        MalformedError: the moves mean several legal games.
    """
    meanings = [
        [f"{word}\n" for word in words]
        for name in ROOMS
        for words in open_room(name).rules.words_of_moves(moves)
    ]
    legal = [lines for lines in meanings if _is_legal(lines)]
    if len(legal) > 1:
        raise MalformedError(
            "these moves are legal counted from 0 and from 1; give them as words such as e2 e8"
        ).at(file, 1)
    if meanings and not legal and isinstance(moves[0], dict):
        return meanings[0]
    return legal[0] if legal else []


def _is_legal(lines: Sequence[str]) -> bool:
    """Return whether lines are a legal game from the usual start."""
    try:
        record = next(detect_format(lines)[1])
        usual = not record.tags.keys() - {"Game", "Rules"}
        return usual and replay_as_far_as_legal(record)[1] is None
    except TrineError:
        return False


def _moves_of_json(data: object) -> Sequence[object]:
    """Return the list under one of `_MOVES` at any depth, or the whole text if it is a list."""
    if isinstance(data, list):
        return data
    if isinstance(data, dict):
        under = next((data[name] for name in _MOVES if name in data), None)
        inner = [part for part in data.values() if isinstance(part, dict)]
        return next(filter(None, map(_moves_of_json, inner if under is None else [under])), ())
    return ()


def _words_of_json(data: object) -> Iterator[str]:
    """Yield the words of a JSON list of moves, found under one of `_MOVES` at any depth."""
    if isinstance(data, str):
        yield from data.split()
    elif isinstance(data, list):
        yield from chain.from_iterable(map(_words_of_json, data))
    elif isinstance(data, dict):
        under = next((data[name] for name in _MOVES if name in data), None)
        inner = [part for part in data.values() if isinstance(part, dict)]
        yield from chain.from_iterable(map(_words_of_json, inner if under is None else [under]))


def _position(lines: Sequence[str], place: int, file: str) -> Record | None:
    """Return the record of a position that begins in a line, and of the turns after it, if any.

    Raises:
        MalformedError: a line spoils a board.
    """
    spoilt: TrineError | None = None
    for end in range(len(lines), place, -1):
        content = "".join(lines[place:end]).strip()
        try:
            room = room_of_position(content)
        except TrineError as error:
            if error.place.line and isinstance(error, IllegalError):
                raise type(error)(error.message).at(file, place + error.place.line) from None
            spoilt = spoilt or (error if error.place.line else None)
            continue
        position = room.rules.parse_position(content, "")
        tags = {"Game": room.name, "Rules": position.rules.name}
        record = Record(tags | dict(room.rules.start_tags(position)), file=file, lenient=True)
        _add_turns(record, position, lines[end:], end + 1)
        return record
    if spoilt:
        raise type(spoilt)(spoilt.message).at(file, place + spoilt.place.line)
    return None


def _add_turns(record: Record, position: Position, lines: Sequence[str], first: int) -> None:
    """Add the turns that follow a position, a turn a line, with or without its number.

    A line that names no square is skipped with a remark.
    """
    for number, line in enumerate(lines, start=first):
        words = line.strip()
        if not words or words.startswith("#"):
            continue
        if not (words in STOPS or _SQUARE.search(words)):
            record.remarks.append(
                text(
                    "line {number} is no turn, and is skipped: {given}",
                    number=number,
                    given=quoted(words),
                )
            )
            continue
        try:
            turn = parse_written_turn(line.rstrip("\r\n"), record.file, number)
        except MalformedError:
            rounds, player = divmod(position.mover + len(record.turns), len(position.seats))
            tag = f"{position.number + rounds}{position.seats[player].letter}"
            turn = parse_written_turn(f"{tag} {words}", record.file, number)
            shift = len(line) - len(line.lstrip()) - len(tag) - 1
            turn.words = [Word(word.text, word.column + shift) for word in turn.words]
        record.turns.append(turn)
