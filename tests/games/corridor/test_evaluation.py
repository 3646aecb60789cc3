"""The evaluation counts what plain code counts, and is fair to all who play."""

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from conformance.vectors import Vector, vectors_of
from games.corridor.randomly import positions
from games.corridor.searched import is_searched
from trine.games.corridor.board import SIDES, SIDES_OF, UNCHOSEN, distance, opposite, side_set
from trine.games.corridor.compiled import KERNEL
from trine.games.corridor.diagrams import parse_position
from trine.games.corridor.heuristics import HEURISTICS
from trine.games.corridor.kernel import evaluation as kernel_evaluation
from trine.games.corridor.position import Position
from trine.games.corridor.rules import RULE_SETS, Wall, footprints, passages_beside

UNLIMITED_HAND = kernel_evaluation.UNLIMITED_HAND
TERMS = HEURISTICS.terms
NAMES = [term.name for term in TERMS]
Terms = dict[str, float]


each_vector = vectors_of("corridor*.jsonl", takes=is_searched)


def evaluated(position: Position, player: int) -> tuple[int, Terms]:
    """The points of a player, and the terms of the rule set, without those that are 0 anyway."""
    row = KERNEL.row_of(position)
    counts = np.full(len(TERMS), 99, np.float32)
    points = int(kernel_evaluation.evaluate(row, player, HEURISTICS.weights, counts))
    terms = dict(zip(NAMES, map(float, counts), strict=True))
    own = {
        name.split("_", 1)[-1] if prefix_of(name) else name: terms.pop(name)
        for name in NAMES
        if prefix_of(name) == kind_of(position)
    }
    assert not any(terms.values())
    return points, own


def prefix_of(name: str) -> str:
    """The part of a term's name that tells the kind of walls; empty for walls two squares long."""
    return next((kind for kind in ("short", "endless") if name.startswith(kind + "_")), "")


def kind_of(position: Position) -> str:
    if position.rules.wall_length == 2:
        return ""
    return "endless" if position.rules.great_wall else "short"


def levels_of(position: Position, player: int) -> list[set[int]]:
    """The squares where shortest ways lead after no step, one, two; empty if there is no way."""
    step = position.passages.step
    far = dict.fromkeys(position.goal_squares(player), 0)
    queue = list(far)
    for square in queue:
        for side in SIDES:
            other = step(square, side)
            if other >= 0 and other not in far:
                far[other] = far[square] + 1
                queue.append(other)
    pawn = position.pawns[player]
    if pawn not in far:
        return []
    levels = [{pawn}]
    while far[next(iter(levels[-1]))]:
        after = {step(square, side) for square in levels[-1] for side in SIDES} & set(far)
        left = far[next(iter(levels[-1]))] - 1
        levels.append({square for square in after if far[square] == left})
    return levels


def exits_between(position: Position, squares: set[int], aim: set[int]) -> int:
    """The fewest open sides out of what is reached from some squares, before the aim is."""
    fewest = 10**6
    while not squares & aim:
        sides = [position.passages.step(square, side) for square in squares for side in SIDES]
        beyond = [near for near in sides if near >= 0 and near not in squares]
        fewest = min(fewest, len(beyond))
        squares = squares | set(beyond)
    return fewest


def exits_of(position: Position, player: int) -> int:
    """The number of walls known to be enough to trap a player; one is found by trying them all."""
    places = footprints(position.size, 1).values()
    beside = [place for place in places if not position.footprint.overlaps(place)]
    start, goal = 1 << position.pawns[player], side_set(position.size, goal_of(position, player))
    for place in beside:
        passages = passages_beside(position.size, position.footprint.add(place))
        if distance(passages, start, goal) is None:
            return 1
    pawn, goals = {position.pawns[player]}, set(position.goal_squares(player))
    return max(2, min(exits_between(position, pawn, goals), exits_between(position, goals, pawn)))


def goal_of(position: Position, player: int) -> int:
    return opposite(SIDES_OF[position.players][player])


def hand(position: Position, player: int) -> int:
    in_hand = position.hands[player]
    return UNLIMITED_HAND if in_hand is None else in_hand


def hand_against(position: Position, player: int) -> int:
    return max(hand(position, other) for other in position.playing if other != player)


def counted(position: Position, player: int) -> Terms:
    size, own = position.size, hand(position, player)
    terms = {name.removeprefix("short_"): 0.0 for name in NAMES if prefix_of(name) == "short"}
    if position.hands[player] is not None:
        terms |= {"hand": own, "armed": own / (own + 2)}
    terms["tempo"] = player == position.mover
    terms |= raced(position, player)
    if position.pawns[player] == UNCHOSEN:
        return terms | {"steps": size - 1}
    side, pawn = SIDES_OF[position.players][player], position.pawns[player]
    place = pawn % size if side in (0, 2) else pawn // size
    terms["centre"] = abs(place - (size - 1) / 2)
    levels, against = levels_of(position, player), hand_against(position, player)
    if not levels:
        return terms | {"trapped": 1}
    steps, last = len(levels) - 1, len(levels[-1])
    thin = sum(1 / len(level) for level in levels[1:])
    terms |= {"steps": steps, "near": 1 / max(1, steps), "thin": thin}
    terms |= {"exposed": thin * against / (against + 2), "wide_end": (last - 1) / (last + 1)}
    terms["fork"] = steps > 0 and len(levels[1]) > 1
    if position.rules.wall_length == 1:
        exits = exits_of(position, player)
        terms |= {"exits": 1 / exits, "can_be_shut": against >= exits}
        terms["two_exits"] = exits == 2 and against >= 2
        if exits == 1 and against:
            terms["snared" if player == position.mover else "caught"] = 1
    return terms


