"""Whole games of two players in compiled code, after the setup.

A game is one call from Python, so that the cost of calls is negligible. Importing this module
compiles the game loop, once; play and analysis do not need it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trine.core.compiled.repetition import history_kernel, plies_needed
from trine.core.contract.score import ONGOING
from trine.core.play import Play
from trine.engine.search import worker_factory
from trine.engine.search.kernel.constants import DEFAULT_CONSTANTS, SearchConstants
from trine.engine.search.kernel.node import NO_LIMIT
from trine.engine.search.kernel.stack import MAX_DEPTH
from trine.engine.search.kernel.worker import Worker
from trine.engine.search.nets import SearchNet, default_net
from trine.engine.selfplay.kernel import playing
from trine.games import open_heuristics, open_kernel


@dataclass(frozen=True, eq=False)
class PlayerSettings:
    """The settings of a player."""

    nodes: int | None = None  # nodes for a turn, or for each action
    depth: int | None = None  # actions
    by_turns: bool = False  # whether a search decides the whole turn, as for bots, or one action
    overlook_rate: int = 0  # 1/1024; as in `Level`
    seed: int = 0  # the seed that selects the overlooked actions
    weights: NDArray[np.float32] | None = None
    """The weights of the evaluation; None: the game's default."""
    constants: SearchConstants = DEFAULT_CONSTANTS
    net: SearchNet | None = None  # the net; None: the game's default

    def as_record(self) -> tuple[int, ...]:
        """Return the record that compiled code reads during a game."""
        nodes = NO_LIMIT if self.nodes is None else self.nodes
        depth = MAX_DEPTH if self.depth is None else self.depth
        return nodes, depth, int(self.by_turns), self.overlook_rate, self.seed


INITIAL_CAPACITY: Final = 1024
"""Units: actions; the initial capacity for a game, which grows for longer games. Guess."""


@dataclass(frozen=True, eq=False)
class PlayedGame:
    """A game that was played from a given start."""

    moves: NDArray[Any]  # Shapes: action. Records of `trine.engine.selfplay.kernel.playing.MOVE`
    result: int
    """The winner, or a constant of `trine.core.contract.score`; ongoing at the limit of turns."""
    ends: NDArray[np.uint64]
    """Shapes: action, word. The quiet ends of principal variations, if they are kept."""

    @property
    def quiet(self) -> NDArray[np.intp]:
        """The indices of the searched actions whose line ends quietly."""
        return np.flatnonzero(self.moves["marks"] & playing.QUIET_END)


