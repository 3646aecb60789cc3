"""The ratings of people who have accounts, one for each game, rule set and speed.

The levels of the computer are anchors, each with its uncertainty: a game against a level moves the
rating of the person, never that of the level. Therefore the scales of all houses have the same
origin, and even a house with few people has a scale.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from math import ceil
from types import MappingProxyType
from typing import Final

from sqlalchemy import Connection

from trine.core.clock import DAY
from trine.core.contract.position import Outcome, Reason
from trine.core.text.sentence import ntext
from trine.house.games.live.agreement import Agreement
from trine.house.games.live.change_hooks import Context, Write, ends
from trine.house.games.live.live_game import LiveGame, RatedPlayer
from trine.house.games.storage.tables import SeatKind, SeatRow
from trine.house.games.view.game_choices import ORIGIN, STEPS, level_of, ratings_of_levels
from trine.house.people.browsers import LinkedAccounts
from trine.house.people.tables import accounts_of, younger_than
from trine.house.ratings import tables
from trine.house.ratings.glicko import Rating, rated
from trine.house.ratings.tables import Before, CheapWins, RatingRow
from trine.house.refusals import HouseError
from trine.house.store.postgres import advisory_lock
from trine.house.store.store import Store
from trine.play.session.state import Entry, Kind

PERIOD: Final = 86_400 / 3
"""Units: seconds; the rating period: a year without games makes any rating as unsure as a first."""
PROVISIONAL_DEVIATION: Final = 110.0  # the deviation above which a rating is provisional
MAX_RATED_A_DAY: Final = 20  # maximum number of games of the same people that count. Guess
MIN_TURNS: Final = 4  # a game of two people that is given up in fewer turns does not count. Guess
EARLY_TURNS: Final = 20
"""A game of two people that is given up in fewer turns is given up early. Guess."""
MAX_CHEAP_POINTS: Final = 40.0
"""The maximum number of points that cheap games add to a rating in a day. Guess.

