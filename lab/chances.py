"""Fits the curve from points to the chances shown to people, and validates it.

.venv/bin/python lab/chances.py tzaar --games 200 --out chances.txt --workers 2
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn

from fitting.calibration import HeldOutScore, Loss, calibrate, chances_of
from fitting.files import with_curve, write_weights
from fitting.leveled import GAMES_PER_JOB, LeveledGames, LeveledPlan, open_games, play_leveled
from fitting.plan import FittingPlan, check_rows
from trine.cli.commands import speech
from trine.cli.commands.learn import (
    FILE,
    RECORDS,
    count,
    game_argument,
    playing_options,
    records_option,
    select_games,
)
from trine.cli.commands.speech import option, say, tell, usage_errors
from trine.core.text.sentence import Text, ntext, number, text
from trine.core.work.workers import Backend
from trine.engine.learn.dataset import Dataset
from trine.engine.players.chances import curves_of_room
from trine.engine.protocol.players import read_weights
from trine.games import ROOMS

COLUMN_GAP: Final = 3
"""Units: columns; the space between two columns of the table."""
FIRST_RECORD: Final = 1 << 40
"""The first number of recorded games, after those of self-play."""

Advance = Callable[[int], None]
"""A callback with the number of further games done."""


@dataclass(frozen=True)
class ChancesOptions:
    """The rule set whose curve is fitted, and the options of the fit."""

    plan: LeveledPlan
    games: int
    records: Sequence[Path]
    judged_by: Sequence[Path]
    """Files of records for validation only; the curve is never fitted to them."""
    data: Path | None
    out: Path | None
    backend: Backend

    @property
    def folder(self) -> Path:
        """The folder of the datasets."""
        beginnings = self.plan.beginnings
        return self.data or Path(f"{beginnings.game}-{beginnings.rules}.chances")


def learn_chances(wish: ChancesOptions) -> None:
    """Play games, fit the curve, report, and write it.

    Raises:
        TrineError: a file cannot be read or written, or there are too few games.
    """
    beginnings, out = wish.plan.beginnings, wish.out
    contents = read_weights(out) if out and out.exists() else curves_of_room(beginnings.game)
    with kept_in(wish.folder):
        played = _played(wish)
    source = LeveledGames(wish.plan)
    recorded = read_files(source, wish.records) if wish.records else ()
    data = Dataset.joined((*played, *recorded)).distinct(beginnings.game)
    curve, held_out = calibrate(data, beginnings.seed)
    words = text(
        "slope {slope}, lapses {lapses} %; fitted to {games} games",
        slope=number(curve.slope, 2),
        lapses=number(100 * curve.lapses, 1),
        games=number(data.games_seen),
    )
    click.echo("\n".join((say(words), *_report(held_out))))
    judges = Dataset.joined(read_files(source, wish.judged_by))
    if len(judges):
        click.echo("\n".join(_report(HeldOutScore.of(chances_of(curve, judges), judges))))
    if out:
        low, high = wish.plan.levels
        of = f"{beginnings.game}/{beginnings.rules}"
        remark = (
            f"{data.games_seen} games, levels {low} to {high}, {len(wish.records)} files of "
            f"records, {beginnings.label_nodes} nodes, seed {beginnings.seed}"
        )
        write_weights(out, with_curve(contents, beginnings.rules, curve, of, remark))


def _played(wish: ChancesOptions) -> list[Dataset]:
    """Play the missing games, and return the positions of all games."""
    games, batches = open_games(wish.folder, wish.plan), -(-wish.games // GAMES_PER_JOB)
    missing = games.missing(batches)
    jobs = games.do(missing, lambda job: partial(play_leveled, wish.plan, job), wish.backend)
    with bar(len(missing) * GAMES_PER_JOB) as advance, closing(jobs) as done:
        for _ in done:
            advance(GAMES_PER_JOB)
    parts = list(games.results(batches))
    for part in parts:
        check_rows(part, wish.plan.beginnings.game, wish.folder)
    return parts


@contextmanager
def kept_in(folder: Path) -> Iterator[None]:
    """Within the block, let Ctrl-C end the program; finished jobs are already on disk."""
    try:
        yield
    except KeyboardInterrupt:
        words = text("what was played is kept in {folder}", folder=str(folder))
        tell(words, err=True)
        sys.exit(130)


def read_files(source: LeveledGames, files: Sequence[Path]) -> Iterator[Dataset]:
    """Yield the data of recorded games, file by file."""
    first = FIRST_RECORD
    for file in files:
        taken = 0
        with bar(None) as advance:

            def count(useful: bool, advance: Advance = advance) -> None:
                nonlocal first, taken
                first, taken = first + 1, taken + useful
                advance(1)

            before = first
            learnt = source.read(file, first, count)
        words = text(
            "{file}: games learnt from: {taken}, left out: {left}",
            file=str(file),
            taken=number(taken),
            left=number(first - before - taken),
        )
        tell(words)
        yield learnt


@contextmanager
def bar(total: int | None) -> Iterator[Advance]:
    """Show a progress bar for long work, at a terminal only."""
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    hidden = not sys.stderr.isatty()
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=hidden) as bar:
        task = bar.add_task("", total=total)
        yield lambda count: bar.advance(task, count)


def _report(found: HeldOutScore) -> Iterator[str]:
    """Yield lines about the validation of a curve."""
    losses = ntext(
        "loss on {count} game held out: {losses}",
        "loss on {count} games held out: {losses}",
        found.games,
        losses=text(
            "400 points as ten to one {before}, new {after}",
            before=shown(found.before),
            after=shown(found.after),
        ),
    )
    yield say(losses)
    if found.proven:
        right = number(100 * found.proven_right, 1)
        proven = number(found.proven)
        yield say(text("proven positions: {count}; {share} % ended so", count=proven, share=right))
    words = (text("predicted"), text("happened"), text("± error"), text("positions"))
    heads = list(map(say, words))
    widths = [len(head) + COLUMN_GAP for head in heads]
    yield "".join(f"{head:>{width}}" for head, width in zip(heads, widths, strict=True))
    for one in found.bins:
        numbers = (number(one.predicted, 2), number(one.happened.mean, 2))
        cells = map(say, (*numbers, number(one.happened.error, 2), number(one.positions)))
        yield "".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))


def shown(loss: Loss) -> Text:
    """A loss with its error."""
    return number(f"{loss.mean:.4f} ± {loss.error:.4f}")


@speech.command(
    "chances",
    text(
        "Fit the curve from points to the chances that people are shown, to games of levels "
        "that err and of records, and judge it. GAME is {games}, or GAME/RULES.",
        games=", ".join(ROOMS),
    ),
)
@game_argument
@count(
    "--games",
    200,
    text("How many games are played; what the folder holds is not played again."),
)
@option(
    "--levels",
    meaning=text("The lowest and the highest level; both players have the same or neighbours."),
    nargs=2,
    type=click.IntRange(1, 9),
    default=(4, 8),
)
@count("--nodes", 20_000, text("Nodes of the search that scores a position."), 1)
@option(
    "--data",
    meaning=text("Folder for the games that are played; if not given, GAME-RULES.chances."),
    metavar="FOLDER",
    type=click.Path(path_type=Path),
)
@records_option
@option(
    "--judged-by",
    meaning=text("Judge the curve by the records of a file, too, and fit nothing to them."),
    **RECORDS,
)
@option(
    "--out",
    meaning=text("File for the curve; its comments and the curves of other rule sets stay."),
    metavar="FILE",
    type=FILE,
)
@playing_options
def command(
    game_name: str, rules: str | None, levels: tuple[int, int], nodes: int, seed: int, **given: Any
) -> None:
    wanted, (low, high) = select_games(game_name, rules, given), sorted(levels)
    with usage_errors():
        beginnings = FittingPlan(*wanted, seed=seed, label_nodes=nodes)
        learn_chances(ChancesOptions(LeveledPlan(beginnings, (low, high)), **given))


if __name__ == "__main__":
    command()
