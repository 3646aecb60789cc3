"""The computer players of a game: who they are, and what they agree to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import SystemRandom
from typing import Final

from trine.core.errors import TrineError
from trine.core.text import Text, text
from trine.core.words import quoted
from trine.engine.levels import parse_level
from trine.engine.limits import Limits
from trine.engine.player import Info, Player
from trine.record.live import LiveGame
from trine.record.terms import Terms

BOT: Final = "bot:"
COMPUTERS: Final = (BOT, "engine:", "aei:", "ugi:")
"""How the names of computer players begin; other names are those of people."""
THINK: Final = 1.0
"""Units: seconds; for a turn of a game without a clock."""


def is_computer(name: str) -> bool:
    """Whether a name is that of a computer player.

    >>> is_computer("bot:7"), is_computer("Anna")
    (True, False)
    """
    return name.lower().startswith(COMPUTERS)


def is_program(name: str) -> bool:
    """Whether a name is the command of a program."""
    return is_computer(name) and not name.lower().startswith(BOT)


@dataclass(frozen=True)
class Strength:
    """What computer players may use."""

    seconds: float = THINK
    """For a turn of a game without a clock, and for a hint."""
    hash_mb: int = 64
    """Units: MiB, for each player."""
    threads: int = 1
    """For each player."""


Opener = Callable[[str, str, Strength, int], Player]
"""``opener(words, game, strength, seed)`` opens a player. Raises `TrineError`."""


def open_by_words(words: str, game: str, strength: Strength, seed: int) -> Player:
    """Open a bot or a program; the usual `Opener`."""
    from trine.protocol.players import open_player  # brings the searches along

    kind, _, rest = words.partition(":")
    return open_player(
        f"{kind.lower()}:{rest}",
        game,
        hash_mb=strength.hash_mb,
        threads=strength.threads,
        seed=seed,
    )


def check_bot(words: str, strategists: Mapping[str, object]) -> str:
    """The words of a bot, if there is one.

    Raises:
        TrineError: there is none of that level or name.
    """
    given = words.lower().removeprefix(BOT)
    if given not in strategists:
        parse_level(given)
    return f"{BOT}{given}"


@dataclass
class Opponents:
    """The computer players of a game, by seat."""

    players: Mapping[int, Player] = field(default_factory=dict)
    strength: Strength = field(default_factory=Strength)
    thoughts: dict[int, Info] = field(default_factory=dict)
    """What each knew when it last moved."""

    def __contains__(self, seat: int) -> bool:
        return seat in self.players

    def limits(self, game: LiveGame) -> Limits:
        """What limits the turn of the player to move."""
        clock = game.clock
        return Limits(
            seconds=None if clock and not clock.control.untimed else self.strength.seconds,
            clock=clock,
            used=game.elapsed,
        )

    def agrees(self, seat: int, wish: str) -> bool:
        """Whether a computer player agrees to what is asked for.

        It does to everything but a draw when it thinks that it stands better.
        """
        known = self.thoughts.get(seat)
        return wish != "draw" or (known is not None and known.score.points <= 0)

    def close(self) -> None:
        """Give back what the players hold."""
        for player in self.players.values():
            player.close()


def open_opponents(terms: Terms, strength: Strength, opener: Opener = open_by_words) -> Opponents:
    """Open the computer players that the names of a game tell of.

    Raises:
        TrineError: one of them cannot be opened.
    """
    game, seed = f"{terms.room.name}/{terms.rules}", SystemRandom().getrandbits(31)
    players: dict[int, Player] = {}
    try:
        for seat, name in enumerate(terms.names):
            if is_computer(name):
                players[seat] = opener(name, game, strength, seed + seat)
    except TrineError as error:
        for player in players.values():
            player.close()
        message: Text = text("{player}: {problem}", player=quoted(name), problem=error.message)
        raise type(error)(message).at(error.place.file, error.place.line) from None
    return Opponents(players, strength)