def steps_for_race(position: Position, player: int) -> int:
    if position.pawns[player] == UNCHOSEN:
        return position.size - 1
    steps = position.distance(player)
    return 3 * position.size if steps is None else steps


def raced(position: Position, player: int) -> Terms:
    order = [(position.mover + turn) % position.players for turn in range(position.players)]
    order = [one for one in order if one in position.playing]
    arrivals = {one: steps_for_race(position, one) * len(order) + order.index(one) for one in order}
    own = arrivals.pop(player)
    lead = (min(arrivals.values()) - own) / len(order)
    ahead = lead / (1 + abs(lead))
    nearest = min(steps_for_race(position, one) for one in arrivals)
    return {
        "lead": ahead,
        "sure_lead": ahead / (1 + hand_against(position, player)),
        "hand_in_use": min(hand(position, player), nearest) / (1 + nearest),
    }


def counted_against_others(position: Position, player: int) -> Terms:
    own = counted(position, player)
    others = [counted(position, one) for one in position.playing if one != player]
    return {name: own[name] - sum(one[name] for one in others) / len(others) for name in own}


def large_position(seed: int) -> Position:
    dice = random.Random(seed)
    rules = RULE_SETS[sorted(RULE_SETS)[seed % 4]]
    position = Position.first(rules, 10 + seed % 2, rules.players[seed % len(rules.players)])
    for _ in range(dice.randrange(40)):
        actions = position.legal_actions()
        walls = [action for action in actions if isinstance(action, Wall)]
        if not actions:
            break
        position = position.play_unchecked(dice.choice(walls or actions))
    return position


def assert_counts_are_right(position: Position) -> None:
    for player in position.playing:
        _, terms = evaluated(position, player)
        right = counted_against_others(position, player)
        assert terms == pytest.approx({name: right[name] for name in terms}, abs=1e-4)


@given(positions())
def test_terms_are_what_plain_code_counts(position: Position) -> None:
    if position.outcome() is None:
        assert_counts_are_right(position)


@pytest.mark.parametrize("seed", range(8))
def test_terms_are_what_plain_code_counts_on_wide_boards(seed: int) -> None:
    position = large_position(seed)
    assert position.outcome() is None
    assert_counts_are_right(position)


@each_vector("result")
def test_terms_of_vectors_are_what_plain_code_counts(vector: Vector) -> None:
    if vector["result"] is None:
        assert_counts_are_right(parse_position(vector["position"]))


def turned_around(position: Position) -> Position:
    size, players = position.size, position.players
    last, half = size * size - 1, players // 2
    pawns = [last - pawn if pawn >= 0 else pawn for pawn in position.pawns]
    along, across = size - position.rules.wall_length, size - 2
    walls = [
        Wall(along - wall.file, across - wall.rank, "h")
        if wall.axis == "h"
        else Wall(across - wall.file, along - wall.rank, "v")
        for wall in position.walls
    ]
    return replace(
        position,
        pawns=tuple(pawns[half:] + pawns[:half]),
        hands=position.hands[half:] + position.hands[:half],
        walls=tuple(sorted(walls)),
        mover=(position.mover + half) % players,
    )


@given(positions())
def test_a_board_turned_around_is_judged_the_same(position: Position) -> None:
    if position.outcome() is None and position.players != 3:
        turned, half = turned_around(position), position.players // 2
        assert turned_around(turned) == position
        for player in position.playing:
            opposed = (player + half) % position.players
            (points, terms), (same, others) = (
                evaluated(position, player),
                evaluated(turned, opposed),
            )
            assert points == pytest.approx(same, abs=1)
            assert terms == pytest.approx(others, abs=1e-5)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        # Nearer the goal; more walls in hand; to move; not trapped.
        ("quoridor 9 2 e3,e8 - 8,8 1", "quoridor 9 2 e2,e8 - 8,8 1"),
        ("quoridor 9 2 e3,e7 - 8,7 1", "quoridor 9 2 e3,e7 - 7,8 1"),
        ("corridor 9 2 e3,e7 - 8,8 1", "corridor 9 2 e3,e7 - 8,8 2"),
        ("corridor 9 2 a3,e7 a3h 3,3 1", "corridor 9 2 a3,e7 a2h,a3h,a3v 3,3 1"),
        ("great-wall 9 3 e5,a4,e7 - *,*,* 1", "great-wall 9 3 e3,a4,e7 - *,*,* 1"),
    ],
)
def test_the_evaluation_knows_what_is_good(better: str, worse: str) -> None:
    first, second = (evaluated(parse_position(words), 0)[0] for words in (better, worse))
    assert first > second


def test_who_is_nearest_of_many_has_the_most_points() -> None:
    position = parse_position("great-wall 9 4 e7,b5,e8,h5 - *,*,*,* 3")
    points = [evaluated(position, player)[0] for player in range(4)]
    assert points.index(max(points)) == 0 and sum(points) == pytest.approx(0, abs=2)
