"""The check of stored games: each is replayed and compared with its other rows."""

from __future__ import annotations

from trine.core.contract.record import read_records
from trine.core.errors import TrineError
from trine.core.text.sentence import Text, text
from trine.house.games.agreement import Agreement
from trine.house.games.events import read_events
from trine.house.games.export import ABORT, entries_of, record_text
from trine.house.games.tables import GameRow, Stage, read_seats
from trine.house.store.store import Store
from trine.play.record.replay import replay
from trine.play.session.changes import rebuilt


def problem_of(store: Store, game: GameRow) -> Text | None:
    """Return the fault of a game; None if there is none."""
    try:
        return _problem(store, game)
    except TrineError as error:
        return error.text
    except (LookupError, TypeError, ValueError) as error:
        return text("it cannot be read: {problem}", problem=repr(error))


def _problem(store: Store, game: GameRow) -> Text | None:
    agreement, seats = Agreement.from_data(game.terms), store.read(read_seats, game.id)
    if (agreement.game, agreement.rules) != (game.room, game.rules):
        return text("its terms are of another game")
    if len(seats) != agreement.seats:
        return text("it has {count} seats", count=len(seats))
    events = store.read(read_events, game.id)
    entries = entries_of(events)
    aborted = any(event.kind == ABORT for event in events)
    if not entries:
        begun = game.stage is Stage.PLAYING or (game.stage is Stage.OVER and not aborted)
        return text("it has begun, but nothing is written of it") if begun else None
    state = rebuilt(entries)
    over = state.outcome is not None or aborted
    if over != (game.stage is Stage.OVER):
        return text("its stage is {stage}, which is not what its events say", stage=game.stage)
    told = record_text(entries, state.play.start.seats)
    (record,) = read_records(told.splitlines(keepends=True))
    again = replay(record)
    if again.position != state.play.position:
        return text("its record leads to another position")
    return None
