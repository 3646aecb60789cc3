"""The computer players of a game, and the bot that gives hints.

If the code of a bot is still being compiled when the game begins, the bot is opened later.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from random import SystemRandom
from typing import TYPE_CHECKING, Final

from trine.cli.terminal.thinking import TELL_NOW, WAIT_NO_MORE, InterruptibleRunner
from trine.core.clock import Limits
from trine.core.compiled.ahead import NICENESS, Compilation, CompileProgress
from trine.core.contract.room import Room
from trine.core.errors import TrineError
from trine.core.play import Play, written_actions
from trine.core.text.sentence import Text, quoted, text, typed
from trine.core.work.stop import Stop
from trine.engine.players.assessment import info_text
from trine.engine.players.player import (
    Decision,
    Player,
    PlayerFactory,
    PlayerResources,
    parse_level,
    thinking_modules,
)
from trine.engine.players.stand_in import StandIn
from trine.engine.protocol.players import open_player
from trine.engine.search.info import Info, OnInfo
from trine.games import open_room
from trine.play.record.agreed_terms import Terms
from trine.play.session.file_journal import FileJournal
from trine.play.session.game import Game
from trine.play.session.seats import BOT, is_computer, is_program
from trine.play.session.state import DRAW

if TYPE_CHECKING:
    from trine.engine.players.bot import Bot

READY_TIMEOUT: Final = 2.0
"""Units: seconds; the wait for code that may be in the cache, and then loads quickly."""


def compiling_text(title: str, progress: CompileProgress) -> Text:
    """Return a sentence on the progress of compiling for a game, or of loading its code."""
    if not progress.compiled:
        return text("getting ready")
    return text(
        "compiling: {done} of {count} parts, about {left} s left ({game}, once on this machine)",
        game=typed(title),
        done=progress.done,
        count=progress.modules,
        left=math.ceil(progress.left),
    )


class DeferredPlayer:
    """A player that is opened before its first turn, once its code has been compiled."""

    def __init__(
        self,
        name: str,
        compilation: Compilation,
        factory: Callable[[], Player],
        stand_in: StandIn | None = None,
    ) -> None:
        self.name = name
        self.stand_in = stand_in
        """The player that plays until the deferred one is ready; None to wait instead."""
        self.compilation = compilation
        self._factory = factory
        self._player: Player | None = None
        self._begun: Play | None = None  # the play that the player begins with once it is open

    @property
    def is_open(self) -> bool:
        return self._player is not None

    def is_ready(self) -> bool:
        """Return whether the player's code is compiled, after waiting up to `READY_TIMEOUT`."""
        progress = self.compilation.progress
        if self._player is None and not (self.compilation.is_over or progress.compiled):
            with Stop().after(READY_TIMEOUT) as stop:
                self.compilation.wait(lambda step: stop.set() if step.compiled else None, stop)
        return self._player is not None or self.compilation.is_over

    def open(self) -> Player:
        """Wait for the player's code, then open the player; raises `ForfeitError`."""
        if self._player is None:
            self.compilation.wait()
            player = self._factory()
            if self._begun:
                player.begin(self._begun)
            self._player = player
        return self._player

    def begin(self, play: Play) -> None:
        self._begun = play.copy()
        if self._player:
            self._player.begin(play)

    def choose(
        self, play: Play, limits: Limits, on_info: OnInfo | None = None, stop: Stop | None = None
    ) -> Decision:
        return self.open().choose(play, limits, on_info, stop)

    def close(self) -> None:
        if self._player:
            self._player.close()


THINK_TIME: Final = 1.0  # seconds; the default time for a turn without a clock, and for a hint
DEFAULT_LIMITS: Final = Limits(hard=THINK_TIME)
OPENING_TURNS: Final = 10
"""A computer player accepts no draw before it has played this number of turns. Guess."""


def check_bot(argument: str, strategists: Mapping[str, object]) -> str:
    """Return the name of a bot, with prefix, from a level or strategist; raises `TrineError`."""
    name = argument.lower().removeprefix(BOT)
    if name not in strategists:
        parse_level(name)
    return f"{BOT}{name}"


