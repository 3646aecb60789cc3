"""The standings of a tournament, with tie-breaks.

In the tie-breaks, a round that a participant did not play at the board counts as a game against a
dummy opponent with the participant's own points (FIDE Handbook, C.07).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from trine.play.tournament import arena, knockout
from trine.play.tournament.tournament import WIN, Tournament, TournamentFormat


class TieBreak(StrEnum):
    """A value that ranks participants with equal points."""

    BUCHHOLZ_CUT_1 = "buchholz-cut-1"  # the sum of the opponents' points, without the lowest
    BUCHHOLZ = "buchholz"  # the sum of the opponents' points
    SONNEBORN_BERGER = "sonneborn-berger"
    """The points of the opponents beaten, plus half the points of the opponents drawn with."""
    DIRECT = "direct"  # the points won against participants with equal points
    WINS = "wins"  # the games won at the board
    GAMES = "games"  # number of games played; fewer is better
    ROUND = "round"  # the last round reached


TIE_BREAKS: Final[Mapping[TournamentFormat, Sequence[TieBreak]]] = {
    TournamentFormat.ROUND_ROBIN: (TieBreak.DIRECT, TieBreak.SONNEBORN_BERGER, TieBreak.WINS),
    TournamentFormat.SWISS: (TieBreak.BUCHHOLZ_CUT_1, TieBreak.BUCHHOLZ, TieBreak.SONNEBORN_BERGER),
    TournamentFormat.KNOCKOUT: (TieBreak.ROUND,),
    TournamentFormat.ARENA: (TieBreak.GAMES,),
    TournamentFormat.CHALLENGE: (TieBreak.WINS,),
}
"""The tie-breaks of each format, in order of precedence."""


@dataclass(frozen=True)
class Rank:
    """The standing of a participant."""

    rank: int  # the rank from 1; participants with equal points and tie-breaks share a rank
    number: int
    points: float
    breaks: tuple[float, ...]
    """The values of the tie-breaks of the format, in order; higher is better."""


_Scores: TypeAlias = Mapping[int, float]


def ranking(tournament: Tournament) -> list[Rank]:
    """Return the table of a tournament, from the first rank."""
    form = tournament.plan.format
    points: dict[int, float] = {
        participant.number: sum(arena.points(tournament, participant.number))
        if form is TournamentFormat.ARENA
        else tournament.score(participant.number)
        for participant in tournament.participants
    }
    keys = {
        number: (score, *(_value(name, tournament, points, number) for name in TIE_BREAKS[form]))
        for number, score in points.items()
    }
    if form is TournamentFormat.KNOCKOUT:  # the round reached counts before points
        keys = {number: (key[1], key[0]) for number, key in keys.items()}
    line = sorted(keys, key=lambda number: ([-value for value in keys[number]], number))
    table: list[Rank] = []
    for place, number in enumerate(line, start=1):
        shared = table and keys[number] == keys[table[-1].number]
        rank = table[-1].rank if shared else place
        breaks = keys[number][:1] if form is TournamentFormat.KNOCKOUT else keys[number][1:]
        table.append(Rank(rank, number, points[number], breaks))
    return table


def _value(name: TieBreak, tournament: Tournament, points: _Scores, number: int) -> float:
    games = [*tournament.of(number)]
    match name:
        case TieBreak.BUCHHOLZ_CUT_1:
            return sum(sorted(_opponents(tournament, points, number))[1:])
        case TieBreak.BUCHHOLZ:
            return sum(_opponents(tournament, points, number))
        case TieBreak.SONNEBORN_BERGER:
            met = [(game, game.opponent(number)) for game in games if game.played]
            return sum(game.score(number) * points[other or number] for game, other in met)
        case TieBreak.DIRECT:
            met = [(game, game.opponent(number)) for game in games]
            own = points[number]
            return sum(game.score(number) for game, other in met if other and points[other] == own)
        case TieBreak.WINS:
            return sum(game.played and game.score(number) == WIN for game in games)
        case TieBreak.GAMES:
            return -sum(not game.open for game in games)
        case TieBreak.ROUND:
            won = knockout.winner(tournament) == number  # one more round for the overall winner
            rounds = enumerate(knockout.bracket(tournament), start=1)
            come = [turn for turn, matches in rounds for match in matches if number in match]
            return max(come, default=0) + won


def _opponents(tournament: Tournament, points: _Scores, number: int) -> list[float]:
    """Return the points of each round's opponent; for an unplayed round, the participant's own."""
    met = {
        pairing.round: points[pairing.opponent(number) or number] if pairing.played else None
        for pairing in tournament.of(number)
        if not pairing.open
    }
    finished = {pairing.round for pairing in tournament.pairings if not pairing.open}
    values = (met.get(turn) for turn in sorted(finished))
    return [points[number] if value is None else value for value in values]
