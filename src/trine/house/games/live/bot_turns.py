"""The turns of bots in a game: each turn is requested once."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from trine.core.compiled.ahead import CompileProgress
from trine.engine.players.stand_in import StandIn, stand_in_note
from trine.house.background import Now, Report
from trine.house.games.live.bots import Bots
from trine.house.games.live.commands import CommandContext, HouseCommand, bot_turn, remark
from trine.house.games.live.live_game import Change, LiveGame
from trine.house.games.live.timekeeper import waits_to_be_seen
from trine.house.games.storage.tables import SeatKind
from trine.house.refusals import ShuttingDownError
from trine.house.web.refusing import InternalError
from trine.play.session.seats import BOT

RETRY_TIMEOUT: Final = 5.0  # seconds; the delay before a failed bot is asked again
MIN_TURN_TIME: Final = 2.0  # seconds; the pause before a turn in a game without people


Play = Callable[[HouseCommand], Awaitable[None]]


class BotTurns:
    """Requests the turns of bots in a game."""

    def __init__(self, bots: Bots, now: Now, report: Report) -> None:
        self._bots, self._now, self._report = bots, now, report
        self._asked_at = -1  # number of the last turn's event when a bot was asked; -1 before
        self._game: LiveGame | None = None
        self._watched = False
        self._thinking: set[asyncio.Task[None]] = set()

    def update(self, game: LiveGame, play: Play, *, watched: bool) -> None:
        """Ask a bot for its turn, if one is to move and was not asked yet.

        ``play`` runs the house command that plays the turn; ``watched`` whether a page shows it.
        """
        self._game, self._watched = game, watched
        if not game.runs or not game.state or game.state.paused is not None:
            return
        if any(seat.kind is SeatKind.BOT for seat in game.seats):
            self._bots.want(game.agreement.game)
        seat = game.seats[game.state.play.mover]
        if seat.kind is not SeatKind.BOT or self._asked_at == game.turn_seq:
            return
        if waits_to_be_seen(game) and not watched:
            return
        self._asked_at = game.turn_seq
        task = asyncio.create_task(self._think(game, seat.name, play))
        self._thinking.add(task)
        task.add_done_callback(self._thinking.discard)

    def stop(self) -> None:
        self._game = None

    def warming(self, game: LiveGame) -> CompileProgress | None:
        """Return the compilation progress if a bot to move must wait for it, without a stand-in."""
        if not game.runs or not game.state:
            return None
        seat = game.seats[game.state.play.mover]
        if seat.kind is not SeatKind.BOT or self._has_stand_in(game, seat.name):
            return None
        return self._bots.progress(game.agreement.game)

    def _has_stand_in(self, game: LiveGame, bot: str) -> bool:
        """Return whether a stand-in plays for a bot whose code is not compiled, or for a beginner.

        Never in a rated game: the measured strength of a level holds only for the level itself.
        """
        agreement, level = game.agreement, bot.removeprefix(BOT)
        ready = not (agreement.first or self._bots.progress(agreement.game))
        if agreement.rated or ready or not level.isdecimal():
            return False
        return StandIn.exists_for(agreement.room, int(level))

    def _wanted(self, turn_seq: int) -> bool:
        return self._game is not None and self._game.turn_seq == turn_seq

    async def _think(self, game: LiveGame, bot: str, play: Play) -> None:
        assert game.state
        turn_seq, elapsed = game.turn_seq, game.state.elapsed(max(self._now(), game.state.at))
        ids: tuple[str, ...] | None
        words = ""
        try:
            if self._has_stand_in(game, bot):
                ids = await self._bots.choose_at_once(game.game, bot, game.entries)
                why = "a first game" if game.agreement.first else f"{bot} was not ready"
                words = stand_in_note(game.agreement.room, why)
            else:
                await self._bots.ready(game.agreement.game)
                ids = await self._bots.choose(
                    game.game, bot, game.entries, elapsed, lambda: self._wanted(turn_seq)
                )
        except Exception as error:  # the error costs no player anything: the bot is asked again
            await self._fail(game, error, play)
            return
        if ids is None or not self._wanted(turn_seq):
            return
        if not game.people:  # a pause, so that watchers can follow
            await asyncio.sleep(MIN_TURN_TIME)
            if not self._wanted(turn_seq):
                return

        def chosen(game: LiveGame, context: CommandContext) -> Change | None:
            if turn_seq != game.turn_seq or not game.runs:
                return None
            if game.running().paused is not None:
                self._asked_at = -1  # asked again after the pause
                return None
            if not words:
                return bot_turn(game, context, ids)
            said = remark(game, context, words)
            return said.then(bot_turn(said.after, context, ids))

        try:
            await play(chosen)
        except (ShuttingDownError, InternalError):  # asked again when the game is reloaded
            return
        except Exception as error:  # for example, too many writes are waiting
            await self._fail(game, error, play)

    async def _fail(self, game: LiveGame, error: Exception, play: Play) -> None:
        self._report("a bot failed", error)
        await asyncio.sleep(RETRY_TIMEOUT)
        self._asked_at = -1
        if self._game:
            self.update(self._game, play, watched=self._watched)
