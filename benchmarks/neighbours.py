"""Games between neighbours of Arimaa's weights: what each group of them is worth.

    .venv/bin/python -P benchmarks/neighbours.py play FOLDER [--nodes N] [--worker W]
    .venv/bin/python -P benchmarks/neighbours.py effects FOLDER --out FACTORS
    .venv/bin/python -P benchmarks/neighbours.py gate FACTORS --nodes N [--games N] [--rules RULES]

`play` multiplies or divides each group of weights by its factor, by chance; the other side has the
opposite. It plays a file of 50 pairs of games after the other until it is stopped; the next time it
goes on after the last file. Each worker has games of its own. `effects` says what the games tell of
each group, and writes the factors that they ask for. `gate` plays pairs with these factors against
the weights of today, from beginnings of other seeds. What came of it stands in
docs/experiments/2026-11-results-of-arimaa.md.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Final

import numpy as np

from trine.core.contract.score import DRAW, ONGOING
from trine.core.play import Play
from trine.games import open_heuristics
from trine.learn.files import write_arrays
from trine.learn.terms import fitted_weights, weights_with
from trine.search.nets import SearchNet, usual_net
from trine.selfplay.game import SelfPlay
from trine.selfplay.plan import Plan
from trine.selfplay.settings import PlayerSettings

GAME: Final = "arimaa"
RULES: Final = "official"
PAIRS: Final = 50
"""Units: pairs of games; of a file."""
TURN_LIMIT: Final = 140
"""A game of so many turns is drawn."""
SEED: Final = 70_000
GATE_SEED: Final = 300
PLACES, NET = "places", "net"
GROUPS: Final = {
    "material": (1.28, "material"),
    PLACES: (1.82, ""),
    "elephant": (1.65, "elephant_centre elephant_room elephant_reach"),
    "blocked": (2.01, "elephant_blocked"),
    "ranks": (1.82, "camel_rank horse_rank cat_rank camel_reach"),
    "beside": (
        1.82,
        "camel_by_elephant horses_by_elephant horses_by_camel small_by_camel small_by_horses",
    ),
    "home_traps": (1.65, "home_trap_one home_trap_two home_trap_more"),
    "away_traps": (1.65, "away_trap_one away_trap_two away_trap_more"),
    "trap_control": (1.65, "trap_control"),
    "elephant_traps": (1.82, "elephant_home_trap elephant_away_trap elephant_tied between_traps"),
    "frozen": (1.82, "frozen_camel frozen_horses frozen_small frozen_rabbits touched_officers"),
    "held": (1.82, "held_camel held_camel_away held_horses held_horses_away framed pinned"),
    "lost": (1.49, "lost_in_two lost_in_three lost_in_four lost_in_six lost_in_eight"),
    "waiting": (
        1.49,
        "lost_in_two_waiting lost_in_three_waiting lost_in_four_waiting lost_in_six_waiting"
        " lost_in_eight_waiting",
    ),
    "danger": (1.65, "danger_in_four danger_in_six"),
    "rabbit_ranks": (
        1.82,
        "rabbits_rank_2 rabbits_rank_3 rabbits_rank_4 rabbits_rank_5 rabbits_rank_6 rabbits_rank_7",
    ),
    "rabbit_ways": (1.82, "rabbits_flank rabbits_free rabbits_escorted"),
    "rabbits_late": (1.82, "rabbits_late"),
    "goals": (1.65, "goal_in_four goal_in_four_late goal_in_eight"),
    "rabbits_ruled": (1.49, "rabbits_ruled"),
    "rabbits_through": (1.49, "rabbits_through"),
    NET: (1.65, ""),
}
"""The groups: their factor, and their terms. `places` are the points of squares."""
SPREAD: Final = {group: factor for group, (factor, _) in GROUPS.items()}
GROUP_OF: Final = {term: group for group, (_, terms) in GROUPS.items() for term in terms.split()}

Factors = Mapping[str, float]
"""The factors of groups; those that are missing stay."""


def settings(factors: Factors, nodes: int, net: SearchNet) -> PlayerSettings:
    """Return a player with today's weights times factors."""
    terms, weights = open_heuristics(GAME).terms, np.array(fitted_weights(GAME))
    for index, term in enumerate(terms):
        weights[index] *= factors.get(GROUP_OF.get(term.name, ""), 1.0)
    weights[len(terms) :] *= factors.get(PLACES, 1.0)
    louder = factors.get(NET, 1.0)
    louder_net = replace(
        net,
        scale=net.scale * louder,
        margins=np.ceil(net.margins * louder).astype(net.margins.dtype),
        hash=f"{net.hash} times {louder:.5f}",
    )
    looked_up = weights_with(GAME, list(weights))
    return PlayerSettings(nodes=nodes, by_turns=True, weights=looked_up, net=louder_net)


