"""The environments of PettingZoo pass its own tests, and keep the rules."""

from __future__ import annotations

import copy
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test

from trine.core.errors import IllegalError, MalformedError
from trine.engine import rl
from trine.games import new_play, open_kernel

ENVIRONMENTS: dict[str, Callable[[], rl.Environment]] = {
    "arimaa": lambda: rl.environment("arimaa", limit=150),
    "arimaa/classic, a handicap": lambda: rl.environment("arimaa/classic", handicap="gold:camel"),
    "tzaar": lambda: rl.environment("tzaar"),
    "tzaar/open, a random start": lambda: rl.environment("tzaar/open", setup="random", seed=3),
    "corridor": lambda: rl.environment("corridor", size=3, limit=60),
    "great-wall of three": lambda: rl.environment("corridor/great-wall", players=3, limit=40),
    "quoridor of four": lambda: rl.environment("corridor", players=4),
}
every_environment = pytest.mark.parametrize("make", ENVIRONMENTS.values(), ids=ENVIRONMENTS)


@every_environment
@pytest.mark.filterwarnings("ignore::UserWarning")  # it warns of dicts, and of agents' names
def test_the_environments_pass_the_test_of_pettingzoo(
    make: Callable[[], rl.Environment], capsys: pytest.CaptureFixture[str]
) -> None:
    api_test(make(), num_cycles=400)
    assert "Passed API test" in capsys.readouterr().out


def play_out(env: rl.Environment) -> tuple[dict[str, float], list[str]]:
    """Play by chance to the end: what each agent got, and who was asked."""
    rng = np.random.default_rng(5)
    env.reset()
    total, asked = dict.fromkeys(env.possible_agents, 0.0), []
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        total[agent] += reward
        assert observation is not None
        assert env.observation_space(agent).contains(observation)
        action = None
        if not (terminated or truncated):
            asked.append(agent)
            action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
        env.step(action)
    assert not env.agents
    return total, asked


@every_environment
def test_a_play_is_won_by_one_or_by_nobody(make: Callable[[], rl.Environment]) -> None:
    total, _ = play_out(make())
    others = len(total) - 1
    assert sorted(total.values()) in ([0.0] * (others + 1), [-1.0] * others + [1.0])


@every_environment
def test_a_play_can_be_repeated(make: Callable[[], rl.Environment]) -> None:
    env = make()
    assert play_out(env) == play_out(env)


def test_agents_are_asked_as_the_referee_says() -> None:
    env, play, kernel = rl.environment("tzaar/open"), new_play("tzaar/open"), open_kernel("tzaar")
    env.reset()
    while not play.outcome:
        assert env.agent_selection == play.position.seats[play.mover].tag.lower()
        mask = env.observe(env.agent_selection)["action_mask"]
        number = int(np.flatnonzero(mask)[-1])
        assert mask.sum() == len(play.legal_actions())
        env.step(number)
        play.act(kernel.action_of(play.position, number))
    winner = play.outcome.winner
    assert winner is not None
    assert [env.rewards[agent] for agent in ("white", "black")] == [1 - 2 * winner, 2 * winner - 1]
    assert all(env.terminations.values())


def test_only_who_is_to_move_has_legal_actions() -> None:
    env = rl.environment("corridor")
    env.reset()
    south, north = env.observe("south"), env.observe("north")
    assert south["action_mask"].sum() == 131
    assert not north["action_mask"].any()
    assert (south["observation"][0] == north["observation"][1]).all()
    assert south["observation"][6].all()
    assert north["observation"][7].all()


def test_a_copy_of_an_environment_can_be_played_ahead() -> None:
    env = rl.environment("tzaar")
    env.reset()
    env.step(int(env.observe("white")["action_mask"].argmax()))
    before = env.observe("black")
    ahead = copy.deepcopy(env)
    while not all(ahead.terminations.values()):
        ahead.step(int(ahead.observe(ahead.agent_selection)["action_mask"].argmax()))
    assert env.agent_selection == "black"
    assert not any(env.terminations.values())
    for name, array in env.observe("black").items():
        assert (array == before[name]).all()


def test_a_limit_truncates_for_all() -> None:
    env = rl.environment("arimaa", limit=3)
    env.reset()
    for _ in range(3):
        assert not any(env.truncations.values())
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    assert env.truncations == {"gold": True, "silver": True}
    assert env.terminations == {"gold": False, "silver": False}
    assert env.rewards == {"gold": 0, "silver": 0}


def test_what_is_not_legal_is_refused_with_its_rule() -> None:
    env = rl.environment("corridor")
    env.reset()
    with pytest.raises(IllegalError):
        env.step(40)
    with pytest.raises(MalformedError, match="expected 0 to 243"):
        env.step(1000)
    wrong: Any = None
    with pytest.raises(MalformedError, match="whole numbers"):
        env.step(wrong)
    assert env.agent_selection == "south"


def test_the_board_is_rendered_as_text() -> None:
    env = rl.environment("corridor", render_mode="ansi")
    env.reset()
    before = env.render()
    assert before is not None
    assert "a" in before
    env.step(13)
    assert env.render() != before
    assert rl.environment("tzaar").render() is None
    with pytest.raises(ValueError, match="render_mode"):
        rl.environment("tzaar", render_mode="human")


def test_without_pettingzoo_it_is_told_how_to_install_it() -> None:
    program = "import sys; sys.modules['pettingzoo'] = None; import trine.engine.rl"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(__file__).resolve().parents[2],
        env={**os.environ, "PYTHONPATH": "src"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "ImportError: trine.engine.rl needs PettingZoo; install it with: " in done.stderr
