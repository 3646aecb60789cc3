"""Going on after the house was closed, stopped or broke down: nobody pays for that."""

from __future__ import annotations

from collections.abc import Sequence

from trine.house.games.asked import Moment
from trine.house.games.downtimes import Downtime
from trine.house.games.falls_due import spent_without
from trine.house.games.live_game import Change, LiveGame
from trine.play.session.commands import Pause, Resume


def stand_still(game: LiveGame, moment: Moment, alive: float | None) -> Change | None:
    """Let time stand still, since the house was last at work; None where it does.

    Args: ``alive`` is that moment.
    """
    state = game.running()
    if state.paused is not None:
        return None
    return game.prepare(Pause(), min(max(alive or 0.0, state.at), moment.at))


def go_on(game: LiveGame, moment: Moment) -> Change | None:
    """Let time go on, if it stands still and the players have not wanted it."""
    state = game.running()
    if state.paused is None or state.by_consent or state.outcome:
        return None
    return game.prepare(Resume(), moment.at)


def refund(game: LiveGame, moment: Moment, downtimes: Sequence[Downtime]) -> Change | None:
    """Give back what the house has missed of the open turn; None if it has missed nothing."""
    spent = spent_without(game.running(), downtimes, moment.at)
    return None if spent is None else game.prepare(Resume(spent), moment.at)
