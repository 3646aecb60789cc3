"""What a refusal claims, for tests that check it."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from trine.core.contract.position import Action, History
from trine.core.text.sentence import Text


@dataclass(frozen=True)
class Refused:
    """Something that a player was refused: an action, or what was pointed at, and the sentence."""

    position: Any
    history: History
    first: str
    """The piece or cell that it begins with."""
    last: str
    """The cell that it leads to; equal to the first for one pick."""
    sentence: Text
    action: Action | None = None

    def __getitem__(self, blank: str) -> str:
        return str(self.sentence.values[blank])

    def cells(self, blank: str) -> list[str]:
        """The cells in a blank of the sentence, in their order."""
        return re.findall(r"\b[a-i][1-9]\b", self[blank])


Claims: TypeAlias = Mapping[str, Callable[[Refused], object]]
"""By template of a sentence: whether what it says is true."""
