"""The two rule sets of TZAAR, the actions, and the laws of the board.

Every law is one small function on a board: the piece on top of each stack (`tops`) and the height
of each. The side to move, the contents of a turn and the result belong to the referee
(`trine.games.tzaar.referee`).

Sources, cited by name in this package: *official*, the rule book in force today
(gipf.com/tzaar/rules/rules.html); *Russian*, the document that `open` follows.
``docs/reference/tzaar.md`` says where they are silent and how we read them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from trine.core.contract import position as contract
from trine.core.text.sentence import ctext, text
from trine.games.tzaar.board import EMPTY, KINDS, LINES_FROM, PIECES, POINT_NAMES, POINTS, SIDE

Heights = tuple[int, ...]  # the height of the stack on each point; 0 for an empty point


@dataclass(frozen=True, eq=False, kw_only=True)
class RuleSet(contract.RuleSet):
    """A rule set of TZAAR. Every turn takes a stack off the board, so that nothing repeats."""

    first_turn_single: bool
    """Whether White's very first turn is one capture only. Source: official; Russian knows no
    exception, "Ход состоит из двух полуходов"."""
    draws: bool = False  # whether a play can be drawn: never


RULE_SETS: Final[Mapping[str, RuleSet]] = {
    rules.name: rules
    for rules in (
        RuleSet(
            name="official",
            source=ctext("source", "the rule book in force today (gipf.com)"),
            differs=text("the game as it is played today: White begins with a turn of one capture"),
            first_turn_single=True,
        ),
        RuleSet(
            name="open",
            source=ctext("source", "the Russian document"),
            differs=text("White begins with a turn of two actions, like all others"),
            first_turn_single=False,
        ),
    )
}
OFFICIAL: Final = RULE_SETS["official"]


@dataclass(frozen=True, slots=True)
class Capture:
    """A capture: a stack goes along a line onto an enemy stack, and removes it as a whole.

    >>> str(CAPTURES[0, 1])
    'a1xa2'
    """

    origin: int
    target: int

    def __str__(self) -> str:
        return f"{POINT_NAMES[self.origin]}x{POINT_NAMES[self.target]}"


@dataclass(frozen=True, slots=True)
class Stacking:
    """A stacking: a stack goes along a line onto a stack of its own side; the two become one.

    >>> str(STACKINGS[0, 1])
    'a1+a2'
    """

    origin: int
    target: int

    def __str__(self) -> str:
        return f"{POINT_NAMES[self.origin]}+{POINT_NAMES[self.target]}"


@dataclass(frozen=True, slots=True)
class Pass:
    """A pass: the player does without a second action."""

    def __str__(self) -> str:
        return "-"


PASS: Final = Pass()


@dataclass(frozen=True, slots=True)
class Placement:
    """The placement of one piece on an empty point, while the board is being filled.

    >>> str(Placement("Z", 2))
    'Za3'
    """

    kind: str  # ``T``, ``Y`` or ``Z``, in capitals for both sides
    point: int

    def __str__(self) -> str:
        return f"{self.kind}{POINT_NAMES[self.point]}"


Action = Capture | Stacking | Pass | Placement

_ON_A_LINE = tuple(
    (origin, target) for origin in POINTS for line in LINES_FROM[origin] for target in line
)
CAPTURES: Final[Mapping[tuple[int, int], Capture]] = {pair: Capture(*pair) for pair in _ON_A_LINE}
STACKINGS: Final[Mapping[tuple[int, int], Stacking]] = {
    pair: Stacking(*pair) for pair in _ON_A_LINE
}
"""All captures and stackings that some board allows; each is one shared object."""


# --- the laws of the board -----------------------------------------------------------------------


def reached(tops: str, origin: int) -> Iterator[int]:
    """Yield the points that a stack on a point can reach: the first stack on each of its lines.

    It goes over any number of empty points, but never onto one, over a stack or over the missing
    centre.
    Source: official; Russian, "сколько угодно далеко, но только по прямой".
    """
    for line in LINES_FROM[origin]:
        for target in line:
            if tops[target] != EMPTY:
                yield target
                break


def captures_from(tops: str, heights: Heights, origin: int) -> list[Capture]:
    """Return the captures by a stack: of enemy stacks that it reaches and that are not taller.

    Source: official; Russian, "столбик может срубить столбик равной или меньшей высоты".
    """
    own, height = PIECES[SIDE[tops[origin]]], heights[origin]
    return [
        CAPTURES[origin, target]
        for target in reached(tops, origin)
        if tops[target] not in own and heights[target] <= height
    ]


def stackings_from(tops: str, origin: int) -> list[Stacking]:
    """Return the stackings of a stack: onto own stacks that it reaches, of any height.

    Source: official; Russian, "завершив его на другой своей фишкой или столбике".
    """
    own = PIECES[SIDE[tops[origin]]]
    return [STACKINGS[origin, target] for target in reached(tops, origin) if tops[target] in own]


def captures_of(tops: str, heights: Heights, side: int) -> list[Capture]:
    own = PIECES[side]
    return [
        capture
        for origin, top in enumerate(tops)
        if top in own
        for capture in captures_from(tops, heights, origin)
    ]


def stackings_of(tops: str, side: int) -> list[Stacking]:
    own = PIECES[side]
    return [
        stacking
        for origin, top in enumerate(tops)
        if top in own
        for stacking in stackings_from(tops, origin)
    ]


def can_capture(tops: str, heights: Heights, side: int) -> bool:
    """Return whether a side could capture anything: `captures_of` as a fast predicate."""
    own = PIECES[side]
    return any(
        top in own and captures_from(tops, heights, origin) for origin, top in enumerate(tops)
    )


def after_moving(tops: str, heights: Heights, action: Capture | Stacking) -> tuple[str, Heights]:
    """Return the board after a stack has gone onto another: it captures, or grows by the other.

    A stack moves whole, and belongs to the piece on its top. Source: official; Russian, "При этом
    фишки находящиеся внутри столбика в расчет не берутся".
    """
    origin, target = action.origin, action.target
    letters, high = list(tops), list(heights)
    high[target] = high[origin] + (high[target] if isinstance(action, Stacking) else 0)
    high[origin] = 0
    letters[target], letters[origin] = letters[origin], EMPTY
    return "".join(letters), tuple(high)


def shown(tops: str, side: int) -> tuple[int, int, int]:
    """Return the number of stacks of a side with a Tott, a Tzarra, a Tzaar on top."""
    own = PIECES[side]
    return tops.count(own[0]), tops.count(own[1]), tops.count(own[2])


def missing_kind(tops: str, side: int) -> str:
    """Return the first kind that a side shows on no stack, in capitals; empty if it shows all.

    A player who shows no Tott, no Tzarra or no Tzaar has lost. Source: official; Russian, "Если у
    игрока не осталось сверху столбиков фишек одного из типов, он проиграл".

    >>> missing_kind("TTyZ", 0)
    'Y'
    """
    return next(
        (kind for kind, piece in zip(KINDS, PIECES[side], strict=True) if piece not in tops), ""
    )
