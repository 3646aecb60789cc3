"""Checked lines: legal actions, each judged once, with the positions after them.

A line is read and judged once; callers that play it, warn of it or show its end use its
positions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

from trine.core.contract.position import Action, History, Outcome, Position
from trine.core.errors import IllegalError
from trine.core.text.sentence import Text, text, typed_line


@dataclass(frozen=True)
class CheckedStep:
    """A legal action, with the position after it."""

    before: Position
    action: Action
    after: Position
    outcome: Outcome | None
    """The result on the board after the action, if any."""

    @property
    def closes(self) -> bool:
        """Whether the action ends the open turn, or the play."""
        return not self.after.turn_open or self.outcome is not None


@dataclass(frozen=True)
class CheckedLine(Sequence["Action"]):
    """A line of legal actions; as a sequence, only the actions."""

    start: Position
    """The position before the first action."""
    steps: tuple[CheckedStep, ...]

    @property
    def actions(self) -> tuple[Action, ...]:
        return tuple(step.action for step in self.steps)

    @property
    def end(self) -> Position:
        return self.steps[-1].after if self.steps else self.start

    def warnings(self, history: History) -> list[Text]:
        """Return warnings for a person before playing the line, given the history of its start."""
        warnings, occurred = [], history
        for step in self.steps:
            if warning := step.before.warning(step.action, occurred):
                warnings.append(
                    text("{given}: {reason}", given=typed_line(str(step.action)), reason=warning)
                )
            if (key := step.after.key) is not None and not step.after.turn_open:
                occurred = occurred.copy()
                occurred.add(key)
        return warnings

    def turns(self) -> Iterator[CheckedLine]:
        """The line, split at the ends of turns; the last part may be an open turn."""
        part: list[CheckedStep] = []
        for step in self.steps:
            part.append(step)
            if step.closes:
                yield CheckedLine(part[0].before, tuple(part))
                part = []
        if part:
            yield CheckedLine(part[0].before, tuple(part))

    @overload
    def __getitem__(self, index: int) -> Action: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Action]: ...
    def __getitem__(self, index: int | slice) -> Action | Sequence[Action]:
        return self.actions[index]

    def __len__(self) -> int:
        return len(self.steps)


class Checker:
    """Judges consecutive actions, from a position with its history.

    >>> from trine.games import new_play
    >>> play = new_play("corridor")
    >>> checker = Checker(play.position, play.history)
    >>> e2, e8 = play.interpret("e2 e8")
    >>> checker.play(e2)
    >>> checker.why_not(e8) is None
    True
    >>> checker.line().actions == (e2,)
    True
    """

    def __init__(self, position: Position, history: History) -> None:
        self.start = position
        self.position: Any = position
        """The position after the actions so far, as the game's own class."""
        self.outcome: Outcome | None = None
        self._history, self._shared = history, True
        self._steps: list[CheckedStep] = []

    def why_not(self, action: Action) -> Text | None:
        """The rule that forbids an action after the actions so far; None if the action is legal."""
        if ended := why_over(self.outcome):
            return ended
        ruled_out: Text | None = self.position.why_not(action, self._history)
        return ruled_out

    def play(self, action: Action, given: object = None) -> None:
        """Judge and play an action, quoted as ``given`` in errors; raises `IllegalError`."""
        if ended := why_over(self.outcome):
            raise IllegalError(ended)
        if reason := self.why_not(action):
            given = typed_line(str(action)) if given is None else given
            raise IllegalError("{given}: {reason}", given=given, reason=reason)
        self.play_unchecked(action)

    def play_unchecked(self, action: Action) -> None:
        before, after = self.position, self.position.play_unchecked(action)
        if (key := after.key) is not None and not after.turn_open:
            if self._shared:
                self._history, self._shared = self._history.copy(), False
            self._history.add(key)
        self.position, self.outcome = after, after.outcome(self._history)
        self._steps.append(CheckedStep(before, action, after, self.outcome))

    @property
    def closed(self) -> bool:
        """Whether the last action ended its turn."""
        return bool(self._steps) and self._steps[-1].closes

    def line(self) -> CheckedLine:
        return CheckedLine(self.start, tuple(self._steps))


def why_over(outcome: Outcome | None) -> Text | None:
    """A message that the play is over, and why; None while the play goes on."""
    return text("the play is over: {reason}", reason=outcome.reason.text) if outcome else None
