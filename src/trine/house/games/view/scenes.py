"""Scenes of a game: of a turn on the board, after turns that are not played yet, and insight."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, cast

from msgspec import structs

from trine.core.contract.checked import CheckedLine
from trine.core.contract.choices import Choosable, choices, named_actions
from trine.core.contract.insight import without_notation
from trine.core.contract.lesson import FirstGame
from trine.core.contract.position import Action, Outcome, Position, Turn
from trine.core.contract.room import Room
from trine.core.errors import IllegalError
from trine.core.play import Play, changed_cells, written_actions
from trine.core.scene.composing import Keys, carry_keys
from trine.core.scene.scene import NAMED, Scene
from trine.core.text.sentence import Text
from trine.games import first_games, open_room
from trine.house.games.live.commands import NotYoursError
from trine.house.games.live.drafts import Line, play_ahead, read_draft
from trine.house.games.live.live_game import keys_after
from trine.house.games.view.messages import AheadView, PlayedAhead, TurnAhead
from trine.house.games.view.snapshot import Snapshot
from trine.house.job_pool import JobPool
from trine.house.refusals import HouseError


@dataclass(frozen=True)
class ViewerGroup:
    """The viewers who get the same view."""

    own: frozenset[int]  # the seats of the viewers
    seat: int  # the seat from whose side the board is seen
    language: str
    insight: bool = False
    """Whether the viewers see the insight, which `add_insight` must have added."""
    pieces: str = ""  # name of a piece set; empty if the pieces are shown as drawings


def scene_now(snapshot: Snapshot, group: ViewerGroup, line: CheckedLine | None = None) -> Scene:
    """Return the scene of the current state, with the viewer's draft."""
    if not (state := snapshot.state):
        return scene_after(snapshot, 0, group.seat, group.pieces)
    play = state.play
    marks: Mapping[str, frozenset[str]] = {}
    if state.outcome:
        marks = marks_of_end(play, state.outcome)
    elif group.insight:
        marks = insight_of(snapshot, line.end if line else play.position).marks
    elif (first := first_game_of(snapshot)) and not (line or play.turns):
        marks = dict.fromkeys(first.glows, frozenset({NAMED}))
    played = snapshot.played_turns
    side = {"seat": group.seat, "last": played.changed[-1], "pieces": group.pieces, "marks": marks}
    keys, over = played.keys[-1], snapshot.over
    scene = position_scene(snapshot.room, keys, play.position, line, side, over=over)
    snapshot.made["board", group] = scene.board
    return without_absent(scene) if snapshot.agreement.first else scene


def scene_after(
    snapshot: Snapshot, turns: int, seat: int, pieces: str = "", actions: int = 0
) -> Scene:
    """Return the scene after a number of turns, and of actions of the next turn."""
    if not (state := snapshot.state):
        start = snapshot.agreement.terms().start
        begin: Scene = snapshot.room.view.scene(start, seat=seat, pieces=pieces)
        return begin
    play, made = state.play, state.play.turns[:turns]
    position = made[-1].after if made else play.start
    seen = snapshot.room.actions_to_see(position, play.turns[turns].actions) if actions else ()
    ends = state.outcome if turns == len(play.turns) else None
    marks = marks_of_end(play, ends) if ends else {}
    played = snapshot.played_turns
    side = {"seat": seat, "last": played.changed[turns], "pieces": pieces, "marks": marks}
    room, keys, line = snapshot.room, played.keys[turns], seen[:actions]
    scene = position_scene(room, keys, position, line, side, over=bool(ends))
    return without_absent(scene) if snapshot.agreement.first else scene


def position_scene(
    room: Room,
    keys: Keys,
    position: Position,
    actions: Sequence[Action] | None,
    side: Mapping[str, Any],
    *,
    over: bool = False,
) -> Scene:
    """Return the scene of a position, or after further actions, which then are the last ones.

    ``keys`` are the keys of the pieces in the position; ``side`` has more arguments of the scene.
    """
    if actions:
        side = {**side, "last": changed_cells(room, position, actions)}
    for action in actions or ():
        keys = carry_keys(room, position, action, keys)
        position = position.play_unchecked(action)
    scene: Scene = room.view.scene(position, keys=keys, **side)
    return structs.replace(scene, areas=()) if over else scene  # no player is to move


def without_absent(scene: Scene) -> Scene:
    """Return a scene without captured pieces in its trays: an example begins without them."""
    present = tuple(piece for piece in scene.pieces if piece.role != "captured")
    if len(present) == len(scene.pieces):
        return scene
    labels = tuple(label for label in scene.labels if label.role != "count")
    return structs.replace(scene, pieces=present, labels=labels)


def marks_of_end(play: Play, outcome: Outcome) -> Mapping[str, frozenset[str]]:
    """Return the marks on the board that show why the play has ended."""
    cause = play.room.view.cause(play.position, outcome)
    return dict.fromkeys(cause.cells, frozenset({NAMED})) if cause else {}


def insight_of(snapshot: Snapshot, position: Position) -> Seen:
    return cast("Seen", snapshot.made["insight", position])


