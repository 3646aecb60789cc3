"""The review of a game: the chances of all players turn by turn, and the costliest turns.

Positions are searched from last to first, so that earlier turns are judged with the table and the
values of the later ones. A position is worth at least as much as the position after the played
turn. A turn that seems to lose a lot is checked: the position after the better turn is searched as
well, so that both are judged by searches from the same distance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Final

from trine.core.clock import Limits
from trine.core.contract.position import Action, Outcome, Turn
from trine.core.contract.score import WIN, Score
from trine.core.errors import IllegalError
from trine.core.play import Play
from trine.core.text.sentence import Text, ctext
from trine.core.work.stop import Stop
from trine.engine.players.chances import score_among, shares
from trine.engine.search.info import Info

if TYPE_CHECKING:
    from trine.engine.players.bot import Bot

DEFAULT_LIMITS: Final = Limits(hard=0.5)
"""The limits of each search. Measured in docs/guides/analysis.md."""
HALVING_LOSS: Final = 0.1
"""Units: chance; a turn's score in the accuracy is halved by a loss of this size, and quartered by
twice the loss. Guess."""
GLANCE_NODES: Final = 2_000  # nodes; the effort for completing the unfinished last turn of a line


class Grade(Enum):
    """The grade of a bad turn, by the win chance that it loses.

    >>> Grade.of(0.31), Grade.of(0.04)
    (<Grade.BLUNDER: 0.3>, None)
    """

    # Guesses: round numbers, easy to remember.
    SLIP = 0.1
    MISTAKE = 0.2
    BLUNDER = 0.3

    @classmethod
    def of(cls, loss: float) -> Grade | None:
        """Return the grade of a loss; None if the loss is too small."""
        return next((grade for grade in reversed(cls) if loss >= grade.value), None)

    @property
    def text(self) -> Text:
        return _GRADES[self][0]

    @property
    def plural(self) -> Text:
        return _GRADES[self][1]


_GRADES: Final = {
    Grade.SLIP: (ctext("review", "a slip"), ctext("review", "slips")),
    Grade.MISTAKE: (ctext("review", "a mistake"), ctext("review", "mistakes")),
    Grade.BLUNDER: (ctext("review", "a blunder"), ctext("review", "blunders")),
}


@dataclass(frozen=True)
class PositionValue:
    """The value of a position, and its best line."""

    chances: tuple[float, ...]
    """The win chances in turn order; a draw is shared. 0 and 1 are proven."""
    score: Score  # the score for the player to move
    line: tuple[Action, ...]  # the best actions of all players; empty if the play is over

    @property
    def info(self) -> Info:
        """The value as a search result, for functions that describe such results."""
        return Info(0, self.score, self.line, 0, 0.0)


@dataclass(frozen=True)
class ReviewedTurn:
    """A turn, and the values of the positions before and after it."""

    index: int  # the index of the turn in the play, from 0
    turn: Turn
    before: PositionValue  # the value of the position before the turn, by the best known turn
    after: PositionValue
    better: PositionValue | None  # the better turn and its line; None if no better turn is known

    @property
    def player(self) -> int:
        return self.turn.player

    @property
    def loss(self) -> float:
        """The drop in win chance that the turn cost its player, from 0 to 1.

        0 if no better turn is known.
        """
        if self.better is None:
            return 0.0
        return max(0.0, self.before.chances[self.player] - self.after.chances[self.player])

    @property
    def grade(self) -> Grade | None:
        return Grade.of(self.loss)

    @property
    def counts(self) -> bool:
        """Whether the turn counts for the accuracy: not in a lost position."""
        return self.turn.left is None and self.before.chances[self.player] > 0


@dataclass(frozen=True)
class Review:
    """A review of all turns of a game, or of the last ones if the review was stopped."""

    play: Play
    turns: tuple[ReviewedTurn, ...]
    missing: int = 0  # number of earlier turns that are not reviewed yet

    @property
    def curve(self) -> list[tuple[float, ...]]:
        """The chances of all players before each reviewed turn, and after the last one."""
        return [turn.before.chances for turn in self.turns] + (
            [self.turns[-1].after.chances] if self.turns else []
        )

    def accuracy(self, player: int) -> float | None:
        """Return the accuracy of a player, from 0 to 1; None if no turn counts.

        A turn that loses nothing scores 1, and each `HALVING_LOSS` of lost chance halves the score;
        the accuracy is the mean. Turns in a surely lost position do not count.
        """
        shares = [
            0.5 ** (turn.loss / HALVING_LOSS)
            for turn in self.turns
            if turn.player == player and turn.counts
        ]
        return sum(shares) / len(shares) if shares else None

    def count(self, player: int, grade: Grade) -> int:
        return sum(turn.player == player and turn.grade is grade for turn in self.turns)

    def worst(self, most: int) -> list[ReviewedTurn]:
        """Return up to ``most`` turns with a grade, the worst first."""
        graded = [turn for turn in self.turns if turn.grade]
        return sorted(graded, key=lambda turn: -turn.loss)[:most]


@dataclass(frozen=True)
class ReviewProgress:
    """The progress of a review."""

    turn: str  # the turn under review, as in ``12g``
    done: int
    total: int  # turns


def review(
    bot: Bot,
    play: Play,
    limits: Limits = DEFAULT_LIMITS,
    on_progress: Callable[[ReviewProgress], object] | None = None,
    stop: Stop | None = None,
) -> Review:
    """Review the whole turns of a play after its setup.

    ``limits`` are for each search: one search for each turn, and one more for each turn that seems
    to lose much. ``stop`` ends the review early.

    Guarantee: if only nodes or depth are limited, a new bot gives the same review of a play.

    Raises:
        IllegalError: the play has no turn to review.

    >>> from trine.engine.players.bot import Bot
    >>> from trine.games import new_play
    >>> play = new_play("corridor")
    >>> play.enter("e2 e8 e3")
    >>> found = review(Bot("corridor", hash_mb=1), play, Limits(depth=2))
    >>> len(found.turns), len(found.curve)
    (3, 4)
    """
    reviewer = Reviewer(bot, play, limits, stop)
    found: list[ReviewedTurn] = []
    try:
        while reviewer.done < reviewer.total:
            if on_progress:
                on_progress(reviewer.progress)
            found.append(reviewer.review_next())
    except SearchStoppedError:
        pass
    found.reverse()
    return Review(play, tuple(found), reviewer.total - len(found))


def count_reviewable(turns: Iterable[Turn]) -> int:
    """Return the number of turns after the setup; raises `IllegalError` if there is none."""
    if count := sum(not turn.before.in_setup for turn in turns):
        return count
    raise IllegalError("there is no turn to review: none was played after the setup")


class SearchStoppedError(Exception):
    """A search was stopped, so its result is not reliable."""


class Reviewer:
    """A review in steps, from the last turn to the first; raises `IllegalError` without turns."""

    def __init__(
        self, bot: Bot, play: Play, limits: Limits = DEFAULT_LIMITS, stop: Stop | None = None
    ) -> None:
        self._bot, self._limits, self._stop = bot, limits, stop or Stop()
        self.play: Final = play
        self._ahead = play.copy()  # the part of the play that is still to be reviewed
        while self._ahead.open_actions:
            self._ahead.undo()
        # After a resignation or an agreement, the position itself can be undecided.
        self._ahead.outcome = self._ahead.position.outcome(self._ahead.history)
        self._after: PositionValue | None = None
        self.done = 0  # number of reviewed turns, counted from the end of the play
        self.total: Final = count_reviewable(self._ahead.turns)

    @property
    def progress(self) -> ReviewProgress:
        turns = self._ahead.turns
        tag = self.play.room.tag(turns[-1].before) if self.done < self.total else ""
        return ReviewProgress(tag, self.done, self.total)

    def resume(self, done: int, after: PositionValue) -> None:
        """Resume after another review, from its number of turns and the value at its beginning."""
        while self.done < done:
            self._ahead.take_back()
            self.done += 1
        self._after = after

    def review_next(self) -> ReviewedTurn:
        """Review the last remaining turn; raises `SearchStoppedError`."""
        found = self._turn(self._after or self._value_of(self._ahead))
        self._after = found.before
        self.done += 1
        return found

    def _turn(self, after: PositionValue) -> ReviewedTurn:
        turn = self._ahead.take_back()
        index = len(self._ahead.turns)
        found, player = self._value_of(self._ahead), turn.player
        if turn.left:
            return ReviewedTurn(index, turn, found, after, None)
        played = _before(turn, after)
        best = self._first_turn(found)
        if best.after == turn.after or _gains(played, found, player) >= 0:
            return ReviewedTurn(index, turn, played, after, None)
        if Grade.of(-_gains(played, found, player)) and found.score.decided_in is None:
            found = self._verify_best_turn(best, found)
            if _gains(played, found, player) >= 0:
                return ReviewedTurn(index, turn, played, after, None)
        if len(found.line) < len(best.actions):
            found = replace(found, line=best.actions)
        return ReviewedTurn(index, turn, found, after, found)

    def _verify_best_turn(self, best: Turn, found: PositionValue) -> PositionValue:
        """Return a position's value with its best turn judged by a search after the turn."""
        again = _before(best, self._value_of(self._ahead.after(best.actions)))
        return again if _gains(again, found, best.player) < 0 else replace(found, line=again.line)

    def _first_turn(self, found: PositionValue) -> Turn:
        """Return the first turn of a line, completed by a search if the line ends within it."""
        ahead, line = self._ahead.copy(), list(found.line)
        while len(ahead.turns) == len(self._ahead.turns):
            if not line:
                line = list(self._bot.analyze(ahead, Limits(nodes=GLANCE_NODES))[0].pv)
            ahead.act_unchecked(line.pop(0))
        return ahead.turns[-1]

    def _value_of(self, play: Play) -> PositionValue:
        seats = len(play.position.seats)
        if play.outcome:
            chances = play.outcome.points(seats)
            return PositionValue(chances, _score_over(play.outcome, play.mover), ())
        info = self._bot.analyze(play, self._limits, stop=self._stop)[0]
        if self._stop.is_set:
            raise SearchStoppedError
        if seats > 2:
            return PositionValue(info.chances, info.score, info.pv)
        return PositionValue(shares(play.room, play.position, info.score), info.score, info.pv)


def _gains(one: PositionValue, other: PositionValue, player: int) -> float:
    return one.chances[player] - other.chances[player]


def _score_over(outcome: Outcome, mover: int) -> Score:
    """Return the score of a finished play, for the player who would be to move."""
    if outcome.winner is None:
        return Score(0)
    return Score(WIN if outcome.winner == mover else -WIN)


def _before(turn: Turn, after: PositionValue) -> PositionValue:
    """Return the value of the position before a turn, derived from the value after the turn."""
    if len(turn.before.seats) > 2:
        score = score_among(after.chances, turn.player)
    else:
        score = after.score if turn.after.mover == turn.player else -after.score
    if score.decided_in is not None:
        further = len(turn.actions)
        score = Score(score.points - further if score.points > 0 else score.points + further)
    return PositionValue(after.chances, score, (*turn.actions, *after.line))