def pair(games: SelfPlay, play: Play, one: PlayerSettings, other: PlayerSettings) -> list[int]:
    """Return the points of the first player in two games, in halves."""
    points = []
    for seat in (0, 1):
        players = (one, other) if seat == 0 else (other, one)
        result = games.play(play, players, turn_limit=TURN_LIMIT).result
        points.append(1 if result in (DRAW, ONGOING) else 2 * (result == seat))
    return points


def begun(plan: Plan, rng: Random) -> Play:
    """Return a play from a beginning by chance that is not over."""
    while (play := plan.begin(rng)).outcome:
        pass
    return play


def play_on(folder: Path, nodes: int, worker: int) -> None:
    """Play file after file until it is stopped."""
    plan = Plan(GAME, RULES, nodes=nodes, seed=SEED + worker)
    first = begun(plan, plan.rng(0))
    net, games = usual_net(GAME, first.position), SelfPlay(first, hash_mb=[0.25, 0.25])
    number = 0
    while True:
        path = folder / f"{nodes}-{worker}-{number:05}.npz"
        if not path.exists():
            signs, points = [], []
            for index in range(number * PAIRS, (number + 1) * PAIRS):
                rng = plan.rng(index)
                play = begun(plan, rng)
                drawn = [rng.choice((-1, 1)) for _ in SPREAD]
                sides = [
                    {g: f ** (s * way) for (g, f), s in zip(SPREAD.items(), drawn, strict=True)}
                    for way in (1, -1)
                ]
                one, other = (settings(side, nodes, net) for side in sides)
                signs.append(drawn)
                points.append(pair(games, play, one, other))
            write_arrays(path, signs=np.array(signs), points=np.array(points))
            print(f"{path.name}: {2 * PAIRS} games", flush=True)
        number += 1


def effects(folder: Path, out: Path) -> None:
    """Say what each group is worth, and write the factors that the games ask for."""
    files = [np.load(path) for path in sorted(folder.glob("*.npz"))]
    signs = np.concatenate([one["signs"] for one in files]).astype(float)
    share = np.concatenate([one["points"] for one in files]).sum(1) / 4 - 0.5
    worth, *_ = np.linalg.lstsq(signs, share, rcond=None)
    freedom = len(share) - signs.shape[1]
    variance = ((share - signs @ worth) ** 2).sum() / freedom
    errors = np.sqrt(variance * np.diag(np.linalg.inv(signs.T @ signs)))
    elo = 4 * 400 / math.log(10)  # of a share of one half
    print(f"{2 * len(share)} games; Elo of times against divided by the factor, 95 %")
    factors = {}
    for group, effect, error in zip(SPREAD, worth, errors, strict=True):
        # A third of the effect by its error, and one at most, of the factor's logarithm.
        step = max(-1.0, min(1.0, effect / error / 3))
        factors[group] = round(SPREAD[group] ** step, 3)
        told = f"{elo * effect:+6.0f} ± {elo * 1.96 * error:.0f}"
        print(f"{group:18} {SPREAD[group]:.2f}  {told}  -> {factors[group]:.2f}")
    out.write_text(json.dumps(factors, indent=1) + "\n", encoding="utf-8")


def gate(factors: Factors, nodes: int, count: int, rules: str) -> None:
    """Play pairs against the weights of today, and say how they go."""
    plan = Plan(GAME, rules, nodes=nodes, seed=GATE_SEED)
    first = begun(plan, plan.rng(0))
    net, table = usual_net(GAME, first.position), max(0.25, nodes / 4000)
    games = SelfPlay(first, hash_mb=[table, table])
    one, other = settings(factors, nodes, net), settings({}, nodes, net)
    won: list[float] = []
    for number in range(count // 2):
        play = begun(plan, plan.rng(number, "trial"))
        won.append(sum(pair(games, play, one, other)) / 4)
        print(f"{2 * len(won)} games, {np.mean(won):.3f} won", flush=True)


def main() -> None:
    """Read the arguments, and do what they say."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("task", choices=("play", "effects", "gate"))
    parser.add_argument("path", type=Path)
    parser.add_argument("--out", type=Path, default=Path("factors.json"))
    parser.add_argument("--nodes", type=int, default=500)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--rules", default=RULES)
    parser.add_argument("--worker", type=int, default=0)
    given = parser.parse_args()
    if given.task == "play":
        given.path.mkdir(parents=True, exist_ok=True)
        play_on(given.path, given.nodes, given.worker)
    elif given.task == "effects":
        effects(given.path, given.out)
    else:
        gate(json.loads(given.path.read_text("utf-8")), given.nodes, given.games, given.rules)


if __name__ == "__main__":
    main()