def first_game_of(snapshot: Snapshot) -> FirstGame | None:
    name = snapshot.agreement.first
    return first_games()[name][1] if name else None


def _check_may_preview(snapshot: Snapshot, own: frozenset[int], new: Sequence[Turn]) -> None:
    """Check that a player may look this far ahead: on a clock, only to their first answer."""
    if len(own) != 1:
        raise NotYoursError
    if not snapshot.agreement.by_days and sum(turn.player in own for turn in new) > 1:
        raise IllegalError("in a game on a clock you can prepare only one reply")


def ahead_view(snapshot: Snapshot, group: ViewerGroup, path: Line, ids: Sequence[str]) -> AheadView:
    """Return the board and the next choices after the turns ``path`` and the draft ``ids``."""
    state = snapshot.state
    if not state:
        raise NotYoursError
    play, room = play_ahead(state.play, path), snapshot.room
    new = play.turns[len(state.play.turns) :]
    _check_may_preview(snapshot, group.own, new)
    keys = (played := snapshot.played_turns).keys[-1]
    for turn in new:
        keys = keys_after(room, turn, keys)
    draft = None if play.outcome else read_draft(play, ids)
    closed = bool(draft and draft.steps[-1].closes)
    found: Sequence[Choosable] = ()
    if draft is not None and not closed:
        found = choices(room, draft.end, draft.end.legal_actions(play.history))
    last = changed_cells(room, new[-1].before, new[-1].actions) if new else played.changed[-1]
    side = {"seat": group.seat, "pieces": group.pieces, "last": last}
    scene = position_scene(room, keys, play.position, draft, side)
    return AheadView(
        line=[
            PlayedAhead(
                room.tag(one.before), written_actions(room, one.before, one.actions), one.player
            )
            for one in new
        ],
        mover=play.mover,
        over=play.outcome is not None,
        draft=ids,
        closed=closed,
        choices=found,
        view=scene.view,
    )


def turns_ahead(
    snapshot: Snapshot, group: ViewerGroup, draft: CheckedLine, turns: Sequence[Sequence[str]]
) -> list[TurnAhead]:
    room, keys, last, found = snapshot.room, snapshot.played_turns.keys[-1], frozenset[str](), []
    for step in draft.steps:
        keys = carry_keys(room, step.before, step.action, keys)
    position = draft.end
    for ids in turns:
        made = [*named_actions(position, ids)]
        view = room.view.scene(
            position, seat=group.seat, last=last, keys=keys, pieces=group.pieces
        ).view
        found.append(TurnAhead(position.seats[position.mover].name, view, arrows(room, made)))
        last = changed_cells(room, position, [action for _, action in made])
        for before, action in made:
            keys = carry_keys(room, before, action, keys)
            position = before.play_unchecked(action)
    return found


def arrows(room: Room, made: Iterable[tuple[Position, Action]]) -> list[Sequence[str]]:
    """Return the picks of the actions that arrows can show; each action has its position before."""
    paths = [room.view.picks(before, action) for before, action in made]
    return [path for path in paths if not path[0].startswith("#")]


INSIGHT_TIMEOUT: Final = 0.5
"""Units: seconds; after a longer wait the board is shown without insight, with it later."""


@dataclass(frozen=True)
class Seen:
    """The insight into a position."""

    marks: Mapping[str, frozenset[str]]  # the marks on the board, by cell
    sentences: Sequence[Text]


class PageInsight:
    """The insight for one page, computed for one position at a time.

    ``found`` is called when an insight is ready that was too late to be returned.
    """

    def __init__(self, helpers: JobPool, address: str, found: Callable[[], None]) -> None:
        self._helpers, self._address, self._found = helpers, address, found
        self._asking: asyncio.Task[Seen] | None = None

    async def of(self, room: Room, position: Position) -> Seen | None:
        """Return the insight into a position; None if it is not ready in time."""
        key = (room.name, position)
        if known := self._helpers.cached(key):
            return cast("Seen", known)
        if self._asking:
            return None
        job = partial(see, room.name, position)
        asking = self._asking = asyncio.create_task(
            self._helpers.run_cached(self._address, key, job)
        )
        await asyncio.wait({asking}, timeout=INSIGHT_TIMEOUT)
        if not asking.done():
            asking.add_done_callback(self._end)
            return None
        self._asking = None
        return _result(asking)

    def _end(self, asking: asyncio.Task[Seen]) -> None:
        self._asking = None
        if not asking.cancelled() and _result(asking):
            self._found()

    def close(self) -> None:
        """Cancel pending work and drop the reference to the page."""
        self._found = lambda: None
        if self._asking:
            self._asking.cancel()


def _result(asking: asyncio.Task[Seen]) -> Seen | None:
    try:
        return asking.result()
    except (HouseError, BrokenProcessPool):  # the pool is overloaded, or the house closes
        return None


def see(game_name: str, position: Position) -> Seen:
    """Return the insight into a position; this runs in the job pool."""
    found = open_room(game_name).view.insight(position)
    return Seen(found.marks(), without_notation(found.sentences()))
