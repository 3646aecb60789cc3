"""Hints: the turn that the computer would play at full strength, with reasons."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from trine.cli.terminal.opponents import DEFAULT_LIMITS, READY_TIMEOUT, compiling_text
from trine.cli.terminal.thinking import TELL_NOW, WAIT_NO_MORE, InterruptibleRunner
from trine.core.clock import Limits
from trine.core.compiled.ahead import NICENESS, Compilation
from trine.core.play import Play, written_actions
from trine.core.text.sentence import Text, text
from trine.engine.players.assessment import info_text
from trine.engine.players.player import Info, PlayerResources, thinking_modules
from trine.games import open_room

if TYPE_CHECKING:
    from trine.engine.players.bot import Bot

MAX_CLOCK_SHARE: Final = 0.5
"""The largest share of the time left on a clock that a hint may take. Guess."""


@dataclass
class HintBot:
    """A bot that gives hints in one game."""

    game: str
    limits: Limits = DEFAULT_LIMITS
    settings: PlayerResources = field(default_factory=PlayerResources)
    compilation: Compilation | None = None
    """The compilation of the bot's code; None to start one for the first hint."""
    has_substitute: bool = False
    """Whether a strategist gives the hint if this bot is not ready soon."""
    _bot: Bot | None = None

    def open(self, thinking: InterruptibleRunner) -> bool:
        """Try to get ready, and return whether that succeeded.

        The first time on a machine, code is compiled; with a substitute, in the background.
        """
        if self._bot is None:
            compilation = self.compilation or Compilation(
                thinking_modules(self.game), niceness=NICENESS
            )
            self.compilation, title = compilation, open_room(self.game).title
            self._bot = thinking.run(
                lambda on_info, stop: self._opened() if compilation.wait(stop=stop) else None,
                lambda: compiling_text(title, compilation.progress),
                left=READY_TIMEOUT if self.has_substitute else math.inf,
                hurry=WAIT_NO_MORE,
            )
        return self._bot is not None

    def _opened(self) -> Bot:
        from trine.engine.players.bot import Bot  # imports Numba

        return Bot(self.game, hash_mb=self.settings.hash_mb)

    def advise(
        self, play: Play, thinking: InterruptibleRunner, left: float
    ) -> tuple[str, list[Text]]:
        """Return the best turn, and the reasons; ``left`` is the time on the clock, in seconds."""
        bot, room, position = self._bot, play.room, play.position
        assert bot is not None
        hard = min(self.limits.hard or math.inf, max(0.0, left * MAX_CLOCK_SHARE))
        limits = replace(self.limits, hard=hard)
        ahead = play.copy()

        def describe(info: Info) -> Text:
            return info_text(room, position, info)

        decision = thinking.run(
            lambda on_info, stop: bot.choose(ahead, limits, on_info, stop),
            text("thinking"),
            describe,
            hurry=TELL_NOW,
        )
        if decision.info:
            decision = replace(decision, info=bot.extend_proof(play, decision.info))
        from trine.engine.players.explanation import advice  # imports Numba

        return written_actions(room, position, decision.actions), advice(play, decision, bot)

    def close(self) -> None:
        if self._bot:
            self._bot.close()
        if self.compilation:
            self.compilation.close()
