"""Starts: the number of players, the size of the board, and the walls of each player."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from trine.core.contract.position import Options
from trine.core.contract.room import StartOption
from trine.core.errors import IllegalError, MalformedError
from trine.core.text.sentence import Text, quoted, text, verbatim
from trine.games.corridor import diagrams
from trine.games.corridor.board import MAX_WALLS, SIZES, USUAL_SIZE
from trine.games.corridor.position import Position
from trine.games.corridor.rules import RULE_SETS, RuleSet

USUAL_PLAYERS: Final = 2
DRAWN: Final = ("usual", "caught")  # the values of the tag ``Drawn``, the default first
REPETITION: Final = ("draws", "free")
"""The values of the tag ``Repetition``, the default first. No source has a rule for it."""


def _ask_players(rules: str, agreed: Options) -> tuple[Text, str] | None:
    allowed = ", ".join(map(str, RULE_SETS[rules].players))
    return text("players: {choices}", choices=allowed), str(USUAL_PLAYERS)


def _ask_size(rules: str, agreed: Options) -> tuple[Text, str] | None:
    question = text("size of the board: {least} to {most}", least=SIZES[0], most=SIZES[-1])
    return question, str(USUAL_SIZE)


def _numbers(numbers: Iterable[int], usual: int) -> Sequence[tuple[str, Text]]:
    """Return numbers as choices, the usual number first."""
    ordered = sorted(numbers, key=lambda number: (number != usual, number))
    return [(str(number), verbatim(str(number))) for number in ordered]


def _walls(rules: str) -> Sequence[tuple[str, Text]] | None:
    """Return no choices if walls are unlimited; else None: there are too many values to list."""
    return () if RULE_SETS[rules].walls_each(USUAL_SIZE, USUAL_PLAYERS) is None else None


_DRAWN: Final = (
    text("all pawns caught, the third repetition, or agreement"),
    text("only when all pawns are caught"),
)
_REPETITION: Final = text("the third repetition is a draw"), text("repetition ends nothing")


def _where(
    walls_may_trap: bool, values: tuple[str, str], texts: tuple[Text, Text]
) -> Callable[[str], Sequence[tuple[str, Text]]]:
    """Return choices for rule sets where walls may, or may not, trap; no choices for the others."""
    choices = tuple(zip(values, texts, strict=True))
    return lambda rules: choices if RULE_SETS[rules].walls_may_trap is walls_may_trap else ()


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
        text("Corridor: the walls of all, such as 7, or 7,10 for each player in turn order."),
        text("Other walls, such as 7 for all, or 7,10 as a handicap"),
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
        choices=_where(True, DRAWN, _DRAWN),
        vary=lambda position, given: _vary(position, given, DRAWN),
    ),
    StartOption(
        "Repetition",
        "draws|free",
        text("Quoridor: whether the third repetition of a position is a draw, or ends nothing."),
        text("Repetition"),
        choices=_where(False, REPETITION, _REPETITION),
        vary=lambda position, given: _vary(position, given, REPETITION),
    ),
)


def start(rules: str, options: Options) -> Position:
    """Return the start position for a rule set and options.

    Raises:
        MalformedError: an option is not a number, or not an allowed word.
        IllegalError: the rule set does not allow this number of players, or there is no such board
            or number of walls.
    """
    size = diagrams.read_size(options.get("Size", str(USUAL_SIZE)))
    own = RULE_SETS[rules]
    for tag, known in (("Drawn", DRAWN), ("Repetition", REPETITION)):
        own = _with_draws(own, options.get(tag, known[0]), known)
    players = diagrams.read_players(own, options.get("Players", str(USUAL_PLAYERS)))
    first = Position.first(own, size, players)
    return _with_walls(first, options["Walls"]) if "Walls" in options else first


def _with_draws(rules: RuleSet, given: str, known: tuple[str, str]) -> RuleSet:
    """Return a rule set with a value of the tag ``Drawn`` or ``Repetition``."""
    if given not in known:
        raise MalformedError(
            "{given} is not one of {known}", given=quoted(given), known=", ".join(known)
        )
    return rules if given == known[0] else diagrams.endless(rules, given)


def _vary(position: Position, given: str, known: tuple[str, str]) -> Position:
    return replace(position, rules=_with_draws(position.rules, given, known))


def _with_walls(first: Position, given: str) -> Position:
    """Return a start with other numbers of walls than the rules give."""
    if first.hands[0] is None:
        raise IllegalError("in {rules} walls are not counted", rules=first.rules.name)
    hands = diagrams.read_hands(given if "," in given else ",".join([given] * first.players), first)
    if max(hands) > MAX_WALLS:
        raise IllegalError(
            "{given} walls in hand; {most} at most", given=max(hands), most=MAX_WALLS
        )
    return replace(first, hands=hands)


def settle(rules: str, options: Options) -> Options:
    return start_tags(start(rules, options))


def start_tags(first: Position) -> dict[str, str]:
    usual = Position.first(first.rules, first.size, first.players)
    if first != replace(usual, hands=first.hands):
        return {"Start": diagrams.format_position(first)}
    hands = [str(hand) for hand in first.hands]
    numbers = (("Players", first.players, USUAL_PLAYERS), ("Size", first.size, USUAL_SIZE))
    tags = {tag: str(value) for tag, value, ordinary in numbers if value != ordinary}
    if first.hands != usual.hands:
        tags["Walls"] = hands[0] if len(set(hands)) == 1 else ",".join(hands)
    if first.rules.repetition_allowed:
        mark = diagrams.MARKS[first.rules.name]
        tags["Drawn" if mark in DRAWN else "Repetition"] = mark
    return tags
