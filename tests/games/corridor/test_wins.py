"""Foreseen ends of races hold against every defence, found by trying all there is."""

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from math import ceil

import pytest

from conformance.vectors import Vector, vectors_of
from games.corridor.randomly import random_turn
from games.corridor.searched import is_searched
from trine.games.corridor.board import LEFT, SIDES_OF, opposite, side_set
from trine.games.corridor.compiled import KERNEL
from trine.games.corridor.diagrams import parse_position
from trine.games.corridor.kernel.wins import detect_win
from trine.games.corridor.position import Position
from trine.games.corridor.rules import RULE_SETS, Action, Wall, pawn_targets

WITH_HANDS = [rules for rules in RULE_SETS if rules != "great-wall"]
State = tuple[tuple[int, ...], int]
"""The squares of the pawns, and who is to move."""


each_vector = vectors_of("corridor*.jsonl", takes=is_searched)


def foreseen(position: Position) -> int:
    row = KERNEL.row_of(position)
    before = row.copy()
    found = int(detect_win(row))
    assert (row == before).all()
    return found


def without_hands(rules: str, size: int, players: int, seed: int) -> Position:
    """A position of a random play, on from which nobody has walls in hand."""
    dice = random.Random(f"{rules} {size} {seed}")
    position = Position.first(RULE_SETS[rules], size, players)
    for _ in range(dice.randrange(2, 8 + 2 * size)):
        after = random_turn(position, dice)
        if after is None or after.outcome():
            break
        position = after
    while position.in_setup:
        position = position.play_unchecked(dice.choice(position.legal_actions()))
    if players > 2 and dice.random() < 0.7:
        position = position.without_mover()
    pawns = list(position.pawns)
    goals = {square for player in range(players) for square in position.goal_squares(player)}
    for player in position.playing:  # anywhere, so that races of all kinds come up
        free = [square for square in range(size * size) if square not in pawns]
        inside = [square for square in free if square not in goals]
        pawns[player] = dice.choice(inside or [pawns[player]])
    position = replace(position, pawns=tuple(pawns), hands=(0,) * players)
    if not RULE_SETS[rules].walls_may_trap and None in map(position.distance, position.playing):
        return without_hands(rules, size, players, seed + 1000)  # pawns were put behind walls
    return position


def races(rules: str, sizes: range, count: int) -> Iterator[Position]:
    players = RULE_SETS[rules].players
    for seed in range(count):
        size = sizes[seed % len(sizes)]
        most = players[-1] if size == 3 else 2
        position = without_hands(rules, size, players[0] if seed % 3 else most, seed)
        if position.outcome() is None:
            yield position


def successors(position: Position, state: State) -> list[State]:
    pawns, mover = state
    jumps, passages = position.rules.jumps_aside, position.passages
    after = (mover + 1) % len(pawns)
    while pawns[after] == LEFT:
        after = (after + 1) % len(pawns)
    targets = pawn_targets(jumps, passages, pawns, pawns[mover])
    return [
        ((*pawns[:mover], target, *pawns[mover + 1 :]), after)
        for target in targets or [pawns[mover]]  # who cannot move passes
    ]


def surely_wins_in(position: Position, player: int) -> int | None:
    """With how many actions a player wins a race against every defence; None if not surely.

    By retrograde analysis of all placings of the pawns that can come up.
    """
    start: State = (position.pawns, position.mover)
    goals = [
        sum(1 << square for square in position.goal_squares(one)) for one in range(len(start[0]))
    ]
    before: dict[State, list[State]] = defaultdict(list)
    left: dict[State, int] = {}
    won: dict[State, int] = {}
    todo = [start]
    while todo:
        state = todo.pop()
        if state in left:
            continue
        at_goal = [one for one, pawn in enumerate(state[0]) if pawn >= 0 and goals[one] >> pawn & 1]
        if at_goal:
            left[state] = 0
            if at_goal == [player]:
                won[state] = 0
            continue
        after = successors(position, state)
        left[state] = len(after) if state[1] != player else 1
        for other in after:
            before[other].append(state)
        todo += after
    wave, actions = list(won), 0
    while wave:
        actions += 1
        reached = []
        for state in wave:
            for earlier in before[state]:
                left[earlier] -= 1
                if left[earlier] == 0:  # once: the player chooses one, the others have no other
                    won[earlier] = actions
                    reached.append(earlier)
        wave = reached
    return won.get(start)


