"""The games as PettingZoo environments, for multi-agent reinforcement learning.

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
Actions are the numbers of the game's ``encoding.py``. The reward is 1 for the winner and -1 for the
others, 0 for all in a draw or a truncated play. An agent can have several actions in a row: a turn
of Arimaa has up to five, its end included.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trine.core.text.textboard import Look
from trine.core.work.extras import how_to_install
from trine.engine.batch import DEFAULT_LIMIT, Batch
from trine.games import new_play

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


class Environment(AECEnv):  # type: ignore[misc, type-arg, unused-ignore]
    """An AEC environment of one play."""

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
        start = new_play(game, position, **options).position
        self._batch = Batch(game, 1, limit=limit, restart=False, position=start)
        name = f"{self._batch.room.name}_v{VERSION}"
        self.metadata = {"name": name, "render_modes": [ANSI], "is_parallelizable": False}
        self.render_mode = render_mode
        self.possible_agents = [seat.tag.lower() for seat in start.seats]
        self.action_spaces = {
            agent: Discrete(self._batch.actions) for agent in self.possible_agents
        }
        self.observation_spaces = {
            agent: Dict(
                {
                    "observation": Box(-1, 127, self._batch.shape, np.int8),
                    "action_mask": Box(0, 1, (self._batch.actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }

    def __str__(self) -> str:
        return str(self.metadata["name"])

    def action_space(self, agent: str) -> Discrete:
        return self.action_spaces[agent]

    def observation_space(self, agent: str) -> Dict:
        return self.observation_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new play; it is deterministic, so a seed has no effect."""
        seen = self._batch.reset()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[int(seen.movers[0])]

    def step(self, action: int | None) -> None:
        """Play an action of the agent to move.

        Raises:
            MalformedError: the number is no action's.
            IllegalError: the action is not legal; the message names the rule.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        seen = self._batch.step(np.array([action]))
        self._cumulative_rewards[agent] = 0.0
        for player, name in enumerate(self.possible_agents):
            self.rewards[name] = float(seen.rewards[0, player])
            self.terminations[name] = bool(seen.done[0] and not seen.truncated[0])
            self.truncations[name] = bool(seen.truncated[0])
        self.agent_selection = self.possible_agents[int(seen.movers[0])]
        self._accumulate_rewards()

    def observe(self, agent: str) -> Observation:
        """Return the observation of any agent, to move or not."""
        player = self.possible_agents.index(agent)
        mask = np.zeros(self._batch.actions, np.int8)
        if agent == self.agent_selection:
            mask[:] = self._batch.legal_masks()[0]
        return {"observation": self._batch.observe([player])[0], "action_mask": mask}

    def render(self) -> str | None:
        if self.render_mode is None:
            return None
        room = self._batch.room
        (position,) = self._batch.positions()
        return str(room.view.text_board(position, Look(next(iter(room.view.piece_sets)))))

    def close(self) -> None:
        self._batch.close()


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
