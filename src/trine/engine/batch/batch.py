"""Many plays of one game at once, each with its position, history and result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any, Final, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trine.core.compiled.jit import specialize
from trine.core.compiled.repetition import history_kernel, plies_needed
from trine.core.contract import Room
from trine.core.contract.position import Position
from trine.core.contract.score import ONGOING, UNRESTRICTED
from trine.core.errors import IllegalError, MalformedError, TrineError
from trine.core.text.sentence import Text, text
from trine.engine.batch import kernel as loops
from trine.engine.batch.game_arrays import (
    STOPPED,
    Arrays,
    Transition,
    check_alike,
    rows_of,
    starts,
)
from trine.engine.batch.kernel import bits_shape
from trine.games import open_kernel, open_room, parse_game


@dataclass(frozen=True)
class Moves:
    """The functions of `trine.engine.batch.kernel`, specialized for one game."""

    begin: Callable[..., None]
    step: Callable[..., None]
    list_actions: Callable[..., None]
    observe: Callable[..., None]


@cache
def open_moves(name: str) -> Moves:
    """Open the loops over the games of a batch; the first call ever compiles them."""
    kernel = open_kernel(name)
    referee = history_kernel(kernel)
    names = {
        **referee._asdict(),
        "mover": kernel.mover,
        "observe_player": kernel.observe or loops.observe_bits,
    }
    return Moves(
        *(
            specialize(template, kernel.generate, **names)
            for template in (loops.begin, loops.step, loops.list_actions, loops.observe)
        )
    )


@dataclass(frozen=True)
class BatchSlice:
    """One thread's slice of a batch, with the functions that play it."""

    of: Arrays
    moves: Moves
    rule: int
    limit: int
    restart: bool
    lines: NDArray[np.uint64]
    buffers: NDArray[np.int32]

    def reset(self) -> None:
        self._begin(np.ones(len(self.of.rows), np.bool_))
        self.of.rewards[:] = 0
        self.of.done[:] = self.of.truncated[:] = False
        self._look()

    def step(self) -> None:
        """Play the actions in unfinished games."""
        of = self.of
        going = of.results == ONGOING
        self.moves.step(
            of.rows,
            of.actions,
            of.keys,
            of.repetition_state,
            of.results,
            self.rule,
            self.lines,
            self.buffers,
        )
        np.add(of.plies, going, out=of.plies)
        of.results[(of.results == ONGOING) & (of.plies >= self.limit)] = STOPPED
        np.not_equal(of.results, ONGOING, out=of.done)
        np.equal(of.results, STOPPED, out=of.truncated)
        of.rewards[:] = 0
        if len(ended := np.flatnonzero(of.done & going)):
            self._reward(ended)
            if self.restart:
                self._begin(of.done)
        self._look()

    def _begin(self, wanted: NDArray[np.bool_]) -> None:
        of = self.of
        self.moves.begin(
            of.rows,
            of.starts,
            wanted,
            of.keys,
            of.repetition_state,
            of.results,
            self.rule,
            self.lines,
            self.buffers,
        )
        of.plies[wanted] = 0

    def _reward(self, ended: NDArray[np.intp]) -> None:
        won = ended[self.of.results[ended] >= 0]
        self.of.rewards[won] = -1
        self.of.rewards[won, self.of.results[won]] = 1

    def _look(self) -> None:
        """List the legal actions, and write the observations of the players to move."""
        of = self.of
        self.moves.list_actions(
            of.rows,
            of.keys,
            of.repetition_state,
            of.results,
            self.rule,
            self.lines,
            self.buffers,
            of.legal,
            of.counts,
            of.masks,
            of.movers,
        )
        self.moves.observe(of.rows, of.movers, of.seen)


NO_ACTION: Final = -1
"""The action that `Batch.random_actions` returns for a finished game."""
DEFAULT_LIMIT: Final = 2000
"""Units: actions; longer than almost any sensible game. Guess."""


