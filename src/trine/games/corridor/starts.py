"""Starts: the number of players and the size of the board."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from trine.core.doors import Options, StartOption
from trine.core.text import Text, text, verbatim
from trine.games.corridor.board import SIZES, USUAL_SIZE
from trine.games.corridor.diagrams import format_position, read_players, read_size
from trine.games.corridor.position import Position
from trine.games.corridor.rules import RULE_SETS

USUAL_PLAYERS: Final = 2


def _ask_players(rules: str, agreed: Options) -> tuple[Text, str] | None:
    allowed = RULE_SETS[rules].players
    if len(allowed) == 1:
        return None
    question = text("players: {choices}", choices=", ".join(map(str, allowed)))
    return question, str(USUAL_PLAYERS)


def _ask_size(rules: str, agreed: Options) -> tuple[Text, str] | None:
    question = text("size of the board: {least} to {most}", least=SIZES[0], most=SIZES[-1])
    return question, str(USUAL_SIZE)


def _numbers(numbers: Iterable[int], usual: int) -> Sequence[tuple[str, Text]]:
    """Numbers to choose from, the usual one first."""
    ordered = sorted(numbers, key=lambda number: (number != usual, number))
    return [(str(number), verbatim(str(number))) for number in ordered]


OPTIONS: Final = (
    StartOption(
        "Players",
        "NUMBER",
        text("Corridor: how many play; 2, 3 or 4 as the rule set allows."),
        _ask_players,
        lambda rules: _numbers(RULE_SETS[rules].players, USUAL_PLAYERS),
    ),
    StartOption(
        "Size",
        "NUMBER",
        text("Corridor: squares along a side of the board, 3 to 19."),
        _ask_size,
        lambda rules: _numbers(SIZES, USUAL_SIZE),
    ),
)


def start(rules: str, options: Options) -> Position:
    """Return the position in which a play begins.

    Raises:
        MalformedError: an option is not a number.
        IllegalError: the rule set does not allow this number of players, or this size.

    >>> format_position(start("great-wall", {"Players": "3", "Size": "5"}))
    'great-wall 5 3 ?,?,? - *,*,* 1'
    """
    size = read_size(options.get("Size", str(USUAL_SIZE)))
    players = read_players(RULE_SETS[rules], options.get("Players", str(USUAL_PLAYERS)))
    return Position.first(RULE_SETS[rules], size, players)


def settle(rules: str, options: Options) -> Options:
    """Return the options in their canonical form, without default values.

    >>> settle("quoridor", {"Players": "4", "Size": "9"})
    {'Players': '4'}
    """
    return start_tags(start(rules, options))


def start_tags(first: Position) -> dict[str, str]:
    """Return the tags of a record that begins here: options that are not defaults, or the position.

    >>> start_tags(start("quoridor", {}))
    {}
    """
    if first != Position.first(first.rules, first.size, first.players):
        return {"Start": format_position(first)}
    tags = {"Players": (first.players, USUAL_PLAYERS), "Size": (first.size, USUAL_SIZE)}
    return {tag: str(value) for tag, (value, usual) in tags.items() if value != usual}
