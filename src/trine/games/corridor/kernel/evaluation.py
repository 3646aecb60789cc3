"""The evaluation of a position for a player, from counts on all shortest paths of all players.

Long walls (Quoridor), short walls, and unlimited short walls (Great Wall) play so differently that
each kind has its own terms; the terms of the other kinds are 0. Each term is the player's own count
minus the mean of the other players' counts.
"""

from dataclasses import replace
from typing import Final

import numpy as np

from trine.core.compiled.arrays import Floats, Row
from trine.core.compiled.bits import NONE, Word
from trine.core.compiled.jit import kernel, kernel_only
from trine.core.contract.heuristics import Aspect, Term, places_of
from trine.core.text.sentence import ntext, text
from trine.games.corridor.board import EAST, WEST
from trine.games.corridor.kernel import layout
from trine.games.corridor.kernel.shortest_paths import cache_counts, count_paths
from trine.games.corridor.kernel.wins import place_in_turn, playing_of

_WAY: Final = Aspect(
    "way",
    text("the race to the goal"),
    ntext("the race to the goal, by {count} step", "the race to the goal, by {count} steps", 1),
)
_WALLS: Final = Aspect(
    "walls",
    text("walls in hand"),
    ntext("walls in hand, by {count}", "walls in hand, by {count}", 1),
)
_CHOICE: Final = Aspect("choice", text("the choice of short ways"))
_TRAP: Final = Aspect("trap", text("the safety from being trapped"))

_OF_HANDS: Final = (
    Term("hand", text("walls in hand"), _WALLS, is_count=True),
    Term("armed", text("whether there are walls in hand"), _WALLS),
)
_OF_RACES: Final = (
    Term("steps", text("steps to the goal"), _WAY, is_count=True),
    Term("near", text("nearness of the goal"), _WAY),
    Term("lead", text("ahead in the race"), _WAY),
    Term("sure_lead", text("ahead in the race"), _WAY),  # with few walls against the player
    Term("hand_in_use", text("walls in hand, for the steps that others have to go")),
    Term("thin", text("places where shortest ways are few"), _CHOICE),
    Term("exposed", text("places where shortest ways are few"), _CHOICE),  # with many walls against
    Term("fork", text("a choice of first steps"), _CHOICE),
    Term("wide_end", text("a choice of squares at the goal"), _CHOICE),
    Term("centre", text("distance from the middle line")),
    Term("tempo", text("to move")),
)
_OF_TRAPS: Final = (
    Term("trapped", text("no way to the goal"), _TRAP),
    Term("caught", text("one wall traps, and it is another's turn"), _TRAP),
    Term("snared", text("one wall traps, but it is the own turn"), _TRAP),
    Term("two_exits", text("two walls trap"), _TRAP),
    Term("exits", text("places where few walls trap"), _TRAP),
    Term("can_be_shut", text("others have walls enough to trap"), _TRAP),
)


def _named(begin: str, terms: tuple[Term, ...]) -> tuple[Term, ...]:
    return tuple(replace(term, name=begin + term.name) for term in terms)


COUNTED: Final = (*_OF_HANDS, *_OF_RACES, *_OF_TRAPS)
"""The terms of one kind of wall; terms that make no sense as reasons for a turn have no aspect."""
TERMS: Final = (
    *_OF_HANDS,
    *_OF_RACES,
    *_named("short_", COUNTED),
    *_named("endless_", (*_OF_RACES, *_OF_TRAPS)),
)
"""In the order of the counts: terms for walls two squares long, for walls one square long, and for
walls one square long with unlimited hands, which have no terms of hands."""


TERM: Final = places_of(COUNTED)  # the index of each term of short walls, counted from `SHORT`
ALL: Final = places_of(TERMS)
LONG: Final = 0  # the first term for walls two squares long, which have no terms of traps
SHORT: Final = ALL.short_hand  # the first term for walls one square long
ENDLESS: Final = ALL.endless_steps - TERM.steps
"""The base index of the terms for unlimited hands; adding `TERM.steps` gives `endless_steps`."""

MAX_POINTS: Final = 20_000  # points; the maximum evaluation
UNLIMITED_HAND: Final = 10  # the count that replaces an unlimited hand


@kernel(forceinline=True)
def walls_of(row: Row, player: int) -> int:
    """Return the number of walls in a hand; `UNLIMITED_HAND` if there is no limit."""
    hand = layout.hand_of(row, player)
    return UNLIMITED_HAND if hand == layout.NO_LIMIT else hand


@kernel_only(forceinline=True)
def walls_against(row: Row, player: int) -> int:
    """Return the number of walls in the largest hand of the other players."""
    most = 0
    for other in range(layout.players_of(row)):
        if other != player and layout.is_playing(row, other):
            most = max(most, walls_of(row, other))
    return most


@kernel_only(forceinline=True)
def off_centre(row: Row, player: int) -> float:
    """Return the distance of a pawn from the middle line of the board towards its goal."""
    square = layout.pawn_of(row, player)
    side = layout.START_SIDES[layout.players_of(row), player]
    place = square // layout.STRIDE if side in (WEST, EAST) else square % layout.STRIDE
    return abs(place - 0.5 * (layout.size_of(row) - 1))


