"""The immutable state of a game, the changes of commands, and the reading of stored games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Final, TypeAlias

from sqlalchemy import Connection

from trine.core.contract.position import Seat, Turn
from trine.core.contract.room import Room
from trine.core.errors import IllegalError
from trine.core.play import Play, highlighted_cells
from trine.core.scene.composing import FIRST_KEYS, Keys, Movement, carried, movements_of
from trine.core.text.sentence import Text, text
from trine.house.games.live.agreement import Agreement
from trine.house.games.live.drafts import Branch, Conditions, followed
from trine.house.games.storage import tables
from trine.house.games.storage.events import ABORT, REMATCH, Event, events_of_games
from trine.house.games.storage.tables import ConditionRow, GameRow, SeatKind, SeatRow, Stage
from trine.house.people.names import is_chosen, name_text
from trine.house.refusals import NotFoundError
from trine.play.record.replay import turn_notation
from trine.play.session.changes import rebuild
from trine.play.session.commands import Command
from trine.play.session.prepare import Prepared, prepare
from trine.play.session.seats import BOT, bot_display_name
from trine.play.session.state import Entry, Kind, State


@dataclass(frozen=True)
class RatedPlayer:
    """A player's account, with its rating in the discipline of the game."""

    name: str
    rating: float
    provisional: bool
    bot: bool = False  # whether a program plays from the account

    def __str__(self) -> str:
        return rating_text(self.rating, provisional=self.provisional)


def rating_text(rating: float, *, provisional: bool) -> str:
    """Return a rating as text, with a question mark if it is provisional.

    >>> rating_text(1512.4, provisional=True)
    '1512?'
    """
    return f"{round(rating)}{'?' if provisional else ''}"


def display_name(row: SeatRow, seat: Seat) -> Text:
    if row.kind is SeatKind.FREE:
        return text("waiting for a player")
    if row.kind is SeatKind.BOT:
        return bot_display_name(row.name)
    return name_text(row.name) if row.name else seat.name


def written_name(name: str, seat: Seat) -> Text:
    """Return a player's name in a record, as text for a page; players can be named after seats."""
    if name == str(seat.name):
        return seat.name
    return bot_display_name(name) if name.startswith(BOT) else name_text(name)


def is_named_guest(row: SeatRow, *, known: bool) -> bool:
    """Return whether a seat's name was chosen by a guest, and is thus not unique.

    ``known``: the person has an account.
    """
    return row.kind is SeatKind.PERSON and not known and is_chosen(row.name)


def of_guest(name: str) -> Text:
    """Return a guest's chosen name, marked to distinguish it from account names."""
    return text("{name} (guest)", name=name)


def of_program(name: str) -> Text:
    return text("{name} (bot)", name=name)


Moved = tuple[Sequence[Movement], ...]  # the movements of the pieces in each action of a turn


@dataclass(frozen=True)
class TurnTime:
    """The time used for a turn, and the time left after it, in seconds; None if not measured."""

    used: float | None = None
    left: float | None = None
    at: float | None = None  # the end of the turn. Units: seconds since 1970


@dataclass(frozen=True)
class Written:
    """The tag and the notation of a turn, as in records."""

    tag: str
    words: str


def keys_after(room: Room, turn: Turn, keys: Keys) -> Keys:
    return _carried_on(_moved(room, turn), keys)


def _carried_on(moved: Moved, keys: Keys) -> Keys:
    return reduce(lambda before, one: carried(one, before), moved, keys)


def _moved(room: Room, turn: Turn) -> Moved:
    return movements_of(room.view, turn.before, turn.actions)


