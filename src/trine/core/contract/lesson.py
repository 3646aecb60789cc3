"""A lesson: a small position with a task, and the referee to say whether the task is done.

The lessons of a game are in its ``view/lessons.py``. A user interface shows the board of an
`Attempt` and passes on what the learner does, without knowing the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from trine.core.contract.outcome import Outcome, Reason
from trine.core.text.sentence import Text, number, text, verbatim


@dataclass(frozen=True)
class Reached:
    """The situation after a learner's whole turn."""

    start: Any
    """The position of the lesson, of the game's own class."""
    position: Any
    """The position after the turn, of the game's own class."""
    actions: tuple[Any, ...]
    """The actions of the turn, its end included if the game has one."""
    outcome: Outcome | None

    @property
    def learner(self) -> int:
        player: int = self.start.mover
        return player


Goal = Callable[[Reached], bool]
"""Whether a lesson's goal is reached; called after each turn of the learner."""


@dataclass(frozen=True)
class Quote:
    """A sentence of a source document that the learner can try in a lesson."""

    language: str
    """A language code."""
    words: str
    """The sentence in the original, with an ellipsis for omissions."""
    text: Text
    """The translation for readers of other languages."""

    def said_in(self, language: str) -> list[Text]:
        """Return the sentence in the original, or translated for readers of other languages.

        >>> from trine.core.text.sentence import text
        >>> quote = Quote("fr", "geler", text("to freeze"))
        >>> [len(quote.said_in(code)) for code in ("fr", "ru")]
        [1, 2]
        """
        original = verbatim(f"«{self.words}»")
        return [original] if language == self.language else [original, self.text]


def russian(*words: str) -> tuple[Quote, ...]:
    """Return quotes of a Russian document: each original sentence is followed by its translation.

    The translations must be literals, for translators.
    """
    pairs = zip(words[::2], words[1::2], strict=True)
    return tuple(Quote("ru", original, text(told)) for original, told in pairs)


@dataclass(frozen=True)
class AdviceMatch:
    """A match that measures an advice: a player who follows the advice against one who does not.

    Source: docs/experiments/2026-11-advice.md, with the commands.
    """

    rules: str
    player: Text
    """The player that follows the advice."""
    other: Text
    """The player that does not follow the advice."""
    setting: Text
    """A label that distinguishes matches of the same two players."""
    games: int
    points: float
    """Units: percent of the games' points, for the player who follows the advice."""
    error: float
    """Units: percent; the half-width of the 95 % confidence interval."""

    @property
    def text(self) -> Text:
        """The result as a sentence.

        >>> one, other = text("one"), text("another")
        >>> str(AdviceMatch("open", one, other, text("calm"), 200, 65.0, 5.2).text)
        'tested in 200 games, one against another (calm): 65.0 % of the points, ± 5.2'
        """
        return text(
            "tested in {games} games, {player} against {other} ({setting}): "
            "{points} % of the points, ± {error}",
            games=self.games,
            player=self.player,
            other=self.other,
            setting=self.setting,
            points=number(self.points, 1),
            error=number(self.error, 1),
        )


def knowing(rules: str, games: int, points: float, error: float) -> tuple[AdviceMatch, ...]:
    """Return a match of the engine against a copy of itself that is blind to the advice."""
    knows, does_not = text("the computer"), text("the same without a sense for it")
    setting = text("1,000 nodes a turn")
    return (AdviceMatch(rules, knows, does_not, setting, games, points, error),)


@dataclass(frozen=True)
class Lesson:
    """One idea of a game, and a position to try it in, with the learner to move."""

    name: str
    """The id of the learner's progress; lessons with equal names teach the same in all rule
    sets."""
    title: Text
    words: Text
    """The idea, in two or three sentences."""
    task: Text
    """The task, in one sentence."""
    position: str
    """The position as text; ``{rules}`` is replaced by the name of the rule set."""
    goal: Goal
    solution: tuple[str, ...]
    """The learner's turns of one solution, as a person types them."""
    success: Text
    hints: tuple[Text, ...]
    """The first hint points the way, later ones say more; the last one is followed by the
    solution."""
    answers: tuple[str, ...] = ()
    """The opponents' turns between the learner's, a line each."""
    wrong: tuple[str, ...] = ()
    """First turns that a learner may well try, although they are illegal or miss the goal."""
    only: tuple[str, ...] = ()
    """The rule sets with this lesson; empty for all."""
    quotes: tuple[Quote, ...] = ()
    """The documents' advice that decides in the lesson's position."""
    matches: tuple[AdviceMatch, ...] = ()

    @property
    def turns(self) -> int:
        """The number of turns for reaching the goal."""
        return len(self.answers) + 1


def lesson(
    *, title: str, words: str, task: str, success: str, hints: tuple[str, ...], **others: Any
) -> Lesson:
    """Return a lesson; its sentences must be literals, for translators."""
    sentences = {"title": title, "words": words, "task": task, "success": success}
    said: dict[str, Any] = {field: text(one) for field, one in sentences.items()}
    return Lesson(**said, hints=tuple(map(text, hints)), **others)


def lessons_of(rules: str, book: Iterable[Lesson], **blanks: str) -> list[Lesson]:
    """The lessons of a rule set in their order, with the blanks in their positions filled."""
    return [
        replace(
            lesson,
            position=lesson.position.format(rules=rules, **blanks),
            matches=tuple(match for match in lesson.matches if match.rules == rules),
        )
        for lesson in book
        if not lesson.only or rules in lesson.only
    ]


def wins(reason: Reason) -> Goal:
    """A goal: the learner has won for this reason."""
    return lambda reached: reached.outcome == Outcome(reached.learner, reason)


def draws(reason: Reason) -> Goal:
    return lambda reached: reached.outcome == Outcome(None, reason)


def all_of(*goals: Goal) -> Goal:
    return lambda reached: all(goal(reached) for goal in goals)
