"""The report of a review, as ``review_report.html`` has it on the board and on a page alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from markupsafe import Markup

from trine.core.contract import Room
from trine.core.contract.position import Action, position_after
from trine.core.scene.scene import Say, Scene
from trine.core.text.sentence import Text, ctext
from trine.core.text.wording import changed_cells
from trine.engine.players.review import Grade, Review, ReviewedTurn
from trine.engine.players.review_words import (
    Verdict,
    accuracy_text,
    missing_text,
    share_text,
    turn_text,
)
from trine.house.analysis.review_curve import curve_svg, legend_items

WORST: Final = 5
"""The number of costly turns that a house tells of."""


@dataclass(frozen=True)
class Costly:
    """A turn that lost much, with the board after it and after the better one."""

    number: int
    """Its place among all turns, from 1."""
    verdict: Verdict
    played: Markup
    better: Markup
    ids: Sequence[str] = ()
    """The actions of the better turn, where it can be played on the page."""


def report(
    review: Review,
    say: Say,
    result: Text,
    called: Sequence[str],
    worst: int,
    costly: Callable[[ReviewedTurn], Costly],
) -> dict[str, Any]:
    """Return what the template tells of a review.

    Args: ``called`` are the names of the players, empty for unknown ones; ``worst`` is how many
    costly turns are told, and ``costly`` tells of one.
    """
    seats = review.play.position.seats
    told = [costly(turn) for turn in review.worst(worst)]
    shown = seats if len(seats) > 2 else seats[:1]
    linked = {one.number for one in told}
    return {
        "result": result,
        "missing": missing_text(review),
        "curve": Markup(curve_svg(review, say)) if review.turns else "",
        "legend": [(Markup(mark), words) for mark, words in legend_items(review)],
        "player_heads": [
            *(ctext("review", "player"), ctext("review", "accuracy")),
            *(grade.plural for grade in Grade),
        ],
        "players": [
            (
                seat.name,
                name,
                accuracy_text(review, player),
                [review.count(player, grade) for grade in Grade],
            )
            for player, (seat, name) in enumerate(zip(seats, called, strict=True))
        ],
        "worst": told,
        "turn_heads": [
            *(ctext("review", "turn"), ctext("review", "played")),
            *(seat.name for seat in shown),
        ],
        "turns": [_turn(review, turn, len(shown), linked) for turn in review.turns],
    }


def _turn(review: Review, turn: ReviewedTurn, shown: int, linked: set[int]) -> dict[str, Any]:
    tag, _, played = turn_text(review.play, turn).partition(" ")
    return {
        "number": turn.index + 1,
        "tag": tag,
        "played": played,
        "grade": turn.grade,
        "told": turn.index + 1 in linked,
        "chances": [share_text(one) for one in turn.after.chances[:shown]],
    }


def scene_after(room: Room, turn: ReviewedTurn, actions: Sequence[Action]) -> Scene:
    """The scene after actions in place of a turn, or after the turn itself."""
    before = turn.turn.before
    return room.scene(position_after(before, actions), last=changed_cells(room, before, actions))
