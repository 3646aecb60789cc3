"""The search of games and people."""

from __future__ import annotations

import asyncio
import re
from calendar import timegm
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from time import strptime
from typing import Final

from trine.core.errors import MalformedError
from trine.core.outcome import Outcome
from trine.core.text import text
from trine.games import known_rules, open_room
from trine.house.agreement import Agreement
from trine.house.names import fold
from trine.house.ratings import Write
from trine.house.refusals import HouseError
from trine.store import search_rows
from trine.store.people import Person
from trine.store.search_rows import FoundPerson, Key, Wish
from trine.store.seat_rows import SeatRow
from trine.store.store import Store

PAGE: Final = 20
"""Games, or people, of one page."""
DAY: Final = 86_400
SCORES: Final = {"won": 1.0, "lost": 0.0, "drawn": 0.5}
"""The results that can be wished for of one player, by the names of forms."""
_KEY: Final = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,9})?)-([0-9A-Za-z]{1,32})")


def appearances_begin(
    game: str, agreement: Agreement, seats: Sequence[SeatRow], at: float
) -> Write | None:
    """A function that has a game be found from its beginning on; not those of the first page."""
    if agreement.show:
        return None
    return partial(
        search_rows.begin,
        game=game,
        people=[seat.person for seat in seats],
        at=at,
        room=agreement.game,
        rules=agreement.rules,
        rated=agreement.rated,
        by_days=agreement.by_days,
        listed=agreement.listed,
    )


def appearances_end(game: str, outcome: Outcome | None) -> Write | None:
    """A function that notes the result of a game, once there is one."""
    return partial(search_rows.end, game=game, winner=outcome.winner) if outcome else None


def appearances_go(game: str) -> Write:
    """A function that has a game be found no more."""
    return partial(search_rows.forget, game=game)


@dataclass(frozen=True)
class GameFound:
    """A game that was found."""

    game: str
    at: float
    """Units: seconds since 1970; when it began."""
    agreement: Agreement
    seats: Sequence[SeatRow]
    scores: Sequence[float | None]
    """Of each seat: 1, 0.5 or 0, and None while the game is played."""

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return None not in self.scores


class Search:
    """The search of a house."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def people(self, name: str, after: str = "") -> tuple[Sequence[FoundPerson], str]:
        """The accounts whose names begin so, or look as if they did; and where to go on.

        Args: ``after`` is what was returned as that place with the page before.
        """
        folded = fold(name[:100])
        if not folded:
            return [], ""
        known = after[:100] if after.isprintable() else ""
        return await asyncio.to_thread(
            self._store.read, search_rows.find_people, folded=folded, after=known, limit=PAGE
        )

    async def games(
        self, given: Mapping[str, str], viewer: Person | None
    ) -> tuple[Sequence[GameFound], str]:
        """The games that are wished for, as a form has it, and that somebody may see.

        Returns: them, the newest first, and where to go on; empty where there are no more.

        Raises:
            TrineError: there is nobody of that name, or no such game.
        """
        return await asyncio.to_thread(self._games, given, viewer)

    def _games(
        self, given: Mapping[str, str], viewer: Person | None
    ) -> tuple[Sequence[GameFound], str]:
        who = self._person(given.get("player", ""))
        if given.get("mine") and viewer:
            who = viewer.id
        against = self._person(given.get("against", ""))
        wish = wish_of(given, *((who, against) if who else (against, "")))
        found, key = self._store.read(
            search_rows.find_games,
            wish=wish,
            viewer=viewer.id if viewer else None,
            after=_key_of(given.get("after", "")),
            limit=PAGE,
        )
        names = [one.game for one in found]
        seats = self._store.seats_of_games(names)
        scores = self._store.read(search_rows.scores_of, games=names)
        games = [
            GameFound(
                one.game,
                one.at,
                Agreement.from_data(one.terms),
                seats[one.game],
                scores[one.game],
            )
            for one in found
            if one.game in scores  # or it was broken off a moment ago
        ]
        return games, f"{key.at}-{key.game}" if key else ""

    def _person(self, name: str) -> str:
        """The id of the account of a name; empty for no name.

        Raises:
            HouseError: there is none.
        """
        if not name.strip():
            return ""
        if not (account := self._store.accounts.named(fold(name))):
            raise HouseError(text("nobody here is called {name}", name=name.strip()[:100]))
        return account.person


def wish_of(given: Mapping[str, str], person: str = "", other: str = "") -> Wish:
    """The wish for games that a form states.

    Raises:
        TrineError: there is no such game, rule set or date.

    >>> wish_of({"game": "tzaar", "kind": "rated", "result": "running"})
    ... # doctest: +NORMALIZE_WHITESPACE
    Wish(person='', other='', room='tzaar', rules='', seats=0, rated=True, by_days=None,
    over=False, score=None, since=None, until=None)
    """
    room = open_room(given["game"]) if given.get("game") else None
    rules = given.get("rules", "")
    seats, result = given.get("players", ""), given.get("result", "")
    until = _day_of(given.get("until", ""))
    return Wish(
        person,
        other,
        room.name if room else "",
        known_rules(room, rules) if room and rules else "",
        int(seats) if seats in ("2", "3", "4") else 0,
        {"rated": True, "casual": False}.get(given.get("kind", "")),
        {"days": True, "live": False}.get(given.get("pace", "")),
        {"running": False, "over": True}.get(result),
        SCORES.get(result),
        _day_of(given.get("since", "")),
        None if until is None else until + DAY,
    )


def _day_of(date: str) -> float | None:
    """The beginning of a day by universal time.

    Raises:
        MalformedError: this is no date.
    """
    if not date:
        return None
    try:
        return float(timegm(strptime(date[:20], "%Y-%m-%d")))
    except ValueError:
        raise MalformedError(
            text("give the date as {example}, not {given}", example="2026-11-22", given=date[:20])
        ) from None


def _key_of(given: str) -> Key | None:
    """Where to go on; None from the newest."""
    read = _KEY.fullmatch(given)
    return Key(float(read[1]), read[2]) if read else None
