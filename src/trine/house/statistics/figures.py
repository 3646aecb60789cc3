"""The figures of a group of games, as a page shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from trine.core.contract.outcome import Reason
from trine.core.text.language import Language
from trine.core.text.sentence import Text
from trine.core.text.typed import name_in
from trine.games import open_room
from trine.record.statistics import TOLD, Games, mean


@dataclass(frozen=True)
class Ended:
    """How often games ended for one reason."""

    reason: Text
    games: int
    share: float
    """Units: per cent of the games that are over."""
    told: int | None
    """The number that the French document counts; None if it does not speak of these games."""


@dataclass(frozen=True)
class Figures:
    """The figures of a group of games that are over."""

    title: str
    games: int
    unfinished: int
    ends: Sequence[Ended]
    told: int
    """The games that the French document counts; 0 if it does not speak of these games."""
    first: tuple[float, float]
    """The score of those who moved first and its error of 95 %. Units: per cent."""
    turns: tuple[float, int, int]
    """The median, the least and the most."""
    seconds: float | None
    """Units: seconds; the median of a turn's time, if it is known."""
    choices: float | None
    """The median number of legal turns, if they were counted."""


def figures_of(
    found: Mapping[tuple[str, str], Games], language: Language, *, by_rules: bool = True
) -> list[Figures]:
    """Return the figures of all groups in which a game is over.

    Args: ``found`` has them by game and group; ``by_rules`` is whether groups are rule sets.
    """
    return [
        _figures(key, games, language, by_rules=by_rules)
        for key, games in found.items()
        if games.over
    ]


def _figures(key: tuple[str, str], games: Games, language: Language, *, by_rules: bool) -> Figures:
    game, group = key
    told: Mapping[Reason, int] = TOLD.get(key, {}) if by_rules else {}
    reasons = dict(games.reasons.most_common()) | {one: games.reasons[one] for one in told}
    score, error = mean(games.first)
    title = name_in(language, open_room(game).title)
    called = name_in(language, group) if by_rules else group
    return Figures(
        f"{title} · {called}" if group else title,
        games.over,
        games.unfinished,
        [
            Ended(one.text, number, 100 * number / games.over, told.get(one, 0) if told else None)
            for one, number in reasons.items()
        ],
        sum(told.values()),
        (100 * score, 100 * error),
        (median(games.turns), min(games.turns), max(games.turns)),
        median(games.seconds) if games.seconds else None,
        median(games.choices) if games.choices else None,
    )
