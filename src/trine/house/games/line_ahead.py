"""Views of a game after conditional or expected turns, which are not played yet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from trine.core.contract import Room
from trine.core.contract.checked import CheckedLine
from trine.core.contract.choices import Choosable, choices, named_actions
from trine.core.contract.position import Action, Position
from trine.core.contract.turn import Turn
from trine.core.errors import IllegalError
from trine.core.scene.keys import carry_keys
from trine.core.text.wording import changed_cells, written_actions
from trine.house.games.commands import NotYoursError
from trine.house.games.conditions import Line, play_ahead
from trine.house.games.drafts import read_draft
from trine.house.games.live_game import keys_after
from trine.house.games.messages import AheadView, PlayedAhead, TurnAhead
from trine.house.games.scenes import ViewerGroup, scene_behind
from trine.house.games.snapshot import Snapshot


def _check_may_look(snapshot: Snapshot, own: frozenset[int], new: Sequence[Turn]) -> None:
    """Check that a player may look this far ahead: on a clock, only to their first answer."""
    if len(own) != 1:
        raise NotYoursError
    if not snapshot.agreement.by_days and sum(turn.player in own for turn in new) > 1:
        raise IllegalError("in a game on a clock you can prepare only one reply")


def ahead_view(snapshot: Snapshot, group: ViewerGroup, path: Line, ids: Sequence[str]) -> AheadView:
    """Return the board and its choices after ``path`` and a draft of ``ids``, if they are legal."""
    state = snapshot.state
    if not state:
        raise NotYoursError
    play, room = play_ahead(state.play, path), snapshot.room
    new = play.turns[len(state.play.turns) :]
    _check_may_look(snapshot, group.own, new)
    keys = snapshot.keys[-1]
    for turn in new:
        keys = keys_after(room, turn, keys)
    draft = None if play.outcome else read_draft(play, ids)
    closed = bool(draft and draft.steps[-1].closes)
    found: Sequence[Choosable] = ()
    if draft is not None and not closed:
        found = choices(room, draft.end, draft.end.legal_actions(play.history))
    side = {"seat": group.seat, "pieces": group.pieces}
    scene = scene_behind(room, keys, play.turns, play.position, draft, side)
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
    room, keys, last, found = snapshot.room, snapshot.keys[-1], frozenset[str](), []
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
