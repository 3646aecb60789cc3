"""A whole play as scenes: nothing is lost on the way to a page."""

from __future__ import annotations

import json

import pytest

from conformance.test_rooms import RULE_SETS, random_play
from trine.core.contract.outcome import Reason
from trine.core.scene.keys import FIRST_KEYS, carried, movements_of
from trine.games import new_play
from trine.play.draw.reel import WORDS, play_as_scenes


@pytest.mark.parametrize("game", RULE_SETS)
def test_every_action_of_a_play_is_seen(game: str) -> None:
    *_, play = random_play(game, 41, 90)
    data = json.loads(json.dumps(play_as_scenes(play)))
    beginning, *turns = data["turns"]
    assert len(beginning["scenes"]) == 1
    played = [*(turn.actions for turn in play.turns), tuple(play.open_actions)]
    starts = [*(turn.before for turn in play.turns), play.turn_start]
    for turn, actions, before in zip(turns, played, starts, strict=False):
        assert turn["tag"] == play.room.tag(before)
        seen = [action for action in actions if action != play.room.rules.end]
        whole = play.room.sets_up_whole(before)
        assert len(turn["scenes"]) == (1 if whole or not seen else len(seen))
    shown, keys = turns[-1]["scenes"][-1], FIRST_KEYS
    for before, actions in zip(starts, played, strict=True):
        for moved in movements_of(play.room, before, actions):
            keys = carried(moved, keys)
    last = play.room.view.scene(play.position, keys=keys)
    assert shown["alt"] == str(last.alt)
    standing = [piece for piece in shown["pieces"] if "cell" in piece]
    assert {piece.get("key", piece["cell"]): piece["cell"] for piece in standing} == {
        piece.name: piece.cell for piece in last.pieces if piece.cell
    }


@pytest.mark.parametrize("game", RULE_SETS)
def test_every_scene_has_its_board(game: str) -> None:
    *_, play = random_play(game, 42, 60)
    for seat in range(len(play.position.seats)):
        data = play_as_scenes(play, seat=seat)
        (board,) = data["boards"].items()
        assert board[1].get("seat", 0) == seat
        assert {scene["board"] for turn in data["turns"] for scene in turn["scenes"]} == {board[0]}


def test_a_board_that_changes_when_a_player_leaves_is_there_too() -> None:
    play = new_play("corridor/quoridor", players=4)
    play.enter("e2")
    play.leave(Reason.RESIGNATION)
    play.act(play.legal_actions()[0])
    data = play_as_scenes(play)
    assert {scene["board"] for turn in data["turns"] for scene in turn["scenes"]} == set(
        data["boards"]
    )
    assert len(data["boards"]) == 2


def test_a_result_is_said_at_the_end() -> None:
    *_, play = random_play("tzaar/official", 43, 400)
    assert play.outcome
    *before, end = [scene for turn in play_as_scenes(play)["turns"] for scene in turn["scenes"]]
    assert "wins" in end["status"]
    assert not any(scene.get("status") for scene in before)


def test_texts_are_said_in_one_language() -> None:
    data = play_as_scenes(new_play("tzaar/official"), say=lambda said: str(said).upper())
    assert data["words"] == {name: str(word).upper() for name, word in WORDS.items()}
    (board,) = data["boards"].values()
    assert board["buttons"][0]["label"] == "PASS"
