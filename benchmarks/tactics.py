"""Checks that the search finds wins of a single turn within 0.1 s, and the captures of Arimaa.

    PYTHONPATH=tests .venv/bin/python -P benchmarks/tactics.py [--positions N] FILE...

Files are records in any known format. Positions are those before each of the last turns of a game,
and a random share of the others. In each, the full enumeration of turns shows whether a turn wins
at once: then the search must find one. In Arimaa all sequences of steps show which enemy pieces can
be removed within the turn: `captures_in_turn` must return them all, and no others. The turns that
were played do not matter.
"""

import argparse
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from random import Random

import numpy as np

from games.arimaa.enumeration import fewest_steps, removable_squares
from mining.kernel import captures_in_turn
from trine.core.clock import Limits
from trine.core.contract.position import Action
from trine.core.errors import TrineError
from trine.core.play import Play
from trine.engine.players.bot import Bot
from trine.games import open_kernel
from trine.play.record.formats import read_file
from trine.play.record.replay import replay_as_far_as_legal

SECONDS = 0.1
LAST_TURNS = 6
"""The number of positions at the end of each game that are always checked."""
OTHER_SHARE = 0.2
"""The share of the other positions that is checked."""


@dataclass
class Findings:
    """The wins and captures that exist, and those found, in one game."""

    bot: Bot
    counts: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    slowest_capture: float = 0.0


def wins(play: Play, actions: tuple[Action, ...]) -> bool:
    """Return whether a whole turn wins at once."""
    ahead = play.copy()
    for action in actions:
        ahead.act(action)
    return ahead.outcome is not None and ahead.outcome.winner == play.mover


def can_win(play: Play, row: np.ndarray) -> bool:
    """Return whether any turn wins at once, by the full enumeration."""
    if play.room.name == "arimaa" and fewest_steps(row) <= 4:
        return True  # goals; other wins are rare, and enumerated below if few pieces are left
    if play.room.name == "arimaa" and np.bitwise_count(row[0]) > 16:
        return False
    for after in play.room.rules.turn_results(play.position, play.history):
        outcome = after.outcome()
        if outcome and outcome.winner == play.mover:
            return True
    return False


def compare(play: Play, findings: Findings) -> None:
    """Compare the search of a position with the enumeration."""
    kernel = open_kernel(play.room.name)
    row = np.zeros(kernel.words, np.uint64)
    kernel.to_row(play.position, row)
    counts = findings.counts
    counts["positions"] += 1
    if can_win(play, row):
        counts["wins"] += 1
        findings.bot.begin(play)
        began = time.perf_counter()
        decision = findings.bot.choose(play, Limits(hard=SECONDS))
        findings.slowest = max(findings.slowest, time.perf_counter() - began)
        found = wins(play, decision.actions)
        counts["wins found"] += found
        if not found:
            print(f"missed: {play.room.rules.format_position(play.position)}")
    if play.room.name == "arimaa":
        there = removable_squares(row)
        began = time.perf_counter()
        named = int(captures_in_turn(row))
        findings.slowest_capture = max(findings.slowest_capture, time.perf_counter() - began)
        counts["captures"] += there.bit_count()
        counts["captures found"] += (there & named).bit_count()
        counts["captures wrongly named"] += (named & ~there).bit_count()


def plays_of(paths: list[str]) -> list[Play]:
    """Return the plays of all records that can be replayed, for two players."""
    plays = []
    for path in paths:
        try:
            for record in read_file(path)[1]:
                try:
                    plays.append(replay_as_far_as_legal(record)[0])
                except TrineError:
                    continue
        except TrineError as error:
            print(f"{path}: {error}", file=sys.stderr)
    return [play for play in plays if len(play.position.seats) == 2]


def main() -> None:
    """Print the numbers of wins and captures found and existing, for each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=500, help="at most, for each game")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    rng, games = Random(0), dict[str, Findings]()
    plays = plays_of(options.files)
    rng.shuffle(plays)
    for number, play in enumerate(plays):
        name = play.room.name
        findings = games.setdefault(name, Findings(Bot(name)))
        for back in range(len(play.turns)):
            if findings.counts["positions"] >= options.positions:
                break
            play.take_back()
            if not play.position.in_setup and (back < LAST_TURNS or rng.random() < OTHER_SHARE):
                compare(play, findings)
        print(f"\r{number + 1} of {len(plays)} records", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    for name, findings in games.items():
        counts = findings.counts
        print(f"{name}: {counts['positions']} positions")
        print(f"  {counts['wins found']} of {counts['wins']} wins of a single turn found;")
        print(f"  the slowest took {findings.slowest:.3f} s")
        if counts["captures"]:
            print(
                f"  {counts['captures found']} of {counts['captures']} pieces that can be removed"
            )
            print(f"  named, {counts['captures wrongly named']} wrongly;", end=" ")
            print(f"the slowest took {1_000 * findings.slowest_capture:.3f} ms")


if __name__ == "__main__":
    main()