def assert_sound(position: Position) -> int:
    """Check that the foreseen number of actions holds; return it."""
    actions = foreseen(position)
    if actions > 0:
        exact = surely_wins_in(position, position.mover)
        assert exact is not None and exact <= actions, position
    elif actions < 0:
        others = [player for player in position.playing if player != position.mover]
        wins = [surely_wins_in(position, player) for player in others]
        assert any(win is not None and win <= -actions for win in wins), position
    return actions


@pytest.mark.parametrize("rules", WITH_HANDS)
def test_races_that_are_foreseen_are_decided(rules: str) -> None:
    told = Counter(
        (actions > 0) - (actions < 0)
        for actions in map(assert_sound, races(rules, range(3, 7), 50))
    )
    assert told[1] > 4 and told[-1] > 4


@pytest.mark.parametrize("rules", WITH_HANDS)
def test_races_on_large_boards_that_are_foreseen_are_decided(rules: str) -> None:
    told = [assert_sound(position) for position in races(rules, range(9, 11), 2)]
    assert sum(actions != 0 for actions in told) >= 1


def test_most_decided_races_are_foreseen() -> None:
    decided = known = 0
    for position in races("quoridor", range(5, 7), 20):
        wins = [surely_wins_in(position, player) for player in position.playing]
        decided += any(win is not None for win in wins)
        known += foreseen(position) != 0
    assert known > 0.6 * decided > 6


def runs_free(position: Position, runner: int, pace: int) -> bool:
    """Whether the runner has a shortest way on which nobody can be met, told step by step."""
    spread, goal = position.passages.spread, side_set(position.size, goal_side(position, runner))
    rings = [goal]
    while not rings[-1] >> position.pawns[runner] & 1:
        rings.append(spread(rings[-1]))
    here = 1 << position.pawns[runner]
    there = sum(1 << position.pawns[one] for one in position.playing if one != runner)
    waits = runner != position.mover
    for ring in reversed(rings[:-1]):
        if waits:
            here &= ~spread(there)
            for _ in range(pace):
                there = spread(there)
        waits = True
        here = spread(here) & ring & ~there
    return here != 0


def goal_side(position: Position, player: int) -> int:
    return opposite(SIDES_OF[position.players][player])


def told_by_counting(position: Position) -> int:
    """The same as `detect_win` without wins at once, for positions without walls in hand."""
    players = [(position.mover + turn) % position.players for turn in range(position.players)]
    players = [player for player in players if player in position.playing]

    def arrival(player: int, pace: int) -> float:
        steps = position.distance(player)
        if steps is None:
            return float("inf")
        return (ceil(steps / pace) - 1) * len(players) + players.index(player) + 1

    pace = 1 if len(players) == 2 else 2
    for runner in sorted(players):
        own = arrival(runner, 1)
        others = [arrival(player, pace) for player in players if player != runner]
        if own < min(others) and runs_free(position, runner, pace):
            return int(own) if runner == position.mover else -int(own)
    return 0


@pytest.mark.parametrize("rules", WITH_HANDS)
@pytest.mark.parametrize("size", [4, 9, 11])
def test_races_are_counted_as_obvious_code_counts_them(rules: str, size: int) -> None:
    told = Counter[bool]()
    for position in races(rules, range(size, size + 1), 24):
        if not any(_wins(position, action) for action in position.legal_actions()):
            assert foreseen(position) == told_by_counting(position)
            told[foreseen(position) != 0] += 1
    assert told[True] > 1 and told[False]


def wins_within(position: Position, player: int, actions: int) -> bool:
    @cache
    def wins(here: Position, left: int) -> bool:
        outcome = here.outcome()
        if outcome or left == 0:
            return outcome is not None and outcome.winner == player
        after = (wins(here.play_unchecked(action), left - 1) for action in here.legal_actions())
        return any(after) if here.mover == player else all(after)

    return wins(position, actions)


