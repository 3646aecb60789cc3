"""The schedule of a match, or of a Challenge: seats and opening of each game."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from trine.core.contract.position import Seat
from trine.core.errors import IllegalError, MalformedError
from trine.core.text.sentence import typed
from trine.games import open_room, start_position
from trine.play.tournament import challenge
from trine.play.tournament.tournament import Plan, TournamentFormat

Lineup = tuple[int, ...]  # the numbers of the players of a game, one for each seat


@dataclass(frozen=True)
class Fixture:
    """A game of a schedule."""

    number: int  # the game's number in reports and records, from 1
    lineup: Lineup
    opening: int  # number of the opening, from 0
    group: int
    """The number of the game's group: games of one lineup and opening; with two players, a pair."""
    options: tuple[tuple[str, str], ...] = ()  # start options in addition to those of the match


def everyone_against_everyone(players: int, seats: int) -> list[Lineup]:
    """Return all lineups of a round robin.

    Raises:
        MalformedError: there are too few players for the seats.

    >>> everyone_against_everyone(3, 2)
    [(0, 1), (0, 2), (1, 2)]
    """
    check_lineup(range(min(players, seats)), seats)
    return list(combinations(range(players), seats))


def check_lineup(lineup: Sequence[int], seats: int) -> None:
    """Raise `MalformedError` if a lineup does not match the seats of a game."""
    if len(lineup) != seats:
        raise MalformedError(
            "this game needs {seats} players, not {given}", seats=seats, given=len(lineup)
        )


def schedule(lineups: Sequence[Lineup], games: int) -> list[Fixture]:
    """Return the games of a match, ``games`` for each lineup.

    Each opening is played once with each player at each seat.

    Raises:
        MalformedError: the number of games is not a multiple of the number of seats.

    >>> [(game.number, game.lineup, game.opening) for game in schedule([(0, 1)], 4)]
    [(1, (0, 1), 0), (2, (1, 0), 0), (3, (0, 1), 1), (4, (1, 0), 1)]
    """
    seats = len(lineups[0])
    if games < seats or games % seats:
        raise MalformedError(
            "{given} games: each opening is played {seats} times, from all seats; the number "
            "of games must be a multiple of that",
            given=games,
            seats=seats,
        )
    rotations = [
        (opening, opening * len(lineups) + index, lineup[turn:] + lineup[:turn])
        for opening in range(games // seats)
        for index, lineup in enumerate(lineups)
        for turn in range(seats)
    ]
    return [
        Fixture(number, lineup, opening, group)
        for number, (opening, group, lineup) in enumerate(rotations, start=1)
    ]


def parse_plan(game: str, rules: str, games: int, wins: int, handicaps: str) -> Plan:
    """Return the plan of a Challenge.

    ``handicaps`` are the pieces that defenders leave out, game by game, as ``- camel horse,dog``;
    one list for each defender, as ``dog horse camel / - - cat``, if they differ.

    Raises:
        TrineError: the plan is inconsistent, or the game has no such handicap.

    >>> parse_plan("arimaa", "official", 3, 2, "- camel").handicaps
    (('', 'camel'),)
    >>> parse_plan("arimaa", "official", 3, 2, "dog horse camel / - - cat").handicaps
    (('dog', 'horse', 'camel'), ('', '', 'cat'))
    """
    lists = handicaps.split("/") if handicaps.strip() else []
    given = tuple(tuple("" if one == "-" else one for one in own.split()) for own in lists)
    plan = Plan(TournamentFormat.CHALLENGE, games=games, wins=wins, handicaps=given)
    room = open_room(game)
    named = [name for own in given for name in own if name]
    if named and challenge.HANDICAP not in {option.tag for option in room.rules.options}:
        raise IllegalError("{game} has no handicaps", game=typed(room.title))
    for name in named:
        for seat in start_position(room, rules, {}).seats:
            start_position(room, rules, challenge.handicap_options(name, seat.tag))
    return plan


def challenge_lineups(players: int) -> tuple[Lineup, ...]:
    """Return the lineups: the first player against each of the others.

    >>> challenge_lineups(3)
    ((0, 1), (0, 2))
    """
    return tuple((0, defender) for defender in range(1, players))


def challenge_schedule(plan: Plan, players: int, seats: Sequence[Seat]) -> list[Fixture]:
    """Return the games of a Challenge, in rounds of one game against each defender.

    Each opening is played from both seats, but the last one from one if ``plan.games`` is odd.
    """
    plan.check_defenders(players - 1)
    fixtures: list[Fixture] = []
    for game in range(plan.games):
        for _, defender in challenge_lineups(players):
            first = challenge.begins(defender + 1, game)
            given = challenge.handicap_in_game(plan, defender - 1, game)
            options = challenge.handicap_options(given, seats[1 if first else 0].tag)
            number = len(fixtures)
            lineup = (0, defender) if first else (defender, 0)
            fixtures.append(Fixture(number + 1, lineup, game // 2, number, tuple(options.items())))
    return fixtures
