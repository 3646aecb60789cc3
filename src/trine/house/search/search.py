"""The search for games and people."""

import re
from calendar import timegm
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from time import strptime
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, func, select

from trine.core.clock import DAY
from trine.core.errors import MalformedError
from trine.games import known_rules, open_room
from trine.house.games.live.agreement import Agreement
from trine.house.games.live.change_hooks import Context, Write, begins, ends
from trine.house.games.live.live_game import LiveGame, RatedPlayer
from trine.house.games.storage.own_games import ListedGame
from trine.house.games.storage.tables import GAME, seats_of_games
from trine.house.people.names import fold
from trine.house.people.tables import PERSON, Account, Person, find_account
from trine.house.ratings.ratings import PROVISIONAL_DEVIATION, now
from trine.house.ratings.tables import RATING, RatingRow
from trine.house.refusals import HouseError
from trine.house.search import tables
from trine.house.search.tables import GAME_SEARCH, Clauses, Key
from trine.house.store.schema import columns_of, make_row
from trine.house.store.store import Store

PAGE: Final = 20  # games or people
SCORES: Final = {"won": 1.0, "lost": 0.0, "drawn": 0.5}
"""A player's score in a game, by the value of the search form's field ``result``."""
_KEY: Final = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,9})?)-([0-9A-Za-z]{1,32})")


def note_appearances(before: LiveGame, after: LiveGame, context: Context) -> Write | None:
    """Return the write that keeps a game's search rows current; aborted games have none."""
    agreement, state = after.agreement, after.state
    if outcome := ends(before, after):
        return partial(tables.note_end, game_id=after.game, winner=outcome.winner)
    if after.aborted and not before.aborted:
        return partial(tables.forget_game, game_id=after.game)
    if not state or not begins(before, after):
        return None
    return partial(
        tables.note_beginning,
        game_id=after.game,
        people=[seat.person for seat in after.seats],
        at=state.at,
        room=agreement.game,
        rules=agreement.rules,
        rated=agreement.rated,
        by_days=agreement.by_days,
        listed=agreement.listed,
    )


@dataclass(frozen=True)
class GameFound(ListedGame):
    """A game in the results of a search."""

    at: float  # seconds since 1970; the beginning of the game
    scores: Sequence[float | None]
    """The score of each seat: 1, 0.5 or 0; None while the game is played."""

    @property
    def over(self) -> bool:
        return None not in self.scores


@dataclass(frozen=True)
class Search:
    """Searches for accounts and games."""

    store: Store

    async def people(self, name: str, after: str = "") -> tuple[Sequence[Account], str]:
        """Return accounts whose folded names begin with the folded ``name``, and the next key.

        ``after`` is the key from the previous page.
        """
        folded = fold(name[:100])
        if not folded:
            return [], ""
        name_before = _name_of(after)
        return await self.store.fetch(
            tables.find_people, folded=folded, after=name_before, limit=PAGE
        )

    async def bots(self, after: str = "") -> tuple[Sequence[Account], str]:
        """Return bot accounts, and the key of the next page, like `people`."""
        return await self.store.fetch(
            tables.find_people, folded="", after=_name_of(after), limit=PAGE, bots=True
        )

    async def ratings(
        self, people: Sequence[str], at: float
    ) -> Mapping[str, Mapping[str, RatedPlayer]]:
        return await self.store.fetch(present_ratings, people=people, at=at)

    async def games(
        self, filters: Mapping[str, str], viewer: Person | None
    ) -> tuple[Sequence[GameFound], str]:
        """Return games that match the filters of a form and that the viewer may see.

        Returns: the games, the newest first, and the key of the next page, or "".
        """
        return await self.store.fetch(_games, filters, viewer)

    async def shown_of(self, person: Person | None, account: Account) -> Mapping[str, Any]:
        """Return the last games of an account that a person may see, for the account's page."""
        found, _ = await self.games({"player": account.name}, person)
        return {"found": found}

    async def last_game(self, game_name: str) -> GameFound | None:
        """Return the newest finished public game of a kind; of any kind for an empty name."""
        found, _ = await self.games({"game": game_name, "result": "over"}, None)
        return found[0] if found else None


