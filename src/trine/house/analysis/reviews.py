"""Reviews of whole games: made by the workers in parts, shared by concurrent requests, and cached.

The costliest turns of each player are stored, for the page of results.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from trine.core.contract.choices import named_actions
from trine.core.contract.record import Record, read_records
from trine.core.errors import TrineError
from trine.core.play import written_actions
from trine.core.text.sentence import join
from trine.core.work.cpu_account import in_thread
from trine.engine.players.review import Review, ReviewedTurn, ReviewProgress
from trine.engine.players.review_words import share
from trine.games import open_room
from trine.house.analysis.analysis_worker import AnalysisBots, GradedTurn
from trine.house.analysis.tables import CostlyTurn, keep_losses, worst_losses
from trine.house.background import Background
from trine.house.games.live.game_actor import GameActor
from trine.house.games.view.game_page import record_of
from trine.house.people.tables import Account
from trine.house.refusals import HouseError
from trine.house.store.store import Store
from trine.play.record.replay import replay_as_far_as_legal

REVIEW_COST: Final = 50  # credits of an address; the cost of a review
CACHE_SIZE: Final = 64
MAX_CONCURRENT: Final = 4  # maximum number of concurrent reviews. Guess
UNWATCHED_TIMEOUT: Final = 30.0
"""Units: seconds; a review is stopped if no page has asked for it this long."""
OnReviewProgress = Callable[[ReviewProgress], object]


@dataclass(frozen=True)
class GameReview:
    """A review of a whole game, as pages show it; its lines are ids of actions."""

    record: Record
    review: Review
    judged: Mapping[int, GradedTurn]  # the findings of the workers, by the index of the turn

    def mistakes(self, seat: int | None) -> list[ReviewedTurn]:
        """Return the turns of a player, or of all, that have a better one; the worst first."""
        worst = self.review.worst(len(self.review.turns))
        found = (turn for turn in worst if self.judged[turn.index].better_turn)
        return [turn for turn in found if seat in (None, turn.player)]


Keep = Callable[[str, GameReview], Awaitable[None]]
"""A function that stores the lasting part of the review of a game, by the game's id."""


@dataclass
class _Running:
    task: asyncio.Task[GameReview]
    game: str
    callbacks: list[OnReviewProgress] = field(default_factory=list)
    last: ReviewProgress | None = None
    waiting: int = 0


class Reviews:
    """The reviews of a house."""

    def __init__(self, bots: AnalysisBots, background: Background, keep: Keep) -> None:
        self._bots, self._background, self._keep = bots, background, keep
        self._known: OrderedDict[str, GameReview] = OrderedDict()
        self._running: dict[str, _Running] = {}

    def known(self, record: str) -> GameReview | None:
        return self._known.get(record)

    async def review(
        self, record: str, on_progress: OnReviewProgress | None = None, *, game_id: str = ""
    ) -> GameReview:
        """Review the game of a record; simultaneous requests for one record share the work.

        ``game_id`` is the id of a game of the house. The review is cancelled when no request waits
        for it any longer.

        Raises:
            HouseError: too many games are being reviewed.
            TrineError: the record is malformed, or has no turn that can be reviewed.
        """
        if known := self._known.get(record):
            self._known.move_to_end(record)
            return known
        running = self._running.get(record) or self._begin(record, game_id)
        running.waiting += 1
        if on_progress:
            running.callbacks.append(on_progress)
            if running.last:
                on_progress(running.last)
        try:
            return await asyncio.shield(running.task)
        finally:
            running.waiting -= 1
            if on_progress:
                running.callbacks.remove(on_progress)
            if not running.waiting:
                running.task.cancel()

    def ask(self, record: str, game_id: str) -> ReviewProgress | None:
        """Start or keep up a review for pages that poll; return its progress."""
        self._background.run(partial(self._wait, record, game_id), "a review")
        running = self._running.get(record)
        return running.last if running else None

    async def _wait(self, record: str, game_id: str) -> None:
        with suppress(TimeoutError, TrineError):  # the next request starts it again
            await asyncio.wait_for(self.review(record, game_id=game_id), UNWATCHED_TIMEOUT)

    def runs(self, record: str) -> bool:
        return record in self._running

    def _begin(self, record: str, game_id: str) -> _Running:
        if len(self._running) >= MAX_CONCURRENT:
            raise HouseError("too many games are being reviewed; try again in a minute")
        task = asyncio.create_task(self._review(record))
        running = self._running[record] = _Running(task, game_id)
        task.add_done_callback(lambda task: self._ended(record, task))
        return running

    def _ended(self, record: str, task: asyncio.Task[GameReview]) -> None:
        running = self._running.pop(record)
        if not task.cancelled() and not task.exception():
            self._known[record] = found = task.result()
            if running.game:
                self._background.run(partial(self._keep, running.game, found), "a review is kept")
            while len(self._known) > CACHE_SIZE:
                self._known.popitem(last=False)

    async def _review(self, record: str) -> GameReview:
        judged: list[GradedTurn] = []
        while True:
            after = judged[-1].before if judged else None
            part = await self._bots.review_part(record, len(judged), after, self._bots.patience)
            judged += part.judged
            running = self._running[record]
            running.last = ReviewProgress(part.turn, part.done, part.total)
            for on_progress in list(running.callbacks):
                on_progress(running.last)
            if part.done >= part.total:
                return await in_thread(partial(_whole, record, judged[::-1]))


def _whole(record: str, judged: list[GradedTurn]) -> GameReview:
    read = next(iter(read_records(record.splitlines(keepends=True))))
    play, _ = replay_as_far_as_legal(read)
    turns = tuple(
        ReviewedTurn(one.index, play.turns[one.index], one.before, one.after, one.better)
        for one in judged
    )
    return GameReview(read, Review(play, turns), {one.index: one for one in judged})


OF_A_SEAT: Final = 3  # number of costly turns stored for a seat
MAX_SHOWN: Final = 12


def record_of_game(actor: GameActor) -> str:
    """Return the record of a game that has begun, cached with the snapshot."""
    made = actor.snapshot.made
    if "record" not in made:
        made["record"] = record_of(actor.snapshot, actor.game.entries)
    written: str = made["record"]
    return written


def losses_of(found: GameReview) -> list[CostlyTurn]:
    room, losses = found.review.play.room, list[CostlyTurn]()
    for seat in range(len(found.review.play.position.seats)):
        for one in found.mistakes(seat)[:OF_A_SEAT]:
            before, judged = one.turn.before, found.judged[one.index]
            actions = [action for _, action in named_actions(before, judged.better_turn)]
            losses.append(
                CostlyTurn(
                    turn=one.index,
                    seat=seat,
                    lost=one.loss,
                    tag=room.tag(before),
                    played=written_actions(room, before, one.turn.actions),
                    better=written_actions(room, before, actions),
                    themes=" ".join(judged.themes),
                )
            )
    return losses


async def keep_review(store: Store, game_id: str, found: GameReview) -> None:
    await store.commit(keep_losses, game_id, await in_thread(partial(losses_of, found)))


async def losses_values(store: Store, account: Account, *, own: bool) -> Mapping[str, Any]:
    """Return a person's costliest turns for the template; private games only for that person."""
    found = await store.fetch(worst_losses, account.person, own=own, most=MAX_SHOWN)
    seen = []
    for row in found:
        room = open_room(row.room)
        themes = [
            room.handbook.themes[name]
            for name in row.themes.split()
            if name in room.handbook.themes
        ]
        titles = join([one.title for one in themes], ", ")
        seen.append((row, room.title, share(row.lost), titles))
    return {"losses": seen}
