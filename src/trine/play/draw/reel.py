"""A whole play as scenes, turn by turn, as plain data for a page that replays it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from trine.core.contract.position import Position
from trine.core.contract.turn import Turn
from trine.core.play import Play
from trine.core.scene.keys import FIRST_KEYS, Keys, carry_keys
from trine.core.scene.scene import SCHEMA, Board, Say, Scene, plain
from trine.core.text.sentence import Text, text
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
    reel = Reel(play, seat, pieces)
    turns = [
        {"tag": tag, "played": played, "scenes": [plain(scene.view, say) for scene in scenes]}
        for tag, played, scenes in reel.turns()
    ]
    return {
        "schema": SCHEMA,
        "game": f"{play.room.name}/{play.start.rules.name}",
        "tags": tags or {},
        "boards": {digest: plain(board, say) for digest, board in reel.boards.items()},
        "turns": turns,
        "words": {name: say(word) for name, word in WORDS.items()},
    }


class Reel:
    """The scenes of a play, one after the other, with the keys that its pieces keep."""

    def __init__(self, play: Play, seat: int, pieces: str) -> None:
        self.play, self.room = play, play.room
        self.keys: Keys = FIRST_KEYS
        self.seat, self.pieces = seat, pieces
        self.boards: dict[str, Board] = {}
        """All boards that were needed, by their digests."""

    def shoot(self, position: Position, last: frozenset[str]) -> Scene:
        scene: Scene = self.room.view.scene(
            position, seat=self.seat, pieces=self.pieces, keys=self.keys, last=last
        )
        self.boards.setdefault(scene.board.digest, scene.board)
        return scene

    def turns(self) -> Iterator[tuple[str, str, list[Scene]]]:
        """The beginning and every turn: its tag, what was played, its scenes."""
        yield "", "", [self.shoot(self.play.start, frozenset())]
        turns = list(self.play.turns)
        if self.play.open_actions:
            before, actions = self.play.turn_start, tuple(self.play.open_actions)
            turns.append(Turn(before, actions, self.play.position))
        for index, turn in enumerate(turns):
            scenes = list(self.turn(turn))
            if index == len(turns) - 1 and self.play.outcome:
                scenes[-1] = replace(scenes[-1], status=self.result())
            written = written_actions(self.room, turn.before, turn.actions)
            yield self.room.tag(turn.before), written, scenes

    def turn(self, turn: Turn) -> Iterator[Scene]:
        """A scene for each action; for a whole setup, and for a player who left, only the last."""
        position, scenes = turn.before, []
        for number, action in enumerate(turn.actions, 1):
            self.keys = carry_keys(self.room, position, action, self.keys)
            position = position.play_unchecked(action)
            last = changed_cells(self.room, turn.before, turn.actions[:number])
            if action != self.room.rules.end:
                scenes.append(self.shoot(position, last))
        if self.room.sets_up_whole(turn.before) or not scenes:
            return iter([self.shoot(turn.after, frozenset())])
        # The end of a turn, which was no action, changes what stands beside the board.
        last = changed_cells(self.room, turn.before, turn.actions)
        scenes[-1] = self.shoot(turn.after, last)
        return iter(scenes)

    def result(self) -> Text:
        return describe(names(self.play.position.seats), self.play.outcome)
