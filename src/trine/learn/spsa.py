"""Tuning the constants of a search by games between neighbours, with SPSA.

In each round all constants are moved at once, each up or down at random; two searches, one moved
so and one the other way, play pairs of games, and the constants follow the winner. Over the rounds
the random moves cancel out, so that a dozen constants take no more games than one.

The state is one file, written whole after each round; a kill loses the round in hand, and no more.

Source: J. Spall, "Implementation of the simultaneous perturbation algorithm for stochastic
optimization" (1998), whose exponents of the gains are these. Ours, as it is two lines: libraries
with it are for functions that are called, and bring what is learnt from (pandas, scikit-learn).
"""

from __future__ import annotations

import json
import math
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

from trine.core.errors import FileError, MalformedError
from trine.core.text import text
from trine.core.words import quoted
from trine.core.workplace import HERE, Workplace
from trine.games import open_heuristics
from trine.learn.folder import write_whole
from trine.learn.selfplay import Plan
from trine.learn.sharing import share
from trine.learn.trial import play_pair
from trine.record.files import file_error
from trine.search.constants import CONSTANTS, OF_ROOM, SearchConstants

MOVE: Final = 1.0
"""Units: the steps of the constants; how far each is moved in the last round. Guess."""
MOVE_DECAY: Final = 0.101
GAIN_DECAY: Final = 0.602
STABILITY: Final = 0.1
"""The share of the rounds after which the gains begin to fall."""
GAIN: Final = 50.0
"""The gain of the last round, times the number of all pairs: with n pairs, chance carries a
constant some 25 / sqrt(n) steps, and an advantage of 5 Elo for two steps, about one step. Guess."""


@dataclass(frozen=True)
class SearchPlan:
    """The parameters that determine the games of a tuning, and its rounds."""

    plan: Plan
    names: tuple[str, ...]
    rounds: int
    pairs: int = 16
    """The number of pairs of games in a round; all of them can be played at once."""

    def __post_init__(self) -> None:
        for name in self.names:
            if name not in CONSTANTS:
                raise MalformedError(
                    text(
                        "no constant of a search {given}; expected {known}",
                        given=quoted(name),
                        known=", ".join(CONSTANTS),
                    )
                )

    def start(self) -> dict[str, float]:
        """Return the constants of the room."""
        usual = OF_ROOM.filled(open_heuristics(self.plan.game))._asdict()
        return {name: float(usual[name]) for name in self.names}

    def as_data(self) -> dict[str, Any]:
        """Return the plan as JSON knows it."""
        return {**asdict(self), "plan": self.plan.as_data(), "names": list(self.names)}


@dataclass
class Tuning:
    """The state of a tuning: its constants after some rounds."""

    plan: SearchPlan
    values: dict[str, float]
    done: int = 0
    """The number of rounds."""
    course: list[dict[str, float]] = field(default_factory=list)
    """The constants after each round."""

    @property
    def constants(self) -> SearchConstants:
        """The constants, as whole numbers."""
        return SearchConstants(**{name: round(value) for name, value in self.values.items()})

    def play_round(self, workplace: Workplace = HERE) -> Generator[int, None, None]:
        """Play the next round, and yield the number of games of each pair; then move the constants.

        Guarantee: the same plan gives the same rounds, wherever the games are played.
        """
        rng = Random(f"round {self.plan.plan.seed} {self.done}")
        signs = {name: rng.choice((-1, 1)) for name in self.plan.names}
        move, gain = self._gains()
        jobs = [
            partial(
                play_neighbours,
                self.plan.plan,
                self.done * self.plan.pairs + number,
                _moved(self.values, signs, move),
                _moved(self.values, signs, -move),
            )
            for number in range(self.plan.pairs)
        ]
        ahead = 0
        with closing(share(jobs, workplace)) as played:
            for first, second in played:
                ahead += first + second - 2
                yield 2
        for name, sign in signs.items():
            constant = CONSTANTS[name]
            value = self.values[name] + gain * ahead / 2 / move * sign * constant.step
            self.values[name] = max(constant.least, min(constant.most, value))
        self.done += 1
        self.course.append(dict(self.values))

    def _gains(self) -> tuple[float, float]:
        """Return how far constants are moved in a round, and how far they follow the winner.

        Units: steps; and steps for each point of advantage, times the move.
        """
        rounds = self.plan.rounds
        move = MOVE * (rounds / (self.done + 1)) ** MOVE_DECAY
        steady = STABILITY * rounds
        gain = GAIN / (rounds * self.plan.pairs) * MOVE**2
        return move, gain * ((rounds + steady) / (self.done + 1 + steady)) ** GAIN_DECAY


def play_neighbours(
    plan: Plan, number: int, up: Mapping[str, float], down: Mapping[str, float]
) -> tuple[int, int]:
    """Play a pair between two searches: the job of a worker.

    Returns: the half points of the first search in the first game and in the second.
    """
    rng = Random(f"neighbours {plan.seed} {number}")
    constants = [_whole(values, rng) for values in (up, down)]
    challenger, champion = (plan.manner(constants=one) for one in constants)
    return play_pair(plan, "neighbours", number, challenger, champion)


def _whole(values: Mapping[str, float], rng: Random) -> SearchConstants:
    """Return constants as whole numbers, up or down by chance, so that halves count in the mean."""
    return SearchConstants(
        **{
            name: max(
                CONSTANTS[name].least,
                min(CONSTANTS[name].most, math.floor(value + rng.random())),
            )
            for name, value in values.items()
        }
    )


def _moved(values: Mapping[str, float], signs: Mapping[str, int], move: float) -> dict[str, float]:
    return {
        name: value + signs[name] * move * CONSTANTS[name].step for name, value in values.items()
    }


# --- the file ------------------------------------------------------------------------------------


def open_tuning(path: Path, plan: SearchPlan) -> Tuning:
    """Return the tuning of a file, or a new one.

    Raises:
        FileError: the file cannot be read, or holds another tuning.
    """
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Tuning(plan, plan.start())
    except OSError as error:
        raise file_error(path, error) from None
    except ValueError:
        kept = None
    if not isinstance(kept, dict) or kept.get("plan") != json.loads(json.dumps(plan.as_data())):
        raise FileError(text("{file} holds another tuning; name another", file=str(path)))
    return Tuning(plan, kept["values"], kept["done"], kept["course"])


def keep_tuning(path: Path, tuning: Tuning) -> None:
    """Write a tuning, whole or not at all.

    Raises:
        FileError: it cannot be written.
    """
    data = {
        "plan": tuning.plan.as_data(),
        "values": tuning.values,
        "done": tuning.done,
        "course": tuning.course,
    }
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(data, indent=1).encode())
    except OSError as error:
        raise file_error(path, error) from None


def names_of(words: str) -> Sequence[str]:
    """Return the constants that words name: ``margin,window``, or ``all`` but switches.

    >>> names_of("margin, window"), len(names_of("all"))
    (('margin', 'window'), 5)
    """
    if words.strip() == "all":
        return tuple(name for name, constant in CONSTANTS.items() if constant.most > 1)
    return tuple(dict.fromkeys(name.strip() for name in words.split(",")))
