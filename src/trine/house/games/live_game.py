"""A game that is played here, as a value: its players, its turns, and what commands change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Final

from trine.core.contract import Room
from trine.core.contract.seat import Seat
from trine.core.contract.turn import Turn
from trine.core.errors import IllegalError
from trine.core.play import Play
from trine.core.scene.keys import FIRST_KEYS, Keys, Movement, carried, movements_of
from trine.core.text.sentence import Text, text
from trine.core.text.wording import written_actions
from trine.house.games.agreement import Agreement
from trine.house.games.conditions import Conditions, followed
from trine.house.games.events import ABORT, REMATCH, Event
from trine.house.games.tables import GameRow, SeatKind, SeatRow, Stage
from trine.house.people.names import is_chosen, name_told
from trine.play.session.changes import rebuild
from trine.play.session.commands import Command
from trine.play.session.entries import Entry, Kind
from trine.play.session.prepare import Prepared, prepare
from trine.play.session.seats import BOT, bot_display_name
from trine.play.session.state import State


@dataclass(frozen=True)
class RatedPlayer:
    """The account of a player, and the rating for the game that is played."""

    name: str
    rating: float
    provisional: bool
    bot: bool = False
    """Whether a program plays under the name."""

    def __str__(self) -> str:
        return shown(self.rating, provisional=self.provisional)


def shown(rating: float, *, provisional: bool) -> str:
    """A rating as it is shown.

    >>> shown(1512.4, provisional=True)
    '1512?'
    """
    return f"{round(rating)}{'?' if provisional else ''}"


def called(row: SeatRow, seat: Seat) -> Text:
    if row.kind is SeatKind.FREE:
        return text("waiting for a player")
    if row.kind is SeatKind.BOT:
        return bot_display_name(row.name)
    return name_told(row.name) if row.name else seat.name


def written_name(name: str) -> Text:
    """Return the name of a player as a page says what stands in a record.

    >>> str(written_name("bot:3")), str(written_name("Anna"))
    ('computer, level 3', 'Anna')
    """
    return bot_display_name(name) if name.startswith(BOT) else name_told(name)


def is_named_guest(row: SeatRow, *, known: bool) -> bool:
    """Return whether a guest plays under a name of their own, which anybody could have chosen.

    Args: ``known`` is whether the person has an account.
    """
    return row.kind is SeatKind.PERSON and not known and is_chosen(row.name)


def of_guest(name: str) -> Text:
    """Return the name that a guest has chosen, beside those of accounts."""
    return text("{name} (guest)", name=name)


def of_program(name: str) -> Text:
    return text("{name} (bot)", name=name)


Moved = tuple[Sequence[Movement], ...]
"""The movements of each action of a turn."""


@dataclass(frozen=True)
class TurnTime:
    """The time that a turn took.

    Units: seconds; None where nothing was measured.
    """

    used: float | None = None
    left: float | None = None
    at: float | None = None
    """The end of the turn, in seconds since 1970."""


@dataclass(frozen=True)
class Written:
    """A turn as records write it."""

    tag: str
    words: str


def keys_after(room: Room, turn: Turn, keys: Keys) -> Keys:
    return _carried_on(_moved(room, turn), keys)


def _carried_on(moved: Moved, keys: Keys) -> Keys:
    return reduce(lambda before, one: carried(one, before), moved, keys)


def _moved(room: Room, turn: Turn) -> Moved:
    return movements_of(room, turn.before, turn.actions)


@dataclass(frozen=True)
class PlayedTurns:
    """The turns that have been played; what is known of them is not made anew with each turn."""

    keys: tuple[Keys, ...] = (FIRST_KEYS,)
    """The keys of the pieces before the first turn and after each."""
    times: tuple[TurnTime, ...] = ()
    written: tuple[Written, ...] = ()
    moved: tuple[Moved, ...] = ()
    """The movements of the pieces in each turn."""
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
        moved = list(self.moved[:same])
        for turn in play.turns[same:]:
            moved.append(_moved(play.room, turn))
            keys.append(_carried_on(moved[-1], keys[-1]))
            words = written_actions(play.room, turn.before, turn.actions)
            written.append(Written(play.room.tag(turn.before), words))
        return PlayedTurns(
            tuple(keys), tuple(times), tuple(written), tuple(moved), tuple(play.turns)
        )


_BESIDE: Final = (Kind.OFFER, Kind.ACCEPT, Kind.DECLINE, Kind.PAUSE, Kind.RESUME, Kind.REMARK)
"""The kinds of entries that leave the play as it is, so that a turn sent before them is valid."""


@dataclass(frozen=True)
class LiveGame:
    """A game that is played here."""

    game: str
    agreement: Agreement
    seats: tuple[SeatRow, ...]
    stage: Stage
    seq: int = 0
    """The number of the last event."""
    state: State | None = None
    """The state; None before all seats are taken."""
    entries: tuple[Entry, ...] = ()
    """All that has happened since the beginning."""
    played_turns: PlayedTurns = field(default_factory=PlayedTurns)
    turn_seq: int = 0
    """The number of the last event that has changed the play."""
    aborted: bool = False
    next_game: str = ""
    """The id of the rematch, once all want one."""
    wants_rematch: frozenset[int] = frozenset()
    conditions: Mapping[int, Conditions] = field(default_factory=dict)
    """The conditional turns of the seats; only its owner may see those of one."""
    standings: Mapping[int, RatedPlayer] = field(default_factory=dict)
    """The standings of players with accounts, by their seats."""

    @property
    def room(self) -> Room:
        return self.agreement.room

    @property
    def over(self) -> bool:
        return self.aborted or bool(self.state and self.state.outcome)

    @property
    def result(self) -> Mapping[str, str | int | None]:
        """The columns of its row that tell how it ended."""
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
        """The play as it stands; the game must have begun."""
        return self.running().play

    @property
    def keys(self) -> tuple[Keys, ...]:
        return self.played_turns.keys

    @property
    def times(self) -> tuple[TurnTime, ...]:
        return self.played_turns.times

    @property
    def written(self) -> tuple[Written, ...]:
        return self.played_turns.written

    @property
    def people(self) -> list[int]:
        return [n for n, seat in enumerate(self.seats) if seat.kind is SeatKind.PERSON]

    def seats_of(self, person: str | None) -> frozenset[int]:
        return frozenset(
            number for number, seat in enumerate(self.seats) if person and seat.person == person
        )

    def renamed(self, own: Mapping[int, str], name: str) -> LiveGame:
        """The game with another name at seats, and in those tags of records which are theirs."""
        seats = [replace(row, name=name) if n in own else row for n, row in enumerate(self.seats)]
        standings = {seat: one for seat, one in self.standings.items() if seat not in own}
        after = replace(self, seats=tuple(seats), standings=standings)
        return after._tagged(dict.fromkeys(own.values(), name))

    def with_event(self, name: str) -> LiveGame:
        """The game with another name of its tournament."""
        event = {**self.agreement.event, "Event": name}
        return replace(self, agreement=replace(self.agreement, event=event))._tagged(
            {"Event": name}
        )

    def _tagged(self, values: Mapping[str, str]) -> LiveGame:
        """The game with other values of tags that its record has."""
        if not self.entries:
            return self
        begin = self.entries[0]
        tags = {tag: values.get(tag, value) for tag, value in begin.data["tags"].items()}
        begin = replace(begin, data={**begin.data, "tags": tags})
        return replace(self, entries=(begin, *self.entries[1:]))

    def running(self) -> State:
        """The state of the game; it must have begun, and not have been broken off."""
        if self.aborted:
            raise IllegalError("the game was aborted before it began")
        if not self.state:
            raise IllegalError("the game has not begun; not all seats are taken")
        return self.state

    def prepare(self, command: Command, at: float, grace: float = 0.0) -> Change:
        """Return the result of a command at a moment.

        Args: ``grace``, in seconds, is how much later than the clock allows an action may come.
        """
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
    """The result of a command: events to write, and the game after them."""

    after: LiveGame
    events: Sequence[Event] = ()
    owner: int | None = None
    """The seat whose owner alone can see the change, if it is so."""

    def then(self, other: Change) -> Change:
        """The change, and after it another that was made from the game after it."""
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
