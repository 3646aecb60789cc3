"""Fits the weights of a game's evaluation to games.

    .venv/bin/python lab/weights.py tzaar --games 3000 --out weights.txt --trial 400 --workers 2

It plays quick games, stores their quiet positions in a folder, fits the weights, reports, writes
them, and plays a match of new against old weights.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn

from fitting.files import format_weight, weights_of_room, with_weights, write_weights
from fitting.linear import Fit, Fitter, Imitation, Loss
from fitting.plan import FittingPlan
from fitting.preferences import Preferences, RecordedTurns
from fitting.samples import GAMES_PER_JOB, ResultGames, open_batches, play_missing, read_batches
from fitting.terms import count_terms, fitted_weights
from fitting.terms_config import TermsConfig
from trine.cli.commands import speech
from trine.cli.commands.learn import (
    FILE,
    FILES,
    count,
    game_argument,
    playing_options,
    records_option,
    select_games,
    share,
)
from trine.cli.commands.speech import Command, option, say, tell, usage_errors
from trine.core.contract import Term
from trine.core.text.sentence import Text, ntext, number, text
from trine.core.work.backend import Backend
from trine.engine.arena.elo import EloEstimate
from trine.engine.arena.tally import Tally
from trine.engine.learn.dataset import Dataset
from trine.engine.learn.gate import play_pairs
from trine.engine.learn.jobs import GameJobs
from trine.engine.learn.jobs import share as shared
from trine.engine.learn.sources.recorded_games import Done
from trine.engine.players.weights import read_weights
from trine.games import ROOMS, open_heuristics

FIRST_RECORD: Final = 1 << 40
"""The first number of recorded games, after those of self-play."""
TRIAL_SEED: Final = 1 << 32
"""The offset of the trial's seed, so that its starts are new."""

Advance = Callable[[int], None]
"""A callback with the number of further games done."""

Taken = TypeVar("Taken", covariant=True)


class Source(Protocol[Taken]):
    """Reads records for a fit."""

    def read(self, path: str | Path, first: int, done: Done) -> Taken:
        """Return the data of the records in a file, numbered from ``first`` on."""


@dataclass(frozen=True)
class WeightsOptions:
    """The evaluation whose weights are fitted, and the options of the fit."""

    plan: FittingPlan
    games: int
    records: Sequence[Path]
    data: Path | None
    out: Path | None
    trial: int
    """Units: games."""
    keep_signs: bool
    keep_scale: bool
    backend: Backend
    turns: Sequence[Path]
    """Files of records whose turns are imitated."""
    imitation: float
    """The weight of their loss."""
    turns_by: Sequence[str]
    """The players whose turns are imitated; empty: all."""
    share: float
    """The weight of the result in a position's target, if it has a score too."""
    prior: float | None
    """Units: points; None: chosen by cross-validation."""

    @property
    def folder(self) -> Path:
        """The folder of the datasets."""
        return self.data or Path(f"{self.plan.game}-{self.plan.rules}.tune")


def learn_weights(wish: WeightsOptions) -> None:
    """Play games, fit the weights, report, write them, and play the trial.

    Raises:
        TrineError: a file cannot be read or written, or there are too few games.
    """
    plan, out = wish.plan, wish.out
    contents = read_weights(out) if out and out.exists() else weights_of_room(plan.game)
    batches = open_batches(wish.folder, plan)
    with kept_in(wish.folder):
        _play(batches, wish)
    recorded = read_files(ResultGames(plan), wish.records) if wish.records else ()
    data = Dataset.joined((read_batches(batches, plan), *recorded)).distinct(plan.game)
    imitation = _imitation(wish) if wish.turns else None
    terms, present = open_heuristics(plan.game).terms, fitted_weights(plan.game)
    counted = count_terms(plan.game, data.rows)
    means = (wish.keep_signs, imitation, wish.share, wish.prior)
    fit = Fitter(counted, data, present, *means).fit(plan.seed)
    if wish.keep_scale:
        fit = fit.on_the_present_scale()
    click.echo("\n".join(map(say, _learnt(data, imitation))))
    click.echo("\n".join(_table(terms, fit)))
    if len(present) > len(terms):
        tell(_moved(present, fit, len(terms)))
    click.echo("\n".join(map(say, _losses(fit))))
    if out:
        counts = "".join(f"{count}, " for count in _learnt(data, imitation))
        labels = f"labels of {plan.label_nodes} nodes, " if plan.label_nodes else ""
        remark = f"{counts}{plan.nodes} nodes, {labels}seed {plan.seed}"
        write_weights(out, _fitted(contents, plan, remark, fit))
    if wish.trial:
        sides = (TermsConfig(weights=tuple(fit.weights)), TermsConfig(weights=tuple(present)))
        tell(_trial(wish, sides))


