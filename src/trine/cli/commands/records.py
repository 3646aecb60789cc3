"""Commands on records: `trine check`, `convert`, and `turn`, which finds turns between boards."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from trine.cli.commands import speech
from trine.cli.commands.options import format_option, from_option, json_option, rules_option
from trine.cli.commands.places import named_position, read_asking
from trine.cli.commands.speech import option, tell, tell_remarks
from trine.core.contract.notation import Format
from trine.core.contract.record import Record
from trine.core.errors import FileError, IllegalError, Place, TrineError
from trine.core.text.sentence import Text, ntext, text
from trine.games import open_room
from trine.play.record import formats
from trine.play.record.log import check_clock_tag, check_not_played
from trine.play.record.replay import replay, replay_as_far_as_legal
from trine.play.record.text_files import STANDARD, open_to_write
from trine.shortcuts import turn_between


@speech.command(
    "check",
    text(
        "Check records, in any known format, and report the first error in each: "
        "line, column and rule."
    ),
)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@rules_option
@from_option
def check(files: tuple[str, ...], rules: str | None, form: str | None) -> None:
    codes = [_check(file, rules or "", form or "") for file in files]
    sys.exit(max(codes))


def _as_older(record: Record, rules: str) -> Text:
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
                if form_found is formats.OURS:
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
    formats=formats.writable_formats(),
    default=formats.OURS.name,
)
@from_option
@rules_option
@option("--keep-illegal", is_flag=True, meaning=text("Convert the others too."))
def convert(
    source: str, target: str, to: str, form: str | None, rules: str | None, keep_illegal: bool
) -> None:
    writer = formats.named_format(to)
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
                formats.check_can_hold(writer, record)
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


@speech.command(
    "turn",
    text(
        "Print every legal turn that leads from position A to position B, the shortest first. "
        "Each is the text of a position, a file with a position or a record, or GAME for its "
        "start. Use it to write down a game of which you have the boards."
    ),
)
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@rules_option
@json_option
def turn(before: str, after: str, rules: str | None, as_json: bool) -> None:
    start = named_position(before, rules or "")
    rules = rules or start.position.rules.name
    target = named_position(after, rules, game_name=start.room.name)
    turns = turn_between(start, target)
    if as_json:
        click.echo(json.dumps({"turn": start.turn_tag, "turns": turns}))
        return
    if not turns and start.mover == target.mover:
        raise IllegalError(
            "no turn leads from one position to the other: {player} is to move in both",
            player=start.position.seats[start.mover].name,
        )
    if not turns:
        raise IllegalError("no legal turn leads from one position to the other")
    for turn in turns:
        click.echo(turn)
    tell(text("turns: {count}", count=len(turns)), err=True)
