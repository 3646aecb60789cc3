"""An analysis of a position for people, as plain data, for both sides.

It shows the frozen pieces and what freezes them, the holder of each trap, the pieces that an enemy
could capture or dislodge in one turn, and the rabbits that could reach their goal in one turn. The
threats are exact: every one comes with a turn that carries it out, and there are no others.

The sentences beside the board follow.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from trine.core.contract.insight import Threat, carried_out
from trine.core.contract.position import Cause, Outcome, Reason
from trine.core.text.sentence import Text, join, ntext, text
from trine.games.arimaa.board import (
    ARMY,
    BESIDE,
    EMPTY,
    GOAL_RANKS,
    KINDS,
    PIECES,
    RABBITS,
    SIDE,
    SIDE_NAMES,
    SIDES,
    SQUARE_NAMES,
    STRENGTH,
    TRAPS,
    piece_name,
)
from trine.games.arimaa.notation import format_turn
from trine.games.arimaa.position import Position, Turn, open_readings, piece_on, pieces_on, push_due
from trine.games.arimaa.rules import STEPS_IN_TURN, Action, Placement, Step, freezers, own_steps


@dataclass(frozen=True)
class TrapHold:
    """A trap with the pieces beside it and the side that holds it."""

    trap: int
    beside: tuple[tuple[int, ...], tuple[int, ...]]
    """The squares of Gold's and of Silver's pieces beside the trap, the strongest piece first."""
    holder: int | None
    """The side with the stronger piece beside the trap, else the side with more pieces, or None."""


@dataclass(frozen=True)
class Threats:
    """The threats of one side: squares, each with a shortest turn that carries out the threat."""

    capture: dict[int, Turn] = field(default_factory=dict)
    """Enemy pieces that the side could remove."""
    dislodge: dict[int, Turn] = field(default_factory=dict)
    """Enemy pieces that the side could displace to another square."""
    goal: dict[int, Turn] = field(default_factory=dict)
    """Own rabbits that the side could bring to the goal."""


@dataclass(frozen=True)
class Insight:
    """The analysis of a position; squares and sides are numbers."""

    position: Position
    frozen: Mapping[int, tuple[int, ...]]
    """Frozen pieces by square, each with the squares of the pieces that freeze it."""
    traps: tuple[TrapHold, ...]
    threats: tuple[Threats, Threats]
    """The threats of Gold and of Silver, each as if that side were to move."""

    def marks(self) -> dict[str, frozenset[str]]:
        marks: dict[str, set[str]] = {SQUARE_NAMES[square]: {"frozen"} for square in self.frozen}
        for threats in self.threats:
            for mark, squares in (
                ("capturable", threats.capture),
                ("dislodgeable", threats.dislodge),
                ("goal", threats.goal),
            ):
                for square in squares:
                    marks.setdefault(SQUARE_NAMES[square], set()).add(mark)
        return {name: frozenset(names) for name, names in marks.items()}

    def sentences(self) -> list[Text]:
        lines = open_readings(self.position)
        lines += [*self._frozen_sentences(), *map(self._trap_sentence, self.traps)]
        for side in SIDES:
            lines += [threat.text for threat in self._threats(side)]
            lines += self._dislodge_sentences(side)
        return lines

    def list_threats(self) -> list[Threat]:
        """Return goals and captures in words; a push or pull alone is no threat."""
        return [threat for side in SIDES for threat in self._threats(side)]

    def _frozen_sentences(self) -> Iterator[Text]:
        board = self.position.board
        for square, by in self.frozen.items():
            yield text(
                "frozen: {piece}, by {freezers}",
                piece=owned(board, square),
                freezers=pieces_on(board, by),
            )

    def _trap_sentence(self, hold: TrapHold) -> Text:
        sides = []
        for side, squares in enumerate(hold.beside):
            if squares:
                pieces = pieces_on(self.position.board, squares)
                sides.append(text("{side} has {pieces}", side=SIDE_NAMES[side], pieces=pieces))
        trap = SQUARE_NAMES[hold.trap]
        if not sides:
            return text("trap {cell}: no piece is beside it", cell=trap)
        beside = join(sides, "; ")
        if hold.holder is None:
            return text("trap {cell}: in balance; {beside}", cell=trap, beside=beside)
        return text(
            "trap {cell}: {side} holds it; {beside}",
            cell=trap,
            side=SIDE_NAMES[hold.holder],
            beside=beside,
        )

    def _threats(self, side: int) -> Iterator[Threat]:
        board, name, start = self.position.board, SIDE_NAMES[side], _to_move(self.position, side)
        for square, turn in self.threats[side].goal.items():
            piece = piece_on(board, square)
            sentence = text("{side} can reach the goal with {piece}", side=name, piece=piece)
            written = carried_out(sentence, format_turn(start, turn))
            yield Threat(side, "goal", SQUARE_NAMES[square], written)
        for square, turn in self.threats[side].capture.items():
            sentence = text("{side} can capture {piece}", side=name, piece=owned(board, square))
            written = carried_out(sentence, format_turn(start, turn))
            yield Threat(side, "capture", SQUARE_NAMES[square], written)

    def _dislodge_sentences(self, side: int) -> Iterator[Text]:
        threats = self.threats[side]
        only_moved = [square for square in threats.dislodge if square not in threats.capture]
        if only_moved:
            yield text(
                "{side} can push or pull {pieces}",
                side=SIDE_NAMES[side],
                pieces=join([owned(self.position.board, square) for square in only_moved]),
            )


def owned(board: str, square: int) -> Text:
    """Return a piece with its side and square, as in "Silver's cat on c2"."""
    return text(
        "{side}'s {piece} on {cell}",
        side=SIDE_NAMES[SIDE[board[square]]],
        piece=piece_name(board[square]),
        cell=SQUARE_NAMES[square],
    )


def insight(position: Position) -> Insight:
    """Analyse a position, for both sides.

    >>> from trine.games.arimaa.diagrams import parse_position
    >>> seen = insight(parse_position("2g 8/8/3H4/3e4/8/8/8/R7"))
    >>> for threat in seen.list_threats():
    ...     print(threat.text)
    Silver can capture Gold's horse on d6: Hd6w Hc6x ed5n
    """
    return Insight(
        position,
        frozen(position),
        trap_holds(position),
        (threats_of(position, SIDES[0]), threats_of(position, SIDES[1])),
    )


def frozen(position: Position) -> dict[int, tuple[int, ...]]:
    """Return the frozen pieces, each with the squares of the pieces that freeze it."""
    rules, board = position.rules, position.board
    return {
        square: tuple(by)
        for square, piece in enumerate(board)
        if piece != EMPTY and (by := freezers(rules, board, square))
    }


def trap_holds(position: Position) -> tuple[TrapHold, ...]:
    return tuple(_trap_hold(position.board, trap) for trap in TRAPS)


def _trap_hold(board: str, trap: int) -> TrapHold:
    def weigh(squares: tuple[int, ...]) -> tuple[int, int]:
        return (max((STRENGTH[board[square]] for square in squares), default=0), len(squares))

    gold, silver = (
        tuple(
            sorted(
                (square for square in BESIDE[trap] if board[square] in PIECES[side]),
                key=lambda square: -STRENGTH[board[square]],
            )
        )
        for side in SIDES
    )
    weights = weigh(gold), weigh(silver)
    holder = None if weights[0] == weights[1] else SIDES[weights[0] < weights[1]]
    return TrapHold(trap, (gold, silver), holder)


# --- threats -------------------------------------------------------------------------------------

Moved = tuple[tuple[int, int], ...]
"""The pieces that have moved in the turn: (square now, square at its beginning), sorted."""


def threats_of(position: Position, side: int) -> Threats:
    """Return the threats of a side within one turn: the open one or, for the other side, the next.

    All turns are searched. Positions are distinguished by the identity of pieces, so that a piece
    is named only if that very piece can be captured. Of the last steps only those that matter are
    tried.
    """
    start = _to_move(position, side)
    threats = Threats()
    if start.hands:
        return threats
    seen = set()
    front: list[tuple[Position, Moved, Turn]] = [(start, (), ())]
    while front:
        reached = []
        for before, moved, turn in front:
            steps = before.possible_steps() if before.steps_left > 1 else _telling_steps(before)
            for step in steps:
                after = before.play_unchecked(step)
                moved_after = _after_move(moved, step, before, after, side)
                state = (after.board, after.pull, after.push, moved_after)
                if state in seen:
                    continue
                seen.add(state)
                reached.append((after, moved_after, (*turn, step)))
                if after.may_end():
                    _note(threats, start.board, after.board, moved_after, (*turn, step), side)
        front = reached
    return threats


def _to_move(position: Position, side: int) -> Position:
    if position.mover == side or position.hands:
        return position
    return Position.of(position.rules, position.board, side, position.number)


def _telling_steps(position: Position) -> Iterator[Step]:
    """Yield the possible last steps of a full turn that move an enemy, or a rabbit to the goal."""
    board, mover = position.board, position.mover
    if not position.steps_left:
        return
    if position.push or position.pull:
        for step in position.possible_steps():
            if position.push or SIDE[step.piece] != mover:
                yield step
    if position.push and position.push.due:
        return
    before_goal = range(48, 56) if mover == 0 else range(8, 16)
    for square in before_goal:
        if board[square] == RABBITS[mover]:
            for step in own_steps(position.rules, board, square):
                if step.target in GOAL_RANKS[mover]:
                    yield step


def _after_move(moved: Moved, step: Step, before: Position, after: Position, side: int) -> Moved:
    """Return where enemies and the side's own rabbits have moved, after one more step."""
    places = dict(moved)
    then = places.pop(step.origin, step.origin)
    if step.target != then and (SIDE[step.piece] != side or step.piece in RABBITS):
        places[step.target] = then
    for now in list(places):
        if now >= len(after.board) or after.board[now] == EMPTY:
            del places[now]  # pushed off the board, or removed in a trap
    return tuple(sorted(places.items()))


