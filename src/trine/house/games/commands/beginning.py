"""The beginning of a game, and another after it."""

from __future__ import annotations

from dataclasses import replace

from trine.house.games.asked import Moment
from trine.house.games.events import Event
from trine.house.games.export import REMATCH
from trine.house.games.live_game import Change, LiveGame
from trine.house.games.seat_rows import SeatKind, SeatRow
from trine.play.session.game import Game
from trine.play.session.journal import MemoryJournal
from trine.play.session.prepare import Prepared


def begin(game: LiveGame, moment: Moment) -> Change | None:
    """Begin the game, if all seats are taken and it has not begun."""
    if game.state or game.over or any(seat.kind is SeatKind.FREE for seat in game.seats):
        return None
    terms = game.agreement.terms()
    names = {
        chair.tag: _recorded_name(game, number, seat)
        for number, (chair, seat) in enumerate(zip(terms.start.seats, game.seats, strict=True))
        if seat.name
    }
    journal = MemoryJournal()
    begun = Game.begin(game.agreement.terms(names), journal, lambda: moment.at)
    return game.changed_by(Prepared(begun.state, moment.at, entries=journal.entries))


def _recorded_name(game: LiveGame, number: int, seat: SeatRow) -> str:
    """Return the name of a player in the record; that of a program says so."""
    rated = game.standings.get(number)
    return f"{seat.name} (bot)" if rated and rated.bot else seat.name


def go_to_rematch(game: LiveGame, moment: Moment, other: str) -> Change:
    """Lead on to another game, which all players wanted."""
    after = replace(game, seq=game.seq + 1, next_game=other)
    return Change(after, [Event(REMATCH, None, moment.at, {"game": other})])
