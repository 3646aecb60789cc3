"""The knock-out format: the winner of each match advances, the loser is out.

The stronger half of a bracket meets the weaker half, so that the top two can meet only in the
final; if the bracket is not full, the strongest have a bye in the first round. A tied match is
continued game by game with the seats swapped; if it is still tied after `MAX_EXTRA_GAMES`, the
participant with the lower number advances.
"""

from typing import Final, TypeAlias

from trine.play.tournament.tournament import Pairing, Tournament

MAX_EXTRA_GAMES: Final = 4  # maximum number of extra games of a tied match
UNDECIDED: Final = 0  # the placeholder for the winner of a match that is not decided yet
Side: TypeAlias = int | None
"""A participant of a match: a number, `UNDECIDED`, or None for an empty place."""


def seeds(size: int) -> list[int]:
    """Return the seeds of a bracket from top to bottom; neighbours meet in the first round.

    >>> seeds(8)
    [1, 8, 4, 5, 2, 7, 3, 6]
    """
    order = [1]
    while len(order) < size:
        total = 2 * len(order) + 1
        order = [number for seed in order for number in (seed, total - seed)]
    return order


def bracket(tournament: Tournament) -> list[list[tuple[Side, Side]]]:
    """Return the matches of each round, from top to bottom."""
    count = len(tournament.participants)
    size = 1 << (count - 1).bit_length()
    line: list[Side] = [number if number <= count else None for number in seeds(size)]
    rounds = []
    while len(line) > 1:
        matches = list(zip(line[::2], line[1::2], strict=True))
        rounds.append(matches)
        line = [_winner(tournament, *match) for match in matches]
    return rounds


def winner(tournament: Tournament) -> int:
    return _winner(tournament, *bracket(tournament)[-1][0]) or UNDECIDED


def pair(tournament: Tournament) -> list[Pairing]:
    """Return the games that can begin now; a match need not wait for others of its round."""
    pairings = []
    for number, matches in enumerate(bracket(tournament), start=1):
        for first, second in matches:
            if not first or not second or _winner(tournament, first, second):
                continue
            games = tournament.between(first, second)
            if not any(game.open for game in games):
                seats = (first, second) if len(games) % 2 == 0 else (second, first)
                pairings.append(Pairing(number, seats))
    return pairings


def over(tournament: Tournament) -> bool:
    return winner(tournament) != UNDECIDED


def _winner(tournament: Tournament, first: Side, second: Side) -> Side:
    if first is None or second is None:
        return second if first is None else first
    if UNDECIDED in (first, second):
        return UNDECIDED
    games = tournament.between(first, second)
    if any(game.open for game in games):
        return UNDECIDED
    lead = sum(game.score(first) - game.score(second) for game in games)
    missing = tournament.plan.games - len(games)
    if abs(lead) > max(missing, 0):
        return first if lead > 0 else second
    first_withdrew, second_withdrew = (
        tournament.participant(number).withdrawn for number in (first, second)
    )
    if first_withdrew or second_withdrew:
        return second if first_withdrew and not second_withdrew else first
    return min(first, second) if missing <= -MAX_EXTRA_GAMES else UNDECIDED
