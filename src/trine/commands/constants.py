"""The work of `trine tune --search` after compiling: rounds of games, the trial, and reports."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import click

from trine.commands.speech import say
from trine.commands.tuning import TRIAL_SEED, bar, hold
from trine.core.text import Text, number, text
from trine.core.workplace import Workplace
from trine.games import open_heuristics
from trine.learn.spsa import SearchPlan, Tuning, keep_tuning, open_tuning
from trine.learn.trial import Trial
from trine.search.constants import CONSTANTS, OF_ROOM

TOLD: Final = 10
"""The times that the constants are shown on the way."""


@dataclass(frozen=True)
class SearchWish:
    """The constants to tune, and the options of tuning them."""

    plan: SearchPlan
    file: Path | None
    trial_games: int
    workplace: Workplace

    @property
    def path(self) -> Path:
        """The file of the tuning."""
        plan = self.plan.plan
        return self.file or Path(f"{plan.game}-{plan.rules}.search")


def tune_search(wish: SearchWish) -> None:
    """Play the missing rounds, report, and hold the trial.

    Raises:
        TrineError: the file cannot be read or written, or a worker has died.
    """
    tuning = open_tuning(wish.path, wish.plan)
    try:
        _play(tuning, wish)
    except KeyboardInterrupt:
        words = text("what was played is kept in {folder}", folder=str(wish.path))
        click.echo(say(words), err=True)
        sys.exit(130)
    click.echo("\n".join(_table(tuning)))
    if wish.trial_games:
        plan = replace(wish.plan.plan, seed=wish.plan.plan.seed + TRIAL_SEED)
        trial = Trial(plan, (), (), tuning.constants)
        click.echo(say(hold(trial, wish.trial_games, wish.workplace)))


def _play(tuning: Tuning, wish: SearchWish) -> None:
    rounds, games = wish.plan.rounds, 2 * wish.plan.pairs
    with bar((rounds - tuning.done) * games) as advance:
        while tuning.done < rounds:
            with closing(tuning.play_round(wish.workplace)) as played:
                for count in played:
                    advance(count)
            keep_tuning(wish.path, tuning)
            if tuning.done * TOLD // rounds > (tuning.done - 1) * TOLD // rounds:
                click.echo(say(_standing(tuning)))


def _standing(tuning: Tuning) -> Text:
    values = ", ".join(f"{name} {value:.1f}" for name, value in tuning.values.items())
    return text(
        "round {done} of {rounds}: {values}",
        done=number(tuning.done),
        rounds=number(tuning.plan.rounds),
        values=values,
    )


def _table(tuning: Tuning) -> Iterator[str]:
    """Yield a line for each constant: its name, the old value, the new one, its meaning."""
    usual = OF_ROOM.filled(open_heuristics(tuning.plan.plan.game))._asdict()
    found = tuning.constants._asdict()
    for name in tuning.plan.names:
        yield f"{name:<10}{usual[name]:>8}{found[name]:>8}  {say(CONSTANTS[name].told)}"
    words = "&".join(f"{name}={found[name]}" for name in tuning.plan.names)
    yield say(text("as a player: {words}", words=f"bot:10?{words}"))
