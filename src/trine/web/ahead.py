"""A game as it would stand after turns that have not been played, for conditional turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trine.core.choices import choices
from trine.core.doors import Room
from trine.core.errors import IllegalError
from trine.core.keys import carry_keys
from trine.core.language import open_language
from trine.core.text import text
from trine.core.turn import Turn
from trine.core.wording import changed_cells, written_actions
from trine.house.conditions import Line, play_ahead
from trine.house.drafts import read_draft
from trine.house.refusals import NotYoursError
from trine.house.snapshot import Snapshot, keys_after
from trine.web.views import Audience


def _check_may_look(snapshot: Snapshot, own: frozenset[int], new: Sequence[Turn]) -> None:
    """Check that a player may look ahead so far: on a clock to one answer, and nobody else.

    Raises:
        TrineError: it is not so.
    """
    if len(own) != 1:
        raise NotYoursError
    if not snapshot.agreement.by_days and sum(turn.player in own for turn in new) > 1:
        raise IllegalError(text("on a clock one answer can be prepared, and no more"))


def ahead_data(
    snapshot: Snapshot, audience: Audience, path: Line, ids: Sequence[str]
) -> dict[str, Any]:
    """The board, and what can be chosen on it, after turns and actions.

    Raises:
        TrineError: something of it is not legal.
    """
    language, state = open_language(audience.language), snapshot.state
    if not state:
        raise NotYoursError
    play = play_ahead(state.play, path)
    new = play.turns[len(state.play.turns) :]
    _check_may_look(snapshot, audience.own, new)
    keys = snapshot.keys[-1]
    for turn in new:
        keys = keys_after(snapshot.room, turn, keys)
    data: dict[str, Any] = {
        "line": [_told(snapshot.room, one) for one in new],
        "mover": play.mover,
        "over": play.outcome is not None,
        "draft": list(ids),
        "closed": False,
        "choices": [],
    }
    position, last = play.position, frozenset[str]()
    if play.turns:
        last = changed_cells(snapshot.room, play.turns[-1].before, play.turns[-1].actions)
    if not play.outcome:
        draft = read_draft(play, ids)
        position = draft.end
        for step in draft.steps:
            keys = carry_keys(snapshot.room, step.before, step.action, keys)
        data["closed"] = bool(draft.steps and draft.steps[-1].closes)
        if draft.steps:
            last = changed_cells(snapshot.room, draft.start, draft.actions)
        if not data["closed"]:
            actions = position.legal_actions(play.history)
            found = choices(snapshot.room, position, actions)
            data["choices"] = [one.as_data(language.say) for one in found]
    scene = snapshot.room.scene(
        position, seat=audience.seat, last=last, keys=keys, pieces=audience.pieces
    )
    data["view"] = scene.as_data(language.say)
    return data


def _told(room: Room, turn: Turn) -> dict[str, Any]:
    words = written_actions(room, turn.before, turn.actions)
    return {"tag": room.tag(turn.before), "words": words, "player": turn.player}