A game is cheap if it was given up early, or if an opponent is unsure: one with a provisional
rating, or an account younger than `YOUNG_ACCOUNT`.
"""
YOUNG_ACCOUNT: Final = 7 * 86_400
ENDS_BY_CHOICE: Final = (Reason.RESIGNATION, Reason.TIME, Reason.AGREEMENT, Reason.FORFEIT)
"""The reasons for an end that players can cause in any position."""
MIN_LEVEL_DEVIATION: Final = 60.0
"""The minimum deviation of a level, because a level is only a substitute for a person. Guess."""
_SIGMAS: Final = 1.96  # the half width of a 95 % interval, in standard deviations


@cache
def anchors_of(game_name: str, rules: str) -> Mapping[int, Rating]:
    """Return the measured ratings of the computer's levels in a rule set, if any.

    >>> {level: round(one.rating) for level, one in anchors_of("tzaar", "official").items()}
    {1: 874, 2: 1123, 3: 1307, 4: 1500, 5: 1691, 6: 1889, 7: 2062, 8: 2287, 9: 2567}
    """
    anchors = {}
    for number, rating in ratings_of_levels(game_name, rules).items():
        between = STEPS[game_name, rules][min(number, ORIGIN) - 1 : max(number, ORIGIN) - 1]
        errors = (step.error / _SIGMAS for step in between)
        anchors[number] = Rating(rating, math.hypot(MIN_LEVEL_DEVIATION, *errors))
    return anchors


def anchor_of(game_name: str, rules: str, seat: SeatRow) -> Rating | None:
    """Return the rating of the level at a seat; None for people, and for unmeasured bots."""
    level = level_of(seat)
    return None if level is None else anchors_of(game_name, rules).get(level)


def rate_end(before: LiveGame, after: LiveGame, context: Context) -> Write | None:
    """Return the write that stores the ratings when a game ends; None if they do not change."""
    outcome = ends(before, after)
    if not outcome:
        return None
    result = result_of(after.game, after.agreement, after.seats, outcome, after.entries)
    if not result:
        return None
    return partial(count_result, result=result)


def count_result(connection: Connection, result: Result) -> None:
    """Add the ratings after a game, unless its players have reached the limit of the day."""
    advisory_lock(connection, "ratings")  # the counts below must not change before they are used
    people, day = result.people, day_of(result.at)
    met = tables.games_between(connection, people, *day)
    if met < MAX_RATED_A_DAY:
        won = tables.cheap_wins(connection, people, result.discipline, *day)
        young = younger_than(connection, people, result.at - YOUNG_ACCOUNT)
        reckon = partial(new_rows, result, share=share_of(met), won=won, young=young)
        tables.rate(connection, result.game, result.discipline, people, reckon)


def note_leave(before: LiveGame, after: LiveGame, context: Context) -> Write | None:
    """Return the write that stores a player's leaving of a rated game at its beginning, if any.

    Such a game is not rated, so that no player gains by it; but the opponent has waited in vain.
    After three of them in a day, each further one makes the leaver wait before rated games.
    """
    if before.over or not after.over or not (person := leaver_of(after, context)):
        return None
    return partial(tables.add_leave, game_id=after.game, person_id=person, at=after.entries[-1].at)


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
    if game.aborted:  # by the person who requested it, or because the first turn did not come
        return context.person or people[state.play.mover]
    outcome = state.outcome
    if not outcome or outcome.winner is None or outcome.reason not in ENDS_BY_CHOICE:
        return None
    return people[1 - outcome.winner] if len(state.play.turns) < MIN_TURNS else None


def share_of(met: int) -> float:
    """Return the weight of a game after ``met`` rated games of the same people on that day.

    >>> [round(share_of(met), 2) for met in range(4)]
    [1.0, 0.5, 0.33, 0.25]
    """
    return 1 / (1 + met)


@dataclass(frozen=True)
class Result:
    """The result of a rated game."""

    game: str
    discipline: str
    players: Sequence[str | Rating]  # id of the person at each seat, or the rating of a level
    places: Sequence[int]  # the place of each seat, from 1; several seats may share a place
    drawn: bool
    at: float
    early: bool = False  # whether one of two people gave the game up early

    @property
    def people(self) -> list[str]:
        return [one for one in self.players if isinstance(one, str)]

    def score(self, seat: int) -> float:
        """Return the score of a seat: 1 for the first place, ½ for a shared one, 0 for others."""
        first = self.places[seat] == 1
        return (0.5 if self.drawn else 1.0) if first else 0.0


def result_of(
    game_id: str,
    agreement: Agreement,
    seats: Sequence[SeatRow],
    outcome: Outcome,
    entries: Sequence[Entry],
) -> Result | None:
    """Return the result of a game; None if the game is not rated."""
    players = rated_players(agreement, seats)
    turns = turns_of(entries) if _is_given_up(seats, outcome) else EARLY_TURNS
    if not players or turns < MIN_TURNS:
        return None
    left = [entry.seat for entry in entries if entry.kind is Kind.LEAVE and entry.seat is not None]
    return Result(
        game_id,
        agreement.discipline,
        players,
        places_of(len(seats), outcome.winner, left),
        outcome.winner is None,
        entries[-1].at,
        turns < EARLY_TURNS,
    )


def turns_of(entries: Sequence[Entry]) -> int:
    return sum(entry.kind is Kind.ACT and bool(entry.data.get("closes")) for entry in entries)


def _is_given_up(seats: Sequence[SeatRow], outcome: Outcome) -> bool:
    """Return whether a game of two people ended otherwise than on the board."""
    if len(seats) > 2 or outcome.reason not in ENDS_BY_CHOICE:
        return False
    return all(seat.kind is not SeatKind.BOT for seat in seats)


def places_of(count: int, winner: int | None, left: Sequence[int]) -> list[int]:
    """Return the places of players; those who left rank below all others, the first to leave last.

    ``left`` are the seats of players who resigned, in order.

    >>> places_of(4, 2, [3, 0]), places_of(4, None, [1]), places_of(2, 0, [1])
    ([3, 2, 1, 4], [1, 4, 1, 1], [1, 2])
    """
    places = []
    for seat in range(count):
        if seat == winner or (winner is None and seat not in left):
            places.append(1)
        elif seat in left:
            places.append(count - left.index(seat))
        else:
            places.append(2)
    return places


def day_of(at: float) -> tuple[float, float]:
    """Return the beginning and the end of the day of a time, in UTC."""
    begins = at // DAY * DAY
    return begins, begins + DAY


def rated_players(agreement: Agreement, seats: Sequence[SeatRow]) -> list[str | Rating]:
    """Return the players of a rated game, levels by their ratings; empty if it is not rated.

    A rated game is played by different people, or by one person against a level that is an anchor.
    """
    if not agreement.rated:
        return []
    players = [seat.person or anchor_of(agreement.game, agreement.rules, seat) for seat in seats]
    known = [one for one in players if one]
    people = {one for one in known if isinstance(one, str)}
    whole = len(people) == len(seats) or (len(people) == 1 and len(seats) == 2)
    return known if whole and len(known) == len(seats) == len(set(known)) else []


def new_rows(
    result: Result,
    before: Before,
    share: float = 1.0,
    won: CheapWins = MappingProxyType({}),
    young: Collection[str] = (),
) -> list[RatingRow]:
    """Return the ratings after a game, computed from the ratings before it.

    Args: ``share`` is the weight of the game, from 0 to 1; ``won`` are the points that its people
    have won on that day by cheap games; ``young`` are the people whose accounts are new.

    A game of more than two players counts as a game of each pair whose places differ, or who have
    drawn; players who stayed to the end without winning are not compared with each other.

    Guarantee: cheap games raise no rating by more than `MAX_CHEAP_POINTS` in a day. Beyond it, a
    game counts less for all its players; unless it was given up early, their deviations still
    shrink as after any other game.
    """
    since = {
        person: max(0.0, result.at - row.at) / PERIOD if row else 0.0
        for person, row in before.items()
    }
    old = {person: _rating(row) for person, row in before.items()}
    faced = [old[one].aged(since[one]) if isinstance(one, str) else one for one in result.players]
    unsure = {
        seat
        for seat, person in enumerate(result.players)
        if isinstance(person, str)
        and (faced[seat].deviation > PROVISIONAL_DEVIATION or person in young)
    }
    whole, cheap, part = {}, set[str](), 1.0
    for seat, person in enumerate(result.players):
        if not isinstance(person, str):
            continue
        own = result.places[seat]
        met = [
            other
            for other, place in enumerate(result.places)
            if other != seat and (place != own or (result.drawn and own == 1))
        ]
        results = [
            (faced[n], 0.5 if result.places[n] == own else float(own < result.places[n]))
            for n in met
        ]
        after = rated(old[person], results, since[person])
        whole[seat, person] = faced[seat].towards(after, share)
        if result.early or not unsure.isdisjoint(met):
            cheap.add(person)
            rise = whole[seat, person].rating - old[person].rating
            room = max(0.0, MAX_CHEAP_POINTS - won.get(person, 0.0))
            part = min(part, room / rise) if rise > 0 else part
    rows = []
    for (seat, person), all_of_it in whole.items():
        new = faced[seat].towards(all_of_it, part)
        if not result.early:
            new = replace(all_of_it, rating=new.rating)
        rows.append(
            RatingRow(
                game=result.game,
                person=person,
                discipline=result.discipline,
                at=result.at,
                score=result.score(seat),
                rating=new.rating,
                deviation=new.deviation,
                volatility=new.volatility,
                early=max(0.0, new.rating - old[person].rating) if person in cheap else None,
            )
        )
    return rows


def _rating(row: RatingRow | None) -> Rating:
    return Rating(row.rating, row.deviation, row.volatility) if row else Rating()


def now(row: RatingRow, moment: float) -> Rating:
    """Return a rating at a time after its last game, with the deviation grown since then."""
    return _rating(row).aged(max(0.0, moment - row.at) / PERIOD)


class Ratings:
    """The ratings of a house."""

    def __init__(self, store: Store, neighbours: LinkedAccounts) -> None:
        self._store, self._neighbours = store, neighbours

    async def standings(
        self, *games: tuple[Agreement, Sequence[SeatRow]]
    ) -> list[Mapping[int, RatedPlayer]]:
        """Return for each game the ratings of the players who have accounts, by seat."""
        if not any(seat.person for _, seats in games for seat in seats):
            return [{} for _ in games]
        return await self._store.fetch(_standings, games, self._store.now())

    async def check_may_play(self, agreement: Agreement, seats: Sequence[SeatRow]) -> None:
        """Check that a game with these players can be rated, if its agreement says so."""
        if not agreement.rated:
            return
        people = list({seat.person for seat in seats if seat.person})
        accounts = await self._store.fetch(accounts_of, people)
        if len(accounts) < len(people) or not people:
            raise HouseError("a rated game is played by people who have accounts")
        if rated_players(agreement, seats):
            if len(people) == 1:  # games of two people are checked when they are paired
                await self.check_may_meet(people)
            return
        if any(seat.kind is SeatKind.BOT for seat in seats) and len(seats) == 2:
            raise HouseError("this level has not been measured in this rule set")
        raise HouseError("a rated game is played by people who have accounts, or against one level")

    async def standing(self, discipline: str, person_id: str) -> RatedPlayer | None:
        rated = await self._store.fetch(_rated, {discipline: [person_id]}, self._store.now())
        return rated.get((discipline, person_id))

    async def strength(self, agreement: Agreement, person_id: str | None) -> float:
        """Return the rating for seeding; a newcomer's if the person has none."""
        found = await self.standing(agreement.discipline, person_id) if person_id else None
        return found.rating if found else Rating().rating

    async def check_may_meet(self, people: Sequence[str]) -> None:
        """Check that one more rated game of these people would count today.

        It would not if they share a network address or a browser (unless the host allows this), if
        one of them has to wait after leaving games, or if they have reached the limit of the day.
        """
        if why := await self._neighbours.why_unrated(people):
            raise HouseError(why)
        await self.check_does_not_rest(people)
        since, until = day_of(self._store.now())
        played = await self._store.fetch(
            tables.games_between, people=people, since=since, until=until
        )
        if played >= MAX_RATED_A_DAY:
            if len(people) == 1:
                raise HouseError(
                    "you have played {count} rated games against the computer today",
                    count=MAX_RATED_A_DAY,
                )
            raise HouseError(
                "you have played {count} rated games with each other today", count=MAX_RATED_A_DAY
            )

    async def are_apart(self, people: Sequence[str | None]) -> bool:
        """Return whether games of these people stay unrated: they share an address or a browser."""
        return bool(await self._neighbours.why_unrated([person for person in people if person]))

    async def check_does_not_rest(self, people: Sequence[str]) -> None:
        """Check that none of these people has to wait because of left rated games."""
        pause = await self._store.fetch(tables.pause_of, people, self._store.now())
        if pause > 0:
            raise HouseError(
                ntext(
                    "a player who leaves several rated games at their beginning must wait "
                    "before the next one: {count} minute",
                    "a player who leaves several rated games at their beginning must wait "
                    "before the next one: {count} minutes",
                    ceil(pause / 60),
                )
            )


