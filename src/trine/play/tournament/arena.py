"""The arena: for a limited time, free participants are paired again at once.

A win is worth 2 points, a draw 1; after two wins in a row every further game counts twice, until
one is not won.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Final

from trine.play.tournament.pairing import WIN, Pairing
from trine.play.tournament.tournament import Tournament

STREAK = 2
"""The number of wins in a row after which games count twice."""
PAIRING_WINDOW: Final = 32
"""The number of places in the table within which opponents are sought. Guess."""
REMATCH_COST: Final = 3
"""The number of places that an opponent may be further away for each game with a nearer one. Guess.
"""


def points(tournament: Tournament, number: int) -> list[int]:
    """Return the points of each finished game of a participant, in order."""
    counted, row = [], 0
    for pairing in tournament.of(number):
        if pairing.open:
            continue
        score = pairing.score(number)
        counted.append(round(2 * score) * (2 if row >= STREAK else 1))
        row = row + 1 if score == WIN else 0
    return counted


def pair(
    tournament: Tournament, waiting: Collection[int], separated: Collection[frozenset[int]] = ()
) -> list[Pairing]:
    """Return the games of the waiting, as many as can be; ``apart`` never meet.

    A matching of all at once: those come first whose last game began longest ago; as few as
    possible meet the opponent of the game before; then neighbours in the table meet, and those who
    have met less often.

    Guarantee: where nobody is kept apart, nobody is left over while another plays twice.
    """
    from networkx import Graph, max_weight_matching  # a third of a second

    strength = {number: sum(points(tournament, number)) for number in waiting}
    line = sorted(waiting, key=lambda number: (-strength[number], number))
    games = {one: [*tournament.of(one)] for one in line}
    met = {one: Counter(game.opponent(one) for game in games[one]) for one in line}
    last = {one: games[one][-1] if games[one] else None for one in line}
    number = tournament.round + 1
    again = len(line) * (
        PAIRING_WINDOW + REMATCH_COST * number
    )  # more than all that follows it, in all games
    wait = len(line) * 2 * again
    graph = Graph()
    for place, one in enumerate(line):
        for distance, other in enumerate(line[place + 1 : place + 1 + PAIRING_WINDOW], 1):
            if frozenset((one, other)) in separated:
                continue
            before = [game for game in (last[one], last[other]) if game]
            rests = 2 * number - sum(game.round for game in before)
            repeats = any({one, other} == {*game.seats} for game in before)
            cost = distance + REMATCH_COST * met[one][other] + again * repeats
            graph.add_edge(one, other, weight=wait * rests - cost)
    found = map(sorted, max_weight_matching(graph, maxcardinality=True))
    return [Pairing(number, _seats(tournament, *two)) for two in sorted(found)]


def _seats(tournament: Tournament, one: int, other: int) -> tuple[int, int]:
    """Give the first turn to the one who has begun less often, or else did not begin last."""
    firsts = {
        number: [game.seats[0] == number for game in tournament.of(number)]
        for number in (one, other)
    }
    keys = {
        number: (2 * sum(begun) - len(begun), begun[-1:] == [True])
        for number, begun in firsts.items()
    }
    return (one, other) if keys[one] <= keys[other] else (other, one)
