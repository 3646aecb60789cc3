"""Plans of self-play, and the random starts of its games."""

from dataclasses import dataclass
from random import Random
from typing import Final

from trine.core.contract.position import Options
from trine.core.contract.room import Room
from trine.core.errors import IllegalError
from trine.core.play import Play
from trine.games import NO_OPTIONS, open_heuristics, open_room, start_position

SEED: Final = "Seed"  # the option that holds the random seed of a game's start


def left_to_chance(room: Room, rules: str, options: Options) -> bool:
    """Return whether a start with these options is random.

    >>> from trine.games import open_room
    >>> tzaar = open_room("tzaar")
    >>> left_to_chance(tzaar, "official", {}), left_to_chance(tzaar, "official", {"Setup": "fixed"})
    (True, False)
    """
    return SEED not in options and SEED in room.rules.settle(rules, options)


def begin(room: Room, rules: str, options: Options, rng: Random) -> Play:
    """Return a new play; a random start without a seed gets one from ``rng``."""
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


MAX_RANDOM_TURNS: Final = 8
"""Units: turns; the maximum of random turns at the beginning of a game. Without random turns all
games would be equal, and no player would ever be far ahead. Guess."""
MAX_RANDOM_TURNS_AFTER: Final = 2
"""Units: turns; the maximum after a given beginning, which may serve for many games. Guess."""
RANDOM_INTERVAL: Final = 3
"""With given beginnings, one game in this many still begins at random, to cover positions that
players avoid. Guess."""
MAX_TURNS: Final = 300  # turns; longer games are stopped without a result. Guess


@dataclass(frozen=True)
class SelfPlayPlan:
    """The parameters that determine the games of self-play.

    Guarantee: with equal weights, game number n of a plan is the same on every machine.
    """

    game: str
    rules: str
    options: tuple[tuple[str, str], ...] = ()
    """The chosen start options; random options differ from game to game."""
    nodes: int = 400  # the node limit of the search for each action
    seed: int = 0
    beginnings: tuple[str, ...] = ()  # start positions of games; if empty, all starts are random

    def __post_init__(self) -> None:
        start = start_position(open_room(self.game), self.rules, dict(self.options))
        if len(start.seats) != 2:
            raise IllegalError("only games of two players can be learnt from")

    def rng(self, number: int, kind: str = "") -> Random:
        """Return a random generator for a game; each ``kind`` of use has its own."""
        return Random(f"{kind} {self.seed} {number}".lstrip())

    def begin(self, rng: Random) -> Play:
        """Return a play with its start, the setup, and some random turns."""
        room, most = open_room(self.game), MAX_RANDOM_TURNS
        if self.beginnings and rng.randrange(RANDOM_INTERVAL):
            chosen, most = rng.choice(self.beginnings), MAX_RANDOM_TURNS_AFTER
            play = Play(room, start_position(room, self.rules, NO_OPTIONS, chosen))
        else:
            play = begin(room, self.rules, dict(self.options), rng)
        set_up(play, rng)
        for _ in range(rng.randrange(most + 1)):
            play_random_turn(play, rng)
        return play
