"""Starts: the number of players, the size of the board, and the walls of each player."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from trine.core.contract import Options, StartOption
from trine.core.errors import IllegalError, MalformedError
from trine.core.text.sentence import Text, text, verbatim
from trine.core.text.words import quoted
from trine.games.corridor.board import SIZES, USUAL_SIZE
from trine.games.corridor.diagrams import (
    caught_only,
    format_position,
    read_hands,
    read_players,
    read_size,
)
from trine.games.corridor.position import Position
from trine.games.corridor.rules import CAUGHT_ONLY, RULE_SETS

USUAL_PLAYERS: Final = 2
DRAWN: Final = ("usual", "caught")
"""The answers to when a game is drawn, the default first."""


def _ask_players(rules: str, agreed: Options) -> tuple[Text, str] | None:
    allowed = ", ".join(map(str, RULE_SETS[rules].players))
    question = text("players: {choices}", choices=allowed)
    return question, str(USUAL_PLAYERS)


def _ask_size(rules: str, agreed: Options) -> tuple[Text, str] | None:
    question = text("size of the board: {least} to {most}", least=SIZES[0], most=SIZES[-1])
    return question, str(USUAL_SIZE)


def _numbers(numbers: Iterable[int], usual: int) -> Sequence[tuple[str, Text]]:
    """Numbers to choose from, the usual one first."""
    ordered = sorted(numbers, key=lambda number: (number != usual, number))
    return [(str(number), verbatim(str(number))) for number in ordered]


def _walls(rules: str) -> Sequence[tuple[str, Text]] | None:
    """Nothing to choose where walls are not counted; too much to name it elsewhere."""
    return () if RULE_SETS[rules].walls_each(USUAL_SIZE, USUAL_PLAYERS) is None else None


def _drawn(rules: str) -> Sequence[tuple[str, Text]]:
    if rules not in CAUGHT_ONLY:
        return ()
    told = (
        text("all pawns caught, the third repetition, or agreement"),
        text("only when all pawns are caught"),
    )
    return tuple(zip(DRAWN, told, strict=True))


OPTIONS: Final = (
    StartOption(
        "Players",
        "NUMBER",
        text("Corridor: how many play; 2, 3 or 4 as the rule set allows."),
        text("Players"),
        _ask_players,
        lambda rules: _numbers(RULE_SETS[rules].players, USUAL_PLAYERS),
        pictured=True,
    ),
    StartOption(
        "Size",
        "NUMBER",
        text("Corridor: squares along a side of the board, 3 to 19."),
        text("Size of the board"),
        _ask_size,
        lambda rules: _numbers(SIZES, USUAL_SIZE),
    ),
    StartOption(
        "Walls",
        "NUMBERS",
        text("Corridor: fewer walls than usual, such as 7, or 7,10 for each player in turn order."),
        text("Fewer walls, such as 7 for all, or 7,10 as a handicap"),
        choices=_walls,
    ),
    StartOption(
        "Drawn",
        "caught",
        text(
            "Corridor: caught if a game is drawn only when all pawns are caught, neither by "
            "repetition nor by agreement."
        ),
        text("Draws"),
        choices=_drawn,
    ),
)


def start(rules: str, options: Options) -> Position:
    """Return the position in which a play begins.

    >>> format_position(start("great-wall", {"Players": "3", "Size": "5"}))
    'great-wall 5 3 ?,?,? - *,*,* 1'
    >>> format_position(start("quoridor", {"Walls": "7,10"}))
    'quoridor 9 2 e1,e9 - 7,10 1'
    """
    size = read_size(options.get("Size", str(USUAL_SIZE)))
    own, drawn = RULE_SETS[rules], options.get("Drawn", DRAWN[0])
    if drawn not in DRAWN:
        raise MalformedError(
            "{given} is not one of {known}", given=quoted(drawn), known=", ".join(DRAWN)
        )
    if drawn != DRAWN[0]:
        own = caught_only(own)
    players = read_players(own, options.get("Players", str(USUAL_PLAYERS)))
    first = Position.first(own, size, players)
    return _with_walls(first, options["Walls"]) if "Walls" in options else first


def _with_walls(first: Position, given: str) -> Position:
    """A start with fewer walls than the rules give."""
    each = first.hands[0]
    if each is None:
        raise IllegalError("in {rules} walls are not counted", rules=first.rules.name)
    hands = read_hands(given if "," in given else ",".join([given] * first.players), first)
    if max(hands) > each:
        raise IllegalError(
            "{given} walls in hand; everyone has {each} at the start", given=max(hands), each=each
        )
    return replace(first, hands=hands)


def settle(rules: str, options: Options) -> Options:
    """Return the options in their canonical form, without default values.

    >>> settle("quoridor", {"Players": "4", "Size": "9"})
    {'Players': '4'}
    >>> settle("great-wall", {"Drawn": "caught", "Size": "9"})
    {'Drawn': 'caught'}
    """
    return start_tags(start(rules, options))


def start_tags(first: Position) -> dict[str, str]:
    """Return the tags of a record that begins here: options that are not defaults, or the position.

    >>> start_tags(start("quoridor", {}))
    {}
    """
    usual = Position.first(first.rules, first.size, first.players)
    if first != replace(usual, hands=first.hands):
        return {"Start": format_position(first)}
    hands = [str(hand) for hand in first.hands]
    numbers = (("Players", first.players, USUAL_PLAYERS), ("Size", first.size, USUAL_SIZE))
    tags = {tag: str(value) for tag, value, ordinary in numbers if value != ordinary}
    if first.hands != usual.hands:
        tags["Walls"] = hands[0] if len(set(hands)) == 1 else ",".join(hands)
    if first.rules in CAUGHT_ONLY.values():
        tags["Drawn"] = DRAWN[1]
    return tags
