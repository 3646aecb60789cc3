"""The settings of an engine: memory, level, seed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from trine.core.errors import MalformedError
from trine.core.text.sentence import quoted
from trine.engine.players.levels import FULL
from trine.engine.players.player_factory import PlayerResources


@dataclass(frozen=True)
class Number:
    """A numeric setting, and its bounds."""

    field: str
    least: int
    most: int

    def parse(self, name: str, value: str) -> int:
        """Read the number; raises `MalformedError` if it is malformed or out of bounds."""
        digits = value.strip()
        if digits.isdecimal() and len(digits) < 20 and self.least <= int(digits) <= self.most:
            return int(digits)
        raise MalformedError(
            "{name}: {given} is no whole number from {least} to {most}",
            name=name,
            given=quoted(value),
            least=self.least,
            most=self.most,
        )


NUMBERS: Final = {
    "hash": Number("hash_mb", 1, 1 << 20),
    "level": Number("level", 1, FULL),
    "seed": Number("seed", 0, (1 << 31) - 1),
}
"""The settings by their names in protocols and on the command line; ``hash`` is in MiB."""


def changed(settings: PlayerResources, name: str, value: str) -> PlayerResources:
    """Return settings with one value changed.

    Raises:
        MalformedError: the value is not a whole number within the bounds.

    >>> changed(PlayerResources(), "hash", "128").hash_mb
    128
    """
    number = NUMBERS[name]
    changes: dict[str, Any] = {number.field: number.parse(name, value)}
    return replace(settings, **changes)
