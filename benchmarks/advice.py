"""Measures how often a hint's turn is still good for a search with many times the nodes.

    .venv/bin/python -P benchmarks/advice.py [--positions N] [--nodes N] [--times N] FILE...

Files are records in any known format. In some of their positions a search chooses a turn, and a
deep search chooses another; further deep searches evaluate the positions after both. The cost of
the first turn is by how much the win chance of its player is lower than after the second; it is 0
if the first turn is better.
"""

import argparse
import sys
from random import Random

import numpy as np

from trine.core.clock import Limits
from trine.core.contract.position import Action
from trine.core.errors import TrineError
from trine.core.play import Play
from trine.engine.players.bot import Bot
from trine.engine.players.chances import chance
from trine.play.record.formats import read_file
from trine.play.record.replay import replay_as_far_as_legal

MAX_COST = 0.05
"""Units: chance; a hint that costs no more is good."""
POSITIONS_PER_GAME = 3
"""At most this many positions are taken from a game."""


def positions(files: list[str], count: int, rng: Random) -> list[Play]:
    """Return plays that stop at random turns of records, after the setup and before the end."""
    found = []
    wholes = [replay_as_far_as_legal(record)[0] for file in files for record in read_file(file)[1]]
    for whole in wholes:
        numbers = range(len(whole.turns))
        for number in rng.sample(numbers, min(POSITIONS_PER_GAME, len(numbers))):
            play = whole.copy()
            while len(play.turns) > number:
                play.take_back()
            if not play.position.in_setup and not play.outcome:
                found.append(play)
    return rng.sample(found, min(count, len(found)))


def chance_after(bot: Bot, play: Play, turn: tuple[Action, ...], limits: Limits) -> float:
    """Return the win chance of the player of a turn, by a search of the position after it."""
    after = play.after(turn)
    if after.outcome:
        return 0.5 if after.outcome.winner is None else float(after.outcome.winner == play.mover)
    bot.begin(after)
    return 1 - chance(play.room, after.position, bot.analyze(after, limits)[0].score)


def main() -> int:
    """Print how many hints are good, and their mean cost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--nodes", type=int, default=60_000, help="of the search for a hint")
    parser.add_argument("--times", type=int, default=10, help="more nodes of the deep searches")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    few, many = Limits(nodes=given.nodes), Limits(nodes=given.nodes * given.times)
    try:
        plays = positions(given.files, given.positions, Random(given.seed))
    except TrineError as error:
        print(error, file=sys.stderr)
        return 1
    if not plays:
        print("the files have no positions to look at", file=sys.stderr)
        return 1
    costs, bot = list[float](), Bot(plays[0].room.name)
    for play in plays:
        turns = []
        for limits in few, many:
            bot.begin(play)
            turns.append(bot.choose(play, limits).actions)
        hinted, deep = turns
        lost = 0.0
        if hinted != deep:
            lost = chance_after(bot, play, deep, many) - chance_after(bot, play, hinted, many)
        costs.append(max(0.0, lost))
        if sys.stderr.isatty():
            print(f"\r{len(costs)} of {len(plays)}", end="", file=sys.stderr, flush=True)
    mean, good = np.mean(costs), sum(cost <= MAX_COST for cost in costs)
    print(f"{good} of {len(costs)} turns cost {MAX_COST} of a chance at most; mean {mean:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
