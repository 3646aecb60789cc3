"""A whole play as scenes, turn by turn, as plain data for a page that replays it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from trine.core.contract.position import Position
from trine.core.contract.turn import Turn
from trine.core.play import Play
from trine.core.scene.keys import FIRST_KEYS, carry_keys
from trine.core.scene.scene import SCHEMA, Say, Scene, plain
from trine.core.text.sentence import text
from trine.core.text.wording import changed_cells, describe, names, written_actions

WORDS: Final = {
    "start": text("Start"),
    "first": text("First turn"),
    "back": text("One turn back"),
    "forward": text("One turn on"),
    "last": text("Last turn"),
    "play": text("Play all turns"),
    "pause": text("Pause"),
    "turns": text("Turns"),
}
"""The names of the buttons of a replay."""


def play_as_scenes(
    play: Play,
    *,
    say: Say = str,
    seat: int = 0,
    pieces: str = "",
    tags: dict[str, str] | None = None,
) -> dict[str, Any]:
    """A play as JSON knows it, all texts said in one language.

    Returns: under ``boards`` each board by its digest, several where players have left; under
        ``turns`` the beginning and every turn, each with its ``tag`` (``2g``), the actions
        ``played`` in notation, and its ``scenes``: one for each action, but for a whole setup only
        the last one; an open turn is the last one. Under ``tags`` the tags of the record, and under
        ``words`` those of `WORDS`.

    >>> from trine.games import new_play
    >>> play = new_play("corridor/quoridor"); play.enter("e2"); play.enter("e8")
    >>> data = play_as_scenes(play)
    >>> [(turn["tag"], turn["played"], len(turn["scenes"])) for turn in data["turns"]]
    [('', '', 1), ('1s', 'e2', 1), ('1n', 'e8', 1)]
    >>> data["turns"][0]["scenes"][0]["board"] in data["boards"]
    True
    """
    room, keys = play.room, FIRST_KEYS
    boards: dict[str, Any] = {}

    def shown(position: Position, last: frozenset[str] = frozenset()) -> Any:
        scene: Scene = room.view.scene(position, seat=seat, pieces=pieces, keys=keys, last=last)
        if play.outcome and position is play.position:
            scene = replace(scene, status=describe(names(position.seats), play.outcome))
        if scene.board.digest not in boards:
            boards[scene.board.digest] = plain(scene.board, say)
        return plain(scene.view, say)

    def scenes(turn: Turn) -> list[Any]:
        """A scene for each action; for a whole setup, and for a player who left, only the last."""
        nonlocal keys
        position, seen = turn.before, []
        for number, action in enumerate(turn.actions, 1):
            keys = carry_keys(room, position, action, keys)
            position = position.play_unchecked(action)
            if action != room.rules.end:
                seen.append(
                    shown(position, changed_cells(room, turn.before, turn.actions[:number]))
                )
        # The end of a turn, which was no action, changes what stands beside the board.
        last = shown(turn.after, changed_cells(room, turn.before, turn.actions))
        return [last] if room.sets_up_whole(turn.before) else [*seen[:-1], last]

    turns = list(play.turns)
    if play.open_actions:
        turns.append(Turn(play.turn_start, play.open_actions, play.position))
    told = [{"tag": "", "played": "", "scenes": [shown(play.start)]}]
    for turn in turns:
        written = written_actions(room, turn.before, turn.actions)
        told.append({"tag": room.tag(turn.before), "played": written, "scenes": scenes(turn)})
    return {
        "schema": SCHEMA,
        "game": f"{room.name}/{play.start.rules.name}",
        "tags": tags or {},
        "boards": boards,
        "turns": told,
        "words": {name: say(word) for name, word in WORDS.items()},
    }
