"""Lessons, their goals, and first games; `trine.core.contract.handbook` reads them from files.

A lesson is a small position with a task. A goal is a word with its arguments, such as
``stands E e5``: the words in `GOALS` work in every game, and a game adds its own to its `Handbook`.
A first game is a position that a newcomer can win in a few minutes, against level 1.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from types import MappingProxyType
from typing import Any, Final

from msgspec import Struct

from trine.core.contract.position import Outcome, Reason, Turn
from trine.core.text.sentence import Text, number, text, verbatim


@dataclass(frozen=True)
class Reached:
    """The situation after a whole turn of the learner, with positions of the game's own class."""

    start: Any
    """The position of the lesson."""
    position: Any
    """The position after the turn."""
    actions: tuple[Any, ...]
    """The actions of the turn, with the action that ends it if the game has one."""
    outcome: Outcome | None

    @property
    def learner(self) -> int:
        player: int = self.start.mover
        return player


Goal = Callable[[Reached], bool]
"""Whether a lesson's goal is reached; called after each turn of the learner."""


class Quote(Struct, frozen=True, forbid_unknown_fields=True):
    """A quotation from a source document whose advice decides in the lesson's position."""

    language: str
    """A language code."""
    words: str
    """The original, with an ellipsis for omissions."""
    text: Text
    """The translation."""

    def said_in(self, language: str) -> list[Text]:
        """Return the original; for readers of another language, also the translation.

        >>> from trine.core.text.sentence import text
        >>> quote = Quote("fr", "geler", text("to freeze"))
        >>> [len(quote.said_in(code)) for code in ("fr", "ru")]
        [1, 2]
        """
        original = verbatim(f"«{self.words}»")
        return [original] if language == self.language else [original, self.text]


