"""Choices and keys, with rooms that no game needs: ties, and pieces that come after others went."""

from types import SimpleNamespace
from typing import Any

import pytest

from scenes import next_picks
from trine.core.contract.choices import choices
from trine.core.scene.composing import FIRST_KEYS, Keys, carry_keys
from trine.core.scene.scene import plain

PATHS = {"north": ("a1", "a2"), "jump": ("a1", "a2"), "east": ("a1", "b1"), "stop": ("#stop",)}


def room(**doors: Any) -> Any:
    return SimpleNamespace(view=SimpleNamespace(**doors))


def test_actions_with_the_same_picks_have_a_label_each() -> None:
    there = room(picks=lambda position, action: PATHS[action], falls=lambda position, action: None)
    ways = choices(there, None, PATHS)  # type: ignore[arg-type]
    assert [plain(way) for way in ways] == [
        {"id": "north", "picks": ["a1", "a2"], "label": "north"},
        {"id": "jump", "picks": ["a1", "a2"], "label": "jump"},
        {"id": "east", "picks": ["a1", "b1"]},
        {"id": "stop", "picks": ["#stop"]},
    ]
    assert next_picks(ways) == ("a1", "#stop")
    assert next_picks(ways, ["a1"]) == ("a2", "b1")
    assert next_picks(ways, ["a1", "a2"]) == next_picks(ways, ["z9"]) == ()


@pytest.mark.parametrize(
    ("keys", "movements", "after"),
    [
        (FIRST_KEYS, [("a1", "a2")], {"a2": "a1"}),
        ({"a2": "a1"}, [("a2", "a1")], {}),
        ({"a2": "a1"}, [("a2", "")], {}),
        ({"a2": "a1"}, [("b1", "a1")], {"a2": "a1", "a1": "b1"}),
        ({"a2": "a1"}, [("", "b1")], {"a2": "a1"}),
        ({"a2": "a1"}, [("", "a1")], {"a2": "a1", "a1": "a1'"}),
        ({"a2": "a1", "a3": "a1'"}, [("", "a1")], {"a2": "a1", "a3": "a1'", "a1": "a1''"}),
        ({"a2": "a1"}, [("a2", ""), ("b2", "a2")], {"a2": "b2"}),
    ],
)
def test_keys_go_with_what_moves(
    keys: Keys, movements: list[tuple[str, str]], after: dict[str, str]
) -> None:
    moving = room(movements=lambda position, action: movements)
    assert carry_keys(moving, None, None, keys) == after  # type: ignore[arg-type]