@kernel(forceinline=True)
def add(counts: Floats, term: int, value: float) -> None:
    counts[term] = np.float32(np.float64(counts[term]) + value)


@kernel_only(forceinline=True)
def add_paths(
    row: Row,
    player: int,
    share: float,
    counts: Floats,
    first: int,
    thin: float,
    fork: bool,
    ends: int,
) -> None:
    """Add the terms of the bundle of shortest paths: its thinness, its beginning and its end."""
    against = walls_against(row, player)
    add(counts, first + TERM.thin, share * thin)
    add(counts, first + TERM.exposed, share * thin * against / (against + 2.0))
    add(counts, first + TERM.fork, share * fork)
    add(counts, first + TERM.wide_end, share * (ends - 1.0) / (ends + 1.0))


@kernel_only(forceinline=True)
def add_exits(row: Row, player: int, share: float, counts: Floats, first: int, exits: int) -> None:
    """Add the terms of the danger that a player is trapped."""
    against = walls_against(row, player)
    add(counts, first + TERM.exits, share / exits)
    if against >= exits:
        add(counts, first + TERM.can_be_shut, share)
        if exits == 1:
            add(
                counts, first + (TERM.snared if player == layout.mover(row) else TERM.caught), share
            )
        elif exits == 2:
            add(counts, first + TERM.two_exits, share)


@kernel_only()
def add_player(row: Row, player: int, share: float, counts: Floats, first: int) -> int:
    """Add the terms of one player without the race; return the steps to the goal, or -1."""
    size = layout.size_of(row)
    hand = walls_of(row, player)
    if layout.hand_of(row, player) != layout.NO_LIMIT and first != ENDLESS:
        add(counts, first + TERM.hand, share * hand)
        add(counts, first + TERM.armed, share * hand / (hand + 2.0))
    if player == layout.mover(row):
        add(counts, first + TERM.tempo, share)
    if layout.pawn_of(row, player) == layout.NOT_CHOSEN:
        add(counts, first + TERM.steps, share * (size - 1))
        return size - 1
    add(counts, first + TERM.centre, share * off_centre(row, player))
    steps, exits, thin, fork, ends = count_paths(row, player)
    cache_counts(row, player, steps, exits)
    if steps < 0:
        add(counts, first + TERM.trapped, share)
        return -1
    add_paths(row, player, share, counts, first, thin, fork, ends)
    add(counts, first + TERM.steps, share * steps)
    add(counts, first + TERM.near, share / max(1, steps))
    if first != LONG:
        add_exits(row, player, share, counts, first, exits)
    return steps


@kernel_only(forceinline=True)
def steps_of(packed: Word, player: int) -> int:
    """Return the steps of a player from a word that packs the steps of all players."""
    return np.int64(packed >> np.uint64(16 * player) & np.uint64(0xFFFF))


@kernel_only()
def add_race(row: Row, player: int, share: float, counts: Floats, first: int, packed: Word) -> None:
    """Add the terms of one player against the others; ``packed`` has the steps of all players."""
    playing = playing_of(row)
    own = steps_of(packed, player)
    rival, nearest = 1 << 20, 1 << 20
    for other in range(layout.players_of(row)):
        if other != player and layout.is_playing(row, other):
            steps = steps_of(packed, other)
            nearest = min(nearest, steps)
            rival = min(rival, steps * playing + place_in_turn(row, other))
    if nearest == 1 << 20:
        return
    lead = (rival - own * playing - place_in_turn(row, player)) / (1.0 * playing)
    ahead = lead / (1.0 + abs(lead))
    add(counts, first + TERM.lead, share * ahead)
    add(counts, first + TERM.sure_lead, share * ahead / (1.0 + walls_against(row, player)))
    hand = walls_of(row, player)
    add(counts, first + TERM.hand_in_use, share * min(hand, nearest) / (1.0 + nearest))


@kernel()
def evaluate(row: Row, player: int, weights: Floats, counts: Floats) -> int:
    """Return the score of a position for a player; the terms are written into ``counts``."""
    for term in range(len(ALL)):
        counts[term] = np.float32(0)
    first, begin, end = LONG, LONG, SHORT
    if layout.rules_of(row) == layout.GREAT_WALL:
        first, begin, end = ENDLESS, ALL.endless_steps, len(ALL)
    elif layout.rules_of(row) != layout.QUORIDOR:
        first, begin, end = SHORT, SHORT, ALL.endless_steps
    others = max(1, playing_of(row) - 1)
    # A trapped player counts as three board lengths away from the goal.
    far = np.uint64(3 * layout.size_of(row))
    packed = NONE
    for one in range(layout.players_of(row)):
        if layout.is_playing(row, one):
            share = 1.0 if one == player else -1.0 / others
            steps = add_player(row, one, share, counts, first)
            packed |= (far if steps < 0 else np.uint64(steps)) << np.uint64(16 * one)
    for one in range(layout.players_of(row)):
        if layout.is_playing(row, one):
            share = 1.0 if one == player else -1.0 / others
            add_race(row, one, share, counts, first, packed)
    row[layout.COUNTED_KEY] = row[layout.KEY]
    points = 0.0
    for term in range(begin, end):
        points += np.float64(counts[term]) * np.float64(weights[term])
    return np.int64(np.rint(max(-1.0 * MAX_POINTS, min(1.0 * MAX_POINTS, points))))
