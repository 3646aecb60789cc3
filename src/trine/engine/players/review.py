"""A review of a whole game: the chances of all players from turn to turn, and what cost most.

The positions are searched from the last to the first, so that what is found late, in the table of
the search and in the values themselves, is known before the turns that led there are judged. A
position is worth at least what it is worth after the turn that was played. A turn that seems to
lose a lot is looked at twice: the position after the better one is searched as well, so that both
are judged at the same distance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Final

from trine.core.contract.outcome import Outcome
from trine.core.contract.position import Action
from trine.core.contract.score import WIN, Score
from trine.core.contract.turn import Turn
from trine.core.errors import IllegalError
from trine.core.play import Play
from trine.core.text.sentence import Text, ctext
from trine.core.work.limits import Limits
from trine.core.work.stop import Stop
from trine.engine.players.chances import score_among, shares
from trine.engine.search.info import Info

if TYPE_CHECKING:
    from trine.engine.players.bot import Bot

USUAL_LIMITS: Final = Limits(hard=0.5)
"""For each position that is searched. Measured in docs/guides/analysis.md."""
HALVES: Final = 0.1
"""Units: chance; a turn that loses so much counts half for the accuracy, one that loses twice as
much a quarter. Guess."""
GLANCE: Final = 2_000
"""Units: nodes; for the rest of a turn where the line that was found breaks off within it."""


class Grade(Enum):
    """The name of a turn that loses much: by how much of the chance to win it loses.

    >>> Grade.of(0.31), Grade.of(0.04)
    (<Grade.BLUNDER: 0.3>, None)
    """

    # Guesses: round numbers that can be remembered.
    SLIP = 0.1
    MISTAKE = 0.2
    BLUNDER = 0.3

    @classmethod
    def of(cls, loss: float) -> Grade | None:
        """The grade of a loss; None if it is too small for one."""
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
    """The worth of a position, and the line that shows it."""

    chances: tuple[float, ...]
    """Of each player in turn order to win; a draw is shared. 0 and 1 are proven."""
    score: Score
    """For the player to move."""
    line: tuple[Action, ...]
    """The actions thought best for all players; empty where the play is over."""

    @property
    def info(self) -> Info:
        """As what a search knows, for those who put that into words."""
        return Info(0, self.score, self.line, 0, 0.0)


@dataclass(frozen=True)
class ReviewedTurn:
    """A turn with what it was worth."""

    index: int
    """Which of the turns of the play it is, from 0."""
    turn: Turn
    before: PositionValue
    """The worth of the position if the best known turn had been played."""
    after: PositionValue
    better: PositionValue | None
    """The better turn, and how it goes on; None where none is known."""

    @property
    def player(self) -> int:
        return self.turn.player

    @property
    def loss(self) -> float:
        """The part of the player's chance to win that it lost, from 0 to 1."""
        if self.better is None:
            return 0.0
        return max(0.0, self.before.chances[self.player] - self.after.chances[self.player])

    @property
    def grade(self) -> Grade | None:
        return Grade.of(self.loss)

    @property
    def counts(self) -> bool:
        """Whether it says something about how well its player plays: not where all was lost."""
        return self.turn.left is None and self.before.chances[self.player] > 0


@dataclass(frozen=True)
class Review:
    """A game as far as it was reviewed: all its turns, or the last ones."""

    play: Play
    turns: tuple[ReviewedTurn, ...]
    missing: int = 0
    """The number of earlier turns that were not reviewed, though they could have been."""

    @property
    def curve(self) -> list[tuple[float, ...]]:
        """The chances of all players before each reviewed turn, and after the last one."""
        return [turn.before.chances for turn in self.turns] + (
            [self.turns[-1].after.chances] if self.turns else []
        )

    def accuracy(self, player: int) -> float | None:
        """Return the accuracy of a player, from 0 to 1; None where no turn tells.

        A turn that loses nothing counts 1, and each `HALVES` of the chance that it loses halve
        that; told is the mean. Turns of a player for whom all was surely lost do not count.
        """
        shares = [
            0.5 ** (turn.loss / HALVES)
            for turn in self.turns
            if turn.player == player and turn.counts
        ]
        return sum(shares) / len(shares) if shares else None

    def count(self, player: int, grade: Grade) -> int:
        return sum(turn.player == player and turn.grade is grade for turn in self.turns)

    def worst(self, most: int) -> list[ReviewedTurn]:
        """The turns that lost most, the worst first: at most a given number, all with a grade."""
        graded = [turn for turn in self.turns if turn.grade]
        return sorted(graded, key=lambda turn: -turn.loss)[:most]