class Batch:
    """Many plays of one game, each with its position, history and result, stepped together.

    All rules of the rule set apply, repetition included. Equal calls give equal results for any
    number of threads.

    Args:
        game: ``GAME`` or ``GAME/RULES``.
        games: the number of games.
        threads: the number of threads that share the work.
        seed: the seed of `random_actions`.
        position: where the games start, if not at the game's own start: a text, a `Position`,
            or one `Position` for each game.
        limit: longer games (in actions) are stopped without a result.
        restart: whether a finished game restarts within the same step.
        options: start options, as in `trine.new_play`: ``players=4``. There is no seed among
            them; for random starts give positions.

    Raises:
        TrineError: there is no such game or option, or no game can start there.

    Guarantee: a copy (`copy.deepcopy`, `pickle`) is independent, and continues exactly like the
        original.

    Limits: not thread-safe; only one thread at a time may use a batch.
    """

    def __init__(
        self,
        game: str,
        games: int = 1024,
        *,
        threads: int = 1,
        seed: int = 0,
        position: str | Position | Sequence[Position] = "",
        limit: int = DEFAULT_LIMIT,
        restart: bool = True,
        **options: object,
    ) -> None:
        check_numbers({"games": games, "threads": threads, "limit": limit}, least=1)
        check_numbers({"seed": seed}, least=0)
        room, rules = parse_game(game)
        given = {name.capitalize(): str(value) for name, value in options.items()}
        begun = starts(room, rules, given, position, games)
        room.check_search(begun[0])
        kernel = open_kernel(room.name)
        check_alike(kernel, dict.fromkeys(begun))
        rows = rows_of(kernel, begun)
        self._name = room.name
        self.games = games
        self.players = len(begun[0].seats)
        self.actions = kernel.actions(begun[0])
        """The number of distinct action numbers."""
        self.shape: tuple[int, int, int] = (kernel.observation_shape or bits_shape)(rows[0])
        """Planes, rows and columns of an observation."""
        rule = kernel.repetition.rule(begun[0])
        self._all = Arrays.allocate(
            rows,
            players=self.players,
            actions=self.actions,
            max_actions=kernel.max_actions,
            keys=1 if rule == UNRESTRICTED else limit + 1,
            shape=self.shape,
        )
        self._each = np.arange(games)
        self._rng = np.random.default_rng(seed)
        self._settings = (rule, limit, restart)
        self._bounds = np.linspace(0, games, min(threads, games) + 1).astype(int).tolist()
        self._open()
        self.reset()

    def _open(self) -> None:
        """Open everything that cannot be copied: the kernel, views of the arrays, threads."""
        self._kernel = open_kernel(self._name)
        self._moves = open_moves(self._name)
        self._now = self._all.as_step(self.shape)
        words, plies = self._all.rows.shape[2], plies_needed(self._kernel)
        self._parts = [
            BatchSlice(
                self._all.stretch(begin, end),
                self._moves,
                *self._settings,
                np.zeros((plies, words), np.uint64),
                np.zeros((plies, self._kernel.max_actions), np.int32),
            )
            for begin, end in pairwise(self._bounds)
        ]
        self._threads = ThreadPoolExecutor(len(self._parts) - 1) if len(self._parts) > 1 else None

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for a copy, or for another process."""
        opened = ("_kernel", "_moves", "_now", "_parts", "_threads")
        return {name: value for name, value in self.__dict__.items() if name not in opened}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._open()

    @property
    def room(self) -> Room:
        return open_room(self._name)

    def reset(self) -> Transition:
        self._do("reset")
        return self._now

    def step(self, actions: ArrayLike) -> Transition:
        """Play an action in each unfinished game; actions of finished games are ignored.

        Shapes: integers, one for each game.

        Raises:
            MalformedError: not one integer for each game, or one is no action.
            IllegalError: an action is illegal; the message names the first such game.

        Guarantee: after an error nothing has changed.
        """
        self._all.actions[:] = self._checked(actions)
        self._do("step")
        return self._now

    def _do(self, name: str) -> None:
        first, *others = self._parts
        running = (
            [self._threads.submit(getattr(part, name)) for part in others] if self._threads else []
        )
        getattr(first, name)()
        for other in running:
            other.result()

    def _checked(self, actions: ArrayLike) -> NDArray[Any]:
        given = np.asarray(actions)
        if given.shape != (self.games,) or given.dtype.kind not in "iu":
            raise MalformedError(
                "the actions are {given}; expected {games} whole numbers",
                given=f"{given.dtype}{list(given.shape)}",
                games=self.games,
            )
        inside = (given >= 0) & (given < self.actions)
        numbers = given if inside.all() else np.where(inside, given, 0)
        illegal = (self._all.results == ONGOING) & ~(inside & self._all.masks[self._each, numbers])
        if illegal.any():
            game = int(illegal.argmax())
            raise self._refusal(game, int(given[game]))
        return numbers

    def _refusal(self, game: int, number: int) -> TrineError:
        if not 0 <= number < self.actions:
            return MalformedError(
                "game {game}: {given} is no number of an action; expected 0 to {last}",
                game=game,
                given=number,
                last=self.actions - 1,
            )
        position = self._position(game)
        try:
            action = self._kernel.action_of(position, number)
        except MalformedError as error:
            return MalformedError(_in_game(game, error.message))
        if reason := position.why_not(action):
            return IllegalError(_in_game(game, reason))
        return IllegalError(
            "game {game}: {action} leaves only ends of the turn by which a position would "
            "stand for the third time",
            game=game,
            action=str(action),
        )

    def random_actions(self) -> NDArray[np.int32]:
        """Return a random legal action of each game in a new array; -1 for a finished game."""
        index = self._rng.integers(0, np.maximum(self._all.counts, 1))
        return np.where(
            self._all.counts > 0, self._all.legal[self._each, index], np.int32(NO_ACTION)
        )

    def legal_masks(self) -> NDArray[np.bool_]:
        """The legal actions of each game: ``masks`` of the last `Transition`."""
        return self._now.masks

    def observe(self, viewers: ArrayLike) -> NDArray[np.int8]:
        """Return the observation of a player of each game, to move or not.

        Shapes: ``viewers``, a player's index for each game; the result, ``int8[games, planes, rows,
            columns]``, is a new array.

        Raises:
            MalformedError: not one player for each game.
        """
        given = np.asarray(viewers)
        fits = given.shape == (self.games,) and given.dtype.kind in "iu"
        if not fits or not ((given >= 0) & (given < self.players)).all():
            raise MalformedError(
                "the viewers must be {games} whole numbers, each 0 to {last}",
                games=self.games,
                last=self.players - 1,
            )
        seen = np.empty_like(self._all.seen)
        self._moves.observe(self._all.rows, given.astype(np.int8), seen)
        return seen.reshape(self.games, *self.shape)

    def positions(self) -> list[Position]:
        """The positions of all games, for the referee; their turn numbers are not right."""
        return [self._position(game) for game in range(self.games)]

    def _position(self, game: int) -> Position:
        position: Position = self._kernel.to_position(self._all.rows[game, 0])
        return position

    def close(self) -> None:
        """Stop the threads; the batch must not be used any more."""
        if self._threads:
            self._threads.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


def check_numbers(numbers: Mapping[str, int], least: int) -> None:
    """Raise `MalformedError` if an argument is too small."""
    for name, number in numbers.items():
        if number < least:
            raise MalformedError(
                "{name} is {given}; expected {least} or more",
                name=name,
                given=number,
                least=least,
            )


def _in_game(game: int, reason: Text) -> Text:
    return text("game {game}: {reason}", game=game, reason=reason)