def test_walls_in_the_hand_of_the_runner_do_not_matter() -> None:
    checked = 0
    for rules in WITH_HANDS:
        for seed in range(32):
            position = without_hands(rules, 3 + seed % 2, 2, seed)
            armed = replace(position, hands=(1, 0) if seed % 4 < 2 else (0, 1))
            actions = foreseen(armed) if armed.outcome() is None else 0
            if 0 < abs(actions) <= 4:
                winner = armed.mover if actions > 0 else 1 - armed.mover
                assert wins_within(armed, winner, abs(actions))
                checked += 1
    assert checked > 15


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("size", [4, 9, 11])
def test_a_win_at_once_is_always_foreseen_and_never_wrongly(rules: str, size: int) -> None:
    told = Counter[bool]()
    players = RULE_SETS[rules].players
    for seed in range(6):
        dice = random.Random(seed)
        position = Position.first(RULE_SETS[rules], size, players[seed % len(players)])
        while actions := position.legal_actions():
            moves = [action for action in actions if not isinstance(action, Wall)]
            at_once = not position.in_setup and any(_wins(position, move) for move in moves)
            assert (foreseen(position) == 1) == at_once, position
            told[at_once] += 1
            moves.sort(key=lambda move: _steps_after(position, move))
            wishes = moves[: dice.randrange(1, 3)] if dice.random() < 0.7 else actions
            position = position.play_unchecked(dice.choice(wishes))
    assert told[True] > 4 and told[False] > 25


def _wins(position: Position, action: Action) -> bool:
    outcome = position.play_unchecked(action).outcome()
    return outcome is not None and outcome.winner == position.mover


def _steps_after(position: Position, action: Action) -> int:
    steps = position.play_unchecked(action).distance(position.mover)
    return 99 if steps is None else steps


@pytest.mark.parametrize(
    ("words", "actions"),
    [
        # Who is to move wins at equal distance, once the pawns have passed each other.
        ("quoridor 9 2 e6,e4 - 0,0 1", 5),
        ("quoridor 9 2 e6,e4 - 0,0 2", 5),
        ("quoridor 9 2 e7,e3 - 0,0 1", 3),
        ("quoridor 9 2 e6,e3 - 0,0 1", -4),
        # One step in hand.
        ("corridor 9 2 a8,i3 - 0,0 1", 1),
        ("corridor 9 2 a7,i3 - 0,0 2", 3),
        ("corridor 9 2 a7,i4 - 0,0 2", -4),
        # Walls in the loser's hand can change everything, those of the winner nothing.
        ("quoridor 9 2 e6,e3 - 1,0 1", 0),
        ("quoridor 9 2 e6,e3 - 0,1 1", -4),
        ("quoridor 9 2 e7,e3 - 1,0 1", 3),
        # Pawns face each other: that takes a search.
        ("quoridor 9 2 e4,e6 - 0,0 1", 0),
        ("quoridor 9 2 e4,e5 - 0,0 1", 0),
        # Who has no way loses to who has one.
        ("corridor 9 2 a1,h8 a1h,a1v 0,0 1", -14),
        # Three and four: the others may gain steps by jumping over one another.
        ("quoridor 9 4 e7,b2,h8,h2 - 0,0,0,0 1", 5),
        ("quoridor 9 4 e7,-,h3,- - 0,0,0,0 3", 3),
        # Hands without limit: nothing but a win at once, here by a jump.
        ("great-wall 9 2 e7,e8 - *,* 1", 1),
        ("great-wall 9 2 e7,f3 - *,* 1", 0),
    ],
)
def test_races_counted_by_hand(words: str, actions: int) -> None:
    assert foreseen(parse_position(words)) == actions


@each_vector("result")
def test_vectors_that_go_on_are_foreseen_soundly(vector: Vector) -> None:
    position = parse_position(vector["position"])
    if vector["result"] is None and not position.in_setup:
        at_once = any(_wins(position, action) for action in position.legal_actions())
        assert (foreseen(position) == 1) == at_once
