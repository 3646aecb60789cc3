"""Measures the value of Arimaa's weights and search constants by games of perturbed engines.

    .venv/bin/python lab/neighbours.py play FOLDER [--nodes N] [--worker W]
    .venv/bin/python lab/neighbours.py effects FOLDER --out STEPS
    .venv/bin/python lab/neighbours.py gate STEPS --nodes N [--games N] [--rules RULES]

`play` perturbs all weights and search constants at once by random steps up or down (SPSA); the
opponent gets the opposite steps. It plays files of 50 pairs of games until it is stopped, and
resumes after the last file. Each worker has games of its own. `effects` estimates the value of each
step from the games, and writes the steps to take. `gate` plays pairs with these steps against
today's engine, from starts of other seeds. For results see docs/experiments:
2026-11-results-of-arimaa.md, 2026-11-search-of-arimaa.md and 2026-11-terms-of-arimaa.md.
"""

import argparse
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trine.core.contract.score import DRAW, ONGOING
from trine.core.play import Play
from trine.engine.learn.dataset import write_arrays
from trine.engine.search.kernel.constants import CONSTANTS, DEFAULT_CONSTANTS, SearchConstants
from trine.engine.search.nets import SearchNet, default_net
from trine.engine.selfplay.game import PlayerSettings, SelfPlay
from trine.engine.selfplay.selfplay_plan import SelfPlayPlan
from trine.games import open_heuristics

GAME: Final = "arimaa"
RULES: Final = "official"
PAIRS_PER_FILE: Final = 50
"""The number of pairs of games in a file."""
TURN_LIMIT: Final = 140
"""A game with this many turns is drawn."""
SEED: Final = 70_000
GATE_SEED: Final = 300
STEPS: Final = {
    "material": 17, "steps_left": 4.3,
    "elephant_centre": 3.8, "elephant_room": 3, "elephant_reach": 8.6, "elephant_blocked": 80,
    "camel_reach": 2.3, "camel_rank": 1.7, "horse_rank": 1.3, "cat_rank": 1.8,
    "camel_by_elephant": 3.2, "horses_by_elephant": 2.3, "horses_by_camel": 3.1,
    "small_by_camel": 5.3, "small_by_horses": 3.7, "between_traps": 0.73,
    "home_trap_one": 4.8, "home_trap_two": 4, "home_trap_more": 7.1,
    "away_trap_one": 5.2, "away_trap_two": 7.5, "away_trap_more": 24, "trap_control": 27,
    "trap_control_square": 29, "trap_control_late": 29, "home_trap_officers": 14,
    "elephant_home_trap": 6.1, "elephant_away_trap": 5.3, "elephant_tied": 2.2,
    "frozen_camel": 9.3, "frozen_horses": 8.2, "frozen_horses_away": 20,
    "frozen_small": 6.2, "frozen_rabbits": 4.9,
    "touched_officers": 3.4, "held_camel": 7.4, "held_camel_away": 10,
    "held_horses": 6.6, "held_horses_away": 9.4, "framed": 2.2, "pinned": 1.3,
    "lost_in_two": 10, "lost_in_three": 4.8, "lost_in_four": 4.7,
    "lost_in_six": 1.9, "lost_in_eight": 1.9,
    "lost_in_two_waiting": 6.2, "lost_in_three_waiting": 5.4, "lost_in_four_waiting": 3,
    "lost_in_six_waiting": 1.5, "lost_in_eight_waiting": 2,
    "lost_rabbits": 14, "lost_rabbits_later": 7.7, "lost_at_home": 4.5,
    "lonely": 2, "mobile": 2.1, "room": 1.5, "friends": 2.4, "home_open": 5.1,
    "rabbits_rank_2": 3.1, "rabbits_rank_3": 3.9, "rabbits_rank_4": 4.6,
    "rabbits_rank_5": 7, "rabbits_rank_6": 11, "rabbits_rank_7": 14,
    "rabbits_flank": 4.4, "rabbits_free": 18, "rabbits_late": 17,
    "rabbits_stopped": 7, "rabbits_escorted": 6.5,
    "goal_in_four": 32, "goal_in_four_late": 65, "goal_in_six": 27, "goal_in_twelve": 23,
    "danger_in_four": 5.1, "danger_in_six": 2.3, "danger_in_eight": 5.3,
    "rabbits_ruled": 45, "rabbits_through": 33,
}  # fmt: skip
"""By term, the points for each unit that one side gets more and the other less: some 4 to 15 in a
typical position, so that a few thousand games show an effect."""
KINDS: Final = "EMHDCR"
SHAPES: Final[Mapping[str, Callable[[float, float], float]]] = {
    "rank": lambda rank, file: (rank - 3.5) / 2.3,
    "file": lambda rank, file: (file - 1.5) / 1.1,
    "rank2": lambda rank, file: ((rank - 3.5) ** 2 - 5.25) / 4.6,
}
"""Shapes of joint changes of square values, with mean 0 and deviation 1; files count from the
edge."""
HEIGHT: Final = {kind: 1.5 if kind == "R" else 4.0 for kind in KINDS}
NET: Final = "net"
NET_FACTOR: Final = 1.65
"""The factor of the net's output."""
CONSTANT_STEPS: Final = {
    "futility_margin": 8, "futility_depth": 1, "aspiration_window": 12, "futility_max_order": 25,
    "lmp_count": 2, "razoring_margin": 100, "lmr_scale": 150, "lmr_base": 200, "lmr_in_turn": 200,
    "lmr_pv": 300, "quiescence_plies": 2, "evasion_plies": 1,
}  # fmt: skip
"""The size of a step of each search constant; moved values are clipped to its bounds."""
MIN_GAIN: Final = 15.0
"""Units: Elo; the minimum gain that a whole step must promise. 30 and 8 did worse at 500 nodes, or
no better."""
MAX_STEPS: Final = 1.5
"""Units: steps."""

