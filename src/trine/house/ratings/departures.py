"""People who leave rated games at their beginning, and have to wait after the third time in a day.

Such a game counts for nobody, so that nobody gains by it; but whoever came to play has waited for
nothing. What it costs is a pause from rated games.
"""

from __future__ import annotations

from functools import partial

from trine.house.games.follows import Context, Write
from trine.house.games.live_game import LiveGame
from trine.house.ratings.ratings import BESIDE, LEAST_TURNS
from trine.house.ratings.tables import add_leave


def note_leave(before: LiveGame, after: LiveGame, context: Context) -> Write | None:
    """Write who has left a rated game at its beginning, if somebody has."""
    if before.over or not after.over or not (person := leaver_of(after, context)):
        return None
    return partial(add_leave, game=after.game, person=person, at=after.entries[-1].at)


def leaver_of(game: LiveGame, context: Context) -> str | None:
    """Return the person who has left a rated game of two people at its beginning, or None."""
    state, agreed = game.state, game.agreement
    people = [seat.person for seat in game.seats if seat.person]
    if (
        not state
        or not agreed.rated
        or agreed.tournament
        or [len(people), len(game.seats)] != [2, 2]
    ):
        return None
    if game.aborted:  # by whoever asked for it, or because the first turn did not come
        return context.person or people[state.play.mover]
    outcome = state.outcome
    if not outcome or outcome.winner is None or outcome.reason not in BESIDE:
        return None
    return people[1 - outcome.winner] if len(state.play.turns) < LEAST_TURNS else None
