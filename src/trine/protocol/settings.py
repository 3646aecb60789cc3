"""What an engine can be told about itself: memory, threads, level, chance; and its opening."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from trine.core.errors import MalformedError
from trine.core.text import text
from trine.core.words import quoted
from trine.engine.levels import FULL
from trine.engine.player import Player
from trine.games import open_room


@dataclass(frozen=True)
class Settings:
    """What a player of an engine is opened with.

    >>> Settings("arimaa").changed("hash", "128").hash_mb
    128
    """

    game: str
    hash_mb: int = 64
    threads: int = 1
    level: int = FULL
    seed: int = 0

    def changed(self, name: str, value: str) -> Settings:
        """The same, with another number.

        Raises:
            MalformedError: it is no whole number, or not within the bounds.
        """
        number = NUMBERS[name]
        changes: dict[str, Any] = {number.field: number.parse(name, value)}
        return replace(self, **changes)


@dataclass(frozen=True)
class Number:
    """A setting that is a number, and its bounds."""

    field: str
    least: int
    most: int

    def parse(self, name: str, value: str) -> int:
        """Read the number.

        Raises:
            MalformedError: it is no whole number, or not within the bounds.
        """
        digits = value.strip()
        if digits.isdecimal() and len(digits) < 20 and self.least <= int(digits) <= self.most:
            return int(digits)
        raise MalformedError(
            text(
                "{name}: {given} is no whole number from {least} to {most}",
                name=name,
                given=quoted(value),
                least=self.least,
                most=self.most,
            )
        )


NUMBERS: Final = {
    "hash": Number("hash_mb", 1, 1 << 20),
    "threads": Number("threads", 1, 256),
    "level": Number("level", 1, FULL),
    "seed": Number("seed", 0, (1 << 31) - 1),
}
"""By the names that protocols and the command line have for them; ``hash`` is in megabytes."""

Say = Callable[[str], None]
Opener = Callable[[Settings, Say], Player]
"""Opens a player of some settings, and says what takes long about it."""

PATIENCE: Final = 2.0
"""Units: seconds; what takes less is not worth a word, and from the cache it does. Guess."""
EVERY: Final = 5.0
"""Units: seconds; how often it is said that it takes longer still. Guess."""


def open_bot(settings: Settings, say: Say) -> Player:
    """Open our own bot; the first time on a machine, its code is compiled, which takes a while."""
    from trine.core import jit  # it brings Numba along, for which no handshake can wait

    title, began = open_room(settings.game).title, time.monotonic()
    said, compiled = began - EVERY + PATIENCE, 0

    def show(function: str) -> None:
        nonlocal said, compiled
        compiled += 1
        if time.monotonic() - said > EVERY:
            said = time.monotonic()
            say(f"compiling {title}, once on this machine: function {compiled}, {function}")

    jit.on_compile = show
    try:
        from trine.engine.bot import Bot

        bot = Bot(
            settings.game,
            settings.level,
            hash_mb=settings.hash_mb,
            threads=settings.threads,
            seed=settings.seed,
        )
    finally:
        jit.on_compile = jit.say_nothing
    if time.monotonic() - began > PATIENCE:
        say(f"ready to think after {time.monotonic() - began:.1f} s")
    return bot