Steps = Mapping[str, float]
"""By name, the number of steps from today's value; missing names are unchanged."""


def present_weights() -> list[float]:
    """Return the weights of the terms, then the entries of the piece-square table."""
    heuristics = open_heuristics(GAME)
    assert heuristics.table
    return [*(term.weight for term in heuristics.terms), *heuristics.table.numbers.values()]


def array_of(weights: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return the array that the evaluation looks up, with other weights and entries."""
    heuristics = open_heuristics(GAME)
    assert heuristics.table
    array: NDArray[np.float32] = heuristics.weights.copy()
    terms = len(heuristics.terms)
    array[:terms] = weights[:terms]
    array[terms:] = heuristics.table.spread(weights[terms:].tolist())
    return array


@cache
def directions() -> dict[str, NDArray[np.float64]]:
    """Return the weight changes of a step, by name. Shapes: weight, as in the file of weights."""
    terms = [term.name for term in open_heuristics(GAME).terms]
    count, found = len(present_weights()), dict[str, NDArray[np.float64]]()
    for name, points in STEPS.items():
        found[name] = np.zeros(count)
        found[name][terms.index(name)] = points
    for number, kind in enumerate(KINDS):
        for name, shape in SHAPES.items():
            if kind == "R" and name != "file":  # covered by the terms of its ranks
                continue
            squares = [shape(7 - line, file) for line in range(8) for file in range(4)]
            begin = len(terms) + 32 * number
            found[f"{kind}_{name}"] = np.zeros(count)
            found[f"{kind}_{name}"][begin : begin + 32] = HEIGHT[kind] * np.array(squares)
    return found


def moved_names() -> list[str]:
    """Return the names of everything that is perturbed."""
    return [*directions(), NET, *CONSTANT_STEPS]


def constants(steps: Steps) -> SearchConstants:
    """Return the search constants after some steps from today's."""
    today, moved = DEFAULT_CONSTANTS.filled(open_heuristics(GAME))._asdict(), dict[str, int]()
    for name, step in CONSTANT_STEPS.items():
        bounds = CONSTANTS[name]
        value = round(today[name] + steps.get(name, 0.0) * step)
        moved[name] = max(bounds.min, min(bounds.max, value))
    return SearchConstants(**moved)


def settings(steps: Steps, nodes: int, net: SearchNet) -> PlayerSettings:
    """Return the settings of a player after some steps from today's engine."""
    weights = np.array(present_weights())
    for name, direction in directions().items():
        weights += steps.get(name, 0.0) * direction
    louder = NET_FACTOR ** steps.get(NET, 0.0)
    louder_net = replace(
        net,
        scale=net.scale * louder,
        margins=np.ceil(net.margins * louder).astype(net.margins.dtype),
        hash=f"{net.hash} times {louder:.5f}",
    )
    return PlayerSettings(
        nodes=nodes,
        by_turns=True,
        weights=array_of(weights),
        net=louder_net,
        constants=constants(steps),
    )


def pair(games: SelfPlay, play: Play, one: PlayerSettings, other: PlayerSettings) -> list[int]:
    """Return the half points of the first player in two games."""
    points = []
    for seat in (0, 1):
        players = (one, other) if seat == 0 else (other, one)
        result = games.play(play, players, turn_limit=TURN_LIMIT).result
        points.append(1 if result in (DRAW, ONGOING) else 2 * (result == seat))
    return points


def begun(plan: SelfPlayPlan, rng: Random) -> Play:
    """Return an unfinished play from a random start."""
    while (play := plan.begin(rng)).outcome:
        pass
    return play


def play_on(folder: Path, nodes: int, worker: int) -> None:
    """Play file after file until stopped."""
    plan = SelfPlayPlan(GAME, RULES, nodes=nodes, seed=SEED + worker)
    first = begun(plan, plan.rng(0))
    net, games = default_net(GAME, first.position), SelfPlay(first, hash_mb=[0.25, 0.25])
    names, number = moved_names(), 0
    while True:
        path = folder / f"{nodes}-{worker}-{number:05}.npz"
        if not path.exists():
            signs, points = [], []
            for index in range(number * PAIRS_PER_FILE, (number + 1) * PAIRS_PER_FILE):
                rng = plan.rng(index)
                play = begun(plan, rng)
                drawn = [rng.choice((-1, 1)) for _ in names]
                one, other = (
                    settings({n: way * s for n, s in zip(names, drawn, strict=True)}, nodes, net)
                    for way in (1, -1)
                )
                signs.append(drawn)
                points.append(pair(games, play, one, other))
            write_arrays(path, signs=np.array(signs), points=np.array(points))
            print(f"{path.name}: {2 * PAIRS_PER_FILE} games", flush=True)
        number += 1


def effects(folder: Path, out: Path) -> None:
    """Print the value of each step, and write the steps to take."""
    files = [np.load(path) for path in sorted(folder.glob("*.npz"))]
    signs = np.concatenate([one["signs"] for one in files]).astype(float)
    share = np.concatenate([one["points"] for one in files]).sum(1) / 4 - 0.5
    worth, *_ = np.linalg.lstsq(signs, share, rcond=None)
    freedom = len(share) - signs.shape[1]
    variance = ((share - signs @ worth) ** 2).sum() / freedom
    errors = np.sqrt(variance * np.diag(np.linalg.inv(signs.T @ signs)))
    elo = 4 * 400 / math.log(10)  # relative to one half
    worth, errors = elo * worth, elo * errors
    # Shrinkage: observed effects are partly noise, the more so the less they exceed their errors.
    true = max(0.0, (worth**2).mean() - (errors**2).mean())
    believed = worth * true / (true + errors**2)
    print(f"{2 * len(share)} games; Elo of a step more against a step less, 95 %")
    steps = {}
    for name, effect, error, sure in zip(moved_names(), worth, errors, believed, strict=True):
        steps[name] = round(max(-MAX_STEPS, min(MAX_STEPS, sure / MIN_GAIN)), 3)
        print(f"{name:22} {effect:+6.0f} ± {1.96 * error:.0f}  -> {steps[name]:+.2f} steps")
    out.write_text(json.dumps(steps, indent=1) + "\n", encoding="utf-8")


def gate(steps: Steps, nodes: int, count: int, rules: str) -> None:
    """Play pairs against today's engine, and print the score."""
    plan = SelfPlayPlan(GAME, rules, nodes=nodes, seed=GATE_SEED)
    first = begun(plan, plan.rng(0))
    net, table = default_net(GAME, first.position), max(0.25, nodes / 4000)
    games = SelfPlay(first, hash_mb=[table, table])
    one, other = settings(steps, nodes, net), settings({}, nodes, net)
    won: list[float] = []
    for number in range(count // 2):
        play = begun(plan, plan.rng(number, "trial"))
        won.append(sum(pair(games, play, one, other)) / 4)
        print(f"{2 * len(won)} games, {np.mean(won):.3f} won", flush=True)


def main() -> None:
    """Run the command on the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("task", choices=("play", "effects", "gate"))
    parser.add_argument("path", type=Path)
    parser.add_argument("--out", type=Path, default=Path("steps.json"))
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
