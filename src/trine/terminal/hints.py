"""Hints: what the computer would play at full strength, and why."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from trine.core.play import Play
from trine.core.text import Text, text
from trine.core.wording import written_actions
from trine.engine.advice import advice
from trine.engine.assessment import info_text
from trine.engine.limits import Limits
from trine.engine.player import Info
from trine.terminal.opponents import Strength
from trine.terminal.thinking import TELL_NOW, Thinking

if TYPE_CHECKING:
    from trine.engine.bot import Bot

Preparing = Callable[[str], AbstractContextManager[None]]
"""``preparing(game)``: inside, it is shown what is compiled for a game."""

MOST_SHARE: Final = 0.5
"""A hint takes no greater share of the time that is left on a clock. Guess."""


@dataclass
class Adviser:
    """Thinks for a person, in one game."""

    game: str
    strength: Strength = field(default_factory=Strength)
    preparing: Preparing = field(default=lambda game: nullcontext())
    _bot: Bot | None = None

    def open(self) -> None:
        """Get ready, which takes long the first time ever."""
        if self._bot is None:
            with self.preparing(self.game):
                from trine.engine.bot import Bot  # it brings Numba along

                self._bot = Bot(
                    self.game, hash_mb=self.strength.hash_mb, threads=self.strength.threads
                )

    def advise(self, play: Play, thinking: Thinking, left: float) -> tuple[str, list[Text]]:
        """What to play, in notation, and why; ``left`` is the time on the clock, in seconds."""
        self.open()
        bot, room, position = self._bot, play.room, play.position
        assert bot is not None
        limits = Limits(seconds=min(self.strength.seconds, max(0.0, left * MOST_SHARE)))
        ahead = play.copy()

        def known(info: Info) -> Text:
            return info_text(room, position, info)

        decision = thinking.run(
            lambda told: bot.choose(ahead, limits, told),
            bot.stop,
            text("thinking"),
            known,
            hurry=TELL_NOW,
        )
        if decision.info:
            decision = replace(decision, info=bot.to_the_end(play, decision.info))
        return written_actions(room, position, decision.actions), advice(play, decision)

    def close(self) -> None:
        """Give back what the thinking holds."""
        if self._bot:
            self._bot.close()
