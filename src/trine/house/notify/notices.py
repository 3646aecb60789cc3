"""Notices to players: a turn to play, an offer, a challenge, the beginning or the end of a game.

Notices are stored until the next e-mail, or the next message to a device, reports them together.
This module also writes the sentences of the notices.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Final

from sqlalchemy import ColumnElement, Connection, delete, select, update

from trine.core.text.sentence import Text, join, ntext, text, verbatim
from trine.games import open_room
from trine.house.games.live.agreement import Agreement
from trine.house.games.live.change_hooks import DEADLINE, Context, Write, combine, ends
from trine.house.games.live.live_game import LiveGame
from trine.house.games.storage.own_games import turn_ends
from trine.house.games.storage.tables import SeatKind, Stage, movers, read_game, seats_of_games
from trine.house.games.view.game_choices import time_text
from trine.house.notify import tables
from trine.house.notify.tables import Notice
from trine.house.people.takeout import Takeout
from trine.house.store.scheduled_tasks import reschedule, times_of
from trine.house.store.schema import add_row, all_of
from trine.play.session.state import DRAW, TAKEBACK

EMAIL: Final = "letter"  # the kind of task that e-mails notices to a person
SEND_DELAY: Final = {EMAIL: 300.0, tables.PUSH: 60.0}
"""Units: seconds; how long a notice waits for others, or for a turn that makes it obsolete."""
SEND_INTERVAL: Final = {EMAIL: 1800.0, tables.PUSH: 300.0}
"""Units: seconds; the minimum time between two e-mails to a person, or messages to a device."""


class NoticeKind(StrEnum):
    """The kinds of notices."""

    TURN = "turn"
    REMINDER = "reminder"  # the player's time is running out
    BEGAN = "began"  # a game has begun, and another player moves first
    ENDED = "ended"
    CHALLENGED = "challenged"
    DRAW = "draw"
    TAKEBACK = "takeback"
    OFFER = "offer"  # any other offer


OFFERS: Final = {DRAW: NoticeKind.DRAW, TAKEBACK: NoticeKind.TAKEBACK}
"""The kinds of notices by offer; all other offers have `NoticeKind.OFFER`."""


def tell_players(before: LiveGame, after: LiveGame, context: Context) -> Write | None:
    """Return the write of the notices about a change of a correspondence game."""
    state = after.state
    if not state or not after.agreement.by_days:
        return None
    people = [seat.person for seat in after.seats]
    new: set[tuple[str | None, NoticeKind]] = set()
    moved = not before.state or len(state.play.turns) != len(before.state.play.turns)
    if ends(before, after):
        new = {(person, NoticeKind.ENDED) for person in people}
    elif moved and not after.over:
        mover = people[state.play.mover]
        began = () if before.state else set(people) - {mover}
        new = {(mover, NoticeKind.TURN), *((person, NoticeKind.BEGAN) for person in began)}
    asked, asked_before = _people_asked(after), _people_asked(before)
    new |= asked - asked_before
    return combine(
        *(
            partial(withdraw, person_id=person, about=after.game, kind=kind)
            for person, kind in asked_before - asked
        ),
        *(
            partial(note, person_id=person, about=after.game, kind=kind, at=state.at)
            for person, kind in new
            if person and not context.sees(person)
        ),
    )


def _people_asked(game: LiveGame) -> set[tuple[str | None, NoticeKind]]:
    """Return the people who have yet to answer an offer, each with the kind of the notice."""
    offers = game.state.offers if game.state and not game.over else ()
    return {
        (game.seats[seat].person, OFFERS.get(offer.what, NoticeKind.OFFER))
        for offer in offers
        for seat in offer.waiting
    }


def remind(person_id: str, game_id: str, at: float) -> Write:
    return partial(note, person_id=person_id, about=game_id, kind=NoticeKind.REMINDER, at=at)


@dataclass(frozen=True, slots=True)
class NoticeChannel:
    """A channel for notices to a person: e-mails, or messages to a device."""

    person: str
    device: str = ""  # id of a device; empty for e-mails
    written_at: float = 0.0

    @property
    def kind(self) -> str:
        return tables.PUSH if self.device else EMAIL

    @property
    def ref(self) -> str:
        return self.device or self.person


def _mine(person_id: str, device: str) -> ColumnElement[bool]:
    return (tables.NOTICE.c.person == person_id) & (tables.NOTICE.c.device == device)


def channels(connection: Connection, person_id: str) -> Iterator[NoticeChannel]:
    address = tables.address_of(connection, person_id)
    if address and address.tells:
        yield NoticeChannel(person_id, written_at=address.written_at)
    for one in tables.devices_of(connection, person_id):
        yield NoticeChannel(person_id, one.id, one.written_at)


def note(
    connection: Connection, person_id: str, about: str, kind: str, at: float, *, live: bool = False
) -> None:
    """Store a notice for each channel that is switched on; a ``live`` one only for devices."""
    for way in channels(connection, person_id):
        if live and not way.device:
            continue
        same = (tables.NOTICE.c.about == about) & (tables.NOTICE.c.kind == kind)
        connection.execute(delete(tables.NOTICE).where(_mine(person_id, way.device), same))
        add_row(
            connection,
            tables.NOTICE,
            Notice(person=person_id, device=way.device, about=about, kind=kind, at=at),
        )
        due = max(
            at if live else at + SEND_DELAY[way.kind], way.written_at + SEND_INTERVAL[way.kind]
        )
        known = times_of(connection, way.kind, [way.ref]).get(way.ref)
        if known is None or (live and due < known):
            reschedule(connection, {(way.kind, way.ref): due})


def withdraw(connection: Connection, person_id: str | None, about: str, kind: str) -> None:
    """Remove an obsolete notice from all channels that have not sent it yet."""
    this = (
        (tables.NOTICE.c.person == person_id)
        & (tables.NOTICE.c.about == about)
        & (tables.NOTICE.c.kind == kind)
    )
    connection.execute(delete(tables.NOTICE).where(this))


def notices_of(connection: Connection, person_id: str, device: str = "") -> list[Notice]:
    mine = select(tables.NOTICE).where(_mine(person_id, device))
    return all_of(connection, Notice, mine.order_by(tables.NOTICE.c.at))


def finish_notices(
    connection: Connection,
    person_id: str,
    notices: Sequence[Notice],
    written_at: float | None,
    device: str = "",
) -> None:
    """Remove notices that were sent or are obsolete, and schedule the next message for newer ones.

    ``notices`` are the notices to remove; ``written_at`` is the time of the message, None if no
    message was sent.
    """
    mine, way = _mine(person_id, device), NoticeChannel(person_id, device)
    c = tables.NOTICE.c
    for notice in notices:
        this = (c.about == notice.about) & (c.kind == notice.kind) & (c.at == notice.at)
        connection.execute(delete(tables.NOTICE).where(mine, this))
    if written_at is not None:
        table, key = (
            (tables.DEVICE, tables.DEVICE.c.id)
            if device
            else (tables.EMAIL_ADDRESS, tables.EMAIL_ADDRESS.c.person)
        )
        connection.execute(update(table).where(key == way.ref).values(written_at=written_at))
    rest = connection.scalar(select(tables.NOTICE.c.at).where(mine).limit(1))
    due = None if rest is None else (written_at or rest) + SEND_INTERVAL[way.kind]
    reschedule(connection, {(way.kind, way.ref): due})


def erase_notices(connection: Connection, person_id: str) -> None:
    connection.execute(delete(tables.NOTICE).where(_mine(person_id, "")))
    reschedule(connection, {(EMAIL, person_id): None})


def erase_person(connection: Connection, person_id: str) -> None:
    tables.drop_devices(connection, tables.DEVICE.c.person == person_id)
    erase_notices(connection, person_id)
    for table in (tables.EMAIL_ADDRESS, tables.EMAIL_LINK, tables.NOTICE):
        connection.execute(delete(table).where(table.c.person == person_id))


def export_person(connection: Connection, person_id: str, takeout: Takeout) -> None:
    takeout.about["devices"] = [
        {"endpoint": one.endpoint, "language": one.language, "made": one.made_at}
        for one in tables.devices_of(connection, person_id)
    ]
    if address := tables.address_of(connection, person_id):
        takeout.about["address"] = {
            "email": address.email,
            "wanted": bool(address.wanted),
            "suspended_at": address.suspended_at,
        }


LINES: Final = {
    NoticeKind.TURN: text("{game}, against {others}: it is your turn. {time} left."),
    NoticeKind.REMINDER: text("{game}, against {others}: your time runs short. {time} left."),
    NoticeKind.BEGAN: text("{game}, against {others}: the game has begun."),
    NoticeKind.ENDED: text("{game}, against {others}: the game is over."),
    NoticeKind.DRAW: text("{game}, against {others}: a draw is offered to you."),
    NoticeKind.TAKEBACK: text(
        "{game}, against {others}: you are asked to let a turn be taken back."
    ),
    NoticeKind.OFFER: text("{game}, against {others}: an offer waits for your answer."),
    NoticeKind.CHALLENGED: text("{game}: {others} invites you to a game. {time} left."),
}
_SAYS_MORE: Final = {
    NoticeKind.TURN: (NoticeKind.REMINDER, NoticeKind.ENDED),
    NoticeKind.BEGAN: (NoticeKind.TURN, NoticeKind.REMINDER, NoticeKind.ENDED),
}
"""The kinds of notices that supersede a kind, if they are about the same game."""
_TIMED: Final = (NoticeKind.TURN, NoticeKind.REMINDER, NoticeKind.CHALLENGED)


@dataclass(frozen=True)
class News:
    """A notice as it is sent to a person: its sentence, and the page that shows more."""

    sentence: Text
    place: str
    live: bool = False  # whether the news is useless if it arrives late


NewsOf = Callable[[Connection, Notice, float], News | None]
"""A function that returns the news of a notice at a time; None if the notice is obsolete."""


def news_of(
    connection: Connection,
    person_id: str,
    notices: Sequence[Notice],
    now: float,
    others: Mapping[str, NewsOf],
) -> list[News]:
    """Return the news of notices that are not obsolete; ``others`` word notices without a game."""
    found: list[News | None] = []
    for notice in notices:
        if news_of_kind := others.get(notice.kind):
            found.append(news_of_kind(connection, notice, now))
            continue
        of_game = {other.kind for other in notices if other.about == notice.about}
        if not any(kind in of_game for kind in _SAYS_MORE.get(NoticeKind(notice.kind), ())):
            found.append(_of_game(connection, notice, person_id, now))
    return [news for news in found if news]


def title_of(news: Sequence[News]) -> Text:
    if len(news) == 1:
        return news[0].sentence
    return ntext("{count} piece of news", "{count} pieces of news", len(news))


def _of_game(connection: Connection, notice: Notice, person_id: str, now: float) -> News | None:
    row = read_game(connection, notice.about)
    if not row:
        return None
    mover, since = movers(connection, [row.id]).get(row.id, ("", 0.0))
    if notice.kind in (NoticeKind.TURN, NoticeKind.REMINDER) and mover != person_id:
        return None  # the turn has been played meanwhile
    if notice.kind == NoticeKind.BEGAN and row.stage is Stage.OVER:
        return None
    agreement = Agreement.from_data(row.terms)
    deadline = times_of(connection, DEADLINE, [row.id]).get(row.id)
    ends = turn_ends(agreement, since, deadline, now)
    names = [
        text("the computer") if seat.kind is SeatKind.BOT else verbatim(seat.name)
        for seat in seats_of_games(connection, [row.id])[row.id]
        if seat.person != person_id
    ]
    left = 0.0 if ends is None else ends - now
    sentence = sentence_of(NoticeKind(notice.kind), row.room, join(names), left)
    return News(sentence, f"/game/{row.id}", not agreement.by_days)


def sentence_of(kind: NoticeKind, game_name: str, others: Text, left: float) -> Text:
    values = {"game": verbatim(open_room(game_name).title), "others": others}
    if kind in _TIMED:
        values["time"] = time_text(left)
    return Text(LINES[kind].template, values)
