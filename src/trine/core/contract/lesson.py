"""A lesson: a small position with a task, and the referee to say whether the task is done.

The lessons of a game are read from its ``handbook/lessons.toml``, whose keys are the names of the
fields (`trine.core.contract.handbook_file`). A user interface shows the board of an `Attempt` and
passes on what the learner does, without knowing the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from trine.core.contract.clause import Sketch
from trine.core.contract.outcome import Outcome
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


class Quote(Struct, frozen=True, forbid_unknown_fields=True):
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


class AdviceMatch(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A match that measures an advice: a player who follows the advice against one who does not.

    By default it is the engine against a copy of itself that is blind to the advice.

    Source: docs/experiments/2026-11-advice.md, with the commands.
    """

    rules: str
    player: Text = text("the computer")
    """The player that follows the advice: a strategist by name, or described."""
    other: Text = text("the same without a sense for it")
    """The player that does not follow the advice."""
    setting: Text = text("1,000 nodes a turn")
    """A label that distinguishes matches of the same two players."""
    games: int
    points: float
    """Units: percent of the games' points, for the player who follows the advice."""
    error: float
    """Units: percent; the half-width of the 95 % confidence interval."""

    @property
    def text(self) -> Text:
        """The result as a sentence.

        >>> other, setting = text("another"), text("calm")
        >>> match = AdviceMatch(
        ...     rules="open", other=other, setting=setting, games=9, points=65, error=5.2
        ... )
        >>> print(match.text)
        tested in 9 games, the computer against another (calm): 65.0 % of the points, ± 5.2
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


class Lesson(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
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
    """The position as text, in the file as the `Handbook`'s ``sketch`` reads it."""
    goal: Goal
    """In the file, one of the `trine.core.contract.goals` with its arguments, or a list of them."""
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


def lessons_of(rules: str, book: Iterable[Lesson], sketch: Sketch) -> list[Lesson]:
    """The lessons of a rule set in their order, with the positions written for it."""
    return [
        replace(
            lesson,
            position=sketch(lesson.position, rules),
            matches=tuple(match for match in lesson.matches if match.rules == rules),
        )
        for lesson in book
        if not lesson.only or rules in lesson.only
    ]