@dataclass(frozen=True)
class PlayedTurns:
    """The played turns with derived data, cached so that a new turn does not recompute it."""

    keys: tuple[Keys, ...] = (FIRST_KEYS,)
    """The keys of the pieces before the first turn and after each."""
    times: tuple[TurnTime, ...] = ()
    written: tuple[Written, ...] = ()
    moved: tuple[Moved, ...] = ()
    changed: tuple[frozenset[str], ...] = (frozenset(),)  # highlighted cells, indexed as keys
    turns: tuple[Turn, ...] = ()

    def after(self, entries: Sequence[Entry], play: Play) -> PlayedTurns:
        times = list(self.times)
        for entry in entries:
            if entry.kind is Kind.TAKEBACK:
                del times[len(times) - len(entry.data["tags"]) :]
            elif (entry.kind is Kind.ACT and entry.data["closes"]) or "used" in entry.data:
                times.append(TurnTime(entry.data.get("used"), entry.data.get("left"), entry.at))
        count = len(play.turns)
        times[count:] = []
        times += [TurnTime()] * (count - len(times))
        same = 0
        while same < min(count, len(self.turns)) and play.turns[same] is self.turns[same]:
            same += 1
        if same == count == len(self.turns):
            return replace(self, times=tuple(times))
        keys, written = list(self.keys[: same + 1]), list(self.written[:same])
        moved, changed = list(self.moved[:same]), list(self.changed[: same + 1])
        for turn in play.turns[same:]:
            moved.append(_moved(play.room, turn))
            changed.append(highlighted_cells(play.room, turn.before, moved[-1]))
            keys.append(_carried_on(moved[-1], keys[-1]))
            written.append(Written(play.room.tag(turn.before), turn_notation(play.room, turn)))
        return PlayedTurns(
            tuple(keys),
            tuple(times),
            tuple(written),
            tuple(moved),
            tuple(changed),
            tuple(play.turns),
        )


_ANSWERS: Final = (Kind.ACCEPT, Kind.DECLINE, Kind.WITHDRAW)
_BESIDE: Final = (Kind.OFFER, *_ANSWERS, Kind.PAUSE, Kind.RESUME, Kind.REMARK)
"""The kinds of entries that leave the play as it is: a turn sent before one is still valid."""


@dataclass(frozen=True)
class LiveGame:
    """A game in memory."""

    game: str
    agreement: Agreement
    seats: tuple[SeatRow, ...]
    stage: Stage
    seq: int = 0
    state: State | None = None  # the state; None before all seats are taken
    entries: tuple[Entry, ...] = ()
    played_turns: PlayedTurns = field(default_factory=PlayedTurns)
    turn_seq: int = 0  # number of the last event that changed the play
    aborted: bool = False
    next_game: str = ""  # id of the rematch, once all players want one
    wants_rematch: frozenset[int] = frozenset()
    conditions: Mapping[int, Conditions] = field(default_factory=dict)
    """The conditional turns by seat; only the owner of a seat may see them."""
    standings: Mapping[int, RatedPlayer] = field(default_factory=dict)
    """The accounts and ratings of players with accounts, by seat."""

    @property
    def room(self) -> Room:
        return self.agreement.room

    @property
    def over(self) -> bool:
        return self.aborted or bool(self.state and self.state.outcome)

    @property
    def result(self) -> Mapping[str, str | int | None]:
        """The columns of the game's row that describe the result."""
        if not self.state:
            return {"turns": 0}
        turns, outcome = len(self.state.play.turns), self.state.outcome
        if not outcome:
            return {"turns": turns}
        return {"turns": turns, "reason": outcome.reason.value, "winner": outcome.winner}

    @property
    def runs(self) -> bool:
        return self.state is not None and not self.over

    @property
    def play(self) -> Play:
        """The current play: position and turns. The game must have begun."""
        return self.running().play

    @property
    def people(self) -> list[int]:
        return [n for n, seat in enumerate(self.seats) if seat.kind is SeatKind.PERSON]

    def seats_of(self, person_id: str | None) -> frozenset[int]:
        return tables.seats_held(self.seats, person_id)

    def renamed(self, own: Mapping[int, str], name: str) -> LiveGame:
        """Return the game with another name at seats; ``own`` maps seats to record tags."""
        seats = [replace(row, name=name) if n in own else row for n, row in enumerate(self.seats)]
        standings = {seat: one for seat, one in self.standings.items() if seat not in own}
        after = replace(self, seats=tuple(seats), standings=standings)
        return after._with_tags(dict.fromkeys(own.values(), name))

    def with_event(self, name: str) -> LiveGame:
        event = {**self.agreement.event, "Event": name}
        return replace(self, agreement=replace(self.agreement, event=event))._with_tags(
            {"Event": name}
        )

    def _with_tags(self, values: Mapping[str, str]) -> LiveGame:
        """Return the game with new values of the given tags that its record has."""
        if not self.entries:
            return self
        begin = self.entries[0]
        tags = {tag: values.get(tag, value) for tag, value in begin.data["tags"].items()}
        begin = replace(begin, data={**begin.data, "tags": tags})
        return replace(self, entries=(begin, *self.entries[1:]))

    def running(self) -> State:
        """Return the state of the game, which must have begun and not been aborted."""
        if self.aborted:
            raise IllegalError("the game was aborted before it began")
        if not self.state:
            raise IllegalError("the game has not begun; not all seats are taken")
        return self.state

    def prepare(self, command: Command, at: float, grace: float = 0.0) -> Change:
        """Return the change that a command makes at a time, at most ``grace`` seconds too late."""
        return self.changed_by(prepare(self.running(), command, at, grace))

    def changed_by(self, prepared: Prepared) -> Change:
        before, state = self.state, prepared.state
        seq = self.seq + len(prepared.entries)
        played = not before or state.play is not before.play
        after = replace(
            self,
            stage=Stage.OVER if state.outcome else Stage.PLAYING,
            seq=seq,
            state=state,
            entries=(*self.entries, *prepared.entries),
            played_turns=self.played_turns.after(prepared.entries, state.play),
            turn_seq=seq if played else self.turn_seq,
        )
        if before and self.conditions:
            after = replace(after, conditions=followed(self.conditions, before, state))
        events = [
            Event(kind=one.kind, actor=one.seat, at=one.at, data=one.data)
            for one in prepared.entries
        ]
        return Change(after, events)


