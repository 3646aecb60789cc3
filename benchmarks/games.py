"""Measures whole games in compiled code: positions a second, and games a minute of a match.

    .venv/bin/python benchmarks/games.py [--games 20] [arimaa tzaar corridor/great-wall …]

A position is one search, as self-play makes one for each action. CPU time is measured, since other
work on the machine disturbs it less than wall time.
"""

import argparse
import time
from random import Random

from trine.core.clock import Limits
from trine.engine.arena.match import Entrant, Match, play_fixture
from trine.engine.arena.opening_book import parse_openings
from trine.engine.learn.games import DEEP_HASH_MB
from trine.engine.selfplay.game import PlayerSettings, SelfPlay
from trine.engine.selfplay.selfplay_plan import MAX_TURNS, SelfPlayPlan
from trine.games import ROOMS, parse_game


def positions(plan: SelfPlayPlan, games: int, nodes: int) -> float:
    """Return the number of positions that self-play searches a second."""
    plays = [plan.begin(Random(number)) for number in range(games)]
    plays = [play for play in plays if not play.outcome]
    place, settings = SelfPlay(plays[0], hash_mb=[DEEP_HASH_MB]), PlayerSettings(nodes=nodes)
    place.play(plays[0], (settings, settings), turn_limit=20)
    searched, began = 0, time.process_time()
    for play in plays:
        played = place.play(play, (settings, settings), turn_limit=MAX_TURNS, keep_ends=True)
        searched += len(played.moves)
    return searched / (time.process_time() - began)


def games_a_minute(plan: SelfPlayPlan, games: int, nodes: int) -> float:
    """Return the number of a match's games that are played in a minute, records included."""
    limits = Limits(nodes=nodes)
    entrants = Entrant("one", "bot:10", limits), Entrant("two", "bot:10?futility_margin=30", limits)
    match = Match(entrants, parse_openings("auto", plan.game, plan.rules), hash_mb=4)
    first, *fixtures = match.fixtures(games + games % 2)
    play_fixture(match, first)
    began = time.process_time()
    for fixture in fixtures:
        play_fixture(match, fixture)
    return 60 * len(fixtures) / (time.process_time() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=ROOMS)
    parser.add_argument("--games", type=int, default=20)
    given = parser.parse_args()
    for name in given.names:
        room, rules = parse_game(name)
        plan = SelfPlayPlan(room.name, rules or room.default_rules)
        print(
            f"{room.name}/{plan.rules}",
            *(
                f"{nodes} nodes: {positions(plan, given.games, nodes):,.0f}/s"
                for nodes in (400, 2000)
            ),
            f"match of 2000 nodes a turn: {games_a_minute(plan, given.games, 2000):.0f} games/min",
            sep="; ",
        )


if __name__ == "__main__":
    main()
