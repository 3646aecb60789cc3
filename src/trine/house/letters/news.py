"""The news of a person in sentences, for letters and devices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection

from trine.core.text.sentence import Text, join, ntext, text, verbatim
from trine.games import open_room
from trine.house.games.agreement import Agreement
from trine.house.games.follows import DEADLINE
from trine.house.games.game_choices import time_told
from trine.house.games.own_games import turn_ends
from trine.house.games.tables import SeatKind, Stage, movers, read_game, seats_of_games
from trine.house.letters.notices import Notice, Told
from trine.house.store.deadlines import moments_of

LINES: Final = {
    Told.TURN: text("{game}, against {others}: it is your turn. {time} left."),
    Told.REMINDER: text("{game}, against {others}: your time runs short. {time} left."),
    Told.BEGAN: text("{game}, against {others}: the game has begun."),
    Told.ENDED: text("{game}, against {others}: the game is over."),
    Told.DRAW: text("{game}, against {others}: a draw is offered to you."),
    Told.TAKEBACK: text("{game}, against {others}: you are asked to let a turn be taken back."),
    Told.OFFER: text("{game}, against {others}: an offer waits for your answer."),
    Told.CHALLENGED: text("{game}: {others} invites you to a game. {time} left."),
}
_SAYS_MORE: Final = {
    Told.TURN: (Told.REMINDER, Told.ENDED),
    Told.BEGAN: (Told.TURN, Told.REMINDER, Told.ENDED),
}
"""The kinds of notices that replace a kind, for the same game."""
_TIMED: Final = (Told.TURN, Told.REMINDER, Told.CHALLENGED)


@dataclass(frozen=True)
class News:
    """A piece of news for a person, with the page that shows it."""

    sentence: Text
    place: str
    live: bool = False
    """Whether the news is of no use later."""


NewsOf = Callable[[Connection, Notice, float], News | None]
"""A function that returns the news of a notice at a moment; None if it no longer holds."""


def news_of(
    connection: Connection,
    person: str,
    known: Sequence[Notice],
    now: float,
    others: Mapping[str, NewsOf],
) -> list[News]:
    """Return the news of some notices of a person, as far as they still hold.

    Args: ``others`` have the news of notices that are about no game, by their kinds.
    """
    found: list[News | None] = []
    for notice in known:
        if other := others.get(notice.kind):
            found.append(other(connection, notice, now))
            continue
        of_game = {one.kind for one in known if one.about == notice.about}
        if not any(kind in of_game for kind in _SAYS_MORE.get(Told(notice.kind), ())):
            found.append(_of_game(connection, notice, person, now))
    return [one for one in found if one]


def title_of(news: Sequence[News]) -> Text:
    """Return the title of news, in a few words."""
    if len(news) == 1:
        return news[0].sentence
    return ntext("{count} piece of news", "{count} pieces of news", len(news))


def _of_game(connection: Connection, notice: Notice, person: str, now: float) -> News | None:
    row = read_game(connection, notice.about)
    if not row:
        return None
    mover, since = movers(connection, [row.id]).get(row.id, ("", 0.0))
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
    sentence = sentence_of(Told(notice.kind), row.room, join(names), left)
    return News(sentence, f"/game/{row.id}", not agreement.by_days)


def sentence_of(kind: Told, game: str, others: Text, left: float) -> Text:
    values = {"game": verbatim(open_room(game).title), "others": others}
    if kind in _TIMED:
        values["time"] = time_told(left)
    return Text(LINES[kind].template, values)
