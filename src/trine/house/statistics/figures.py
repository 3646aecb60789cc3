"""The figures of groups of games, as a page shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trine.core.contract.outcome import Reason
from trine.core.text.sentence import Text, join
from trine.core.text.typed import typed
from trine.games import open_room
from trine.play.record.statistics import TOLD, By, GroupFigures, Summary, group_text


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

    title: Text
    summary: Summary | None
    """None where only the French document counts games."""
    ends: Sequence[Ended]
    told: int
    """The games that the French document counts; 0 if it does not speak of these games."""


def figures_of(found: Mapping[tuple[str, str], GroupFigures], by: By = By.RULES) -> list[Figures]:
    """Return the figures of all groups in which a game is over, given by game and group.

    By rule set, those of which the French document tells come in any case.
    """
    told = TOLD if by is By.RULES else {}
    over = {key: games for key, games in found.items() if games.over}
    return [
        _figures(key, games, told.get(key, {}), by)
        for key, games in (dict.fromkeys(told, GroupFigures()) | over).items()
    ]


def _figures(
    key: tuple[str, str], games: GroupFigures, told: Mapping[Reason, int], by: By
) -> Figures:
    game, group = key
    named = typed(group) if by is By.RULES else group_text(by, group)
    reasons = dict(games.reasons.most_common()) | {one: games.reasons[one] for one in told}
    return Figures(
        join([typed(open_room(game).title), named], " · "),
        games.summary() if games.over else None,
        [
            Ended(
                one.text,
                number,
                100 * number / games.over if games.over else 0,
                told.get(one, 0) if told else None,
            )
            for one, number in reasons.items()
        ],
        sum(told.values()),
    )
