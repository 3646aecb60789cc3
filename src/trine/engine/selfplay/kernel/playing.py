"""Whole games of two players, compiled: from a position to the end by the rules.

Each player thinks with a worker; both may share one. Players think exactly as those called from
Python (`trine.engine.players.bot.Bot`, or a search for each action): equal nodes, seeds and weights
give equal games. Only the setup must be over, because openings are in the games' Python code.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

import numpy as np
from numba import from_dtype, types

from trine.core.compiled.arrays import Buffer, Buffers, NumberRows, Numbers, Row, Rows, Words
from trine.core.compiled.jit import kernel
from trine.core.contract.score import ONGOING, PROVEN_SCORE
from trine.engine.search.kernel.ordering import set_overlook_rate
from trine.engine.search.kernel.pvs import deepen, forget_turn, nodes_left, shift_killers
from trine.engine.search.kernel.stack import MAX_DEPTH
from trine.engine.search.kernel.static_eval import static_eval
from trine.engine.search.kernel.table import AGES
from trine.engine.search.kernel.worker import GameFunctions, Worker

LONGEST_TURN: Final = 64
"""Units: actions; the maximum length of any turn, reserved in the state before each turn."""

SETTINGS: Final = np.dtype(
    [
        ("nodes", np.int64),  # the node limit for a turn, or for each action
        ("depth", np.int64),  # units: actions; the maximum search depth
        ("by_turns", np.int64),  # whether a search decides a whole turn, or one action
        ("overlook_rate", np.int64),  # units: 1/1024; the share of actions that is overlooked
        ("seed", np.int64),  # selects the overlooked actions
    ],
    align=True,
)
"""The settings of a player."""

SEARCHED: Final = 1
"""The mark of an action with a search of its own, not from the search for an earlier action."""
QUIET_END: Final = 2  # the mark of a search whose score is the evaluation of a kept position

MOVE: Final = np.dtype(
    [
        ("action", np.uint16),
        ("score", np.int16),  # the score of the action's search, for the player to move
        ("depth", np.uint8),  # the depth of the action's search
        ("marks", np.uint8),  # the sum of `SEARCHED` and `QUIET_END`
        ("mover", np.uint8),  # the player of the action
        ("nodes", np.int32),  # the nodes of the action's search, in total
        ("line_nodes", np.int32),  # the nodes of the action's search at its last line
    ],
    align=True,
)
"""An action of a game; unsearched actions have only the action, the mover and the marks."""

PROGRESS: Final = np.dtype(
    [
        ("actions", np.int64),  # the number of actions so far
        ("turns", np.int64),  # the number of turns of the play so far, the opening included
        ("turn_limit", np.int64),  # the game is stopped at this number of turns
        ("result", np.int64),  # the winner, or a constant of `trine.core.contract.score`
        ("rule", np.int64),  # the repetition rule
        ("keeps_ends", np.int64),  # whether the ends of principal variations are kept
    ],
    align=True,
)
"""The progress of a game."""


Move: TypeAlias = Annotated[Any, from_dtype(MOVE)]
Moves: TypeAlias = Annotated[Any, types.Array(from_dtype(MOVE), 1, "C")]
Settings: TypeAlias = Annotated[Any, from_dtype(SETTINGS)]
PlayersSettings: TypeAlias = Annotated[Any, types.Array(from_dtype(SETTINGS), 1, "C")]
Act: TypeAlias = Callable[[Rows, int, Words, Numbers, int, Rows, Buffers], int]
ListLegal: TypeAlias = Callable[[Row, Words, Numbers, int, Rows, Buffers, Buffer], int]
"""See `trine.core.compiled.repetition.HistoryKernel`."""


class GameState(NamedTuple):
    """The memory of a running game."""

    rows: Rows  # Shapes: ply, word. The position, and scratch for a whole turn from there
    buffers: Buffers  # Shapes: ply, `max_actions`. Scratch
    lines: NumberRows  # Shapes: see `trine.engine.search.kernel.pvs`. The lines found by a search
    moves: Moves  # Shapes: action. Records of the fields of `MOVE`
    ends: Rows
    """Shapes: action, word. The quiet ends of principal variations; empty if they are not kept."""
    progress: Annotated[Any, types.Array(from_dtype(PROGRESS), 1, "C")]
    """Shapes: 1. A record of the fields of `PROGRESS`."""


@kernel()
def think(
    game: GameFunctions, worker: Worker, lines: NumberRows, most_depth: int, nodes: int
) -> int:
    """Search a worker's root by iterative deepening, to a limit; return the number of lines."""
    search = worker.state[0]
    worker.stop[0] = 0
    search.nodes = 0
    search.age = (search.age + 1) % AGES
    return deepen(game, worker, lines, 1, min(most_depth, MAX_DEPTH), 0, nodes)


