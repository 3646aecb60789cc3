"""The review of a game as a page, made by the workers of the house while its page waits for it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

import msgspec
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trine.core.choices import named_actions
from trine.core.language import Language, open_language
from trine.core.position import Action
from trine.core.text import Text, text, verbatim
from trine.core.wording import describe, names
from trine.draw.scenes import play_as_scenes
from trine.draw.svg import draw_svg
from trine.engine.review import ReviewedTurn, ReviewProgress
from trine.engine.review_words import Verdict
from trine.house.refusals import HouseError
from trine.house.reviews import GameReview, Reviews
from trine.house.snapshot import Snapshot
from trine.web import words
from trine.web.analysis_words import REVIEW
from trine.web.headers import AN_HOUR, FRESH, PICTURE, SVG, packed
from trine.web.review_page import ReviewParts, scene_after
from trine.web.stills import shape
from trine.web.views import called
from trine.web.visitors import asked_for

if TYPE_CHECKING:
    from trine.web.site import Site

WORST: Final = 5
"""The turns that are told."""
PATIENCE: Final = 30.0
"""Units: seconds; a review that no page has asked for so long is broken off."""
COST: Final = 50
"""Units: credits of an address; a review is much work."""


def routes(site: Site) -> list[Route]:
    """The pages of reviews."""
    reviews = _ReviewPages(site)
    return [
        Route("/game/{id}/review", reviews.page),
        Route("/game/{id}/review/progress", reviews.progress),
        Route("/game/{id}/review/scenes.json", reviews.scenes),
        Route("/game/{id}/review/{number:int}/{which}.svg", reviews.picture),
    ]


class _Making:
    """A review that is being made, for as long as pages ask for it."""

    def __init__(self, reviews: Reviews, record: str) -> None:
        self.record: Final = record
        self.told: ReviewProgress | None = None
        self._asked = time.monotonic()
        self._task = asyncio.create_task(self._make(reviews))

    @property
    def over(self) -> bool:
        """Whether it is made, or cannot be."""
        return self._task.done()

    @property
    def failed(self) -> bool:
        """Whether it cannot be made."""
        return self.over and not self._task.cancelled() and self._task.exception() is not None

    @property
    def stale(self) -> bool:
        """Whether nobody has asked for it for long."""
        return time.monotonic() - self._asked > PATIENCE

    def ask(self) -> None:
        """Have it go on; what has failed is not tried again at once."""
        if not self.over:
            self._asked = time.monotonic()

    def check(self) -> None:
        """Raise what has gone wrong with it.

        Raises:
            TrineError: the game holds nothing to review, or too many are being reviewed.
        """
        if self.failed:
            self._task.result()

    async def _make(self, reviews: Reviews) -> None:
        review = asyncio.ensure_future(reviews.review(self.record, self._tell))
        try:
            while not review.done() and not self.stale:
                await asyncio.wait({review}, timeout=PATIENCE / 6)
            if review.done():
                review.result()
        finally:
            review.cancel()

    def _tell(self, progress: ReviewProgress) -> None:
        self.told = progress


class _ReviewPages:
    """The answers to requests about reviews."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._making: dict[str, _Making] = {}
        """By the ids of games."""

    async def page(self, request: Request) -> Response:
        """The review, or how far it is."""
        snapshot, record = await self._asked(request)
        language = open_language(self._site.language_of(request))
        about: dict[str, Any] = {
            "snapshot": snapshot,
            "names": " – ".join(called(snapshot, language)),
            "review": words.said(REVIEW, language.code),
        }
        if found := self._site.house.reviews.known(record):
            parts = await asyncio.to_thread(_written, snapshot, found, language)
            return await self._site.show(request, "review.html", parts=parts, **about)
        making = self._make(request, snapshot.game, record)
        making.check()
        return await self._site.show(request, "reviewing.html", progress=making.told, **about)

    async def progress(self, request: Request) -> Response:
        """The progress of a review, for the page that waits for it."""
        snapshot, record = await self._asked(request)
        data: dict[str, Any] = {"over": True}
        if not self._site.house.reviews.known(record):
            making = self._make(request, snapshot.game, record)
            data = {"over": making.over}
            if making.told:
                data |= {"done": making.told.done, "total": making.told.total}
        return Response(msgspec.json.encode(data), 200, FRESH, "application/json")

    async def scenes(self, request: Request) -> Response:
        """The game for the board of the page."""
        snapshot, found = await self._found(request)
        say = open_language(asked_for(request)).say

        def written() -> bytes:
            return msgspec.json.encode(play_as_scenes(found.review.play, say=say))

        key = ("scenes", asked_for(request))
        if key not in snapshot.made:
            snapshot.made[key] = await asyncio.to_thread(written)
        return packed(request, snapshot.made[key], "application/json", FRESH)

    async def picture(self, request: Request) -> Response:
        """The board after a turn that lost much, or after the better one."""
        _, found = await self._found(request)
        number, which = request.path_params["number"], request.path_params["which"]
        turn = next((one for one in found.review.turns if one.index + 1 == number), None)
        if not turn or which not in ("played", "better"):
            raise HTTPException(HTTPStatus.NOT_FOUND)
        actions: Sequence[Action] = turn.turn.actions
        if which == "better":
            actions = _better(found, turn)
        scene = scene_after(found.review.play.room, turn, actions)
        drawn = draw_svg(scene, language=open_language(asked_for(request)))
        return packed(request, drawn.encode(), SVG, AN_HOUR | PICTURE)

    async def _asked(self, request: Request) -> tuple[Snapshot, str]:
        """The game, and its record.

        Raises:
            HouseError: it is not for anybody to know yet what was better in it.
        """
        host = await self._site.house.host(request.path_params["id"])
        snapshot = host.snapshot
        if not (snapshot.state and (snapshot.over or snapshot.agreement.casual)):
            raise HouseError(text("a game can be reviewed when it is over"))
        if "record" not in snapshot.made:
            snapshot.made["record"] = self._site.pages.record(snapshot, host.entries())
        return snapshot, snapshot.made["record"]

    async def _found(self, request: Request) -> tuple[Snapshot, GameReview]:
        snapshot, record = await self._asked(request)
        if not (found := self._site.house.reviews.known(record)):
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return snapshot, found

    def _make(self, request: Request, game: str, record: str) -> _Making:
        making = self._making.get(game)
        known = making and making.record == record
        if not making or not known or (making.over and (making.stale or not making.failed)):
            self._site.charge(request, COST)
            self._making = {
                name: one for name, one in self._making.items() if not (one.over and one.stale)
            }
            making = self._making[game] = _Making(self._site.house.reviews, record)
        making.ask()
        return making


