"""Formats of other programs that hold a position and no turns; each is two functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from trine.core.contract.record import Record
from trine.core.contract.room import Format
from trine.core.errors import FileError, TrineError
from trine.core.text.sentence import Text, text


def position_format(
    name: str,
    title: Text,
    *,
    game: str,
    whose: str,
    example: str,
    parse: Callable[[str], Any],
    format_start: Callable[[Any], str],
    write: Callable[[Any], str],
) -> Format:
    """Return a format that holds one position.

    ``parse`` reads a position in any form; ``format_start`` writes the tag ``Start``; ``write``
    writes the format, or raises `TrineError` if it cannot hold the position.
    """

    def read(lines: Iterable[str], file: str) -> Iterator[Record]:
        try:
            position = parse("".join(lines).strip("\r\n"))
        except TrineError as error:
            raise error.at(file, 1) from None
        yield Record(
            {"Game": game, "Rules": position.rules.name, "Start": format_start(position)}, file=file
        )

    def written(record: Record) -> str:
        played = next((turn for turn in record.turns if turn.words), None)
        if played or "Start" not in record.tags:
            problem = (
                text("the format holds a position, and no turns")
                if played
                else text("the format holds a position; this record has no tag Start")
            )
            raise FileError(problem).at(record.file, played.line if played else record.line)
        try:
            return write(parse(record.tags["Start"])) + "\n"
        except TrineError as error:
            raise FileError(
                "this position has no text in the format {name}: {reason}",
                name=name,
                reason=error.message,
            ).at(record.file, record.tag_lines.get("Start", record.line)) from None

    def check(record: Record) -> None:
        written(record)

    return Format(
        name,
        title,
        read,
        lambda head: False,  # positions are recognised in every form
        lambda records: map(written, records),
        check,
        game=game,
        whose=whose,
        example=example,
        of_positions=True,
    )