class SelfPlay:
    """Reusable memory for playing games of one kind.

    >>> from trine.games import new_play
    >>> play, quick = new_play("tzaar"), PlayerSettings(nodes=20)
    >>> games = SelfPlay(play, hash_mb=[0.25])
    >>> played = games.play(play, (quick, quick))
    >>> moves = games.follow(play, played)
    >>> play.outcome.winner == played.result
    True
    """

    def __init__(self, like: Play, *, hash_mb: Sequence[float]) -> None:
        """Allocate memory for games like a play: of its rule set, its size, and two players.

        ``hash_mb`` are the sizes of the players' tables; with a single size, both players share the
        table, the killers and the history, and must have the same net.
        """
        name, start = like.room.name, like.start
        kernel, heuristics = open_kernel(name), open_heuristics(name)
        self._kernel = kernel
        self._heuristics = heuristics
        self._default_net = default_net(name, start)
        self._history_kernel = history_kernel(kernel)
        self._rule = kernel.repetition.rule(start)
        self._functions = worker_factory.functions_of(kernel, heuristics)
        self._worker_factory = worker_factory.WorkerFactory(kernel, heuristics)
        self._workers = [
            self._worker_factory.worker(
                like, worker_factory.new_table(size), np.zeros(1, np.int64), heuristics.weights
            )
            for size in hash_mb
        ]
        words = kernel.words
        plies = plies_needed(kernel)
        self._state = playing.GameState(
            rows=np.zeros((plies, words), np.uint64),
            buffers=np.zeros((plies, kernel.max_actions), np.int32),
            lines=worker_factory.new_lines(),
            moves=np.zeros(INITIAL_CAPACITY, playing.MOVE).view(np.recarray),
            ends=np.zeros((0, words), np.uint64),
            progress=np.zeros(1, playing.PROGRESS).view(np.recarray),
        )

    def play(
        self,
        play: Play,
        players: tuple[PlayerSettings, PlayerSettings],
        *,
        turn_limit: int = NO_LIMIT,
        keep_ends: bool = False,
    ) -> PlayedGame:
        """Play a game to its end, or to ``turn_limit`` turns; the given play is not changed.

        Guarantee: equal arguments give equal games, whatever was played before.
        """
        assert not (play.position.in_setup or play.open_actions or play.outcome)
        self._begin(play, turn_limit, keep_ends)
        now, past = self._state.progress[0], self._worker_factory.past(play)
        keys, repetition_state = (
            _extend(past, len(past) + len(self._state.moves) + worker_factory.PLIES),
            worker_factory.repetition_state_of(past),
        )
        workers = [self._worker(player, players[player]) for player in range(2)]
        records = np.array([one.as_record() for one in players], playing.SETTINGS).view(np.recarray)
        act, list_legal, _ = self._history_kernel
        while True:
            first, second = (
                worker._replace(keys=keys, repetition_state=repetition_state) for worker in workers
            )
            playing.play_on(self._functions, act, list_legal, first, second, records, self._state)
            if now.result != ONGOING or now.turns >= turn_limit:
                break
            self._reserve(2 * len(self._state.moves), keep_ends)
            keys = _extend(keys, 2 * len(keys))
        count = int(now.actions)
        moves, ends = self._state.moves[:count], self._state.ends[: count * keep_ends]
        return PlayedGame(np.array(moves), int(now.result), ends.copy())

    def _begin(self, play: Play, turn_limit: int, keep_ends: bool) -> None:
        """Write the start of a game into the state, and clear the memory of earlier games."""
        for worker in self._workers:
            worker.table.fill(0)
        self._reserve(len(self._state.moves), keep_ends)
        self._kernel.to_row(play.position, self._state.rows[0])
        now = self._state.progress[0]
        now.actions, now.turns, now.turn_limit = 0, len(play.turns), turn_limit
        now.result, now.rule, now.keeps_ends = ONGOING, self._rule, keep_ends

    def _worker(self, player: int, settings: PlayerSettings) -> Worker:
        worker = self._workers[player % len(self._workers)]
        weights = self._heuristics.weights if settings.weights is None else settings.weights
        settings.constants.write(worker.state[0], self._heuristics)
        if self._state.progress[0].keeps_ends:  # scores at the ends of lines must be evaluations
            worker.state[0].correction_scale = 0
        net = settings.net or self._default_net
        return net.seat(worker._replace(weights=weights))

    def _reserve(self, actions: int, keep_ends: bool) -> None:
        state = self._state
        if len(state.moves) < actions:
            state = state._replace(moves=_extend(state.moves, actions))
        if keep_ends and len(state.ends) < actions:
            state = state._replace(ends=_extend(state.ends, actions))
        self._state = state

    def follow(self, play: Play, played: PlayedGame) -> list[int]:
        """Replay a game in the play where it started; return the index of each action's turn.

        The actions are legal, because kernels equal the referees; the results are the referee's.
        """
        turns = []
        for number in played.moves["action"].tolist():
            turns.append(len(play.turns))
            play.act_unchecked(self._kernel.action_of(play.position, number))
        assert (play.outcome is None) is (played.result == ONGOING)
        return turns


def _extend(array: NDArray[Any], length: int) -> NDArray[Any]:
    larger = np.zeros((length, *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger.view(type(array))
