"""An analysis of a position for people, as plain data, for both sides.

It shows the kinds and captures of each side, the stacks that are safe, those that are the last of
their kind in sight, and whether a side could win within one turn. The threats are exact: every one
comes with a turn that carries it out, and there are no others.

The sentences beside the board follow.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from trine.core.contract.insight import Threat
from trine.core.contract.position import Cause, Outcome, Reason
from trine.core.text.sentence import Text, join, ntext, text, verbatim
from trine.games.tzaar import board, rules
from trine.games.tzaar.position import Position, piece_on
from trine.games.tzaar.referee import Stage

MAX_NAMED_CAPTURES: Final = 5  # the largest number of captures that are named one by one. Guess

NEXT_ACTION: Final[Mapping[Stage, Text]] = {
    Stage.PLACE: text("place a piece"),
    Stage.FIRST: text("first turn of the play: one capture"),
    Stage.ONE: text("first action: capture"),
    Stage.TWO: text("second action: capture, stack or pass"),
}
"""The next action, in words."""

Turn = tuple[rules.Action, ...]


@dataclass(frozen=True)
class Threats:
    """The threats of one side to win within one turn, each with a shortest turn that does so."""

    extinction: Mapping[str, Turn] = field(default_factory=dict)
    """The kinds of enemy pieces, in capitals, that the side could wipe out."""
    no_capture: Turn | None = None  # a turn that leaves the other side without a capture


@dataclass(frozen=True)
class Insight:
    """The analysis of a position; points and sides are numbers."""

    position: Position
    captures: tuple[tuple[rules.Capture, ...], tuple[rules.Capture, ...]]
    """The captures of White and of Black on this board, each as if that side were to move."""
    sole: tuple[int, ...]
    """The stacks that are the last of their kind in sight: losing one loses the play."""
    safe: tuple[int, ...]  # the stacks that no capture can take now
    towering: tuple[int, ...]  # the stacks that no enemy is tall enough for, wherever it stands
    threats: tuple[Threats, Threats]
    """The threats of White and of Black, each as if that side were to move.

    The side to move has the rest of its turn, the other side a whole turn.
    """

    def marks(self) -> dict[str, frozenset[str]]:
        endangered = [
            point
            for side, threats in enumerate(self.threats)
            for kind in threats.extinction
            for point in _showing(self.position.tops, 1 - side, kind)
        ]
        marks: dict[str, set[str]] = {}
        for mark, points in (
            ("capturable", endangered),
            ("sole", self.sole),
            ("towering", self.towering),
            ("safe", self.safe),
        ):
            for point in points:
                marks.setdefault(board.POINT_NAMES[point], set()).add(mark)
        return {name: frozenset(names) for name, names in marks.items()}

    def sentences(self) -> list[Text]:
        """Return the analysis in sentences, except for the lines beside the board."""
        if self.position.in_setup:
            return [*self._counts()]
        lines = [*self._captures(), *self._stacks()]
        return lines + [threat.text for threat in self.list_threats()]

    def list_threats(self) -> list[Threat]:
        if self.position.in_setup:
            return []
        return [threat for side in board.SIDES for threat in self._threats(side)]

    def _counts(self) -> Iterator[Text]:
        for side in board.SIDES:
            pieces = counted(self.position.shown(side))
            yield text("{side} in sight: {pieces}", side=board.SIDE_NAMES[side], pieces=pieces)

    def _captures(self) -> Iterator[Text]:
        for side, captures in enumerate(self.captures):
            name = board.SIDE_NAMES[side]
            if not captures:
                yield text(
                    "{side} has no capture now; a player who begins a turn without one has lost",
                    side=name,
                )
                continue
            count = ntext("{count} capture now", "{count} captures now", len(captures))
            if len(captures) > MAX_NAMED_CAPTURES:
                yield text("{side} has {captures}", side=name, captures=count)
            else:
                yield text(
                    "{side} has only {captures}: {actions}",
                    side=name,
                    captures=count,
                    actions=_said(captures),
                )

    def _stacks(self) -> Iterator[Text]:
        tops = self.position.tops
        for point in self.sole:
            yield text("{piece} is the last of its kind in sight", piece=piece_on(tops, point))
        for side in board.SIDES:
            towering = [point for point in self.towering if board.SIDE[tops[point]] == side]
            safe = [
                point
                for point in self.safe
                if board.SIDE[tops[point]] == side and point not in towering
            ]
            values = {"side": board.SIDE_NAMES[side], "enemy": board.SIDE_NAMES[1 - side]}
            if towering:
                yield text(
                    "{enemy} has no stack tall enough for {side}'s {cells}",
                    **values,
                    cells=" ".join(_names(towering)),
                )
            if safe:
                yield text(
                    "{enemy} can take none of {side}'s {cells} now",
                    **values,
                    cells=" ".join(_names(safe)),
                )

    def _threats(self, side: int) -> Iterator[Threat]:
        threats, enemy = self.threats[side], board.SIDE_NAMES[1 - side]
        for kind, turn in threats.extinction.items():
            way = text(
                "{turn} takes every {piece} that {enemy} shows",
                enemy=enemy,
                piece=board.piece_name(kind),
                turn=_said(turn),
            )
            yield Threat(side, "extinction", kind, self._win_text(side, way))
        if threats.no_capture:
            way = text(
                "{turn} leaves {enemy} without a capture",
                enemy=enemy,
                turn=_said(threats.no_capture),
            )
            yield Threat(side, "no_capture", "", self._win_text(side, way))

    def _win_text(self, side: int, way: Text) -> Text:
        if side == self.position.mover:
            return text("{side} can win: {way}", side=board.SIDE_NAMES[side], way=way)
        return text("{side} threatens to win: {way}", side=board.SIDE_NAMES[side], way=way)


def counted(counts: Sequence[int]) -> Text:
    """Return the numbers of Totts, Tzarras, Tzaars, with the letters used on the board.

    >>> str(counted((15, 9, 6)))
    '15 T, 9 Y, 6 Z'
    """
    pairs = zip(counts, board.KINDS, strict=True)
    return verbatim(", ".join(f"{count} {kind}" for count, kind in pairs))


def _names(points: Iterable[int]) -> list[str]:
    return [board.POINT_NAMES[point] for point in points]


def _said(turn: Iterable[rules.Action]) -> str:
    return " ".join(map(str, turn))


def insight(position: Position) -> Insight:
    """Analyse a position, for both sides; during the placement there is little to find.

    >>> from trine.games.tzaar.diagrams import parse_position
    >>> board = "...../.Y..../...Z2T../......../....*..../.....z../......./.y..../t3...."
    >>> seen = insight(parse_position(f"open {board} white 1"))
    >>> {kind: list(map(str, turn)) for kind, turn in seen.threats[0].extinction.items()}
    {'Z': ['c4xf6']}
    """
    if position.in_setup:
        return Insight(position, ((), ()), (), (), (), (Threats(), Threats()))
    tops, heights = position.tops, position.heights
    white, black = (tuple(position.captures(side)) for side in board.SIDES)
    taken = {capture.target for capture in (*white, *black)}
    tallest = [
        max(
            (heights[point] for point in board.POINTS if board.SIDE[tops[point]] == side), default=0
        )
        for side in board.SIDES
    ]
    stacks = [point for point in board.POINTS if tops[point] != board.EMPTY]
    return Insight(
        position,
        (white, black),
        sole=tuple(point for point in stacks if tops.count(tops[point]) == 1),
        safe=tuple(point for point in stacks if point not in taken),
        towering=tuple(
            point for point in stacks if heights[point] > tallest[1 - board.SIDE[tops[point]]]
        ),
        threats=(threats_of(position, board.SIDES[0]), threats_of(position, board.SIDES[1])),
    )


# --- threats -------------------------------------------------------------------------------------


def threats_of(position: Position, side: int) -> Threats:
    """Return the threats of a side within one turn: the open one or, for the other side, the next.

    Every first action is tried, but only those second actions that can matter.
    """
    start = position
    if position.mover != side and not position.in_setup:
        start = Position(
            position.rules, position.tops, position.heights, side, Stage.ONE, position.number
        )
    if start.in_setup or start.outcome():
        return Threats()
    return Threats(_extinctions(start), _no_capture(start))


def _showing(tops: str, side: int, kind: str) -> list[int]:
    piece = board.PIECES[side][board.KINDS.index(kind)]
    return [point for point in board.POINTS if tops[point] == piece]


def _extinctions(start: Position) -> dict[str, Turn]:
    """Return the kinds that the player to move could wipe out, each with a shortest turn."""
    found = {}
    for kind in board.KINDS:
        if turn := _extinction(start, _showing(start.tops, 1 - start.mover, kind)):
            found[kind] = turn
    return found


def _extinction(start: Position, doomed: list[int]) -> Turn | None:
    """Return a shortest turn that captures all ``doomed`` stacks, the last of a kind, if any."""
    if len(doomed) == 1 and (last := _capture_onto(start, doomed[0])):
        return (last,)
    if start.stage is not Stage.ONE or len(doomed) > 2:
        return None
    for first in start.captures(start.mover):
        left = [point for point in doomed if point != first.target]
        if len(left) == 1:
            after = start.play_unchecked(first)
            if after.outcome() is None and (last := _capture_onto(after, left[0])):
                return first, last
    return None


def _capture_onto(position: Position, target: int) -> rules.Capture | None:
    """Return a capture of the stack on a point by the player to move, if there is one."""
    own = board.PIECES[position.mover]
    for origin in rules.reached(position.tops, target):
        if position.tops[origin] in own and position.heights[origin] >= position.heights[target]:
            return rules.CAPTURES[origin, target]
    return None


def _no_capture(start: Position) -> Turn | None:
    """Return a shortest turn that leaves the other side nothing to capture, if there is one."""
    if start.stage is Stage.TWO:
        second = _silencing(start)
        return (second,) if second else None
    for first in start.captures(start.mover):
        after = start.play_unchecked(first)
        if start.stage is Stage.FIRST:
            if _is_silent(after, start.mover):
                return (first,)
        elif after.outcome() is None and (second := _silencing(after)):
            return first, second
    return None


def _silencing(position: Position) -> rules.Action | None:
    """Return a second action that leaves the other side nothing to capture, if there is one.

    A reply of the other side stays possible unless its stack is taken, or its victim goes away or
    grows. So an action that undoes fewer replies than there are need not be tried.
    """
    mover = position.mover
    answers = position.captures(1 - mover)
    if not answers:
        return rules.PASS
    origins = Counter(answer.origin for answer in answers)
    targets = Counter(answer.target for answer in answers)
    for action in position.legal_actions():
        if not isinstance(action, rules.Capture | rules.Stacking):
            continue
        undone = origins[action.target] + targets[action.origin] + targets[action.target]
        if undone >= len(answers) and _is_silent(position.play_unchecked(action), mover):
            return action
    return None


def _is_silent(position: Position, winner: int) -> bool:
    """Return whether a side has won because the other, to move, has nothing to capture."""
    return position.outcome() == Outcome(winner, Reason.NO_CAPTURE)


def status(position: Position) -> list[Text]:
    r"""Return the lines beside the board.

    During the placement: the pieces in hand. Afterwards: the next action, and each side's number of
    stacks of each kind and of captures.

    >>> from trine.games.tzaar.rules import RULE_SETS
    >>> print(*status(Position.before_placement(RULE_SETS["open"])), sep="\n")
    White in hand: 15 T, 9 Y, 6 Z
    Black in hand: 15 T, 9 Y, 6 Z
    """
    if position.in_setup:
        return [
            text(
                "{side} in hand: {pieces}",
                side=board.SIDE_NAMES[side],
                pieces=counted(position.hand(side)),
            )
            for side in board.SIDES
        ]
    lines = [] if position.outcome() else [NEXT_ACTION[position.stage]]
    for side in board.SIDES:
        pieces = counted(position.shown(side))
        lines.append(text("{side} in sight: {pieces}", side=board.SIDE_NAMES[side], pieces=pieces))
    captures = [
        text("{side} {count}", side=board.SIDE_NAMES[side], count=len(position.captures(side)))
        for side in board.SIDES
    ]
    return [*lines, text("captures now: {counts}", counts=join(captures))]


def heading(position: Position, action: rules.Action) -> tuple[tuple[int, int], Text]:
    """Return the group of a legal action, and its heading: captures by kind, stackings, pass."""
    match action:
        case rules.Capture():
            kind = position.tops[action.origin].upper()
            words = text("capture with: {piece}", piece=board.piece_name(kind))
            return (0, board.KINDS.index(kind)), words
        case rules.Stacking():
            return (1, 0), text("stack")
        case rules.Placement():
            words = text("place: {piece}", piece=board.piece_name(action.kind))
            return (0, board.KINDS.index(action.kind)), words
        case _:
            return (2, 0), text("pass")


def cause(position: Position, outcome: Outcome) -> Cause | None:
    if outcome.winner is None:
        return None
    loser = 1 - outcome.winner
    if outcome.reason is Reason.EXTINCTION:
        kind = rules.missing_kind(position.tops, loser)
        return Cause(
            text(
                "no {piece} is left",
                piece=board.PIECE_NAMES[board.PIECES[loser][board.KINDS.index(kind)]],
            )
        )
    if outcome.reason is Reason.NO_CAPTURE:
        return Cause(text("{side} can capture nothing", side=board.SIDE_NAMES[loser]))
    return None


NEXT: Final[Mapping[Stage, Text]] = {
    Stage.PLACE: text("Tap a free point to place a piece; choose another kind in your tray."),
    Stage.FIRST: text("The first turn is one capture: choose a piece, then what it takes."),
    Stage.ONE: text("You must capture: choose a stack, then what it takes."),
    Stage.TWO: text("You may still capture, stack or pass."),
}


def coach(position: Position) -> Text:
    return NEXT[position.stage]
