"""The only start of a play: the empty board."""

from __future__ import annotations

from trine.core.contract import Options
from trine_games.three.diagrams import format_position
from trine_games.three.position import Position


def start(rules: str, options: Options) -> Position:
    """The empty board."""
    return Position()


def settle(rules: str, options: Options) -> Options:
    """There is nothing to agree on."""
    return {}


def start_tags(first: Position) -> dict[str, str]:
    """The tags of a record that begins here."""
    return {} if first == Position() else {"Start": format_position(first)}
