"""Ratings of games of three and four: ours, and those of openskill, over games of known strengths.

`.venv/bin/python benchmarks/many_ratings.py [PLAYERS_OF_A_GAME]`; needs openskill, which is no
dependency.

People of known strengths meet by chance; the order of finish follows Plackett and Luce. A method is
told the winner alone, or the whole order. Printed are, after some games of each person, the loss
(mean negative logarithm) of the chances to win that follow from its ratings, on the scale that
suits them best, and the rank correlation with the strengths.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from random import Random
from typing import Any

from trine.house.glicko import SCALE, Rating, rated

PEOPLE, SPREAD, SEEDS = 60, 250.0, 4
STAGES = (5, 20, 100)
Update = Callable[[Sequence[Any], Sequence[int]], Sequence[Any]]


def finish(strengths: Sequence[float], rng: Random) -> list[int]:
    """The places of players, the first has 1."""
    keys = [one / SCALE - math.log(-math.log(rng.random())) for one in strengths]
    order = sorted(range(len(keys)), key=lambda n: -keys[n])
    return [order.index(n) + 1 for n in range(len(keys))]


def pairs(players: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """Ours: a game against each whose place is another."""
    return [
        rated(
            one,
            [
                (other, float(place < places[n]))
                for n, other in enumerate(players)
                if places[n] != place
            ],
            0.03,
        )
        for one, place in zip(players, places, strict=True)
    ]


def of_openskill(model: Any) -> tuple[Callable[[], Any], Update]:
    def update(players: Sequence[Any], places: Sequence[int]) -> Sequence[Any]:
        return [team[0] for team in model.rate([[one] for one in players], ranks=list(places))]

    return model.rating, update


def loss_of(games: Sequence[tuple[Sequence[float], int]]) -> float:
    """The mean loss on the best of some scales."""

    def loss(scale: float) -> float:
        total = 0.0
        for ratings, winner in games:
            top = max(ratings)
            whole = sum(math.exp((one - top) * scale / SCALE) for one in ratings)
            total -= (ratings[winner] - top) * scale / SCALE - math.log(whole)
        return total / len(games)

    return min(loss(step / 10) for step in range(1, 31))


def correlation(one: Sequence[float], two: Sequence[float]) -> float:
    def ranks(values: Sequence[float]) -> list[int]:
        order = sorted(range(len(values)), key=lambda n: values[n])
        return [order.index(n) for n in range(len(values))]

    count = len(one)
    apart = sum((a - b) ** 2 for a, b in zip(ranks(one), ranks(two), strict=True))
    return 1 - 6 * apart / (count * (count**2 - 1))


def tried(
    first: Callable[[], Any], update: Update, value: Callable[[Any], float], count: int, whole: bool
) -> list[str]:
    told: dict[int, list[tuple[float, float]]] = {stage: [] for stage in STAGES}
    for seed in range(SEEDS):
        rng = Random(seed)
        strengths = [rng.gauss(1500, SPREAD) for _ in range(PEOPLE)]
        people = [first() for _ in range(PEOPLE)]
        for number in range(STAGES[-1] * PEOPLE // count + 1):
            if number * count // PEOPLE in told and len(told[number * count // PEOPLE]) == seed:
                now = [value(one) for one in people]
                games = []
                for _ in range(4000):
                    who = rng.sample(range(PEOPLE), count)
                    places = finish([strengths[n] for n in who], rng)
                    games.append(([now[n] for n in who], places.index(1)))
                told[number * count // PEOPLE].append((loss_of(games), correlation(now, strengths)))
            who = rng.sample(range(PEOPLE), count)
            places = finish([strengths[n] for n in who], rng)
            seen = places if whole else [min(2, place) for place in places]
            for n, one in zip(who, update([people[n] for n in who], seen), strict=True):
                people[n] = one
    means = [[sum(one) / SEEDS for one in zip(*told[stage], strict=True)] for stage in STAGES]
    return [f"{loss:.3f} {rank:.2f}" for loss, rank in means]


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 4
    about = {"mu": 1500.0, "sigma": 350.0, "tau": 3.0}
    sharp = {"gamma": lambda *_: 1.0}
    glicko = (Rating, pairs, lambda one: one.rating)
    methods: list[tuple[str, Any, Any, Any]] = [("glicko, pairs", *glicko)]
    models = import_module("openskill.models")
    for kind in (models.PlackettLuce, models.BradleyTerryFull, models.ThurstoneMostellerFull):
        for beta in (175.0, 87.0):
            for extra in ({}, sharp):
                name = f"{kind.__name__} {beta:.0f}{', gamma 1' * bool(extra)}"
                model = kind(**about, beta=beta, **extra)
                methods.append((name, *of_openskill(model), lambda one: one.mu))
    for whole in (False, True):
        print("whole order" if whole else "winner alone", "- games of each person:", *STAGES)
        for name, first, update, value in methods:
            print(f"  {name:38}", *tried(first, update, value, count, whole), sep="  ", flush=True)


main()
