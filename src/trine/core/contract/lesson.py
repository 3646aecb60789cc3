"""A lesson: a small position with something to do in it, and the referee to say whether it is done.

A room keeps its lessons in ``view/lessons.py``. A surface, a terminal or a page, shows the board of
an `Attempt` and passes on what the learner does; it needs to know nothing of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from trine.core.contract.outcome import Outcome, Reason
from trine.core.text.sentence import Text, number, text, verbatim


@dataclass(frozen=True)
class Reached:
    """The situation that a learner has reached with a whole turn."""

    start: Any
    """The position of the lesson, as its room has it."""
    position: Any
    """The position after the turn, as the room has it."""
    actions: tuple[Any, ...]
    """The actions of the turn, the end of it included where the game has one."""
    outcome: Outcome | None

    @property
    def learner(self) -> int:
        player: int = self.start.mover
        return player


Goal = Callable[[Reached], bool]
"""Whether a lesson's goal is reached; asked when a turn of the learner is over."""


@dataclass(frozen=True)
class Quote:
    """A sentence of a source document that a lesson lets a learner try."""

    language: str
    """The code of the language of the document."""
    words: str
    """The sentence, as it stands there; an ellipsis for what is left out."""
    text: Text
    """The same for readers of other languages."""

    def said_in(self, language: str) -> list[Text]:
        """Return the sentence in the original, and for readers of another language translated.

        >>> from trine.core.text.sentence import text
        >>> quote = Quote("fr", "geler", text("to freeze"))
        >>> [len(quote.said_in(code)) for code in ("fr", "ru")]
        [1, 2]
        """
        original = verbatim(f"«{self.words}»")
        return [original] if language == self.language else [original, self.text]


def russian(*words: str) -> tuple[Quote, ...]:
    """Return quotes of a Russian document: sentences as they stand there, a translation after each.

    The translations are given as they are written, for translators to see.
    """
    pairs = zip(words[::2], words[1::2], strict=True)
    return tuple(Quote("ru", original, text(told)) for original, told in pairs)


@dataclass(frozen=True)
class AdviceMatch:
    """A match that tells what an advice is worth: a player who follows it against one who does not.

    Source: docs/experiments/2026-11-advice.md, with the commands.
    """

    rules: str
    player: Text
    """The player that follows the advice."""
    other: Text
    """The player that does not."""
    setting: Text
    """The mark that tells the match from others of the same two."""
    games: int
    points: float
    """Units: percent of the games' points, for the player who follows the advice."""
    error: float
    """Units: percent; half the width of the interval that holds the true value in 95 of 100."""

    @property
    def text(self) -> Text:
        """The result in a sentence.

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
    """Return a match of the computer against itself without a sense for what an advice says."""
    knows, does_not = text("the computer"), text("the same without a sense for it")
    setting = text("1,000 nodes a turn")
    return (AdviceMatch(rules, knows, does_not, setting, games, points, error),)


@dataclass(frozen=True)
class Lesson:
    """One idea of a game, and a position to try it in. The learner is the player to move there."""

    name: str
    """A word by which progress is kept; lessons of one name teach the same in all rule sets."""
    title: Text
    words: Text
    """The idea, in two or three sentences."""
    task: Text
    """The task, in one sentence."""
    position: str
    """As text; ``{rules}`` in it stands for the name of the rule set."""
    goal: Goal
    solution: tuple[str, ...]
    """The learner's turns on one way to the goal, as a person types them."""
    success: Text
    """The message when the goal is reached."""
    hints: tuple[Text, ...]
    """The first one points the way, others say more; behind them stands the solution."""
    answers: tuple[str, ...] = ()
    """The turns of the other players between the learner's, a line each."""
    wrong: tuple[str, ...] = ()
    """First turns that a learner may well try, and that are illegal or miss the goal."""
    only: tuple[str, ...] = ()
    """The rule sets that have it; empty for all."""
    quotes: tuple[Quote, ...] = ()
    """The advice of the documents that decides in its position."""
    matches: tuple[AdviceMatch, ...] = ()
    """The matches that tell what the advice is worth."""

    @property
    def turns(self) -> int:
        """In how many turns the learner must reach the goal."""
        return len(self.answers) + 1


def lesson(
    *, title: str, words: str, task: str, success: str, hints: tuple[str, ...], **others: Any
) -> Lesson:
    """Return a lesson from its sentences, as they are written for translators, and other fields."""
    sentences = {"title": title, "words": words, "task": task, "success": success}
    said: dict[str, Any] = {field: text(one) for field, one in sentences.items()}
    return Lesson(**said, hints=tuple(map(text, hints)), **others)


def lessons_of(rules: str, book: Iterable[Lesson], **blanks: str) -> list[Lesson]:
    """The lessons of a rule set, in their order, the blanks in their positions filled."""
    return [
        replace(
            lesson,
            position=lesson.position.format(rules=rules, **blanks),
            matches=tuple(match for match in lesson.matches if match.rules == rules),
        )
        for lesson in book
        if not lesson.only or rules in lesson.only
    ]


# --- goals of every game -------------------------------------------------------------------------


def wins(reason: Reason) -> Goal:
    """The learner has won, for this reason."""
    return lambda reached: reached.outcome == Outcome(reached.learner, reason)


def draws(reason: Reason) -> Goal:
    return lambda reached: reached.outcome == Outcome(None, reason)


def all_of(*goals: Goal) -> Goal:
    return lambda reached: all(goal(reached) for goal in goals)