def _standings(
    connection: Connection, games: Sequence[tuple[Agreement, Sequence[SeatRow]]], at: float
) -> list[Mapping[int, RatedPlayer]]:
    people = defaultdict[str, list[str]](list)
    for agreement, seats in games:
        people[agreement.discipline] += (seat.person for seat in seats if seat.person)
    rated = _rated(connection, people, at)
    return [
        {
            number: player
            for number, seat in enumerate(seats)
            if seat.person and (player := rated.get((agreement.discipline, seat.person)))
        }
        for agreement, seats in games
    ]


def _rated(
    connection: Connection, people: Mapping[str, Sequence[str]], at: float
) -> dict[tuple[str, str], RatedPlayer]:
    """Return those of some people who have accounts, by discipline and id.

    Args: ``people`` are ids by discipline.
    """
    accounts = accounts_of(connection, list({one for ids in people.values() for one in ids}))
    players = {}
    for discipline, ids in people.items():
        known = accounts.keys() & set(ids)
        latest = tables.latest_ratings(connection, known, discipline) if known else {}
        for one in known:
            rating = now(latest[one], at) if one in latest else Rating()
            provisional, account = rating.deviation > PROVISIONAL_DEVIATION, accounts[one]
            player = RatedPlayer(account.name, rating.rating, provisional, account.bot)
            players[discipline, one] = player
    return players