# --- the page ------------------------------------------------------------------------------------


class _Served(ReviewParts):
    """The parts of a page that can ask the house for more."""

    def __init__(self, snapshot: Snapshot, found: GameReview, language: Language) -> None:
        seats = found.review.play.position.seats
        self._names = called(snapshot, language)
        own = [
            "" if name == language.say(seat.name) else name
            for name, seat in zip(self._names, seats, strict=True)
        ]
        super().__init__(found.review, own, language)
        self._snapshot, self._found = snapshot, found
        self._place = f"/game/{snapshot.game}/review"

    def result(self) -> Text:
        """The end of the game, with the names of the players."""
        state = self._snapshot.state
        named = [verbatim(name) for name in self._names]
        return describe(named or names(self.seats), state.outcome if state else None)

    def board(self, shown: int) -> str:
        """The board, which asks for its game."""
        size = shape(self.room.scene(self.play.start).board)
        scenes = f"{self._place}/scenes.json?language={self.language.code}"
        board = (
            f'turn="{shown}" size="{size["size"]}" class="r{size["ratio"]}" data-game="{scenes}"'
        )
        return f"<trine-replay {board} hidden></trine-replay>"

    def verdict(self, turn: ReviewedTurn) -> Verdict:
        """The judgement of a turn, in words."""
        return self._found.verdicts[turn.index]

    def best(self, turn: ReviewedTurn) -> Sequence[Action]:
        """The actions of the better turn."""
        return _better(self._found, turn)

    def drawn(self, turn: ReviewedTurn, actions: Sequence[Action], which: str) -> str:
        """The picture, which is loaded when it is near."""
        scene = scene_after(self.room, turn, actions)
        size = shape(scene.board)
        place = f"{self._place}/{turn.index + 1}/{which}.svg?language={self.language.code}"
        return (
            f'<img src="{place}" alt="{self.say(scene.alt)}" width="{size["across"]}" '
            f'height="{size["down"]}" loading="lazy">'
        )


def _written(snapshot: Snapshot, found: GameReview, language: Language) -> Markup:
    """The parts of the page, made once for all who read them."""
    key = ("review", language.code)
    if key not in snapshot.made:
        snapshot.made[key] = Markup("\n".join(_Served(snapshot, found, language).parts(WORST)))
    made: Markup = snapshot.made[key]
    return made


def _better(found: GameReview, turn: ReviewedTurn) -> list[Action]:
    """The actions of the turn that was better than a reviewed one."""
    ids = found.better.get(turn.index, ())
    return [action for _, action in named_actions(turn.turn.before, ids)]
