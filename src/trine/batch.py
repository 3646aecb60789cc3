"""Many plays of one game at once, over arrays: for whoever trains a net or gathers statistics.

>>> from trine.batch import Batch
>>> batch = Batch("tzaar/official", games=4, seed=1)
>>> seen = batch.reset()
>>> seen.observations.shape, seen.masks.shape
((4, 13, 9, 9), (4, 3781))
>>> seen = batch.step(batch.random_actions())
>>> seen.movers.tolist(), seen.rewards.tolist()[0], seen.done.tolist()
([1, 1, 1, 1], [0.0, 0.0], [False, False, False, False])

Actions are the numbers of the room's ``numbering.py``, the planes of observations those that the
head of its ``kernel_batch.py`` tells; ``docs/research.md`` has both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from itertools import pairwise
from types import TracebackType
from typing import Any, Final, NamedTuple, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trine.core.doors import Kernel, Options, Position, Room
from trine.core.errors import IllegalError, MalformedError, TrineError
from trine.core.text import Text, text
from trine.games import open_batch_kernel, open_kernel, parse_game, start_position

ONGOING: Final = -1
STOPPED: Final = -3
"""The result of a game that was stopped at its limit of actions."""
NO_ACTION: Final = -1
"""What `Batch.random_actions` gives for a game that is over."""
USUAL_LIMIT: Final = 2000
"""Units: actions. Guess: longer than hardly any game that makes sense."""


class Step(NamedTuple):
    """What is to be known after a step, game by game.

    Shapes, for n games: all belong to the batch, cannot be written to, and change with its next
        step; copy what is to be kept. After a game has ended, and begun again, ``rewards``,
        ``done`` and ``truncated`` are those of the end, the others those of the new beginning.
    """

    observations: NDArray[np.int8]
    """``int8[n, planes, rows, columns]``: what the player to move sees."""
    masks: NDArray[np.bool_]
    """``bool[n, numbers of actions]``: which actions are legal; none after the end."""
    movers: NDArray[np.int8]
    """``int8[n]``: the player to move."""
    rewards: NDArray[np.float32]
    """``float32[n, players]``: with the end 1 for the winner and -1 for the others, all 0 after a
    draw; else 0."""
    done: NDArray[np.bool_]
    """``bool[n]``: whether the game has ended with this step, or had before."""
    truncated: NDArray[np.bool_]
    """``bool[n]``: whether that was at the limit of actions; then the rewards are 0."""


@dataclass(frozen=True)
class _Arrays:
    """All that there is of each game; the shapes are told by the rooms' ``kernel_batch``."""

    starts: NDArray[np.uint64]
    rows: NDArray[np.uint64]
    keys: NDArray[np.uint64]
    stood: NDArray[np.int32]
    results: NDArray[np.int8]
    plies: NDArray[np.int64]
    """How many actions have been played."""
    actions: NDArray[np.int32]
    legal: NDArray[np.int32]
    counts: NDArray[np.int32]
    masks: NDArray[np.bool_]
    movers: NDArray[np.int8]
    seen: NDArray[np.int8]
    rewards: NDArray[np.float32]
    done: NDArray[np.bool_]
    truncated: NDArray[np.bool_]

    def stretch(self, begin: int, end: int) -> _Arrays:
        """Those of some of the games."""
        return _Arrays(*(getattr(self, array.name)[begin:end] for array in fields(self)))


