"""The formats of record files: our own, and those of other programs that rooms provide."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final

from trine.core.contract import Format
from trine.core.contract.record import (
    Record,
    format_record,
    parse_written_turn,
    read_records,
)
from trine.core.errors import FileError, MalformedError, TrineError
from trine.core.text.sentence import Text, text
from trine.core.text.typed import typed
from trine.core.text.words import quoted
from trine.games import ROOMS, open_room, room_of_position
from trine.play.record.replay import replay_as_far_as_legal
from trine.play.record.text_files import read_lines


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
"""Units: lines; by so many the format of a file is found."""
MAX_COMPARED_GAMES: Final = 8
"""Units: games; by so many at most a format is chosen among several."""
_JSON: Final = ("{", '["', "['", "[[", "[{")
_MOVES: Final = ("moves", "actions", "history", "notation", "move", "action")
"""The names of lists of moves in JSON, and of a move in such a list."""


def _formats_by_room() -> Iterator[Iterable[Format]]:
    """Return all formats, ours first; a room is opened when its formats are come to."""
    yield (OURS,)
    for name in ROOMS:
        yield open_room(name).rules.formats.values()


def known_formats() -> Mapping[str, Format]:
    """Return all formats by name; those of other programs belong to the rooms."""
    return {form.name: form for forms in _formats_by_room() for form in forms}


def writable_formats() -> Mapping[str, Format]:
    """Return those of the formats that records can be written in."""
    return {name: form for name, form in known_formats().items() if not form.only_read}


def named_format(name: str) -> Format:
    """Return the format of a name. Raises `MalformedError`: there is no format of that name."""
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
    """Return the format of a file, named or found, and its records; raises `TrineError`."""
    return parse_records(read_lines(path), form, str(path))


def read_unambiguous(path: str | Path) -> Iterator[Record]:
    """Yield the records of a file; raises `TrineError`, also if they can be read as other games."""
    for record in read_file(path)[1]:
        if record.readings:
            raise MalformedError("{told}", told=record.remarks[-1]).at(record.file, record.line)
        yield record


def parse_records(
    lines: Iterable[str], form: str = "", file: str = ""
) -> tuple[Format, Iterator[Record]]:
    """Return the format of lines, as named or as they begin, and their records."""
    if form:
        chosen = named_format(form)
        return chosen, chosen.read(lines, file)
    return detect_format(lines, file)


def detect_format(lines: Iterable[str], file: str = "") -> tuple[Format, Iterator[Record]]:
    """Return the format of lines, found by how they begin, and their records.

    Where several formats can read the first record, that one is taken in which most of it is
    legal, or of those behind it. The first record says so, and which others would make other legal
    games.

    Raises:
        TrineError: they cannot be read, or have none of the formats.
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
    if first.startswith(_JSON):
        return detect_format(_lines_of_json("".join(chain(head[place:], rest)), file), file)
    for forms in _formats_by_room():
        if found := [form for form in forms if form.recognises(begins)]:
            form, others = _chosen(found, head)
            return form, _with_remark(form.read(chain(head, rest), file), form, others)
    if len(head) < MAX_HEAD_LINES and (record := _position(head[place:], file)):
        return OURS, iter([record])
    if first.startswith(("[", "#")):
        return OURS, OURS.read(chain(head, rest), file)
    raise MalformedError(
        "this is no record: the first line {given} begins none of the formats {known}",
        given=quoted(first),
        known=", ".join(known_formats()),
    ).at(file, 1)


def _chosen(found: Sequence[Format], head: Sequence[str]) -> tuple[Format, list[str]]:
    """Return the format in which most of the first records is legal.

    Returns: it, and the names of those in which as much is legal, but of other games.
    """
    if len(found) == 1:
        return found[0], []
    left = {form.name: form.read(head, "") for form in found}
    played: dict[str, list[list[tuple[Any, ...]]]] = {name: [] for name in left}
    for game in range(MAX_COMPARED_GAMES):
        legal: dict[str, tuple[bool, int]] = {}
        for name, records in left.items():
            with suppress(TrineError, StopIteration):
                play, error = replay_as_far_as_legal(next(records))
                legal[name] = error is None, len(play.turns)
                played[name].append([turn.actions for turn in play.turns])
        if not legal:
            break
        most = whole, _ = max(legal.values())
        if game and not whole:
            continue  # its fault tells nothing of the format
        left = {name: left[name] for name, count in legal.items() if count == most}
        if len(left) == 1:
            break
    chosen, *others = left
    form = next(form for form in found if form.name == chosen)
    return form, [name for name in others if played[name] != played[chosen]]


def format_remark(form: Format) -> Text | None:
    """Return the remark on a format in which a text was read, if its words have a choice."""
    return form.begins and text("read as {form}: {begins}", form=form.name, begins=form.begins)


def _with_remark(
    records: Iterator[Record], form: Format, others: Sequence[str]
) -> Iterator[Record]:
    """Yield records; how they were read stands in the first."""
    first = next(records, None)
    if first is None:
        return
    if told := format_remark(form):
        if others:
            first.readings = (form.name, *others)
            told = text(
                "{told}; it would be another legal game as {others}; --from, here or in trine "
                "convert, says which is meant",
                told=told,
                others=", ".join(others),
            )
        first.remarks.append(told)
    yield first
    yield from records


def _lines_of_json(words: str, file: str) -> list[str]:
    """Return the turns of a game in JSON as lines; raises `MalformedError` if it has none."""
    for text_of_list in (words, words.replace("'", '"')):  # as Python writes it
        with suppress(ValueError, RecursionError):
            if found := list(_words_of_json(json.loads(text_of_list))):
                return [f"{one}\n" for one in found]
    raise MalformedError(
        "this JSON has no list of moves as words; give such a list, or a move a line"
    ).at(file, 1)


def _words_of_json(data: object) -> Iterator[str]:
    """Yield the words of a list, or of the list under a name for one, however deep they lie."""
    if isinstance(data, str):
        yield from data.split()
    elif isinstance(data, list):
        yield from chain.from_iterable(map(_words_of_json, data))
    elif isinstance(data, dict):
        under = next((data[name] for name in _MOVES if name in data), None)
        inner = [part for part in data.values() if isinstance(part, dict)]
        yield from chain.from_iterable(map(_words_of_json, inner if under is None else [under]))


def _position(lines: Sequence[str], file: str) -> Record | None:
    """Return the record of a position in a file, with the turns behind it; None if it has none."""
    for end in range(len(lines), 0, -1):
        words = "".join(lines[:end]).strip()
        with suppress(TrineError):
            room = room_of_position(words)
            position = room.rules.parse_position(words, "")
            tags = {"Game": room.name, "Rules": position.rules.name}
            record = Record(tags | dict(room.rules.start_tags(position)), file=file, lenient=True)
            for number, line in enumerate(lines[end:], start=end + 1):
                if line.strip():
                    record.turns.append(parse_written_turn(line.rstrip("\r\n"), file, number))
            return record
    return None
