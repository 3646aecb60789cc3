"""Bots whose code may still be compiling when the game begins, and the progress shown then."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from trine.core.compiled.ahead import Compilation, Progress
from trine.core.play import Play
from trine.core.text.sentence import Text, text
from trine.core.work.limits import Limits
from trine.core.work.stop import Stop
from trine.engine.players.player import Decision, Player, Told
from trine.engine.players.stand_in import StandIn

PATIENCE: Final = 2.0
"""Units: seconds; the wait for code that was compiled before, which is soon found to be ready."""


def compiling_text(title: str, progress: Progress) -> Text:
    """Return the progress of compiling for a game in words, or that it is getting ready."""
    if not progress.compiled:
        return text("getting ready")
    return text(
        "compiling for {game}, once on this machine: {done} of {count} parts, about {left} s left",
        game=title,
        done=progress.done,
        count=progress.modules,
        left=math.ceil(progress.left),
    )


class Latecomer:
    """A player that is opened before its first turn, when its code has been compiled."""

    def __init__(
        self,
        name: str,
        compilation: Compilation,
        opener: Callable[[], Player],
        stand_in: StandIn | None = None,
    ) -> None:
        self.name = name
        self.stand_in = stand_in
        """The player in its place while it is not ready; None if it is waited for."""
        self.compilation = compilation
        self._opener = opener
        self._player: Player | None = None
        self._begun: Play | None = None
        """The game that the player is to begin once it is open."""

    @property
    def is_open(self) -> bool:
        """Whether the player can think at once."""
        return self._player is not None

    def is_ready(self) -> bool:
        """Return whether the player can be opened at once.

        While nothing has been compiled, the code may have been before: a moment shows whether.
        """
        progress = self.compilation.progress
        if self._player is None and not (self.compilation.is_over or progress.compiled):
            with Stop().after(PATIENCE) as stop:
                self.compilation.wait(lambda step: stop.set() if step.compiled else None, stop)
        return self._player is not None or self.compilation.is_over

    def open(self) -> Player:
        """Wait for the player's code, and open the player.

        Raises:
            ForfeitError: the player cannot be opened, or cannot begin.
        """
        if self._player is None:
            self.compilation.wait()
            player = self._opener()
            if self._begun:
                player.begin(self._begun)
            self._player = player
        return self._player

    def begin(self, play: Play) -> None:
        """Begin a game, or go on with one."""
        self._begun = play.copy()
        if self._player:
            self._player.begin(play)

    def choose(
        self, play: Play, limits: Limits, told: Told | None = None, stop: Stop | None = None
    ) -> Decision:
        """Choose the rest of the turn of the player to move."""
        return self.open().choose(play, limits, told, stop)

    def close(self) -> None:
        """Release the resources of the player."""
        if self._player:
            self._player.close()
