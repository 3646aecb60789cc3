"""The questions of the page of a puzzle, and the answers."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from trine.core.scene.scene import View
from trine.core.text.sentence import Text
from trine.house.lessons.messages import LessonState


class PuzzleState(LessonState):
    """The state of an attempt at a puzzle."""

    rated: Text | None = None
    """The change of the person's rating by the try, if it counts."""


class Solution(msgspec.Struct):
    """The solution of a puzzle and what is expected to follow."""

    views: Sequence[View]
    """The board at the beginning and after each turn."""
    told: Text