@dataclass(frozen=True)
class _Part:
    """Some of the games of a batch, for one thread, with what they are played by."""

    of: _Arrays
    moves: Any
    """The room's ``kernel_batch``."""
    repetition: int
    limit: int
    restart: bool
    lines: NDArray[np.uint64]
    buffers: NDArray[np.int32]

    def reset(self) -> None:
        """Begin all games."""
        self._begin(np.ones(len(self.of.rows), np.bool_))
        self.of.rewards[:] = 0
        self.of.done[:] = self.of.truncated[:] = False
        self._look()

    def step(self) -> None:
        """Play the actions in the games that go on."""
        of = self.of
        going = of.results == ONGOING
        self.moves.step(
            of.rows,
            of.actions,
            of.keys,
            of.stood,
            of.results,
            self.repetition,
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
        """Begin games from their starts: those that are wanted."""
        of = self.of
        self.moves.begin(of.rows, of.starts, wanted, of.keys, of.stood, of.results)
        of.plies[wanted] = 0

    def _reward(self, ended: NDArray[np.intp]) -> None:
        won = ended[self.of.results[ended] >= 0]
        self.of.rewards[won] = -1
        self.of.rewards[won, self.of.results[won]] = 1

    def _look(self) -> None:
        """List the legal actions, and write what the players to move see."""
        of = self.of
        self.moves.list_actions(
            of.rows,
            of.keys,
            of.stood,
            of.results,
            self.repetition,
            self.lines,
            self.buffers,
            of.legal,
            of.counts,
            of.masks,
            of.movers,
        )
        self.moves.observe(of.rows, of.movers, of.seen)


class Batch:
    """Many plays of one game, each with its position, history and result, stepped at once.

    All rules of the rule set are kept, repetition included. Of equal calls with equal arguments
    equal results come, however many threads there are.

    Args:
        game: ``GAME`` or ``GAME/RULES``.
        games: how many.
        threads: how many threads share the work.
        seed: what `random_actions` come from.
        position: where the games begin, if not at the game's own beginning: a text, a `Position`,
            or one `Position` for each game.
        limit: at how many actions a game is stopped without a result.
        restart: whether a game that has ended begins again, from its start, within the same step.
        options: those of the game, as `trine.new_play` takes them: ``players=4``. The seed is not
            one of them; for starts by chance give positions.

    Raises:
        TrineError: there is no such game or option, or no game can begin so.

    Limits: who uses one batch from several threads takes care that one at a time does.
    """

    def __init__(
        self,
        game: str,
        games: int = 1024,
        *,
        threads: int = 1,
        seed: int = 0,
        position: str | Position | Sequence[Position] = "",
        limit: int = USUAL_LIMIT,
        restart: bool = True,
        **options: object,
    ) -> None:
        for name, number in (("games", games), ("threads", threads), ("limit", limit)):
            if number < 1:
                raise MalformedError(
                    text("{name} is {given}; expected 1 or more", name=name, given=number)
                )
        self.room, rules = parse_game(game)
        given = {name.capitalize(): str(value) for name, value in options.items()}
        starts = _starts(self.room, rules, given, position, games)
        self.games = games
        self.players = len(starts[0].seats)
        """How many players each game has."""
        self._kernel = open_kernel(self.room.name)
        _check_alike(self._kernel, dict.fromkeys(starts))
        self._moves: Any = open_batch_kernel(self.room.name)
        self.actions = self._kernel.actions(starts[0])
        """How many numbers of actions there are."""
        rows = _rows_of(self._kernel, starts)
        self.shape: tuple[int, int, int] = self._moves.shape_of(rows[0])
        """Planes, rows and columns of an observation."""
        self._all = self._allocate(rows, limit)
        self._each = np.arange(games)
        self._chance = np.random.default_rng(seed)
        bounds = np.linspace(0, games, min(threads, games) + 1).astype(int)
        self._parts = [
            _Part(
                self._all.stretch(begin, end),
                self._moves,
                self._moves.repetition_of(starts[0]),
                limit,
                restart,
                np.zeros((self._moves.LINES, rows.shape[1]), np.uint64),
                np.zeros((self._moves.LINES, self._kernel.most_actions), np.int32),
            )
            for begin, end in pairwise(bounds)
        ]
        self._threads = ThreadPoolExecutor(len(self._parts) - 1) if len(self._parts) > 1 else None
        self._now = Step(
            _unwritable(self._all.seen.reshape(games, *self.shape)),
            _unwritable(self._all.masks),
            _unwritable(self._all.movers),
            _unwritable(self._all.rewards),
            _unwritable(self._all.done),
            _unwritable(self._all.truncated),
        )
        self.reset()

    def _allocate(self, starts: NDArray[np.uint64], limit: int) -> _Arrays:
        games, words = starts.shape
        return _Arrays(
            starts=starts,
            rows=np.zeros((games, 2, words), np.uint64),
            keys=np.zeros((games, self._moves.keys_needed(limit)), np.uint64),
            stood=np.zeros((games, 2), np.int32),
            results=np.full(games, ONGOING, np.int8),
            plies=np.zeros(games, np.int64),
            actions=np.zeros(games, np.int32),
            legal=np.zeros((games, self._kernel.most_actions), np.int32),
            counts=np.zeros(games, np.int32),
            masks=np.zeros((games, self.actions), np.bool_),
            movers=np.zeros(games, np.int8),
            seen=np.zeros((games, int(np.prod(self.shape))), np.int8),
            rewards=np.zeros((games, self.players), np.float32),
            done=np.zeros(games, np.bool_),
            truncated=np.zeros(games, np.bool_),
        )

    # --- playing ---------------------------------------------------------------------------------

    def reset(self) -> Step:
        """Begin all games."""
        self._do("reset")
        return self._now

    def step(self, actions: ArrayLike) -> Step:
        """Play an action in each game; in games that are over it is not looked at.

        Shapes: whole numbers, one for each game.

        Raises:
            MalformedError: they are not so many whole numbers, or one is no number of an action.
            IllegalError: an action is not legal in its game; the message names the first such game.

        Guarantee: after an error nothing has changed.
        """
        self._all.actions[:] = self._checked(actions)
        self._do("step")
        return self._now

    def _do(self, name: str) -> None:
        """Do the same in all parts at once; the first part is for the thread that asks."""
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
                text(
                    "the actions are {given}; expected {games} whole numbers",
                    given=f"{given.dtype}{list(given.shape)}",
                    games=self.games,
                )
            )
        inside = (given >= 0) & (given < self.actions)
        numbers = given if inside.all() else np.where(inside, given, 0)
        illegal = (self._all.results == ONGOING) & ~(inside & self._all.masks[self._each, numbers])
        if illegal.any():
            game = int(illegal.argmax())
            raise self._refusal(game, int(given[game]))
        return numbers

    def _refusal(self, game: int, number: int) -> TrineError:
        """Why an action is not legal in a game."""
        if not 0 <= number < self.actions:
            return MalformedError(
                text(
                    "game {game}: {given} is no number of an action; expected 0 to {last}",
                    game=game,
                    given=number,
                    last=self.actions - 1,
                )
            )
        position = self._position(game)
        try:
            action = self._kernel.action_of(position, number)
        except MalformedError as error:
            return MalformedError(_in_game(game, error.message))
        if reason := position.why_not(action):
            return IllegalError(_in_game(game, reason))
        return IllegalError(
            text(
                "game {game}: {action} leaves only ends of the turn by which a position would "
                "stand for the third time",
                game=game,
                action=str(action),
            )
        )

    def random_actions(self) -> NDArray[np.int32]:
        """A legal action of each game, all equally likely; -1 for a game that is over.

        Shapes: ``int32[games]``, the caller's own.
        """
        index = self._chance.integers(0, np.maximum(self._all.counts, 1))
        return np.where(
            self._all.counts > 0, self._all.legal[self._each, index], np.int32(NO_ACTION)
        )

    # --- asking ----------------------------------------------------------------------------------

    def legal_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now: ``masks`` of the last `Step`."""
        return self._now.masks

    def observe(self, viewers: ArrayLike) -> NDArray[np.int8]:
        """What a player of each game sees, whether to move or not.

        Shapes: ``viewers`` a player's number for each game; the result, ``int8[games, planes, rows,
            columns]``, is the caller's own.

        Raises:
            MalformedError: these are not so many players.
        """
        given = np.asarray(viewers)
        fits = given.shape == (self.games,) and given.dtype.kind in "iu"
        if not fits or not ((given >= 0) & (given < self.players)).all():
            raise MalformedError(
                text(
                    "the viewers must be {games} whole numbers, each 0 to {last}",
                    games=self.games,
                    last=self.players - 1,
                )
            )
        seen = np.empty_like(self._all.seen)
        self._moves.observe(self._all.rows, given.astype(np.int8), seen)
        return seen.reshape(self.games, *self.shape)

    def positions(self) -> list[Position]:
        """The positions of all games, for the referee; their turns have no right numbers."""
        return [self._position(game) for game in range(self.games)]

    def _position(self, game: int) -> Position:
        position: Position = self._kernel.to_position(self._all.rows[game, 0])
        return position

    # --- the end ---------------------------------------------------------------------------------

    def close(self) -> None:
        """Let the threads go; the batch is not to be used any more."""
        if self._threads:
            self._threads.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


# --- what a batch is made of ---------------------------------------------------------------------


def _rows_of(kernel: Kernel, starts: Sequence[Position]) -> NDArray[np.uint64]:
    """The rows of positions; neighbours that are the same object are converted once."""
    rows = np.zeros((len(starts), kernel.words(starts[0])), np.uint64)
    for game, start in enumerate(starts):
        if game and start is starts[game - 1]:
            rows[game] = rows[game - 1]
        else:
            kernel.to_row(start, rows[game])
    return rows


def _starts(
    room: Room,
    rules: str,
    options: Options,
    position: str | Position | Sequence[Position],
    games: int,
) -> Sequence[Position]:
    """Where each game begins.

    Raises:
        TrineError: it cannot begin so.
    """
    if isinstance(position, str):
        start = start_position(room, rules, options, position)
        _check_start(room, start.rules, start)
        return [start] * games
    if options:
        raise IllegalError(
            text(
                "a given position leaves nothing to choose; it cannot have {options}",
                options=", ".join(options),
            )
        )
    if isinstance(position, Sequence):
        starts = list(cast("Sequence[Position]", position))
    else:
        starts = [position] * games
    if len(starts) != games:
        raise MalformedError(
            text(
                "{given} positions for {games} games; expected one for each",
                given=len(starts),
                games=games,
            )
        )
    played = room.rule_sets[rules] if rules else starts[0].rules
    for start in dict.fromkeys(starts):
        _check_start(room, played, start)
    return starts


def _check_start(room: Room, rules: Any, start: Position) -> None:
    """Raise an error if no play by a rule set can begin so.

    Raises:
        IllegalError: it cannot.
    """
    if start.rules is not rules or room.rule_sets.get(rules.name) is not rules:
        raise IllegalError(
            text(
                "a position of {given} among games of {game}/{rules}",
                given=start.rules.name,
                game=room.name,
                rules=rules.name,
            )
        )
    if start.turn_open:
        raise IllegalError(text("a play begins with a whole turn; this position is within one"))
    if start.outcome():
        raise IllegalError(text("no play can begin here: it is over"))


def _check_alike(kernel: Kernel, starts: Iterable[Position]) -> None:
    """Raise an error if positions do not fit in the same arrays.

    Raises:
        IllegalError: they do not.
    """
    if len({(len(start.seats), kernel.actions(start)) for start in starts}) > 1:
        raise IllegalError(
            text("all games of a batch have as many players, on boards of the same size")
        )


def _in_game(game: int, reason: Text) -> Text:
    return text("game {game}: {reason}", game=game, reason=reason)


def _unwritable(array: NDArray[Any]) -> NDArray[Any]:
    """The same array, not to be written to."""
    view = array.view()
    view.flags.writeable = False
    return view
