"""The messages about the talk at a game."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from trine.core.text.sentence import Text
from trine.house.web.messages import Sent


class Said(msgspec.Struct):
    """A line of the talk."""

    n: int
    """Its number; a report names it."""
    room: str
    name: str
    own: bool
    """Whether the reader has said it."""
    words: Text


class Chat(Sent, tag="chat"):
    """New lines, or all of them."""

    lines: list[Said]
    whole: bool
    """Whether these are all lines; if not, they come behind the others."""
    rooms: Sequence[str]
    """Where the reader hears and speaks."""
    types: bool
    """Whether the reader may say more than the sentences to choose from."""
