"""`trine convert`: converting a stream of records from one format to another."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from trine.cli.commands import speech
from trine.cli.commands.options import format_option, from_option, rules_option
from trine.cli.commands.places import read_asking
from trine.cli.commands.speech import option, tell, tell_remarks
from trine.core.contract import Format
from trine.core.contract.record import Record
from trine.core.errors import FileError, TrineError
from trine.core.text.sentence import text
from trine.play.record.formats import OURS, check_can_hold, named_format, writable_formats
from trine.play.record.log import check_not_played
from trine.play.record.replay import replay
from trine.play.record.text_files import STANDARD, open_to_write


@speech.command(
    "convert",
    text(
        "Convert the records in SOURCE and write them to TARGET (- is standard output). Each is "
        "checked; illegal ones are reported and left out. The format trine is our own; every "
        "game has others."
    ),
)
@click.argument("source", metavar="SOURCE")
@click.argument("target", metavar="[TARGET]", default=STANDARD)
@format_option(
    "--to",
    "to",
    meaning=text("Format to write; if not given, our own, trine."),
    formats=writable_formats(),
    default=OURS.name,
)
@from_option
@rules_option
@option("--keep-illegal", is_flag=True, meaning=text("Convert the others too."))
def command(
    source: str, target: str, to: str, form: str | None, rules: str | None, keep_illegal: bool
) -> None:
    writer = named_format(to)
    _, records = read_asking(source, form or "")
    converted = _LegalRecords(rules or "", keep_illegal)
    if target != STANDARD:
        check_not_played(Path(target))
    with open_to_write(target) as stream:
        for piece in writer.write(converted.checked(records, writer)):
            stream.write(piece)
    done = text(
        "converted: {good}, not legal: {wrong}, not for this format: {unfit}",
        good=converted.good,
        wrong=converted.wrong,
        unfit=converted.unfit,
    )
    tell(done, err=True)
    sys.exit(1 if converted.wrong or converted.unfit else 0)


class _LegalRecords:
    """A filter that passes legal records, and counts and reports the others."""

    def __init__(self, rules: str, keep_illegal: bool) -> None:
        self.good = self.wrong = self.unfit = 0
        self._rules = rules
        self._keep_illegal = keep_illegal

    def checked(self, records: Iterator[Record], writer: Format) -> Iterator[Record]:
        for record in records:
            try:
                check_can_hold(writer, record)
            except FileError as error:
                self.unfit += 1
                tell(error, err=True)
                continue
            try:
                rules = replay(record, self._rules).position.rules.name
            except TrineError as error:
                self.wrong += 1
                tell(error, err=True)
                if self._keep_illegal and not record.error:
                    yield record  # an unreadable record cannot be written
                continue
            self.good += 1
            tell_remarks(record, err=True)
            record.tags = {"Game": record.tags["Game"], "Rules": rules, **record.tags}
            record.tags["Rules"] = rules
            yield record
