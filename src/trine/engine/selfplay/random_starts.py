"""Random starts of games between programs, so that no two games are alike."""

from __future__ import annotations

from random import Random
from typing import Final

from trine.core.contract import Options, Room
from trine.core.play import Play
from trine.games import open_heuristics, start_position

SEED: Final = "Seed"
"""The option that holds the random seed of a game's start."""


def left_to_chance(room: Room, rules: str, options: Options) -> bool:
    """Return whether a start with these options is random.

    >>> from trine.games import open_room
    >>> tzaar = open_room("tzaar")
    >>> left_to_chance(tzaar, "official", {}), left_to_chance(tzaar, "official", {"Setup": "fixed"})
    (True, False)
    """
    return SEED not in options and SEED in room.rules.settle(rules, options)


def begin(room: Room, rules: str, options: Options, rng: Random) -> Play:
    """Return a play at its start, with random options drawn."""
    if left_to_chance(room, rules, options):
        options = room.rules.settle(rules, {**options, SEED: str(rng.getrandbits(31))})
    return Play(room, start_position(room, rules, options))


def set_up(play: Play, rng: Random) -> None:
    """Play a setup by the game's opening heuristics, or by random turns if it has none."""
    while play.position.in_setup and not play.outcome:
        actions = open_heuristics(play.room.name).opening(play.position, rng)
        play.act_unchecked(*actions)
        if not actions:
            play_random_turn(play, rng)


def play_random_turn(play: Play, rng: Random) -> None:
    """Play a random turn, or the rest of the open turn; nothing if the play is over."""
    played = len(play.turns)
    while len(play.turns) == played and not play.outcome:
        play.act_unchecked(rng.choice(play.legal_actions()))
