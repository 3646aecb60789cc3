"""The formats of record files: our own, and those of other programs, which the games provide."""

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
"""Units: lines; the format of a file is detected from its first lines, at most this many."""
MAX_COMPARED_GAMES: Final = 8
"""Units: games; the most games that are replayed to choose among several possible formats."""
_JSON: Final = ("{", '["', "['", "[[", "[{")
_MOVES: Final = ("moves", "actions", "history", "notation", "move", "action")
"""The JSON keys of a list of moves, and of a move in such a list."""


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
    """Return the format of a file, ``form`` or the detected one, and its records.

    Raises `TrineError`.
    """
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


def _chosen(candidates: Sequence[Format], head: Sequence[str]) -> tuple[Format, list[str]]:
    """Return the format that reads most of the first records as legal.

    Returns: the format, and the names of others that read as much as legal, but as other games.
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
    """Return the remark that a record was read in a format, None if the format needs no remark."""
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
    """Return the moves in a JSON text, one a line; raises `MalformedError` if it has none."""
    for text_of_list in (content, content.replace("'", '"')):  # Python prints single quotes
        with suppress(ValueError, RecursionError):
            if moves := list(_words_of_json(json.loads(text_of_list))):
                return [f"{move}\n" for move in moves]
    raise MalformedError(
        "this JSON has no list of moves as words; give such a list, or a move a line"
    ).at(file, 1)


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


def _position(lines: Sequence[str], file: str) -> Record | None:
    """Return the record of a position at the head of a file and the turns after it, if any."""
    for end in range(len(lines), 0, -1):
        content = "".join(lines[:end]).strip()
        with suppress(TrineError):
            room = room_of_position(content)
            position = room.rules.parse_position(content, "")
            tags = {"Game": room.name, "Rules": position.rules.name}
            record = Record(tags | dict(room.rules.start_tags(position)), file=file, lenient=True)
            for number, line in enumerate(lines[end:], start=end + 1):
                if line.strip():
                    record.turns.append(parse_written_turn(line.rstrip("\r\n"), file, number))
            return record
    return None
