"""Measures how often beginners' games are won, and how long they take.

``PYTHONPATH=src .venv/bin/python benchmarks/first_games.py`` plays each of them 40 times against
the weakest level: with random actions, and by the stand-ins of levels 1 to 3, which err as
beginners do; the race also by a player who only moves, along the shortest path.
"""

from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from statistics import median
from typing import Any

from trine.core.clock import Limits
from trine.core.play import Play
from trine.engine.players.stand_in import StandIn
from trine.games import first_games, start_position
from trine.games.corridor.rules import Move

GAMES = 40
MAX_TURNS = 200
"""Units: turns of both; a longer game counts as not won."""
Chooser = Callable[[Play], Sequence[Any]]


def stand_in(level: int, room: Any, seed: int) -> Chooser:
    player = StandIn(room, level, seed)
    return lambda play: player.choose(play.copy(), Limits()).actions


def random_player(_: Any, seed: int) -> Chooser:
    rng = Random(seed)
    return lambda play: [rng.choice(play.legal_actions())]


def racer(_: Any, seed: int) -> Chooser:
    rng = Random(seed)

    def choose(play: Play) -> Sequence[Any]:
        position: Any = play.position
        moves = [one for one in play.legal_actions() if isinstance(one, Move)]
        rng.shuffle(moves)
        return [min(moves, key=lambda one: position.play_unchecked(one).distance(0))]

    return choose


def main() -> None:
    """Play all games with all players."""
    ways: dict[str, Callable[[Any, int], Chooser]] = {"random": random_player, "racer": racer}
    for level in (1, 2, 3):
        ways[f"level {level}"] = partial(stand_in, level)
    for name, (room, first) in first_games().items():
        for way, chooser in ways.items():
            if way == "racer" and room.name != "corridor":
                continue
            won, lengths = 0, []
            for seed in range(GAMES):
                play = Play(room, start_position(room, first.rules, position=first.position))
                players = [chooser(room, seed + GAMES), stand_in(1, room, seed)]
                while not play.outcome and len(play.turns) < MAX_TURNS:
                    play.act_unchecked(*players[play.mover](play))
                won += play.outcome is not None and play.outcome.winner == 0
                lengths.append(sum(turn.player == 0 for turn in play.turns))
            print(f"{name:8} {way:8} won {won:2} of {GAMES}, own turns {median(lengths):4.1f}")


if __name__ == "__main__":
    main()
