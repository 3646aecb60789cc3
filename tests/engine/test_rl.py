"""The environments pass PettingZoo's own tests, and equal the referee in every rule set."""

import copy
import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from kernels import python

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test

from trine.core.contract.position import Outcome, Reason
from trine.core.errors import IllegalError, MalformedError
from trine.engine import rl
from trine.games import ROOMS, new_play, open_kernel, open_room

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


PLAYS = int(os.environ.get("TRINE_PLAYS", "2"))
"""The number of plays of each kind that are compared with the referee; larger in a long run."""
NEAR_THE_END = "2g 2e5/R6r/1r4R1/3E4/8/1R4r1/r6R/8"
SHUFFLED = "2g e7/r7/8/8/8/8/R7/7E"
"""A position with so few pieces that positions are soon repeated."""
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


class Pair:
    def __init__(self, game: str, **options: Any) -> None:
        self.env, self.play = rl.environment(game, **options), new_play(game, **options)
        self.kernel = open_kernel(self.play.room.name)
        self.env.reset()
        self.compare()

    def compare(self) -> None:
        env, play = self.env, self.play
        assert env.position == play.position
        agent = play.position.seats[play.mover].tag.lower()
        assert env.agent_selection == agent
        allowed = {self.kernel.number_of(play.position, one) for one in play.legal_actions()}
        assert set(np.flatnonzero(env.observe(agent)["action_mask"])) == allowed
        assert all(env.terminations.values()) == (play.outcome is not None)
        winner = play.outcome.winner if play.outcome else None
        rewards = [
            0 if winner is None else 1 if at == winner else -1 for at in range(len(env.agents))
        ]
        assert list(env.rewards.values()) == rewards

    def step(self, number: int) -> None:
        self.play.act_unchecked(self.kernel.action_of(self.play.position, number))
        self.env.step(number)
        self.compare()

    def enter(self, line: str) -> None:
        for word in line.split():
            action = self.play.room.rules.end if word == "end" else self.play.interpret(word)[0]
            self.step(self.kernel.number_of(self.play.position, action))

    @property
    def legal(self) -> list[int]:
        mask = self.env.observe(self.env.agent_selection)["action_mask"]
        return [int(number) for number in np.flatnonzero(mask)]


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_an_environment_plays_as_the_referee_does(kind: tuple[str, dict[str, Any]]) -> None:
    game, options = kind
    rng = np.random.default_rng(5)
    for _ in range(PLAYS):
        pair = Pair(game, **options)
        for _ in range(150):
            if not pair.play.outcome:
                pair.step(int(rng.choice(pair.legal)))


def back(number: int) -> int:
    """The orthogonal step of Arimaa that takes another one back."""
    square, direction = divmod(number, 4)
    return 4 * (square + (8, 1, -8, -1)[direction]) + (direction + 2) % 4


@pytest.mark.parametrize("rules", open_room("arimaa").rule_sets)
def test_repetition_is_judged_as_the_referee_does(rules: str) -> None:
    rng, bitten = np.random.default_rng(2), 0
    for _ in range(8):
        pair = Pair(f"arimaa/{rules}", position=SHUFFLED)
        end = pair.kernel.number_of(pair.play.position, pair.play.room.rules.end)
        last = [0, 0]
        for ply in range(160):
            if pair.play.outcome:
                bitten += pair.play.outcome.reason is Reason.REPETITION
                break
            bitten += len(pair.legal) < len(pair.play.position.legal_actions())
            homeward = back(last[pair.play.mover])
            chosen = int(rng.choice(pair.legal))
            if end in pair.legal:
                chosen = end  # short turns repeat sooner
            elif ply % 20 < 15 and 0 <= homeward < 256 and homeward in pair.legal:
                chosen = homeward
            if chosen < 256:
                last[pair.play.mover] = chosen
            pair.step(chosen)
    assert (bitten > 0) == (rules != "diagonal")


@pytest.mark.parametrize("rules", ["official", "ejection"])
def test_who_can_only_repeat_has_lost(rules: str) -> None:
    pair = Pair(f"arimaa/{rules}", position="2s 6re/8/8/8/d7/Rh6/Cc6/1c6")
    pair.enter("eh8s end Ca2s end eh7n end Ca1n end eh8s end Ca2s end eh7n end")
    assert pair.play.outcome == Outcome(1, Reason.REPETITION)


def test_pawns_that_go_to_and_fro_draw_at_the_third_standing() -> None:
    pair = Pair("corridor/quoridor")
    pair.enter("e2 e8 e1 e9 " * 2)
    assert pair.play.outcome == Outcome(None, Reason.REPETITION)


def test_an_end_that_only_history_forbids_is_refused() -> None:
    pair = Pair("arimaa", position="2g e7/8/8/8/8/r7/8/R6E")
    pair.enter("Eh1w end ea8e end Eg1e end eb8w end Eh1w end ea8e end Eg1e end eb8w")
    end = pair.kernel.number_of(pair.play.position, pair.play.room.rules.end)
    assert end not in pair.legal
    with pytest.raises(IllegalError, match="third time"):
        pair.env.step(end)
    pair.compare()


@pytest.mark.nightly
def test_no_index_leaves_its_array() -> None:
    """With every index checked, in a process of its own."""
    assert run(PLAY_ALL, NUMBA_BOUNDSCHECK="1") == run(PLAY_ALL)


def test_the_same_runs_interpreted() -> None:
    assert run(PLAY_ALL, NUMBA_DISABLE_JIT="1") == run(PLAY_ALL)


PLAY_ALL = """
from trine.engine import rl
kinds = ("arimaa", {}), ("tzaar", {}), ("corridor", {"size": 5}), ("corridor/great-wall", {"players": 4})
for game, options in kinds:
    env = rl.environment(game, limit=45, **options)
    env.reset()
    seen = env.observe(env.agent_selection)
    while seen["action_mask"].any():
        env.step(int(seen["action_mask"].nonzero()[0][-1]))
        seen = env.observe(env.agent_selection)
    print(int(seen["observation"].sum()), env.rewards)
"""


def run(program: str, **settings: str) -> str:
    status, said = python("-W", "ignore", "-c", program, **settings)
    assert status == 0, said
    return said


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
    with pytest.raises(MalformedError, match="no whole number"):
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
    with pytest.raises(ValueError, match="limit is 0"):
        rl.environment("tzaar", limit=0)


def test_without_pettingzoo_it_is_told_how_to_install_it() -> None:
    program = "import sys; sys.modules['pettingzoo'] = None; import trine.engine.rl"
    status, said = python("-c", program)
    assert status == 1
    assert "ImportError: trine.engine.rl needs PettingZoo; install it with: " in said
