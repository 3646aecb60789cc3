"""The Russian document's advice about playing Corridor well: quoted, and a lesson besides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from trine.core.contract.lesson import Lesson, Match, Quote, all_of
from trine.core.text.sentence import text
from trine.core.text.typed import typed
from trine.games.corridor.view.goals import lengthened, no_farther

LESSONS: Final = (
    Lesson(
        name="behind",
        title=text("Behind in the race"),
        words=text(
            "If the other side's way is the shorter one, running loses. A wall that closes a line "
            "of walls makes the longest detour."
        ),
        task=text("You need three steps, North needs two. Make North's way two steps longer."),
        position="{rules} 9 2 e6,d3 c2h,e2h {hands} 1",
        goal=all_of(lengthened(2), no_farther),
        solution=("d2h",),
        success=text("North has to go around three walls, and you are first now."),
        hints=(text("The gap is in front of North's pawn: d2h."),),
        wrong=("e7", "d3h"),
        only=("corridor", "corridor-8", "great-wall"),
        quotes=(
            Quote(
                "ru",
                "Если же ваш кратчайший длиннее кратчайшего противника, то нужно строить стену, "
                "удлиняющую кратчайший путь противника.",
                text(
                    "But if your shortest way is longer than the opponent's, you must build a wall "
                    "that makes the opponent's shortest way longer."
                ),
            ),
        ),
    ),
)

QUOTES: Final[Mapping[str, tuple[Quote, ...]]] = {
    "race": (
        Quote(
            "ru",
            "если ваш кратчайший путь меньше, нежели путь противника, то не стоит строить стену, "
            "надо двигать фишку",
            text(
                "If your shortest way is shorter than the opponent's, build no wall: move your "
                "pawn along it."
            ),
        ),
    ),
    "across": (
        Quote(
            "ru",
            "Можно попытаться построить стену за своей спиной. И если противник не успеет "
            "построить такую же стену, то это будет означать для него поражение.",
            text(
                "One can try to build a wall behind one's back. If the opponent has no time to "
                "build such a wall, it means defeat."
            ),
        ),
    ),
    "shut-in": (
        Quote(
            "ru",
            "Фишку противника можно поймать в замкнутое пространство.",
            text("The opponent's pawn can be caught in a closed space."),
        ),
    ),
    "drawn": (
        Quote(
            "ru",
            "Ничья фиксируется только в том случае, если фишки обоих противников оказываются "
            "пойманными.",
            text("A draw is fixed only if the pawns of both opponents are caught."),
        ),
    ),
}
"""Advice that decides in lessons that newcomers have anyway, by their names."""

_BUILDER, _RUNNER = typed("wall-builder"), typed("pathfinder")
_USUAL, _RANDOM = text("from the usual beginning"), text("from random beginnings")

MATCHES: Final[Mapping[str, tuple[Match, ...]]] = {
    "across": (
        Match("corridor", _BUILDER, _RUNNER, _USUAL, 200, 65.0, 5.2),
        Match("corridor", _BUILDER, _RUNNER, _RANDOM, 200, 50.5, 4.7),
        Match("corridor-8", _BUILDER, _RUNNER, _USUAL, 200, 50.0, 6.6),
        Match("corridor-8", _BUILDER, _RUNNER, _RANDOM, 200, 45.5, 4.7),
    ),
}
"""All matches that tell what the advice of lessons was worth."""