def _note(threats: Threats, start: str, board: str, moved: Moved, turn: Turn, side: int) -> None:
    """Record the threats that a turn ending here carries out; the first one found is a shortest."""
    then_by_now = dict(moved)
    elsewhere = {then for _, then in moved}
    for square, piece in enumerate(start):
        if piece == EMPTY or SIDE[piece] == side:
            continue
        if square in elsewhere:
            threats.dislodge.setdefault(square, turn)
        elif board[square] != piece or square in then_by_now:
            threats.capture.setdefault(square, turn)
    for square in GOAL_RANKS[side]:
        if board[square] == RABBITS[side]:
            threats.goal.setdefault(then_by_now.get(square, square), turn)


def status(position: Position) -> list[Text]:
    if position.hands:
        hand = position.hands[position.mover]
        return [text("to place: {pieces}", pieces=" ".join(hand))] if hand else []
    lines = [ntext("{count} step left", "{count} steps left", position.steps_left)]
    if position.push and position.push.due:
        lines.append(push_due(position))
    for side in SIDES:
        missing = _missing(position.board, side)
        if missing:
            lines.append(
                text("{side} lacks: {pieces}", side=SIDE_NAMES[side], pieces=" ".join(missing))
            )
    return lines


def _missing(board: str, side: int) -> str:
    return "".join(
        piece * (ARMY[kind] - board.count(piece))
        for kind, piece in zip(KINDS, PIECES[side], strict=True)
    )


