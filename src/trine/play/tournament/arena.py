"""The arena format: for a limited time, participants who are free are paired again at once.

A win is worth 2 points, a draw 1; after two wins in a row games count twice, until one is not won.
"""

from collections import Counter
from collections.abc import Collection
from typing import Final

from trine.play.tournament.tournament import WIN, Pairing, Tournament

STREAK_LENGTH = 2  # games count twice after this number of wins in a row
PAIRING_WINDOW: Final = 32  # the largest distance between opponents in the table, in places. Guess
REMATCH_COST: Final = 3
"""The cost of each earlier game of two opponents, as a distance in places. Guess."""


def points(tournament: Tournament, number: int) -> list[int]:
    """Return the points that a participant won in each finished game, in order."""
    counted, row = [], 0
    for pairing in tournament.of(number):
        if pairing.open:
            continue
        score = pairing.score(number)
        counted.append(round(2 * score) * (2 if row >= STREAK_LENGTH else 1))
        row = row + 1 if score == WIN else 0
    return counted


def pair(
    tournament: Tournament, waiting: Collection[int], separated: Collection[frozenset[int]] = ()
) -> list[Pairing]:
    """Pair as many of the ``waiting`` participants as possible; ``separated`` pairs never meet.

    A maximum weight matching. Participants whose last game began longest ago come first; then as
    few as possible meet their last opponent again; then near neighbours in the table are paired,
    and participants who have met less often.

    Guarantee: unless pairs are separated, no participant waits while another plays twice.
    """
    from networkx import Graph, max_weight_matching  # importing takes a third of a second

    strength = {number: sum(points(tournament, number)) for number in waiting}
    order = sorted(waiting, key=lambda number: (-strength[number], number))
    games = {first: [*tournament.of(first)] for first in order}
    meetings = {first: Counter(game.opponent(first) for game in games[first]) for first in order}
    last = {first: games[first][-1] if games[first] else None for first in order}
    number = tournament.round + 1
    repeat_weight = len(order) * (
        PAIRING_WINDOW + REMATCH_COST * number
    )  # outweighs all distances, and numbers of earlier games
    wait_weight = len(order) * 2 * repeat_weight
    graph = Graph()
    for place, first in enumerate(order):
        for distance, second in enumerate(order[place + 1 : place + 1 + PAIRING_WINDOW], 1):
            if frozenset((first, second)) in separated:
                continue
            before = [game for game in (last[first], last[second]) if game]
            rests = 2 * number - sum(game.round for game in before)
            repeats = any({first, second} == {*game.seats} for game in before)
            cost = distance + REMATCH_COST * meetings[first][second] + repeat_weight * repeats
            graph.add_edge(first, second, weight=wait_weight * rests - cost)
    matched = map(sorted, max_weight_matching(graph, maxcardinality=True))
    return [Pairing(number, _seats(tournament, *two)) for two in sorted(matched)]


def _seats(tournament: Tournament, first: int, second: int) -> tuple[int, int]:
    """Return the turn order: the player who began fewer games, or did not begin the last."""
    firsts = {
        number: [game.seats[0] == number for game in tournament.of(number)]
        for number in (first, second)
    }
    keys = {
        number: (2 * sum(begun) - len(begun), begun[-1:] == [True])
        for number, begun in firsts.items()
    }
    return (first, second) if keys[first] <= keys[second] else (second, first)
