"""Many games at once: equal to the referee in every rule set, however many threads there are."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from trine.core.contract.outcome import Outcome, Reason
from trine.core.errors import IllegalError, MalformedError, TrineError
from trine.core.play import Play
from trine.engine.batch import Batch, Transition
from trine.games import ROOMS, new_play, open_kernel, open_room

PLAYS = int(os.environ.get("TRINE_PLAYS", "3"))
"""The number of games of each kind that are compared with the referee; larger in a long run."""
HOUSE = Path(__file__).resolve().parents[3]
NEAR_THE_END = "2g 2e5/R6r/1r4R1/3E4/8/1R4r1/r6R/8"
KINDS: list[tuple[str, dict[str, Any]]] = [
    *((f"{game}/{rules}", {}) for game in ROOMS for rules in open_room(game).rule_sets),
    ("tzaar/official", {"setup": "placement"}),
    ("corridor/quoridor", {"players": 4, "size": 5}),
    ("corridor/quoridor", {"size": 11}),
    ("corridor/great-wall", {"players": 3, "size": 4}),
    ("corridor/great-wall", {"players": 4, "size": 10}),
    ("corridor/corridor", {"size": 3}),
    *((f"arimaa/{rules}", {"position": NEAR_THE_END}) for rules in open_room("arimaa").rule_sets),
]
SHUFFLED = "2g e7/r7/8/8/8/8/R7/7E"
"""A position with so few pieces that positions are soon repeated."""


def names(kind: Any) -> str:
    return str(kind[0]) + "".join(f" {name}={value}" for name, value in kind[1].items())


def rewards(play: Play, going: bool) -> list[float]:
    """The rewards of the last action; a play that was over before it brings nothing more."""
    players = len(play.position.seats)
    if not going or play.outcome is None or play.outcome.winner is None:
        return [0.0] * players
    return [1.0 if player == play.outcome.winner else -1.0 for player in range(players)]


def numbers(play: Play, mask: NDArray[np.bool_]) -> tuple[set[int], set[int]]:
    """The actions that the referee allows, and those that a mask does."""
    kernel = open_kernel(play.room.name)
    legal = play.legal_actions()
    return (
        {kernel.number_of(play.position, action) for action in legal},
        {int(number) for number in np.flatnonzero(mask)},
    )


def step_alike(plays: list[Play], batch: Batch, actions: NDArray[np.int32]) -> None:
    """Play the same actions in both; the batch says of each play what the referee says."""
    going = [play.outcome is None for play in plays]
    for play, action in zip(plays, actions, strict=True):
        if play.outcome is None:
            play.act_unchecked(open_kernel(play.room.name).action_of(play.position, int(action)))
    assert_alike(plays, batch, batch.step(actions), going)


def assert_alike(plays: list[Play], batch: Batch, seen: Transition, going: list[bool]) -> None:
    for game, (play, position) in enumerate(zip(plays, batch.positions(), strict=True)):
        assert position == play.position
        allowed, unmasked = numbers(play, seen.masks[game])
        assert unmasked == allowed
        assert seen.movers[game] == play.mover
        assert bool(seen.done[game]) == (play.outcome is not None)
        assert seen.rewards[game].tolist() == rewards(play, going[game])
    assert not seen.truncated.any()


@pytest.mark.parametrize("kind", KINDS, ids=names)
def test_a_batch_plays_as_the_referee_does(kind: tuple[str, dict[str, Any]]) -> None:
    game, options = kind
    plays = [new_play(game, **options) for _ in range(PLAYS)]
    batch = Batch(game, PLAYS, seed=5, restart=False, **options)
    assert_alike(plays, batch, batch.reset(), [True] * PLAYS)
    for _ in range(150):
        step_alike(plays, batch, batch.random_actions())
    assert "position" not in options or any(play.outcome for play in plays)


def back(number: int) -> int:
    """The orthogonal step of Arimaa that takes another one back."""
    square, direction = divmod(number, 4)
    return 4 * (square + (8, 1, -8, -1)[direction]) + (direction + 2) % 4


@pytest.mark.parametrize("rules", open_room("arimaa").rule_sets)
def test_repetition_is_judged_as_the_referee_does(rules: str) -> None:
    game = f"arimaa/{rules}"
    plays = [new_play(game, SHUFFLED) for _ in range(12)]
    batch = Batch(game, 12, position=SHUFFLED, restart=False, seed=2)
    end = open_kernel("arimaa").number_of(plays[0].position, plays[0].room.rules.end)
    last = np.zeros((12, 2), np.int32)
    bitten = 0
    for ply in range(160):
        chosen, masks = batch.random_actions(), batch.legal_masks()
        for number, play in enumerate(plays):
            homeward = back(int(last[number, play.mover]))
            if masks[number, end]:
                chosen[number] = end  # short turns repeat sooner
            elif ply % 20 < 15 and 0 <= homeward < 256 and masks[number, homeward]:
                chosen[number] = homeward
            if 0 <= chosen[number] < 256:
                last[number, play.mover] = chosen[number]
        step_alike(plays, batch, chosen)
        for play in plays:
            if play.outcome:
                bitten += play.outcome.reason is Reason.REPETITION
            else:
                bitten += len(play.legal_actions()) < len(play.position.legal_actions())
    assert (bitten > 0) == (rules != "diagonal")


@pytest.mark.parametrize("rules", ["official", "ejection"])
def test_who_can_only_repeat_has_lost(rules: str) -> None:
    position = "2s 6re/8/8/8/d7/Rh6/Cc6/1c6"
    play = new_play(f"arimaa/{rules}", position)
    batch = Batch(f"arimaa/{rules}", 1, position=position, restart=False)
    kernel = open_kernel("arimaa")
    for step in ["eh8s", "Ca2s", "eh7n", "Ca1n", "eh8s", "Ca2s", "eh7n"]:
        for word in (step, "end"):
            assert not play.outcome
            action = play.room.rules.end if word == "end" else play.interpret(word)[0]
            step_alike([play], batch, np.array([kernel.number_of(play.position, action)], np.int32))
    assert play.outcome == Outcome(1, Reason.REPETITION)


def test_pawns_that_go_to_and_fro_draw_at_the_third_standing() -> None:
    batch = Batch("corridor/quoridor", 2, restart=False)
    there_and_back = [13, 67, 4, 76] * 2
    for action in there_and_back[:-1]:
        assert not batch.step([action, action]).done.any()
    seen = batch.step([there_and_back[-1], 162 + 30])
    assert seen.done.tolist() == [True, False]
    assert seen.rewards.tolist() == [[0, 0], [0, 0]]
    assert not seen.truncated.any()
    assert not seen.masks[0].any()


@pytest.mark.parametrize("game", ROOMS)
def test_two_threads_play_as_one_does(game: str) -> None:
    one, two = (Batch(game, 33, threads=threads, seed=3, limit=40) for threads in (1, 2))
    for _ in range(60):
        chosen = one.random_actions()
        assert (chosen == two.random_actions()).all()
        here, there = one.step(chosen), two.step(chosen)
        for name in Transition._fields:
            assert np.array_equal(getattr(here, name), getattr(there, name))
    two.close()


@pytest.mark.parametrize("game", ROOMS)
def test_a_seed_decides_what_chance_plays(game: str) -> None:
    same, again, other = (Batch(game, 8, seed=seed) for seed in (1, 1, 2))
    differs = False
    for _ in range(20):
        chosen = same.random_actions()
        assert (chosen == again.random_actions()).all()
        differs |= bool((chosen != other.random_actions()).any())
        for batch in (same, again):
            batch.step(chosen)
        other.step(chosen)
    assert differs


def test_games_begin_again_within_the_step_that_ended_them() -> None:
    batch = Batch("corridor/quoridor", 16, seed=1, size=3)
    start, first = batch.positions()[0], batch.reset().observations[0].copy()
    ended = 0
    for _ in range(60):
        seen = batch.step(batch.random_actions())
        for game in np.flatnonzero(seen.done):
            assert batch.positions()[game] == start
            assert (seen.observations[game] == first).all()
            assert seen.masks[game].any()
            assert seen.movers[game] == 0
            ended += 1
    assert ended > 16


def test_a_game_is_stopped_at_the_limit() -> None:
    batch = Batch("arimaa", 3, limit=5, restart=False)
    for _ in range(4):
        assert not batch.step(batch.random_actions()).done.any()
    seen = batch.step(batch.random_actions())
    assert seen.done.all()
    assert seen.truncated.all()
    assert not seen.masks.any()
    assert not seen.rewards.any()
    before = batch.positions()
    assert batch.random_actions().tolist() == [-1] * 3
    assert batch.step([-1] * 3).truncated.all()
    assert batch.positions() == before
    assert not batch.reset().done.any()


def test_each_game_can_begin_elsewhere() -> None:
    starts = [new_play("tzaar", setup="random", seed=seed).position for seed in range(5)]
    batch = Batch("tzaar", 5, position=starts)
    batch.step(batch.random_actions())
    batch.reset()
    assert batch.positions() == starts


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("actions", "error", "message"),
    [
        ([13, 13, 13], MalformedError, "the actions are int64[3]; expected 4 whole numbers"),
        ([[13], [13], [13], [13]], MalformedError, "int64[4, 1]; expected 4 whole numbers"),
        ([13.0] * 4, MalformedError, "float64[4]; expected 4 whole numbers"),
        ([True] * 4, MalformedError, "bool[4]; expected 4 whole numbers"),
        ([13, 13, 244, -1], MalformedError, "game 2: 244 is no number of an action; expected 0 to 243"),
        ([13, -1, 13, 13], MalformedError, "game 1: -1 is no number of an action"),
        ([13, 13, 13, 161], MalformedError, "game 3: 161 is no number of an action: no wall has"),
        ([13, 22, 22, 13], IllegalError, "game 1: "),
        ([13, 13, 13, 243], IllegalError, "game 3: "),
    ],
)  # fmt: skip
def test_what_cannot_be_played_is_refused_and_changes_nothing(
    actions: Any, error: type[TrineError], message: str
) -> None:
    batch = Batch("corridor", 4)
    before = batch.positions()
    with pytest.raises(error) as caught:
        batch.step(actions)
    assert message in str(caught.value)
    assert batch.positions() == before


def test_an_end_that_only_history_forbids_is_refused() -> None:
    position = "2g e7/8/8/8/8/r7/8/R6E"
    batch = Batch("arimaa", 1, position=position)
    play, kernel = new_play("arimaa", position), open_kernel("arimaa")

    def number(word: str) -> int:
        action = play.room.rules.end if word == "end" else play.interpret(word)[0]
        return kernel.number_of(play.position, action)

    for word in ["Eh1w", "end", "ea8e", "end", "Eg1e", "end", "eb8w", "end"] * 2:
        if word == "end" and play.position.end_repeats(play.history):  # type: ignore[attr-defined]
            break
        action = number(word)
        batch.step([action])
        play.act_unchecked(kernel.action_of(play.position, action))
    assert play.turn_tag == "5s"
    assert not batch.legal_masks()[0, number("end")]
    with pytest.raises(IllegalError, match=r"game 0: .*third time"):
        batch.step([number("end")])


@pytest.mark.parametrize(
    "copied",
    [copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))],
    ids=["copy", "pickle"],
)
@pytest.mark.parametrize("game", ["arimaa/official", "tzaar/open", "corridor/great-wall"])
def test_a_copy_goes_on_by_itself_exactly_as_the_batch_would(
    game: str, copied: Callable[[Batch], Batch]
) -> None:
    with Batch(game, 5, threads=2, seed=4, limit=70) as batch:
        for _ in range(40):
            batch.step(batch.random_actions())
        with copied(batch) as twin:
            before = [array.copy() for array in batch.step(batch.random_actions())]
            for _ in range(40):  # past the limit, so that games end and begin again
                batch.step(batch.random_actions())
            for array, same in zip(before, twin.step(twin.random_actions()), strict=True):
                assert np.array_equal(array, np.asarray(same))
            for _ in range(40):
                twin.step(twin.random_actions())
            assert batch.positions() == twin.positions()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"games": 0}, "games is 0"),
        ({"threads": 0}, "threads is 0"),
        ({"limit": -1}, "limit is -1"),
        ({"players": 5}, "5"),
        ({"wings": 3}, "no option"),
        ({"position": [new_play("corridor").position]}, "1 positions for 4 games"),
        ({"seed": -1}, "seed is -1; expected 0 or more"),
        ({"position": new_play("tzaar").position}, "another game than Corridor"),
        (
            {
                "position": [
                    *[new_play("corridor").position] * 3,
                    new_play("corridor/corridor").position,
                ]
            },
            "a position of corridor among games of corridor/quoridor",
        ),
        ({"position": new_play("corridor").position, "size": 5}, "nothing to choose"),
        ({"position": "nonsense"}, "nonsense"),
        (
            {
                "position": [new_play("corridor").position] * 3
                + [new_play("corridor", size=7).position]
            },
            "boards of the same size",
        ),
    ],
)
def test_a_batch_that_cannot_be_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(TrineError, match=message):
        Batch("corridor/quoridor", **{"games": 4, **given})


def test_what_a_batch_gives_cannot_be_written_to() -> None:
    for array in Batch("tzaar", 2).reset():
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 0


# --- other ways to run it ------------------------------------------------------------------------


def run(program: str, **settings: str) -> str:
    """The output of a program in a process of its own."""
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        cwd=HOUSE,
        env={**os.environ, "PYTHONPATH": "src", **settings},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout


@pytest.mark.nightly
def test_no_index_leaves_its_array() -> None:
    """With every index checked, in a process of its own."""
    program = (
        "from trine.engine.batch import Batch\n"
        "for game, options in (('arimaa', {}), ('tzaar', {}), ('corridor', {'size': 5}),"
        " ('corridor/great-wall', {'size': 11, 'players': 4})):\n"
        "    batch = Batch(game, 3, limit=45, **options)\n"
        "    for _ in range(100):\n"
        "        batch.step(batch.random_actions())\n"
        "    batch.observe([1] * 3)\n"
    )
    run(program, NUMBA_BOUNDSCHECK="1")


def test_the_same_runs_interpreted() -> None:
    program = (
        "from trine.engine.batch import Batch\n"
        "for game in ('arimaa', 'tzaar', 'corridor'):\n"
        "    batch = Batch(game, 2, limit=38)\n"
        "    for _ in range(45):\n"
        "        seen = batch.step(batch.random_actions())\n"
        "    print(int(seen.masks.sum()), int(seen.observations.sum()))\n"
    )
    assert run(program) == run(program, NUMBA_DISABLE_JIT="1")
