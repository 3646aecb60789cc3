"""The Challenge as a match: the first player against each of the others, with a win condition."""

from __future__ import annotations

from collections.abc import Sequence

from trine.core.contract.position import Seat
from trine.core.errors import IllegalError
from trine.core.text.sentence import typed
from trine.engine.arena.schedule import Fixture, Lineup
from trine.engine.arena.standings import Standings
from trine.games import open_room, start_position
from trine.play.tournament import challenge
from trine.play.tournament.pairing import Pairing, Participant
from trine.play.tournament.plan import Plan, TournamentFormat
from trine.play.tournament.tournament import Tournament


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

    Each opening is played from both seats, except the last one of an odd number of games.
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


def challenge_of(plan: Plan, names: Sequence[str], standings: Standings) -> Tournament:
    people = tuple(Participant(number, name) for number, name in enumerate(names, 1))
    pairings = tuple(
        Pairing(
            (fixture.number - 1) // (len(names) - 1) + 1,
            tuple(player + 1 for player in fixture.lineup),
            standings.points[fixture.number],
        )
        for fixture in standings.fixtures
        if fixture.number in standings.points
    )
    return Tournament(plan, people, pairings)