def _games(
    connection: Connection, given: Mapping[str, str], viewer: Person | None
) -> tuple[list[GameFound], str]:
    who = _person(connection, given.get("player", ""))
    if given.get("mine") and viewer:
        who = viewer.id
    against = _person(connection, given.get("against", ""))
    if not who:
        who, against = against, ""
    among, fits = clauses_of(given, who, against, viewer.id if viewer else None)
    found, key = tables.find_games(connection, among, fits, _key_of(given.get("after", "")), PAGE)
    seats = seats_of_games(connection, list(found))
    scores = tables.scores_of(connection, list(found))
    terms = connection.execute(select(GAME.c.id, GAME.c.terms).where(GAME.c.id.in_(found)))
    agreed = {game: Agreement.from_data(data) for game, data in terms}
    games = [
        GameFound(game, agreed[game], seats[game], at, scores[game])
        for game, at in found.items()
        if game in scores  # a game aborted just now has none
    ]
    return games, f"{key.at}-{key.game}" if key else ""


def _person(connection: Connection, name: str) -> str:
    """Return the id of the account with a present or former name; "" for an empty name."""
    if not name.strip():
        return ""
    if not (account := find_account(connection, fold(name))):
        raise HouseError("no account is called {name}", name=name.strip()[:100])
    return account.person


def clauses_of(
    filters: Mapping[str, str], person_id: str, other: str, viewer: str | None
) -> tuple[Clauses, Clauses]:
    """Return the filters of a form as SQL: for the games to examine, and for those to return.

    ``person_id`` and ``other`` are players, if not empty. A filter by result applies to
    ``person_id``, or else to the player who moved first. ``viewer`` also finds unlisted games as a
    player.
    """
    c = GAME_SEARCH.c
    among: list[ColumnElement[bool]] = [c.person == person_id]
    fits: list[ColumnElement[bool]] = [tables.may_see(viewer)]
    if not person_id:
        among, fits = [c.listed.is_(True), c.seat == 0], []
    of_kind = fits if person_id else among  # the index by person does not have the game's kind
    if name := filters.get("game"):
        room = open_room(name)
        of_kind.append(c.room == room.name)
        if rules := filters.get("rules"):
            of_kind.append(c.rules == known_rules(room, rules))
    if (seats := filters.get("players")) in ("2", "3", "4"):
        fits.append(c.seats == int(seats))
    for column, choice in (
        (c.rated, {"rated": True, "casual": False}.get(filters.get("kind", ""))),
        (c.by_days, {"days": True, "live": False}.get(filters.get("pace", ""))),
        (c.score, SCORES.get(result := filters.get("result", ""))),
    ):
        if choice is not None:
            fits.append(column == choice)
    if result in ("running", "over"):
        fits.append(c.score.is_(None) if result == "running" else c.score.is_not(None))
    if other:
        fits.append(tables.plays(other))
    if (since := _day_of(filters.get("since", ""))) is not None:
        among.append(c.at >= since)
    if (until := _day_of(filters.get("until", ""))) is not None:
        among.append(c.at < until + DAY)
    return among, fits


def _day_of(date: str) -> float | None:
    """Return the beginning of a day in UTC; None for an empty date."""
    if not date:
        return None
    try:
        return float(timegm(strptime(date[:20], "%Y-%m-%d")))
    except ValueError:
        raise MalformedError(
            "give the date as {example}, not {given}", example="2026-11-22", given=date[:20]
        ) from None


def _name_of(value: str) -> str:
    return value[:100] if value.isprintable() else ""


def _key_of(value: str) -> Key | None:
    match = _KEY.fullmatch(value)
    return Key(float(match[1]), match[2]) if match else None


def present_ratings(
    connection: Connection, people: Sequence[str], at: float
) -> dict[str, Mapping[str, RatedPlayer]]:
    """Return the ratings of rated players by person id and discipline, the newest first."""
    newest = (
        select(func.max(RATING.c.number))
        .where(RATING.c.person.in_(people))
        .group_by(RATING.c.person, RATING.c.discipline)
    )
    found = connection.execute(
        select(*columns_of(RATING, RatingRow), PERSON.c.name)
        .join(PERSON, PERSON.c.id == RATING.c.person)
        .where(RATING.c.number.in_(newest))
        .order_by(RATING.c.number.desc())
    )
    *names, _ = found.keys()
    ratings: dict[str, dict[str, RatedPlayer]] = {}
    for *values, name in found:
        row = make_row(RatingRow, names, values)
        present = now(row, at)
        ratings.setdefault(row.person, {})[row.discipline] = RatedPlayer(
            name, present.rating, present.deviation > PROVISIONAL_DEVIATION
        )
    return dict(ratings)
