"""Whole games of two players, compiled: from a position to the end by the rules.

Each player thinks with a worker; both may share one. Players think exactly as those called from
Python (`trine.engine.players.bot.Bot`, or a search for each action): equal nodes, seeds and weights
give equal games. Only the setup must be over, because openings are in the games' Python code.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from trine.core.compiled.jit import kernel
from trine.core.contract.score import ONGOING, PROVEN_SCORE
from trine.engine.search.kernel.deepening import deepen, forget_turn, nodes_left, shift_killers
from trine.engine.search.kernel.overlooking import set_overlook_rate
from trine.engine.search.kernel.stack import MAX_DEPTH
from trine.engine.search.kernel.static_eval import static_eval
from trine.engine.search.kernel.table import AGES
from trine.engine.search.kernel.worker import GAME, WORKER, GameFunctions, Numbers, Words, Worker
from trine.engine.selfplay.kernel.game_state import (
    ACT,
    LIST,
    LIST_LEGAL,
    LISTS,
    LONGEST_TURN,
    ONE_MOVE,
    ONE_PLAYER,
    PLAYERS,
    QUIET_END,
    ROW,
    SEARCHED,
    STATE,
    GameState,
)


@kernel(types.int64(GAME, WORKER, LISTS, types.int64, types.int64))
def think(game: GameFunctions, worker: Worker, lines: Numbers, most_depth: int, nodes: int) -> int:
    """Search a worker's root by iterative deepening, to a limit; return the number of lines."""
    search = worker.state[0]
    worker.stop[0] = 0
    search.nodes = 0
    search.age = (search.age + 1) % AGES
    return deepen(game, worker, lines, 1, min(most_depth, MAX_DEPTH), 0, nodes)


@kernel(types.boolean(GAME, LIST_LEGAL, WORKER, LIST, STATE, ROW))
def find_quiet_end(
    game: GameFunctions,
    list_legal: Any,
    worker: Worker,
    line: Numbers,
    state: GameState,
    end: Words,
) -> bool:
    """Write the last position of a line; return whether its evaluation is the score of the line.

    It is not if the score has another origin: a proven win, a repetition, an interrupted search.
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


@kernel(types.void(ONE_MOVE))
def clear_move(move: Any) -> None:
    """Mark an action as unsearched."""
    move.marks, move.score, move.depth, move.nodes, move.line_nodes = 0, 0, 0, 0, 0


@kernel(types.boolean(GAME, ACT, WORKER, STATE, types.int64))
def play_action(
    game: GameFunctions, act: Any, worker: Worker, state: GameState, action: int
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


@kernel(types.int64(LIST_LEGAL, WORKER, STATE))
def list_actions(list_legal: Any, worker: Worker, state: GameState) -> int:
    """List the legal actions in the first buffer of a state."""
    rows, buffers, rule = state.rows, state.buffers, state.progress[0].rule
    return list_legal(  # type: ignore[no-any-return]
        rows[0], worker.keys, worker.repetition_state, rule, rows, buffers, buffers[0]
    )


@kernel(types.int64(GAME, LIST_LEGAL, WORKER, ONE_PLAYER, STATE, types.int64, types.int64))
def search_action(
    game: GameFunctions,
    list_legal: Any,
    worker: Worker,
    player: Any,
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


@kernel(types.void(GAME, ACT, LIST_LEGAL, WORKER, ONE_PLAYER, STATE))
def play_turn(
    game: GameFunctions, act: Any, list_legal: Any, worker: Worker, player: Any, state: GameState
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


@kernel(types.void(GAME, ACT, LIST_LEGAL, WORKER, WORKER, PLAYERS, STATE))
def play_on(
    game: GameFunctions,
    act: Any,
    list_legal: Any,
    first: Worker,
    second: Worker,
    players: Any,
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
