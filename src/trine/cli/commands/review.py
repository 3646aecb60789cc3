"""`trine review`: reviewing a game: the chances after each turn, and the most costly turns."""

import sys
import textwrap
from typing import Final

import click

from trine.cli.commands import options, speech
from trine.cli.commands.places import record_of_file
from trine.cli.commands.progress import open_search_bot, stderr_runner
from trine.cli.commands.speech import LANGUAGE, option, say
from trine.cli.terminal.screen import Screen, has_all, open_screen
from trine.cli.terminal.thinking import TELL_NOW, InterruptibleRunner
from trine.core.clock import Limits
from trine.core.contract.record import Record
from trine.core.play import Play
from trine.core.text.sentence import Text, ctext, text
from trine.engine.players import review_words
from trine.engine.players.review import (
    DEFAULT_LIMITS,
    Grade,
    Review,
    ReviewedTurn,
    ReviewProgress,
    review,
)
from trine.play.record.replay import replay_as_far_as_legal

WIDTH: Final = 80  # columns; the width of the text; only a single longer word exceeds it
MAX_NAME_WIDTH: Final = 24  # characters; longer names of players are cut


@speech.command(
    "review",
    text(
        "Review the whole game in FILE, a record in any known format: the chances from turn "
        "to turn, the turns that lost most, what was better and why. Ctrl-C stops, and shows "
        "what is reviewed by then; the last turns come first."
    ),
)
@click.argument("file", metavar="FILE")
@options.game_option
@options.from_option
@options.rules_option
@option(
    "--worst",
    type=click.IntRange(0, 1000),
    default=5,
    meaning=text("How many of the turns that lost most to explain."),
)
@option(
    "--seconds",
    metavar="SECONDS",
    type=options.SECONDS,
    meaning=text("Time for each turn; half a second if no other limit is given."),
)
@options.depth_option
@option(
    "--nodes", type=click.IntRange(1), meaning=text("Number of positions to search for each turn.")
)
@options.hash_option
def command(
    file: str,
    game_number: int,
    form: str | None,
    rules: str | None,
    worst: int,
    seconds: float | None,
    depth: int | None,
    nodes: int | None,
    hash_mb: int,
) -> None:
    record = record_of_file(file, game_number, form or "")
    play, wrong = replay_as_far_as_legal(record, rules or "")
    if wrong and not play.turns:
        raise wrong
    if seconds is None and depth is None and nodes is None:
        seconds = DEFAULT_LIMITS.hard
    limits = Limits(depth, nodes, hard=seconds)
    thinking = stderr_runner()
    review_found = _review(play, limits, thinking, hash_mb)
    _Report(review_found, record, open_screen(LANGUAGE)).show(worst)
    if thinking.interrupted:
        sys.exit(130)
    if wrong:
        raise wrong  # after the turns before the error were reviewed


def _review(play: Play, limits: Limits, thinking: InterruptibleRunner, hash_mb: int) -> Review:
    bot = open_search_bot(play, hash_mb)
    last: list[ReviewProgress] = []

    def on_progress(progress: ReviewProgress) -> None:
        last[:] = [progress]

    def beginning() -> Text:
        if not last:
            return text("thinking")
        progress = last[0]
        return text(
            "turn {turn}, {done} of {total} reviewed",
            turn=progress.turn,
            done=progress.done,
            total=progress.total,
        )

    return thinking.run(
        lambda _, stop: review(bot, play, limits, on_progress, stop), beginning, key_hint=TELL_NOW
    )


class _Report:
    def __init__(self, review: Review, record: Record, screen: Screen) -> None:
        self._review, self._record, self._screen = review, record, screen
        self._play = review.play
        self._seats = review.play.position.seats
        self._levels = (
            review_words.LEVELS
            if has_all(screen.console.encoding, review_words.LEVELS)
            else review_words.PLAIN_LEVELS
        )

    def show(self, worst: int) -> None:
        """Show the whole review, with at most ``worst`` costly turns."""
        self._write(review_words.outcome_text(self._review))
        if missing := review_words.missing_text(self._review):
            self._write(missing)
        if not self._review.turns:
            return
        self._write("")
        self._curves()
        self._write("")
        self._players()
        for reviewed in self._review.worst(worst):
            self._write("")
            self._turn(reviewed)

    def _curves(self) -> None:
        """Show the chances of the first player, or if there are more than two, of each."""
        curve, tag = self._review.curve, self._play.room.tag
        seats = self._seats if len(self._seats) > 2 else self._seats[:1]
        names = [say(seat.name) for seat in seats]
        first, last = (tag(self._review.turns[end].turn.before) for end in (0, -1))
        self._write(text("chances from {first} to {last}:", first=first, last=last))
        width = max(map(len, names))
        for player, name in enumerate(names):
            chances = [point[player] for point in curve]
            line = review_words.sparkline(chances, WIDTH - width - 12, self._levels)
            self._write(
                f"{name:<{width}}  {line}  {say(review_words.share_text(chances[-1]))}", indent=2
            )

    def _players(self) -> None:
        """Show each player's accuracy, and the number of costly turns of each grade."""
        heads = [say(ctext("review", "accuracy")), *(say(grade.plural) for grade in Grade)]
        names = [self._display_name(player) for player in range(len(self._seats))]
        width = max(map(len, names))
        self._write(f"{'':{width}}  " + "  ".join(heads))
        for player, name in enumerate(names):
            cells = [say(review_words.accuracy_text(self._review, player))]
            cells += [str(self._review.count(player, grade)) for grade in Grade]
            pairs = zip(cells, heads, strict=True)
            row = "  ".join(f"{cell:>{len(head)}}" for cell, head in pairs)
            self._write(f"{name:<{width}}  {row}")

    def _display_name(self, player: int) -> str:
        seat = self._seats[player]
        name = " ".join(self._record.tags.get(seat.tag, "").split())[:MAX_NAME_WIDTH]
        return f"{say(seat.name)} ({name})" if name else say(seat.name)

    def _turn(self, reviewed: ReviewedTurn) -> None:
        verdict_text = review_words.verdict(self._play, reviewed)
        self._write(verdict_text.headline)
        for line, reasons in (
            (verdict_text.better, verdict_text.because),
            (verdict_text.answer, verdict_text.harm),
        ):
            self._write(line, indent=2)
            for reason in reasons:
                self._write(reason, indent=4)

    def _write(self, sentence: Text | str, indent: int = 0) -> None:
        """Write a sentence, wrapped at `WIDTH`."""
        margin = " " * indent
        lines = textwrap.wrap(
            LANGUAGE.say(sentence).replace(" %", "\N{NO-BREAK SPACE}%"),
            WIDTH,
            initial_indent=margin,
            subsequent_indent=margin + "  ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        self._screen.say_all(lines or [""], "")