class AdviceMatch(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The result of a match of a player who follows an advice against one who does not.

    By default both players are the engine; one of them ignores the advice.

    Source: docs/experiments/2026-11-advice.md, with the commands.
    """

    rules: str
    player: Text = text("the computer")
    """The player who follows the advice: the name of a strategist, or a description."""
    other: Text = text("the same without a sense for it")
    """The player who does not follow the advice."""
    setting: Text = text("1,000 nodes a turn")
    """A label that distinguishes matches of the same two players."""
    games: int
    points: float
    """Units: percent; the share of the points for the player who follows the advice."""
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
    """The key of the learner's stored progress: a lesson that is done in one rule set is done in
    all that have a lesson of this name."""
    title: Text
    words: Text
    """The idea, in two or three sentences."""
    task: Text
    """One sentence."""
    position: str
    """A position as text; in the file, the input of `Handbook.sketch`."""
    goal: Goal
    """In the file, a goal in words, or a list of goals that must all be reached."""
    solution: tuple[str, ...]
    """The learner's turns in one solution, as a person types them."""
    success: Text
    hints: tuple[Text, ...]
    """From a vague hint to a plain one; a learner who asks again gets the solution."""
    answers: tuple[str, ...] = ()
    """The opponents' turns after each turn of the learner but the last, a line each."""
    wrong: tuple[str, ...] = ()
    """First turns that a learner may well try, although they are illegal or miss the goal."""
    only: tuple[str, ...] = ()
    """The rule sets with this lesson; empty for all."""
    quotes: tuple[Quote, ...] = ()
    matches: tuple[AdviceMatch, ...] = ()

    @property
    def turns(self) -> int:
        """The number of turns that the learner has for the goal."""
        return len(self.answers) + 1


Sketch = Callable[[str, str], str]
"""``sketch(words, rule set name)``: the text of a position, from what a handbook's file says."""


GoalWord = Callable[..., bool]
"""``word(reached, *arguments)``: whether the goal is reached. The arguments are annotated: strings,
numbers, or a `Reason`, which is written with hyphens (``wins no-capture``)."""
Pieces = Mapping[str, tuple[int, str]]
"""The owner and the letter of the piece on each cell that is not empty."""

_READ: Final[Mapping[object, Callable[[str], object]]] = MappingProxyType(
    {str: str, int: int, Reason: lambda word: Reason(word.replace("-", " "))}
)


def wins(reached: Reached, reason: Reason) -> bool:
    return reached.outcome == Outcome(reached.learner, reason)


def draws(reached: Reached, reason: Reason) -> bool:
    return reached.outcome == Outcome(None, reason)


def has_not_lost(reached: Reached) -> bool:
    return reached.outcome is None or reached.outcome.winner == reached.learner


GOALS: Final[Mapping[str, GoalWord]] = MappingProxyType(
    {"wins": wins, "draws": draws, "not-lost": has_not_lost}
)


def goals_of_pieces(pieces: Callable[[Any], Pieces]) -> dict[str, GoalWord]:
    """Return goals about pieces on cells; ``pieces`` lists those of a position."""

    def count(position: Any, letter: str) -> int:
        return sum(piece == letter for _, piece in pieces(position).values())

    def lost(reached: Reached, player: int) -> int:
        before, after = (
            sum(owner == player for owner, _ in pieces(position).values())
            for position in (reached.start, reached.position)
        )
        return before - after

    def stands(reached: Reached, piece: str, *cells: str) -> bool:
        board = pieces(reached.position)
        return any(board.get(cell, (0, ""))[1] == piece for cell in cells)

    def holds(reached: Reached, *cells: str) -> bool:
        board = pieces(reached.position)
        return any(board.get(cell, (-1, ""))[0] == reached.learner for cell in cells)

    def kept(reached: Reached, piece: str) -> bool:
        return count(reached.position, piece) == count(reached.start, piece)

    def fewer(reached: Reached, piece: str) -> bool:
        return count(reached.position, piece) < count(reached.start, piece)

    def taken(reached: Reached, piece: str) -> bool:
        return fewer(reached, piece) and not lost(reached, reached.learner)

    def captured(reached: Reached, number: int) -> bool:
        return lost(reached, 1 - reached.learner) == number

    return {
        "stands": stands,
        "holds": holds,
        "kept": kept,
        "fewer": fewer,
        "taken": taken,
        "captured": captured,
    }


def read_goal(given: object, words: Mapping[str, GoalWord]) -> Goal:
    """Return the goal in a file: one in words, or a list of goals that must all be reached.

    >>> read_goal("not-lost D", GOALS)
    Traceback (most recent call last):
    ...
    ValueError: Expected not-lost, got 'not-lost D'
    """
    lines = given if isinstance(given, list) else [given]
    goals = [_one_goal(line, words) for line in lines]
    return lambda reached: all(goal(reached) for goal in goals)


def _one_goal(line: object, words: Mapping[str, GoalWord]) -> Goal:
    name, *given = line.split() if isinstance(line, str) and line else [""]
    if (word := words.get(name)) is None:
        raise ValueError(f"Expected a goal ({', '.join(sorted(words))}), got {line!r}")
    wanted = signature(word, eval_str=True)
    _, *parameters = wanted.parameters.values()
    try:
        wanted.bind(None, *given)
        kinds = [one.annotation for one in parameters]
        arguments = [_READ[kinds[min(at, len(kinds) - 1)]](one) for at, one in enumerate(given)]
    except (TypeError, ValueError):
        usage = " ".join([name, *(one.name.upper() for one in parameters)])
        raise ValueError(f"Expected {usage}, got {line!r}") from None
    return lambda reached: word(reached, *arguments)


Happening = Callable[[Any, int], bool]
"""``happens(turn, player)``: whether an event happens to a player in a turn, whose positions are of
the game's own class."""


class Bubble(Struct, frozen=True, forbid_unknown_fields=True):
    """A sentence that is shown when an event happens for the first time."""

    when: Happening
    """In the file, a name in `Handbook.happenings`."""
    text: Text


class FirstGame(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A start position, and the sentences shown while it is played."""

    name: str
    """An id that is unique among all games."""
    rules: str
    position: str
    """As text, with the beginner to move."""
    invitation: Text
    """The label of the button that starts the game."""
    task: Text
    """The beginner's aim, in one line."""
    glows: tuple[str, ...]
    """The cells that are highlighted before the first turn."""
    bubbles: tuple[Bubble, ...] = ()
    typed: Text | None = None
    """The aim for a player who types, if the `task` speaks of pointing; None if it does not."""

    def line(self, turns: Sequence[Turn], player: int) -> Text | None:
        """Return the sentence to show to a player after some turns; None if nothing is new."""
        if not turns:
            return self.task
        own = [number for number, turn in enumerate(turns) if turn.player == player]
        since = own[-1] if own else 0
        for bubble in self.bubbles:
            happened = (one for one, turn in enumerate(turns) if bubble.when(turn, player))
            if next(happened, -1) >= since:
                return bubble.text
        return None
