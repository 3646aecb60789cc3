"""The news of a person in sentences, as letters and devices tell them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection

from trine.core.text import Text, join, ntext, text, verbatim
from trine.games import open_room
from trine.house.agreement import Agreement
from trine.house.correspondence import DEADLINE
from trine.house.long_times import time_told
from trine.house.notices import Told
from trine.house.own_games import turn_ends
from trine.store import waiting
from trine.store.challenge_rows import read_challenge
from trine.store.deadlines import moments_of
from trine.store.game_rows import Stage, read_game
from trine.store.notices import Notice
from trine.store.people import read_person
from trine.store.seat_rows import SeatKind, seats_of_games

LINES: Final = {
    Told.TURN: text("{game}, against {others}: it is your turn. {time} left."),
    Told.REMINDER: text("{game}, against {others}: your time runs short. {time} left."),
    Told.BEGAN: text("{game}, against {others}: the game has begun."),
    Told.ENDED: text("{game}, against {others}: the game is over."),
    Told.CHALLENGED: text("{game}: {others} invites you to a game. {time} left."),
}
_SAYS_MORE: Final = {
    Told.TURN: (Told.REMINDER, Told.ENDED),
    Told.BEGAN: (Told.TURN, Told.REMINDER, Told.ENDED),
}
"""By kind, others of the same game beside which it is not told."""
_TIMED: Final = (Told.TURN, Told.REMINDER, Told.CHALLENGED)


@dataclass(frozen=True)
class News:
    """Something that a person is told, and where on the pages of the house it is seen."""

    sentence: Text
    place: str
    live: bool = False
    """Whether it is of no use later."""


def news_of(connection: Connection, person: str, known: Sequence[Notice], now: float) -> list[News]:
    """The news of a person by some notices: those that still hold."""
    found: list[News | None] = []
    for notice in known:
        if notice.kind == Told.CHALLENGED:
            found.append(_of_challenge(connection, notice, now))
            continue
        others = {one.kind for one in known if one.about == notice.about}
        if not any(kind in others for kind in _SAYS_MORE.get(Told(notice.kind), ())):
            found.append(_of_game(connection, notice, person, now))
    return [one for one in found if one]


def title_of(news: Sequence[News]) -> Text:
    """The title of news, in a few words."""
    if len(news) == 1:
        return news[0].sentence
    return ntext("{count} piece of news", "{count} pieces of news", len(news))


def _of_game(connection: Connection, notice: Notice, person: str, now: float) -> News | None:
    row = read_game(connection, notice.about)
    if not row:
        return None
    mover, since = waiting.movers(connection, [row.id]).get(row.id, ("", 0.0))
    if notice.kind in (Told.TURN, Told.REMINDER) and mover != person:
        return None  # it has been played meanwhile
    if notice.kind == Told.BEGAN and row.stage is Stage.OVER:
        return None
    agreement = Agreement.from_data(row.terms)
    deadline = moments_of(connection, DEADLINE, [row.id]).get(row.id)
    ends = turn_ends(agreement, since, deadline, now)
    names = [
        text("the computer") if seat.kind is SeatKind.BOT else verbatim(seat.name)
        for seat in seats_of_games(connection, [row.id])[row.id]
        if seat.person != person
    ]
    left = 0.0 if ends is None else ends - now
    sentence = _sentence(Told(notice.kind), row.room, join(names), left)
    return News(sentence, f"/game/{row.id}", not agreement.by_days)


def _of_challenge(connection: Connection, notice: Notice, now: float) -> News | None:
    row = read_challenge(connection, notice.about)
    challenger = read_person(connection, row.challenger) if row else None
    if not row or not challenger or row.expires_at <= now:
        return None
    agreement, name = Agreement.from_data(row.terms), verbatim(challenger.name)
    sentence = _sentence(Told.CHALLENGED, agreement.game, name, row.expires_at - now)
    return News(sentence, "/lobby", bool(agreement.clock) and not agreement.by_days)


def _sentence(kind: Told, game: str, others: Text, left: float) -> Text:
    values = {"game": verbatim(open_room(game).title), "others": others}
    if kind in _TIMED:
        values["time"] = time_told(left)
    return Text(LINES[kind].template, values)