def is_bot_with_level(name: str) -> bool:
    """Return whether a player is a bot with a level; such bots search, strategists do not.

    Raises:
        MalformedError: there is no such level.

    >>> is_bot_with_level("bot:7"), is_bot_with_level("bot:trapper")
    (True, False)
    """
    if not is_computer(name) or is_program(name):
        return False
    level = name.lower().removeprefix(BOT)
    if level.isdecimal():
        parse_level(level)
    return level.isdecimal()


@dataclass
class Opponents:
    """The computer players of a game, by seat."""

    players: Mapping[int, Player] = field(default_factory=dict)
    without_clock: Limits = DEFAULT_LIMITS
    """The limits for a turn in a game without a clock, and for a hint."""
    settings: PlayerResources = field(default_factory=PlayerResources)
    compilation: Compilation | None = None  # the background compilation of the code of bots
    thoughts: dict[int, Info] = field(default_factory=dict)
    """The search information of each player's last move, by seat."""

    def __contains__(self, seat: object) -> bool:
        return seat in self.players

    def limits(self, game: Game[FileJournal]) -> Limits:
        clock = game.clock
        limits = Limits() if clock and not clock.control.untimed else self.without_clock
        return replace(limits, clock=clock, used=game.elapsed)

    def agrees(self, seat: int, request: str, play: Play) -> bool:
        """Return whether a computer player agrees to a request.

        Only draws are declined: in the opening, or if the player was ahead in its last search.
        """
        if request != DRAW:
            return True
        last_thought = self.thoughts.get(seat)
        played = sum(turn.player == seat for turn in play.turns)
        return (
            last_thought is not None and last_thought.score.points <= 0 and played >= OPENING_TURNS
        )

    def close(self) -> None:
        for player in self.players.values():
            player.close()
        if self.compilation:
            self.compilation.close()


def _stand_in(room: Room, name: str, seed: int) -> StandIn | None:
    level = int(name.lower().removeprefix(BOT))
    return StandIn(room, level, seed) if StandIn.exists_for(room, level) else None


def open_opponents(
    terms: Terms,
    without_clock: Limits,
    settings: PlayerResources,
    factory: PlayerFactory = open_player,
    compilation: Compilation | None = None,
) -> Opponents:
    """Open the computer players of a game; with a ``compilation``, open bots after it."""
    game_name, seed = f"{terms.room.name}/{terms.rules}", SystemRandom().getrandbits(31)
    players: dict[int, Player] = {}
    try:
        for seat, name in enumerate(terms.names):
            if is_computer(name):
                if is_bot_with_level(name):
                    terms.room.check_search(terms.start)
                open_player_of = partial(
                    factory, name, game_name, replace(settings, seed=seed + seat)
                )
                if compilation and is_bot_with_level(name):
                    players[seat] = DeferredPlayer(
                        name, compilation, open_player_of, _stand_in(terms.room, name, seed + seat)
                    )
                    compilation.start()
                else:
                    players[seat] = open_player_of()
    except TrineError as error:
        for player in players.values():
            player.close()
        if compilation:
            compilation.close()
        message: Text = text("{player}: {problem}", player=quoted(name), problem=error.message)
        raise type(error)(message).at(error.place.file, error.place.line) from None
    return Opponents(players, without_clock, settings, compilation)


MAX_CLOCK_SHARE: Final = 0.5
"""The largest share of the time left on a clock that a hint may take. Guess."""


@dataclass
class HintBot:
    """A bot that gives hints in one game: the turn of the full strength, with reasons."""

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
                lambda on_info, stop: self._open_bot() if compilation.wait(stop=stop) else None,
                lambda: compiling_text(title, compilation.progress),
                left=READY_TIMEOUT if self.has_substitute else math.inf,
                key_hint=WAIT_NO_MORE,
            )
        return self._bot is not None

    def _open_bot(self) -> Bot:
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
            key_hint=TELL_NOW,
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