@dataclass(frozen=True)
class Change:
    """The result of a command: events to store, and the game after them."""

    after: LiveGame
    events: Sequence[Event] = ()
    owner: int | None = None  # the only seat whose owner can see the change, if any

    def then(self, other: Change) -> Change:
        """Return the change followed by ``other``, which was made from the game after it."""
        return Change(other.after, (*self.events, *other.events))


def read_live_game(row: GameRow, seats: Sequence[SeatRow], events: Sequence[Event]) -> LiveGame:
    entries, turn_seq, aborted, next_game = [], 0, False, ""
    for number, event in enumerate(events, 1):
        if event.kind == ABORT:
            aborted = True
        elif event.kind == REMATCH:
            next_game = event.data["game"]
        else:
            entries.append(Entry(Kind(event.kind), event.actor, event.at, event.data))
            if entries[-1].kind not in _BESIDE:
                turn_seq = number
    state = rebuild(entries) if entries else None
    return LiveGame(
        row.id,
        row.agreement,
        tuple(seats),
        row.stage,
        len(events),
        state,
        tuple(entries),
        PlayedTurns().after(entries, state.play) if state else PlayedTurns(),
        turn_seq,
        aborted,
        next_game,
    )


class NoGameError(NotFoundError):
    """The game does not exist."""

    default_text = text("there is no such game here")


CALL: Final = "call"
"""The key, in the data of an event, of the person who sent the command, and of its id."""
MAX_RESULTS: Final = 256  # number of commands whose results are stored, for repeated commands
CommandResults: TypeAlias = dict[tuple[str | None, str], int]
"""By sender and command id, the number of each recent command's last event: none is run twice."""


def results_of(events: Sequence[Event]) -> CommandResults:
    calls = [(tuple(one.data[CALL]), n) for n, one in enumerate(events, 1) if CALL in one.data]
    return dict(calls[-MAX_RESULTS:])


@dataclass(frozen=True)
class StoredGame:
    """A game as it is stored, with the results of its commands."""

    row: GameRow
    live: LiveGame
    answers: CommandResults


def stored_games(connection: Connection, game_ids: Sequence[str]) -> dict[str, StoredGame]:
    """Return games by id, with their turns replayed; raises `NoGameError`."""
    rows = tables.games_by_id(connection, game_ids)
    if len(rows) < len(game_ids):
        raise NoGameError
    seats = tables.seats_of_games(connection, game_ids)
    events = events_of_games(connection, game_ids)
    conditions = tables.conditions_of(connection, game_ids)
    found = {}
    for key, row in rows.items():
        journal = events.get(key, ())
        live = read_live_game(row, seats.get(key, ()), journal)
        turns = len(live.state.play.turns) if live.state else 0
        live = replace(live, conditions=kept_conditions(conditions.get(key, ()), turns))
        found[key] = StoredGame(row, live, results_of(journal))
    return found


def kept_conditions(rows: Iterable[ConditionRow], turns: int) -> Mapping[int, Conditions]:
    """Return conditional turns by seat, if their trees begin after ``turns`` turns."""
    return {
        row.seat: Conditions(row.turns, tuple(Branch.from_data(one) for one in row.tree))
        for row in rows
        if row.turns == turns
    }