@kernel()
def find_quiet_end(
    game: GameFunctions,
    list_legal: ListLegal,
    worker: Worker,
    line: Numbers,
    state: GameState,
    end: Row,
) -> bool:
    """Write the last position of a line; return whether its evaluation is the score of the line.

    The score may have another origin: a proven win, a repetition, an interrupted search.
    """
    if abs(line[1]) > PROVEN_SCORE or line[3] + len(state.rows) > len(
        worker.actions
    ):  # the stack is full
        return False
    rule = state.progress[0].rule
    for word in range(state.rows.shape[1]):
        worker.rows[0, word] = state.rows[0, word]
    for ply in range(line[3]):
        rows, buffers = worker.rows[ply:], worker.actions[ply:]
        action, known = line[4 + ply], False
        for index in range(
            list_legal(
                rows[0], worker.keys, worker.repetition_state, rule, rows, buffers, buffers[0]
            )
        ):
            known |= buffers[0, index] == action
        # A search checks repetition only at the ends of turns, and keys can, very rarely, collide.
        if not known:
            return False
        game.play(worker.rows, ply, np.int64(action))
    row = worker.rows[line[3]]
    if game.result(row) != ONGOING or game.detect_win(row):
        return False
    mover = game.mover(row)
    points = static_eval(game, worker, line[3], mover)
    if line[1] != (points if mover == game.mover(worker.rows[0]) else -points):
        return False
    for word in range(len(row)):
        end[word] = row[word]
    return True


@kernel()
def clear_move(move: Move) -> None:
    """Mark an action as unsearched."""
    move.marks, move.score, move.depth, move.nodes, move.line_nodes = 0, 0, 0, 0, 0


@kernel()
def play_action(
    game: GameFunctions, act: Act, worker: Worker, state: GameState, action: int
) -> bool:
    """Play a legal action and write the result; return whether the turn goes on."""
    now, rows = state.progress[0], state.rows
    mover = game.mover(rows[0])
    move = state.moves[now.actions]
    move.action, move.mover = action, mover
    now.actions += 1
    now.result = act(
        rows, action, worker.keys, worker.repetition_state, now.rule, rows, state.buffers
    )
    if now.result == ONGOING and game.mover(rows[0]) == mover:
        return True
    now.turns += 1
    return False


@kernel()
def list_actions(list_legal: ListLegal, worker: Worker, state: GameState) -> int:
    """List the legal actions in the first buffer of a state."""
    rows, buffers, rule = state.rows, state.buffers, state.progress[0].rule
    return list_legal(  # type: ignore[no-any-return]
        rows[0], worker.keys, worker.repetition_state, rule, rows, buffers, buffers[0]
    )


@kernel()
def search_action(
    game: GameFunctions,
    list_legal: ListLegal,
    worker: Worker,
    player: Settings,
    state: GameState,
    total: int,
    nodes: int,
) -> int:
    """Search the position of a game, and record the result; return the index of the last line."""
    now, search = state.progress[0], worker.state[0]
    move = state.moves[now.actions]
    for word in range(state.rows.shape[1]):
        worker.rows[0, word] = state.rows[0, word]
    for index in range(total):
        worker.actions[0, index] = state.buffers[0, index]
    search.root_actions = total
    move.marks = SEARCHED
    found = think(game, worker, state.lines, player.depth, nodes)
    last = state.lines[found - 1]
    move.depth, move.score, move.line_nodes, move.nodes = last[0], last[1], last[2], search.nodes
    if now.keeps_ends:
        for back in range(1, found + 1):
            line, end = state.lines[found - back], state.ends[now.actions]
            if find_quiet_end(game, list_legal, worker, line, state, end):
                move.marks |= QUIET_END
                break
    return found - 1


@kernel()
def play_turn(
    game: GameFunctions,
    act: Act,
    list_legal: ListLegal,
    worker: Worker,
    player: Settings,
    state: GameState,
) -> None:
    now, spent, nodes = state.progress[0], 0, player.nodes
    forget_turn(worker)
    set_overlook_rate(worker.state, player.overlook_rate, player.seed + now.turns)
    while True:
        total = list_actions(list_legal, worker, state)
        last = search_action(game, list_legal, worker, player, state, total, nodes)
        spent += worker.state[0].nodes
        line, further = state.lines[last], 0
        for place in range(line[3] if player.by_turns else 1):
            if place:  # the first action was listed
                known = False
                for index in range(list_actions(list_legal, worker, state)):
                    known |= state.buffers[0, index] == line[4 + place]
                if not known:
                    break
                clear_move(state.moves[now.actions])
            if not play_action(game, act, worker, state, np.int64(line[4 + place])):
                return
            further += 1
        shift_killers(worker.killers, further)
        if player.by_turns:
            nodes = nodes_left(player.nodes, spent)


@kernel()
def play_on(
    game: GameFunctions,
    act: Act,
    list_legal: ListLegal,
    first: Worker,
    second: Worker,
    players: PlayersSettings,
    state: GameState,
) -> None:
    """Play until the end, the limit of turns, or until the state has no capacity for a turn."""
    now = state.progress[0]
    while now.result == ONGOING and now.turns < now.turn_limit:
        if now.actions + LONGEST_TURN > len(state.moves):
            return
        if game.mover(state.rows[0]) == 0:
            play_turn(game, act, list_legal, first, players[0], state)
        else:
            play_turn(game, act, list_legal, second, players[1], state)
