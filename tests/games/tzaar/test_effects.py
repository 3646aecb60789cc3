"""The effects of a turn: compared with all that could be played next, and case by case."""

import random
import re
from collections import Counter
from collections.abc import Iterator

import pytest

from trine.games.tzaar.board import EMPTY, POINT_NAMES, POINTS, SIDE, WHITE, piece_name
from trine.games.tzaar.position import Position
from trine.games.tzaar.referee import Stage
from trine.games.tzaar.rules import CAPTURES, RULE_SETS, Action, Capture, Stacking, captures_of
from trine.games.tzaar.starts import start
from trine.games.tzaar.view.effects import effects
from trine.games.tzaar.view.insight import MAX_NAMED_CAPTURES


def random_turns(seed: int) -> Iterator[tuple[Position, list[Action], Position]]:
    rng = random.Random(seed)
    position = start("open", {"Setup": "random", "Seed": str(seed)})
    while True:
        before, actions = position, list[Action]()
        while position.mover == before.mover:
            actions.append(rng.choice(position.legal_actions()))
            position = position.play(actions[-1])
            if position.outcome():
                return
        yield before, actions, position


def test_what_is_told_of_new_stacks_holds_in_whole_plays() -> None:
    kinds = Counter[tuple[bool, bool]]()
    for seed in range(6):
        for before, actions, after in random_turns(seed):
            enemies = [point for point in POINTS if SIDE[after.tops[point]] == after.mover]
            tallest = max(after.heights[point] for point in enemies)
            sentences = [str(effect.text) for effect in effects(before, actions)]
            for action in actions:
                if isinstance(action, Stacking):
                    (built,) = [words for words in sentences if words.startswith("builds")]
                    height, top = after.heights[action.target], after.tops[action.target]
                    cell, piece = POINT_NAMES[action.target], piece_name(top)
                    assert f"builds a stack of {height} on {cell} with a {piece} on top" in built
                    in_reach = any(
                        isinstance(answer, Capture) and answer.target == action.target
                        for answer in after.legal_actions()
                    )
                    assert ("too tall" in built) == (tallest < height)
                    assert ("cannot take" in built) == (tallest >= height and not in_reach)
                    kinds[tallest < height, in_reach] += 1
    assert len(kinds) == 3  # a stack that is too tall is not in reach


def test_few_captures_are_told_with_their_number() -> None:
    told = 0
    for seed in range(6):
        for before, actions, after in random_turns(seed):
            sentences = [str(effect.text) for effect in effects(before, actions)]
            few = [words for words in sentences if " only " in words and " capture" in words]
            number = len(after.legal_actions())
            assert bool(few) == (number <= MAX_NAMED_CAPTURES and number < captures_before(before))
            assert not few or f" only {number} capture" in few[0]
            told += bool(few)
    assert told


def test_the_captures_that_a_turn_leaves_are_counted_for_both_sides() -> None:
    for before, actions, after in random_turns(7):
        own, others = (
            len(captures_of(after.tops, after.heights, side))
            for side in (before.mover, 1 - before.mover)
        )
        told = str(effects(before, actions)[-1].text)
        assert told.startswith("captures that it leaves: ")
        assert [int(number) for number in re.findall(r"\d+", told)] == [own, others]


def captures_before(before: Position) -> int:
    return len(captures_of(before.tops, before.heights, 1 - before.mover))


def test_stacks_that_are_taken_are_told_with_their_height() -> None:
    for before, actions, _ in random_turns(7):
        sentences = [str(effect.text) for effect in effects(before, actions)]
        position, heights = before, []
        for action in actions:
            if isinstance(action, Capture):
                heights.append(position.heights[action.target])
            position = position.play(action)
        stacks = sentences[0].removeprefix("takes ").split("; ")
        assert len(stacks) == len(heights)
        for stack, height in zip(stacks, heights, strict=True):
            assert stack.endswith(f", {height} high") == (height > 1)


@pytest.mark.parametrize(("number", "told_of"), [(2, True), (3, True), (4, False)])
def test_few_of_a_kind_are_told(number: int, told_of: bool) -> None:
    stacks = {"a1": "Z", "b1": "T", "c1": "Y", "i3": "z", "i4": "t"} | dict.fromkeys(
        ["a2", "h1", "h2", "h3"][:number], "y"
    )
    tops = "".join(stacks.get(name, EMPTY) for name in POINT_NAMES)
    heights = tuple(int(top != EMPTY) for top in tops)
    before = Position(RULE_SETS["open"], tops, heights, WHITE, Stage.ONE)
    capture = CAPTURES[POINT_NAMES.index("a1"), POINT_NAMES.index("a2")]
    sentences = [str(effect.text) for effect in effects(before, [capture])]
    assert sentences[0] == "takes the black Tzarra on a2"
    unit = "stack" if number == 2 else "stacks"
    words = f"leaves Black only {number - 1} {unit} with a Tzarra on top"
    assert (words in sentences) == told_of