@dataclass(frozen=True)
class ReviewProgress:
    """The progress of a review."""

    turn: str
    """The turn that is being looked at, as in ``12g``."""
    done: int
    total: int
    """Units: turns."""


def review(
    bot: Bot,
    play: Play,
    limits: Limits = USUAL_LIMITS,
    on_progress: Callable[[ReviewProgress], object] | None = None,
    stop: Stop | None = None,
) -> Review:
    """Review a play: its whole turns, less those in which the board was set up.

    Args: the limits are those of each search; there is one for each turn, and one more for each
    that seems to lose much. The stop ends it with what is reviewed by then.

    Guarantee: with a limit of nodes or depth and none of time, the same play with a new bot gives
        the same review.

    Raises:
        IllegalError: the play holds no turn that can be reviewed.

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
    """A search was broken off: what it says is not worth telling."""


class Reviewer:
    """One review, from the end of a play to its beginning; raises `IllegalError` without turns."""

    def __init__(
        self, bot: Bot, play: Play, limits: Limits = USUAL_LIMITS, stop: Stop | None = None
    ) -> None:
        self._bot, self._limits, self._stop = bot, limits, stop or Stop()
        self.play: Final = play
        self._ahead = play.copy()
        """The play as far as it is still to be reviewed."""
        while self._ahead.open_actions:
            self._ahead.undo()
        # An outcome that people decided leaves something to think about.
        self._ahead.outcome = self._ahead.position.outcome(self._ahead.history)
        self._after: PositionValue | None = None
        self.done = 0
        """The number of turns that are reviewed, the last ones of the play."""
        self.total: Final = count_reviewable(self._ahead.turns)

    @property
    def progress(self) -> ReviewProgress:
        turns = self._ahead.turns
        tag = self.play.room.tag(turns[-1].before) if self.done < self.total else ""
        return ReviewProgress(tag, self.done, self.total)

    def resume(self, done: int, after: PositionValue) -> None:
        """Go on behind another one, given the worth of the position before its first turn."""
        while self.done < done:
            self._ahead.take_back()
            self.done += 1
        self._after = after

    def review_next(self) -> ReviewedTurn:
        """Review the last turn that is left; raises `SearchStoppedError`."""
        found = self._turn(self._after or self._worth(self._ahead))
        self._after = found.before
        self.done += 1
        return found

    def _turn(self, after: PositionValue) -> ReviewedTurn:
        turn = self._ahead.take_back()
        index = len(self._ahead.turns)
        found, player = self._worth(self._ahead), turn.player
        if turn.left:
            return ReviewedTurn(index, turn, found, after, None)
        played = _led_by(turn, after)
        best = self._first_turn(found)
        if best.after == turn.after or _gains(played, found, player) >= 0:
            return ReviewedTurn(index, turn, played, after, None)
        if Grade.of(-_gains(played, found, player)) and not _is_proven(found):
            found = self._looked_at_again(best, found)
            if _gains(played, found, player) >= 0:
                return ReviewedTurn(index, turn, played, after, None)
        if len(found.line) < len(best.actions):
            found = replace(found, line=best.actions)
        return ReviewedTurn(index, turn, found, after, found)

    def _looked_at_again(self, best: Turn, found: PositionValue) -> PositionValue:
        """Return a position's worth with its best turn judged from the position after it."""
        again = _led_by(best, self._worth(self._ahead.after(best.actions)))
        return again if _gains(again, found, best.player) < 0 else replace(found, line=again.line)

    def _first_turn(self, found: PositionValue) -> Turn:
        """The first turn of a line, to its end: the line can break off within it."""
        ahead, line = self._ahead.copy(), list(found.line)
        while len(ahead.turns) == len(self._ahead.turns):
            if not line:
                line = list(self._bot.analyze(ahead, Limits(nodes=GLANCE))[0].pv)
            ahead.act_unchecked(line.pop(0))
        return ahead.turns[-1]

    def _worth(self, play: Play) -> PositionValue:
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


def _is_proven(worth: PositionValue) -> bool:
    return worth.score.decided_in is not None


def _score_over(outcome: Outcome, mover: int) -> Score:
    """The score of a play that is over, for the player who would be to move."""
    if outcome.winner is None:
        return Score(0)
    return Score(WIN if outcome.winner == mover else -WIN)


def _led_by(turn: Turn, after: PositionValue) -> PositionValue:
    """Return the worth of the position before a turn if the turn is played."""
    if len(turn.before.seats) > 2:
        score = score_among(after.chances, turn.player)
    else:
        score = after.score if turn.after.mover == turn.player else -after.score
    if score.decided_in is not None:
        further = len(turn.actions)
        score = Score(score.points - further if score.points > 0 else score.points + further)
    return PositionValue(after.chances, score, (*turn.actions, *after.line))
