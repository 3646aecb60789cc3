"""`trine check`: checking that records are legal and end with the results they state."""

from __future__ import annotations

import sys

import click

from trine.cli.commands import speech
from trine.cli.commands.options import format_option, rules_option
from trine.cli.commands.places import read_asking
from trine.cli.commands.speech import tell, tell_remarks
from trine.core.contract.record import Record
from trine.core.errors import FileError, Place, TrineError
from trine.core.text.sentence import Text, ntext, text
from trine.games import open_room
from trine.play.record.formats import OURS, known_formats
from trine.play.record.log import check_clock_tag
from trine.play.record.replay import replay, replay_as_far_as_legal


@speech.command(
    "check",
    text(
        "Check records, in any known format, and report the first error in each: "
        "line, column and rule."
    ),
)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@rules_option
@format_option(
    "--from",
    "--format",
    "form",
    meaning=text("Format of the files; if not given, it is recognized."),
    formats=known_formats(),
)
def command(files: tuple[str, ...], rules: str | None, form: str | None) -> None:
    codes = [_check(file, rules or "", form or "") for file in files]
    sys.exit(max(codes))


def _as_older(record: Record, rules: str) -> Text:
    """Return the remark on a record that names no rule set and is legal only by older rules."""
    place = str(Place(record.file, record.line))
    return text("{place}: legal by the older rules {rules} only", place=place, rules=rules)


def _legal_today(record: Record) -> bool:
    today = open_room(record.tags["Game"]).default_rules
    return replay_as_far_as_legal(record, today)[1] is None


def _check(file: str, rules: str, form: str) -> int:
    """Check the records of one file; return the exit code."""
    good = wrong = 0
    try:
        form_found, records = read_asking(file, form)
        for record in records:
            try:
                played = replay(record, rules).position.rules.name
                if form_found is OURS:
                    check_clock_tag(record)
                good += 1
                tell_remarks(record)
                if played == record.older_rules and not _legal_today(record):
                    tell(_as_older(record, played))
            except TrineError as error:
                wrong += 1
                tell(error)
    except FileError as error:
        tell(error, err=True)
        return 2
    except TrineError as error:
        wrong += 1
        tell(error)
    if wrong:
        summary = text("{file}: wrong: {wrong}, legal: {good}", file=file, wrong=wrong, good=good)
    else:
        summary = ntext(
            "{file}: {count} record, legal", "{file}: {count} records, legal", good, file=file
        )
    tell(summary)
    return 1 if wrong else 0
