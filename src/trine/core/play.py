"""A play: a game in progress, with its history. It works for any game, through `Room`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress

from trine.core.contract.checked import CheckedLine, Checker, why_over
from trine.core.contract.position import Action, History, Outcome, Position, Reason, Seat, Turn
from trine.core.contract.room import Room
from trine.core.errors import IllegalError, TrineError
from trine.core.scene.canvas import Look
from trine.core.scene.composing import Movement, movements_of
from trine.core.text.sentence import Text, join, text


class Play:
    """A game in progress: the position, the turns so far, and the outcome.

    >>> from trine.games import open_room
    >>> arimaa = open_room("arimaa")
    >>> play = Play(arimaa, arimaa.rules.start("official", {}))
    >>> play.enter("setup 99of9 1")
    Traceback (most recent call last):
    trine.core.errors.MalformedError: no setup '99of9 1'; expected 99of9, ...
    """

    def __init__(self, room: Room, start: Position) -> None:
        self.room = room
        self.start = start
        self.position = start
        self.turns: list[Turn] = []
        self.history = History()
        self.outcome: Outcome | None = None
        self._open: list[tuple[Position, Action]] = []
        self._count_standing()
        self._judge()

    def __str__(self) -> str:
        """The board, then the player to move or the outcome."""
        look = Look(next(iter(self.room.view.piece_sets)))
        return f"{self.room.view.text_board(self.position, look)}\n{self._headline()}"

    def __repr__(self) -> str:
        return f"<Play {self.room.name}/{self.position.rules.name}, {self._headline()}>"

    def _headline(self) -> Text:
        players = names(self.position.seats)
        if self.outcome:
            return describe(players, self.outcome)
        return text("{turn}: {player} to move", turn=self.turn_tag, player=players[self.mover])

    def ended_for(self, seat: int) -> Text:
        """Return how the play has ended, for the player at a seat."""
        assert self.outcome
        players, last = names(self.position.seats), self.turns[-1].player if self.turns else None
        return ended(self.room, self.position, players, self.outcome, {seat}, last)

    @property
    def mover(self) -> int:
        return self.position.mover

    @property
    def turn_tag(self) -> str:
        """The number and letter of the next turn, as in ``2g``."""
        return self.room.tag(self.position)

    @property
    def open_actions(self) -> tuple[Action, ...]:
        return tuple(action for _, action in self._open)

    @property
    def turn_start(self) -> Position:
        return self._open[0][0] if self._open else self.position

    @property
    def last_cells(self) -> frozenset[str]:
        """The cells to highlight: those changed by the last turn, complete or open."""
        if self._open or not self.turns:
            return changed_cells(self.room, self.turn_start, self.open_actions)
        return changed_cells(self.room, self.turns[-1].before, self.turns[-1].actions)

    def legal_actions(self) -> tuple[Action, ...]:
        """The legal actions; none if the play is over."""
        return () if self.outcome else self.position.legal_actions(self.history)

    def why_not(self, action: Action) -> Text | None:
        """The rule that forbids an action, in words; None if the action is legal."""
        return why_over(self.outcome) or self.position.why_not(action, self.history)

    def check(self, actions: Iterable[Action]) -> CheckedLine:
        """Judge consecutive actions; raises `IllegalError`."""
        self.check_goes_on()
        checker = Checker(self.position, self.history)
        for action in actions:
            checker.play(action)
        return checker.line()

    def act(self, action: Action) -> None:
        """Play an action; if it is illegal, raise `IllegalError` and change nothing."""
        if reason := self.why_not(action):
            raise IllegalError(reason)
        self.act_unchecked(action)

    def act_unchecked(self, *actions: Action) -> None:
        """Play consecutive actions that are known to be legal."""
        for action in actions:
            self._go_on(action, self.position.play_unchecked(action))
            self._judge()
            self._close()

    def follow(self, line: CheckedLine) -> None:
        """Play a line checked from here, without judging it again."""
        assert line.start == self.position, (line.start, self.position)
        for step in line.steps:
            self._go_on(step.action, step.after)
            self.outcome = step.outcome
            self._close()

    def _go_on(self, action: Action, after: Position) -> None:
        self._open.append((self.position, action))
        self.position = after
        if not after.turn_open:
            self._count_standing()

    def _close(self) -> None:
        """End the turn unless it is still open."""
        if not self.position.turn_open or self.outcome:
            self.turns.append(Turn(self.turn_start, self.open_actions, self.position))
            self._open.clear()

    def copy(self) -> Play:
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)  # takes a quarter of the time of copy.copy
        twin.turns, twin._open = list(self.turns), list(self._open)
        twin.history = self.history.copy()
        return twin

    def after(self, line: Iterable[Action]) -> Play:
        """Return a copy after a line that is known to be legal."""
        ahead = self.copy()
        ahead.act_unchecked(*line)
        return ahead

    def enter(self, line: str) -> None:
        """Play what a person typed, all or nothing: actions, or words such as ``setup …``."""
        self.follow(self.interpret(line))

    def interpret(self, line: str) -> CheckedLine:
        """Read what a person typed as consecutive legal actions."""
        self.check_goes_on()
        return self.room.rules.interpret(self.position, line, self.history)

    def interpret_to_the_end(self, line: str) -> tuple[CheckedLine, str]:
        """Read typed words up to one that ends the play; return the remaining words too.

        Raises:
            MalformedError,
            IllegalError: a word before the end is not right.

        >>> from trine.games import open_room
        >>> room = open_room("corridor")
        >>> play = Play(room, room.rules.parse_position("corridor 5 2 c4,a4 - 5,5 1", ""))
        >>> read, rest = play.interpret_to_the_end("c5 a3")
        >>> len(read), rest
        (1, 'a3')
        """
        try:
            return self.interpret(line), ""
        except IllegalError:
            words = line.split()
            for count in range(1, len(words)):
                with suppress(TrineError):  # if a line ends within a turn
                    read = self.interpret(" ".join(words[:count]))
                    if read.steps and read.steps[-1].outcome:
                        return read, " ".join(words[count:])
            raise

    def undo(self) -> Action:
        """Take back the last action of the open turn; raises `IllegalError` if it has none."""
        if not self._open:
            raise IllegalError("this turn has no action to take back")
        self.position, action = self._open.pop()
        return action

    def take_back(self) -> Turn:
        """Take back the last whole turn, and the open one; raises `IllegalError`."""
        if not self.turns:
            raise IllegalError("there is no turn to take back")
        self._open.clear()
        turn = self.turns.pop()
        if turn.after.key is not None and not turn.after.turn_open:
            self.history.remove(turn.after.key)
        self.position = turn.before
        self.outcome = None
        return turn

    def leave(self, reason: Reason) -> None:
        """Make the player to move leave the play, by resignation or on time.

        If one of two players leaves, the other wins; three or four players play on without the one
        who left. The open turn is discarded.

        Raises:
            IllegalError: the play is over.
        """
        self.check_goes_on()
        others = [player for player in self.position.playing if player != self.mover]
        if len(others) == 1:
            self.outcome = Outcome(others[0], reason)
            return
        before, after = self.turn_start, self.turn_start.without_mover()
        self._open.clear()
        self.turns.append(Turn(before, (), after, reason))
        self.position = after
        self._count_standing()
        self._judge()

    def conclude(self, outcome: Outcome) -> None:
        """End the play for a reason outside the board, such as lost time; raises `IllegalError`."""
        self.check_goes_on()
        self.outcome = outcome

    def check_goes_on(self) -> None:
        if ended := why_over(self.outcome):
            raise IllegalError(ended)

    def _count_standing(self) -> None:
        if (key := self.position.key) is not None and not self.position.turn_open:
            self.history.add(key)

    def _judge(self) -> None:
        self.outcome = self.position.outcome(self.history)


def describe(players: Sequence[Text], outcome: Outcome | None, own: Collection[int] = ()) -> Text:
    """Return an outcome as a sentence with the players' names; ``own`` are the reader's seats.

    >>> from trine.core.contract.position import Reason
    >>> from trine.games import open_room
    >>> print(describe(names(open_room("arimaa").seats), Outcome(0, Reason.GOAL)))
    Gold wins (goal)
    """
    if outcome is None:
        return text("the play is not over")
    if outcome.winner is None:
        return text("a draw ({reason})", reason=outcome.reason.text)
    if outcome.winner in own:
        return text("You have won ({reason})", reason=outcome.reason.text)
    if own and len(players) == 2:
        return text("You have lost ({reason})", reason=outcome.reason.text)
    return text(
        "{player} wins ({reason})", player=players[outcome.winner], reason=outcome.reason.text
    )


def ended(
    room: Room,
    position: Position,
    players: Sequence[Text],
    outcome: Outcome,
    own: Collection[int] = (),
    last: int | None = None,
) -> Text:
    """Return how a play has ended, and its cause on the board.

    ``own`` are the reader's seats, ``last`` is the player of the last turn.

    >>> from trine.games import new_play
    >>> play = new_play("corridor", position="quoridor 5 2 c4,c2 b3h 9,9 1")
    >>> play.enter("c5")
    >>> print(ended(play.room, play.position, names(play.position.seats), play.outcome))
    South wins: the pawn has reached c5
    >>> from trine.core.contract.position import Reason
    >>> given_up = Outcome(1, Reason.RESIGNATION)
    >>> print(ended(play.room, play.position, names(play.position.seats), given_up, own={1}))
    You have won (resignation)
    """
    cause = room.view.cause(position, outcome)
    if cause is None:
        return describe(players, outcome, own)
    if outcome.winner is None:
        return text("a draw: {cause}", cause=cause.text)
    if outcome.winner in own and last is not None and last not in own:
        return text("Your opponent's own turn has won it for you: {cause}", cause=cause.text)
    if outcome.winner in own:
        return text("You have won: {cause}", cause=cause.text)
    if own and len(players) == 2:
        return text("You have lost: {cause}", cause=cause.text)
    return text("{player} wins: {cause}", player=players[outcome.winner], cause=cause.text)


def names(seats: Sequence[Seat]) -> list[Text]:
    return [seat.name for seat in seats]


def written_actions(room: Room, position: Position, actions: Iterable[Action]) -> str:
    """Return consecutive actions from a position, written as in records."""
    words = []
    for action in actions:
        words.append(room.rules.format_action(position, action))
        position = position.play_unchecked(action)
    return " ".join(filter(None, words))


def last_turn(
    room: Room, turns: Sequence[Turn], called: Callable[[int], Text] | None = None
) -> list[Text]:
    """Return a line about the last turn; empty before the first turn and after a whole setup."""
    if not turns or room.sets_up_whole(turns[-1].before):
        return []
    last = turns[-1]
    tag = room.tag(last.before)
    if last.left:
        player = called(last.player) if called else last.before.seats[last.player].name
        return [
            text(
                "{turn}: {player} has left ({reason})",
                turn=tag,
                player=player,
                reason=last.left.text,
            )
        ]
    steps = written_actions(room, last.before, last.actions)
    return [text("last turn: {turn} {steps}", turn=tag, steps=steps)]


def next_step(room: Room, begun: Position, actions: Sequence[Action], position: Position) -> Text:
    """Return which pieces the actions before a position have lost, and what to do next."""
    sentences = []
    for action in actions:
        if fall := room.view.falls(begun, action):
            sentences.append(fall.text)
        begun = begun.play_unchecked(action)
    if sentences and not position.turn_open:  # that a new turn begins is said anyway
        return join(sentences, " ")
    return join([*sentences, room.view.coach(position)], " ")


def changed_cells(room: Room, before: Position, actions: Sequence[Action]) -> frozenset[str]:
    """Return the cells and walls to highlight after consecutive actions."""
    return highlighted_cells(room, before, movements_of(room.view, before, actions))


def highlighted_cells(
    room: Room, before: Position, moved: Iterable[Iterable[Movement]]
) -> frozenset[str]:
    """Return where each action's movements begin and end; none after a whole setup."""
    if room.sets_up_whole(before):
        return frozenset()
    return frozenset(cell for action in moved for way in action for cell in way if cell)
