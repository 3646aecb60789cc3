"""The formats of record files: our own, and those of other programs that rooms provide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Final

from trine.core.contract import Format
from trine.core.contract.record import Record, format_record, read_records
from trine.core.errors import FileError, MalformedError
from trine.core.text.sentence import text
from trine.core.text.words import quoted
from trine.games import ROOMS, open_room
from trine.play.record.files import read_lines


def _write(records: Iterable[Record]) -> Iterator[str]:
    for index, record in enumerate(records):
        yield ("\n" if index else "") + format_record(record)


OURS: Final = Format(
    "trine",
    text("the records of this house"),
    read_records,
    _write,
    lambda record: None,
    lambda line: line.startswith(("[", "#")),
)


def _formats() -> Iterator[Format]:
    """Return all formats, ours first; a room is opened when its formats are come to."""
    yield OURS
    for name in ROOMS:
        yield from open_room(name).rules.formats.values()


def known_formats() -> Mapping[str, Format]:
    return {form.name: form for form in _formats()}


def named_format(name: str) -> Format:
    """Return the format of a name. Raises `MalformedError`: there is no format of that name."""
    formats = known_formats()
    if name not in formats:
        raise MalformedError(
            text(
                "no format {given}; there are {known}", given=quoted(name), known=", ".join(formats)
            )
        )
    return formats[name]


def check_can_hold(form: Format, record: Record) -> None:
    """Raise `FileError` if a format cannot hold a record."""
    game = record.tags.get("Game", "")
    if form.game not in ("", game):
        raise FileError(
            text(
                "the format {name} holds games of {game}, not of {given}",
                name=form.name,
                game=open_room(form.game).title,
                given=quoted(game),
            )
        ).at(record.file, record.line)
    form.check(record)


def read_file(path: str | Path, form: str = "") -> tuple[Format, Iterator[Record]]:
    """Return the format of a file, by its first line unless named, and a stream of records."""
    lines, file = read_lines(path), str(path)
    if form:
        chosen = named_format(form)
        return chosen, chosen.read(lines, file)
    return recognised(lines, file)


def recognised(lines: Iterable[str], file: str = "") -> tuple[Format, Iterator[Record]]:
    """Return the format of lines, found by the first that says something, and their records."""
    rest = iter(lines)
    head: list[str] = []
    while not head or not head[-1].strip() or head[-1].startswith("#"):
        if (line := next(rest, None)) is None:
            break
        head.append(line)
    everything, first = chain(head, rest), head[-1] if head else ""
    for candidate in _formats():
        if candidate.recognises(first):
            return candidate, candidate.read(everything, file)
    raise MalformedError(
        text(
            "this is no record: the first line {given} begins none of the formats {known}",
            given=quoted(first),
            known=", ".join(known_formats()),
        )
    ).at(file, 1)
