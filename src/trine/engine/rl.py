"""The games as PettingZoo environments, for reinforcement learning.

>>> from trine.engine import rl
>>> env = rl.environment("corridor/great-wall", players=3)
>>> env.reset()
>>> env.agents, env.agent_selection
(['south', 'west', 'north'], 'south')
>>> env.step(int(env.observe("south")["action_mask"].argmax()))
>>> env.agent_selection
'west'

Environments are turn-based (AEC). Agents are named after the seats. An observation is
``{"observation", "action_mask"}``: the planes from the agent's perspective, documented in the
game's ``kernel/observation.py``, and the legal actions, none for an agent that is not to move.
Actions are the numbers of the game's ``compiled.py``. The reward is 1 for the winner and -1 for the
others, 0 for all in a draw or a truncated play. An agent can have several actions in a row: a turn
of Arimaa has up to five, its end included.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trine.core.compiled.repetition import HistoryKernel, history_kernel, plies_needed
from trine.core.contract.heuristics import Kernel, check_number
from trine.core.contract.position import Position
from trine.core.contract.score import ONGOING
from trine.core.errors import MalformedError
from trine.core.play import Play
from trine.core.scene.canvas import Look
from trine.core.text.sentence import quoted
from trine.core.work.extras import how_to_install
from trine.games import new_play, open_kernel, open_room

try:
    from gymnasium.spaces import Box, Dict, Discrete
    from pettingzoo import AECEnv
except ImportError as error:
    raise ImportError(
        f"trine.engine.rl needs PettingZoo; install it with: {how_to_install('rl')}"
    ) from error

Observation = dict[str, NDArray[np.int8]]

VERSION: Final = 0
"""A part of the names of environments; raised when results are no longer comparable."""
ANSI: Final = "ansi"
"""The render mode: the board as text."""
DEFAULT_LIMIT: Final = 2000
"""Units: actions; longer than almost any sensible game. Guess."""
WORD_SIDE: Final = 8
"""A word of a row is a plane of this many rows and columns of bits."""


class Environment(AECEnv):  # type: ignore[misc, type-arg, unused-ignore]
    """An AEC environment of one play, by the compiled rules, repetition included.

    Guarantee: a copy (`copy.deepcopy`) is independent, and continues like the original.
    """

    metadata: dict[str, Any]

    def __init__(
        self,
        game: str,
        limit: int,
        position: str,
        render_mode: str | None,
        options: dict[str, object],
    ) -> None:
        super().__init__()
        if render_mode not in (None, ANSI):
            raise ValueError(f"render_mode is {render_mode!r}; expected None or {ANSI!r}")
        if limit < 1:
            raise ValueError(f"limit is {limit}; expected 1 or more")
        play = new_play(game, position, **options)
        play.room.check_search(play.start)
        self._name = play.room.name
        self.metadata = {
            "name": f"{self._name}_v{VERSION}",
            "render_modes": [ANSI],
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self._allocate(play.start, limit)
        self.possible_agents = [seat.tag.lower() for seat in play.start.seats]
        self.action_spaces = {agent: Discrete(self._actions) for agent in self.possible_agents}
        planes = self._planes(0)
        self.observation_spaces = {
            agent: Dict(
                {
                    "observation": Box(-1, 127, planes.shape, np.int8),
                    "action_mask": Box(0, 1, (self._actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }

    def _allocate(self, start: Position, limit: int) -> None:
        """Allocate the state of a play, and the scratch memory of the compiled rules."""
        kernel = self._kernel
        words, plies = kernel.words, plies_needed(kernel)
        self._actions = kernel.actions(start)
        self._rule = kernel.repetition.rule(start)
        self._limit = limit
        self._start = kernel.row_of(start)
        self._rows = np.array([self._start, self._start])
        self._keys = np.zeros(limit + 1, np.uint64)
        self._repetition_state = np.zeros(2, np.int32)
        self._scratch = (
            np.zeros((plies, words), np.uint64),
            np.zeros((plies, kernel.max_actions), np.int32),
        )
        self._legal = np.zeros(kernel.max_actions, np.int32)

    # Compiled functions cannot be copied, so an environment stores none.
    @property
    def _kernel(self) -> Kernel:
        return open_kernel(self._name)

    @property
    def _referee(self) -> HistoryKernel:
        return history_kernel(self._kernel)

    @property
    def position(self) -> Position:
        """The current position; its turn numbers are wrong."""
        position: Position = self._kernel.to_position(self._rows[0])
        return position

    def __str__(self) -> str:
        return str(self.metadata["name"])

    def action_space(self, agent: str) -> Discrete:
        return self.action_spaces[agent]

    def observation_space(self, agent: str) -> Dict:
        return self.observation_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new play; it is deterministic, so a seed has no effect."""
        self._rows[0] = self._start
        self._repetition_state[:] = 0
        self._played: list[int] = []
        self.agents = self.possible_agents[:]
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._judge(
            self._referee.result_with_history(
                self._rows[0], self._keys, self._repetition_state, self._rule, *self._scratch
            )
        )

    def step(self, action: int | None) -> None:
        """Play an action of the agent to move.

        Raises:
            MalformedError: the number is no action's.
            IllegalError: the action is not legal; the message names the rule.

        Guarantee: after an error nothing has changed.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = self._checked(action)
        result = self._referee.act(
            self._rows, number, self._keys, self._repetition_state, self._rule, *self._scratch
        )
        self._played.append(number)
        self._cumulative_rewards[agent] = 0.0
        self._judge(result)
        self._accumulate_rewards()

    def _judge(self, result: int) -> None:
        """Write what a result means for each agent, and who is to move."""
        over = result != ONGOING
        stopped = not over and len(self._played) >= self._limit
        self.terminations = dict.fromkeys(self.possible_agents, over)
        self.truncations = dict.fromkeys(self.possible_agents, stopped)
        self.rewards = dict.fromkeys(self.possible_agents, -1.0 if result >= 0 else 0.0)
        if result >= 0:
            self.rewards[self.possible_agents[result]] = 1.0
        self.agent_selection = self.possible_agents[self._kernel.mover(self._rows[0])]
        self._count = 0 if over or stopped else self._list_legal()

    def _list_legal(self) -> int:
        count: int = self._referee.list_legal(
            self._rows[0],
            self._keys,
            self._repetition_state,
            self._rule,
            *self._scratch,
            self._legal,
        )
        return count

    def _checked(self, action: object) -> int:
        """Return the number of a legal action; else raise the referee's reason."""
        if not isinstance(action, int | np.integer):
            raise MalformedError(
                "{name}: {given} is no whole number", name="action", given=quoted(str(action))
            )
        number = int(action)
        check_number(number, self._actions)
        if number not in self._legal[: self._count]:
            kernel = self._kernel
            play = Play(open_room(self._name), kernel.to_position(self._start))
            for past in self._played:
                play.act_unchecked(kernel.action_of(play.position, past))
            play.check([kernel.action_of(play.position, number)])
        return number

    def observe(self, agent: str) -> Observation:
        """Return the observation of any agent, to move or not."""
        mask = np.zeros(self._actions, np.int8)
        if agent == self.agent_selection:
            mask[self._legal[: self._count]] = 1
        planes = self._planes(self.possible_agents.index(agent))
        return {"observation": planes, "action_mask": mask}

    def _planes(self, player: int) -> NDArray[np.int8]:
        """Return the planes that a player sees; by default the bits of the row, and the player."""
        kernel, row = self._kernel, self._rows[0]
        if kernel.observe is None or kernel.observation_shape is None:
            bits = np.unpackbits(row.view(np.uint8), bitorder="little").astype(np.int8)
            viewer = np.full(WORD_SIDE**2, player, np.int8)
            return np.append(bits, viewer).reshape(-1, WORD_SIDE, WORD_SIDE)
        planes = np.zeros(kernel.observation_shape(row), np.int8)
        kernel.observe(row, player, planes.reshape(-1))
        return planes

    def render(self) -> str | None:
        if self.render_mode is None:
            return None
        view = open_room(self._name).view
        return str(view.text_board(self.position, Look(next(iter(view.piece_sets)))))

    def close(self) -> None:
        """Do nothing: there is no window."""


def environment(
    game: str,
    *,
    limit: int = DEFAULT_LIMIT,
    position: str = "",
    render_mode: str | None = None,
    **options: object,
) -> Environment:
    """Return an environment of ``GAME`` or ``GAME/RULES``, from its usual start or a position.

    A play is truncated after ``limit`` actions; ``options`` are those of `trine.new_play`:
    ``players=4``, ``setup="random", seed=7``.

    Raises:
        TrineError: there is no such game, rule set or option, or the position is no start.
    """
    return Environment(game, limit, position, render_mode, options)