def _fitted(contents: str, plan: FittingPlan, remark: str, fit: Fit) -> str:
    """Return the text of a file of weights with the fitted ones."""
    heuristics = open_heuristics(plan.game)
    names = [term.name for term in heuristics.terms]
    names += heuristics.table.numbers if heuristics.table else ()
    fitted = {
        name: float(weight)
        for name, weight, error in zip(names, fit.weights, fit.errors, strict=True)
        if not math.isnan(error)
    }
    return with_weights(contents, fitted, f"{plan.game}/{plan.rules}", remark)


# --- games ---------------------------------------------------------------------------------------


@contextmanager
def kept_in(folder: Path) -> Iterator[None]:
    """Within the block, let Ctrl-C end the program; finished jobs are already on disk."""
    try:
        yield
    except KeyboardInterrupt:
        words = text("what was played is kept in {folder}", folder=str(folder))
        tell(words, err=True)
        sys.exit(130)


def _play(batches: GameJobs, wish: WeightsOptions) -> None:
    """Play the missing jobs of a folder."""
    missing = len(batches.missing(-(-wish.games // GAMES_PER_JOB))) * GAMES_PER_JOB
    played = play_missing(batches, wish.plan, wish.games, wish.backend)
    with bar(missing) as advance, closing(played):
        for count in played:
            advance(count)


def _imitation(wish: WeightsOptions) -> Imitation:
    """Return the turns of records that are imitated."""
    source = RecordedTurns(wish.plan, wish.turns_by or None)
    preferences = Preferences.joined(read_files(source, wish.turns))
    return Imitation(preferences, preferences.count_terms(wish.plan.game), wish.imitation)


def read_files(source: Source[Taken], files: Sequence[Path]) -> Iterator[Taken]:
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


def _trial(wish: WeightsOptions, sides: tuple[TermsConfig, TermsConfig]) -> Text:
    """Play a trial of the new weights against the old ones, without nets, and return its result."""
    plan, tally = replace(wish.plan, seed=wish.plan.seed + TRIAL_SEED), Tally()
    nodes = (plan.nodes, plan.nodes)
    jobs = [
        partial(play_pairs, plan, sides, nodes, job, range(job, job + 1))
        for job in range(-(-wish.trial // 2))
    ]
    with bar(2 * len(jobs)) as advance, closing(shared(jobs, wish.backend)) as done:
        for _, pairs in done:
            for first, second in pairs:
                tally = tally.after_pair(first, second)
                advance(2)
    strength = EloEstimate.of(tally)
    return text(
        "new against old: {wins} won, {draws} drawn, {losses} lost, Elo {elo} ± {error} (95 %)",
        wins=tally.wins,
        draws=tally.draws,
        losses=tally.losses,
        elo=number(strength.elo, 1, signed=True),
        error=number(strength.elo_error, 1),
    )


@contextmanager
def bar(total: int | None) -> Iterator[Advance]:
    """Show a progress bar for long work, at a terminal only."""
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    hidden = not sys.stderr.isatty()
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=hidden) as bar:
        task = bar.add_task("", total=total)
        yield lambda count: bar.advance(task, count)


# --- reports -------------------------------------------------------------------------------------


def _learnt(data: Dataset, imitation: Imitation | None) -> Iterator[Text]:
    """Yield lines about the data of the fit."""
    yield text(
        "{positions} positions of {games} games",
        positions=number(len(data)),
        games=number(data.games_seen),
    )
    if imitation:
        yield text(
            "{turns} turns of {games} games imitated with weight {weight}",
            turns=number(len(imitation.preferences)),
            games=number(len(set(imitation.preferences.games.tolist()))),
            weight=number(f"{imitation.weight:g}"),
        )


def _table(terms: Sequence[Term], fit: Fit) -> Iterator[str]:
    """Yield a line for each term: its name, the old weight, the new one, its error."""
    width = max(len(term.name) for term in terms)
    heads = list(map(say, (text("old weight"), text("new weight"), text("± error"))))
    wide = max(map(len, heads)) + 2
    yield " " * width + "".join(f"{head:>{wide}}" for head in heads)
    for term, weight, error in zip(terms, fit.weights, fit.errors, strict=False):
        fitted = (format_weight(weight), f"{error:.2g}") if not math.isnan(error) else ("-", "-")
        row = (say(number(cell)) for cell in (format_weight(term.weight), *fitted))
        cells = "".join(f"{cell:>{wide}}" for cell in row)
        yield f"{term.name:<{width}}{cells}  {say(term.text)}"


def _moved(present: Sequence[float], fit: Fit, terms: int) -> Text:
    """Return a line about the numbers of the piece-square table."""
    changes = [
        abs(new - old) for new, old in zip(fit.weights[terms:], present[terms:], strict=True)
    ]
    return text(
        "{count} points of squares, and the like: changed by {mean} on average, by {most} at most",
        count=number(len(changes)),
        mean=number(f"{sum(changes) / len(changes):.1f}"),
        most=number(f"{max(changes):.1f}"),
    )


def _losses(fit: Fit) -> Iterator[Text]:
    """Yield lines about the losses of the fit on held-out games."""
    yield ntext(
        "loss on {count} game held out: {losses}",
        "loss on {count} games held out: {losses}",
        fit.held_out,
        losses=text(
            "old {before}, old times {scale}: {scaled}, new {after}",
            before=shown(fit.before),
            scale=number(fit.scale, 2),
            scaled=shown(fit.scaled),
            after=shown(fit.after),
        ),
    )
    yield text(
        "better by {gain}; prior around the old weights: {prior}",
        gain=shown(fit.gain),
        prior=number(f"{fit.prior:g}"),
    )
    if fit.likeness:
        yield ntext(
            "loss on turns of {count} game held out: {losses}",
            "loss on turns of {count} games held out: {losses}",
            fit.likeness.games,
            losses=text(
                "by chance {chance}, old {before}, new {after}",
                chance=number(f"{fit.likeness.chance:.4f}"),
                before=shown(fit.likeness.before),
                after=shown(fit.likeness.after),
            ),
        )


def shown(loss: Loss) -> Text:
    """A loss with its error."""
    return number(f"{loss.mean:.4f} ± {loss.error:.4f}")


# --- the command -----------------------------------------------------------------------------

PLAYED: Final = text("How many games are played; what the folder holds is not played again.")


def data_option(words: Text) -> Callable[[Command], Command]:
    """Return the option for the folder of the played games."""
    return option("--data", meaning=words, metavar="FOLDER", type=click.Path(path_type=Path))


def out_option(words: Text) -> Callable[[Command], Command]:
    """Return the option for the file of the fitted result."""
    return option("--out", meaning=words, metavar="FILE", type=FILE)


@speech.command(
    "weights",
    text(
        "Fit the weights of a game's evaluation to the results of games: of quick games "
        "against itself, and of records. GAME is {games}, or GAME/RULES.",
        games=", ".join(ROOMS),
    ),
)
@game_argument
@count("--games", 2000, PLAYED)
@count("--nodes", 400, text("Nodes for each action."), 1)
@count(
    "--label-nodes",
    0,
    text(
        "Nodes of a search from each position that is learnt from, whose score is learnt "
        "besides the result; 0: results alone."
    ),
)
@share("--share", 0.1, text("The share of the result where a position has a score too."))
@option(
    "--prior",
    meaning=text(
        "Width of the prior around the present weights; if not given, cross-validation chooses it."
    ),
    metavar="POINTS",
    type=click.FloatRange(0, min_open=True),
)
@data_option(text("Folder for the games that are played; if not given, GAME-RULES.tune."))
@records_option
@option(
    "--imitation",
    meaning=text("Weight of a turn that is imitated, against a position with a result."),
    metavar="WEIGHT",
    type=click.FloatRange(0),
    default=0.1,
)
@out_option(text("File for the weights; its comments and its other weights stay."))
@option(
    "--trial",
    meaning=text("Games between the new weights and the old ones."),
    metavar="GAMES",
    type=click.IntRange(0),
    default=0,
)
@option(
    "--keep-signs",
    meaning=text("Let no weight change its sign: what is good stays good, what is bad stays bad."),
    is_flag=True,
)
@option(
    "--keep-scale",
    meaning=text("Keep the overall size of the weights, to suit the search."),
    is_flag=True,
)
@option(
    "--turns",
    meaning=text("Imitate the turns in the records of a file, too; may be given several times."),
    **FILES,
)
@option(
    "--turns-by",
    meaning=text("Imitate the turns of this player alone; may be given several times."),
    metavar="NAME",
    multiple=True,
)
@playing_options
def command(
    game_name: str,
    rules: str | None,
    nodes: int,
    label_nodes: int,
    seed: int,
    **given: Any,
) -> None:
    wanted = select_games(game_name, rules, given)
    with usage_errors():
        plan = FittingPlan(*wanted, nodes, seed, label_nodes=label_nodes)
        learn_weights(WeightsOptions(plan, **given))


if __name__ == "__main__":
    command()