def heading(position: Position, action: Action) -> tuple[tuple[int, int], Text]:
    """Return the group of a legal action, and its heading: the strongest pieces first."""
    if isinstance(action, Step):
        own = SIDE[action.piece] == position.mover
        on = piece_on(position.board, action.origin)
        order = (0 if own else 1, -STRENGTH[action.piece] * 64 + action.origin)
        return order, on if own else text("push or pull {piece}", piece=on)
    if isinstance(action, Placement):
        return (0, -STRENGTH[action.piece]), text("place: {piece}", piece=piece_name(action.piece))
    return (2, 0), text("end the turn")


def cause(position: Position, outcome: Outcome) -> Cause | None:
    """Return what on the board has ended a play; None if the board does not show it.

    >>> from trine.games import new_play
    >>> play = new_play("arimaa", position="2g r7/4R3/8/8/8/8/8/8")
    >>> play.enter("e7n end")
    >>> print(cause(play.position, play.outcome).text)
    a rabbit has reached e8
    """
    winner = outcome.winner
    if outcome.reason is Reason.ELIMINATION and winner is None:
        return Cause(text("neither side has a rabbit left"))
    if winner is None:
        return None
    if outcome.reason is Reason.GOAL:
        board, rabbit = position.board, RABBITS[winner]
        cells = [SQUARE_NAMES[one] for one in GOAL_RANKS[winner] if board[one] == rabbit]
        return Cause(text("a rabbit has reached {cell}", cell=cells[0]), tuple(cells))
    texts = {
        Reason.ELIMINATION: text("{side} has no rabbit left", side=SIDE_NAMES[1 - winner]),
        Reason.IMMOBILIZATION: text("{side} cannot move", side=SIDE_NAMES[1 - winner]),
    }
    return Cause(texts[outcome.reason]) if outcome.reason in texts else None


def coach(position: Position) -> Text:
    if position.hands:
        return _setting_up(position)
    if position.push and position.push.due:
        return text(
            "Now {pieces} must follow to {cell}.",
            pieces=join(
                [piece_on(position.board, square) for square in position.push.pushers], " / "
            ),
            cell=SQUARE_NAMES[position.push.square],
        )
    if position.steps_left == STEPS_IN_TURN:
        return text("Make up to four steps, with one piece or several.")
    if not position.steps_left:
        return text("No step is left: end the turn, or undo.")
    if position.board == position.start:
        return text("Everything stands as before: a turn must change the board.")
    return ntext(
        "{count} step left, or end the turn.",
        "{count} steps left, or end the turn.",
        position.steps_left,
    )


def _setting_up(position: Position) -> Text:
    assert position.hands
    left = len(position.hands[position.mover])
    if not left:
        return text("All your pieces stand: end the turn, or exchange two of them.")
    if not position.turn_open:
        return ntext(
            "Place your piece: drag it to your two ranks.",
            "Place your {count} pieces: choose a setup, or drag them to your two ranks.",
            left,
        )
    return ntext(
        "{count} piece is still to be placed.", "{count} pieces are still to be placed.", left
    )
