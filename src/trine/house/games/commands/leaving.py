"""Ends of a game beside the board: giving up, claiming, breaking off, and running out of time."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from trine.core.contract.outcome import Outcome, Reason
from trine.core.errors import IllegalError
from trine.core.text.sentence import text
from trine.house.games import no_show
from trine.house.games.asked import Asked, Moment
from trine.house.games.commands.seat import seat_for
from trine.house.games.events import Event
from trine.house.games.export import ABORT
from trine.house.games.game_rows import Stage
from trine.house.games.live_game import Change, LiveGame
from trine.play.session.commands import End, Flag, Forfeit, Resign


def resign(game: LiveGame, asked: Asked, moment: Moment) -> Change:
    """Resign, on anybody's turn."""
    game.running()
    return game.prepare(Resign(seat_for(game, asked)), moment.at)


def claim(game: LiveGame, asked: Asked, moment: Moment, *, draw: bool = False) -> Change:
    """Claim the win or a draw, after another player has left."""
    state, own = game.running(), seat_for(game, asked)
    gone = [seat for seat in sorted(moment.claimable) if seat != own and seat in state.staying]
    if not gone:
        raise IllegalError(text("nobody has been away for long enough"))
    if draw:
        state.terms.check_draws()
        if len(state.staying) > 2:
            raise IllegalError(text("only of two players one can make it a draw"))
        return game.prepare(End(Outcome(None, Reason.AGREEMENT)), moment.at)
    return game.prepare(Forfeit(gone[0], "has left"), moment.at)


def abort(game: LiveGame, asked: Asked, moment: Moment) -> Change:
    """Abort the game before its first turn, without a result."""
    seat_for(game, asked)
    if game.aborted:
        return Change(game)
    if game.state and game.state.play.turns:
        raise IllegalError(text("a turn has been played; you can only resign"))
    if game.state:
        game.state.play.check_goes_on()  # whoever has resigned cannot take that back
    if game.agreement.tournament:
        raise IllegalError(text("a game of a tournament is played; you can only resign"))
    return break_off(game, moment)


def break_off(game: LiveGame, moment: Moment, missing: Collection[int] = ()) -> Change:
    """Abort the game before its first turn; missing players have lost it."""
    data = {no_show.MISSING: sorted(missing)} if game.agreement.tournament else {}
    after = replace(game, seq=game.seq + 1, stage=Stage.OVER, aborted=True, conditions={})
    return Change(after, [Event(ABORT, None, moment.at, data)])


def run_out(game: LiveGame, moment: Moment, missing: Collection[int] = ()) -> Change | None:
    """Let the player to move lose whose time is up.

    Args: ``missing`` are those who have not come to the game at all.
    """
    state = game.state
    if not state or not game.runs:
        return None
    grace = moment.lags[state.play.mover]
    if not state.time_is_up(moment.at, grace):
        return None
    if not state.play.turns:
        return break_off(game, moment, {*missing, state.play.mover})
    return game.prepare(Flag(), moment.at, grace)


def stay_away(game: LiveGame, moment: Moment, missing: Collection[int]) -> Change:
    """Let those lose who have not come in time."""
    if not game.running().play.turns:
        return break_off(game, moment, missing)
    return game.prepare(Forfeit(min(missing), no_show.WHY), moment.at)
