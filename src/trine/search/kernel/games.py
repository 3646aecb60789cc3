"""Whole games of two players, compiled: from a position to the end by the rules.

Each player thinks with a worker of their own; both may have the same one. They think as the house's
players do when Python calls them (`trine.engine.bot.Bot`, or a search for each action): with the
same nodes, seeds and weights the games are the same. Only the setup must be over, since openings
are a matter of the rooms. The referee's judgement of repetition is repeated here, as in
`trine.batch`.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numba import from_dtype, types

from trine.core.jit import kernel
from trine.core.rng import next_below
from trine.core.score import DRAW, DRAWS, FORBIDDEN, LOSES, NO_MATTER, ONGOING, SURE, WIN
from trine.search.kernel.assess import MOST_POINTS, assess
from trine.search.kernel.handicap import SALT, WHOLE
from trine.search.kernel.node import NO_LIMIT
from trine.search.kernel.pvs import PARTS, search_within
from trine.search.kernel.table import AGES
from trine.search.kernel.worker import (
    GAME,
    MOST_DEPTH,
    PLAIN_GAME,
    WORKER,
    GameFunctions,
    Numbers,
    Words,
    Worker,
    named,
)

LONGEST_TURN: Final = 64
"""Units: actions; no turn is longer. So much room is left in a sheet when a turn begins."""

MANNER: Final = np.dtype(
    [
        ("nodes", np.int64),  # the nodes of a turn, or of each action
        ("depth", np.int64),  # units: actions; the greatest depth of a search
        ("by_turns", np.int64),  # whether a search decides about a turn, or only about an action
        ("handicap", np.int64),  # units: 1/1024; the share of actions that is overlooked
        ("seed", np.int64),  # decides which actions are overlooked
        ("quick_nodes", np.int64),  # the nodes of an action that is searched quickly
        ("quick_share", np.int64),  # units: 1/1024; the share of actions that is searched so
        ("stray_share", np.int64),  # units: 1/1024; the share in whose place another is played
    ],
    align=True,
)
"""The kind of thinking of a player."""

SEARCHED: Final = 1
"""The mark of an action that was searched for, not taken from the search for one before it."""
FULLY: Final = 2
"""The mark of an action that was searched for with all nodes, not quickly."""
QUIET_END: Final = 4
"""The mark of a search whose score is the evaluation of a position, which is kept."""

MOST_TEMPTING: Final = 16
"""The most actions of which the one that looks best at once is played in place of the one found.
Guess."""

MOVE: Final = np.dtype(
    [
        ("action", np.uint16),
        ("score", np.int16),  # of its search, for the player to move
        ("depth", np.uint8),  # of its search
        ("marks", np.uint8),  # the sum of `SEARCHED`, `FULLY`, `QUIET_END`
        ("nodes", np.int32),  # that its search has taken
        ("told", np.int32),  # that its search had taken when it found its last line
    ],
    align=True,
)
"""An action of a game; all but the action and the marks is 0 where it was not searched for."""

PROGRESS: Final = np.dtype(
    [
        ("actions", np.int64),  # the number of actions so far
        (
            "turns",
            np.int64,
        ),  # the number of turns of the play so far, those of its opening included
        ("turn_limit", np.int64),  # the number of turns at which it is left
        ("result", np.int64),  # the winner, or what `trine.core.score` has
        ("repetition", np.int64),  # the rule about positions that stand for the third time
        ("stood_twice", np.int64),  # whether some position has stood twice
        ("keeps_ends", np.int64),  # whether the ends of principal variations are kept
    ],
    align=True,
)
"""The state of a game."""


class Sheet(NamedTuple):
    """The memory of a game that is being played."""

    rows: Words
    """Shapes: ply, word. The position, and scratch for a whole turn from there."""
    buffers: Numbers
    """Shapes: ply, `most_actions`. Scratch."""
    lines: Numbers
    """Shapes: report, 4 + ply. The lines that a search has found, depth by depth: depth, score,
    nodes, length, actions."""
    moves: Any
    """Shapes: action. Records of the fields of `MOVE`."""
    ends: Words
    """Shapes: action, word. The quiet ends of principal variations; none if they are not kept."""
    rng: Words
    """Shapes: 1. Random numbers, for what is searched quickly and where players stray."""
    progress: Any
    """Shapes: 1. A record of the fields of `PROGRESS`."""


_ROW: Final = types.Array(types.uint64, 1, "C")
_ROWS: Final = types.Array(types.uint64, 2, "C")
_LIST: Final = types.Array(types.int32, 1, "C")
_LISTS: Final = types.Array(types.int32, 2, "C")
_PROGRESS: Final = from_dtype(PROGRESS)
_MOVE: Final = from_dtype(MOVE)
_MANNER: Final = from_dtype(MANNER)
_MANNERS: Final = types.Array(_MANNER, 1, "C")
STANDS: Final = types.FunctionType(types.boolean(_ROW))
"""The type of `RepetitionKernel.can_stand_again`."""
SHEET: Final = types.NamedTuple(
    (
        _ROWS,
        _LISTS,
        _LISTS,
        types.Array(_MOVE, 1, "C"),
        _ROWS,
        _ROW,
        types.Array(_PROGRESS, 1, "C"),
    ),
    Sheet,
)


@kernel("boolean(uint64[::1])")
def never_again(row: Words) -> bool:
    """`RepetitionKernel.can_stand_again` of a game in which nothing repeats."""
    return False


# --- repetition ----------------------------------------------------------------------------------


@kernel("int64(uint64[:, ::1], uint64)")
def slot_of(past: Words, key: np.uint64) -> int:
    """Return the place of a key in the hash table of positions, or the one that it can take."""
    last = np.uint64(len(past) - 1)
    slot = key & last
    while past[slot, 1] and past[slot, 0] != key:
        slot = (slot + np.uint64(1)) & last
    return np.int64(slot)


@kernel(types.boolean(GAME, STANDS, SHEET, _ROWS, types.int64))
def can_complete(game: GameFunctions, stands: Any, sheet: Sheet, past: Words, ply: int) -> bool:
    """Return whether a turn can be ended without making a position for the third time."""
    total = game.generate(sheet.rows[ply], sheet.buffers[ply])
    for index in range(total):
        game.play(sheet.rows, ply, np.int64(sheet.buffers[ply, index]))
        after = sheet.rows[ply + 1]
        if stands(after):
            if past[slot_of(past, game.key(after)), 1] < 2:
                return True
        elif can_complete(game, stands, sheet, past, ply + 1):
            return True
    return False


@kernel(types.int64(GAME, STANDS, SHEET, _ROWS))
def list_legal(game: GameFunctions, stands: Any, sheet: Sheet, past: Words) -> int:
    """List the legal actions in the first buffer of a sheet, the past included in the judgement."""
    actions, now = sheet.buffers[0], sheet.progress[0]
    total = game.generate(sheet.rows[0], actions)
    if now.repetition != FORBIDDEN or not now.stood_twice:
        return total
    kept = 0
    for index in range(total):
        action = actions[index]
        game.play(sheet.rows, 0, np.int64(action))
        if stands(sheet.rows[1]):
            keep = past[slot_of(past, game.key(sheet.rows[1])), 1] < 2
        else:
            keep = can_complete(game, stands, sheet, past, 1)
        if keep:
            actions[kept] = action
            kept += 1
    return kept


@kernel(types.int64(GAME, STANDS, SHEET, _ROWS))
def judge(game: GameFunctions, stands: Any, sheet: Sheet, past: Words) -> int:
    """Return the result after an action, and count the position if it is one that counts."""
    row, now = sheet.rows[0], sheet.progress[0]
    result = game.result(row)
    if now.repetition == NO_MATTER or not stands(row):
        return result
    key = game.key(row)
    slot = slot_of(past, key)
    past[slot, 0] = key
    past[slot, 1] += np.uint64(1)
    times = np.int64(past[slot, 1])
    if times > 1:
        now.stood_twice = 1
    if result != ONGOING:
        return result
    if now.repetition == DRAWS and times >= 3:
        return DRAW
    if now.repetition == LOSES and times >= 3:
        return game.mover(row)
    forbidden = now.repetition == FORBIDDEN and now.stood_twice
    if forbidden and not can_complete(game, stands, sheet, past, 0):
        return 1 - game.mover(row)
    return ONGOING


@kernel(types.boolean(_ROWS, _PROGRESS))
def is_crowded(past: Words, now: Any) -> bool:
    """Return whether the hash table of positions needs more room."""
    return now.repetition != NO_MATTER and 2 * now.turns >= len(past)


# --- thinking ------------------------------------------------------------------------------------


@kernel(types.void(WORKER))
def forget_turn(worker: Worker) -> None:
    """Clear the killers and the history of a worker, since another turn begins."""
    for ply in range(len(worker.killers)):
        worker.killers[ply, 0] = -1
        worker.killers[ply, 1] = -1
    for player in range(len(worker.history)):
        for action in range(worker.history.shape[1]):
            worker.history[player, action] = 0


@kernel(types.void(WORKER, types.int64))
def carry_over(worker: Worker, further: int) -> None:
    """Keep the killers of a worker for a search that begins some plies further down."""
    last = len(worker.killers) - further
    for ply in range(len(worker.killers)):
        for place in range(2):
            worker.killers[ply, place] = worker.killers[ply + further, place] if ply < last else -1


@kernel(types.void(WORKER, _MANNER, types.int64))
def begin_turn(worker: Worker, manner: Any, turns: int) -> None:
    """Prepare a worker for a turn; ``turns`` is the number of those before."""
    forget_turn(worker)
    state = worker.state[0]
    state.handicap, state.salt, state.proven = 0, np.uint64(0), SURE
    if manner.handicap:
        seed = manner.seed + turns
        state.handicap, state.handicap_seed = manner.handicap, seed
        state.salt, state.proven = np.uint64(seed + 1) * np.uint64(SALT), WIN


@kernel(types.int64(GAME, WORKER, _LISTS, types.int64, types.int64))
def think(game: GameFunctions, worker: Worker, lines: Numbers, most_depth: int, nodes: int) -> int:
    """Search the root of a worker by iterative deepening, until a limit.

    Returns: the number of lines that were found and written into ``lines``, at least one.
    """
    state = worker.state[0]
    worker.stop[0] = 0
    state.nodes, state.node_limit = 0, NO_LIMIT
    state.age = (state.age + 1) % AGES
    score, found = 0, 0
    for depth in range(1, min(most_depth, MOST_DEPTH) + 1):
        score = search_within(game, worker, depth, score)
        length = worker.pv[0, 0]
        if length:
            line = lines[found]
            line[0], line[1], line[2], line[3] = depth, score, state.nodes, length
            for place in range(length):
                line[4 + place] = worker.pv[0, 1 + place]
            found += 1
        # Depth 1 is searched whole; the limit holds from depth 2 on.
        state.node_limit = nodes
        if state.nodes >= nodes or worker.stop[0]:
            break
        if abs(score) > SURE and WIN - abs(score) <= depth:
            break
    return found


@kernel(types.boolean(GAME, WORKER, _LIST, _ROWS, _ROW))
def find_quiet_end(
    game: GameFunctions, worker: Worker, line: Numbers, rows: Words, end: Words
) -> bool:
    """Write the last position of a line, if its evaluation is the score of the line.

    Returns: whether it is; it is not where the score comes from elsewhere: a proven win, a
        repetition, an interrupted search.
    """
    if abs(line[1]) > SURE:
        return False
    for word in range(rows.shape[1]):
        worker.rows[0, word] = rows[0, word]
    for ply in range(line[3]):
        action, known = line[4 + ply], False
        actions = worker.actions[ply]
        for index in range(game.generate(worker.rows[ply], actions)):
            known |= actions[index] == action
        if not known:  # keys can, very rarely, collide
            return False
        game.play(worker.rows, ply, np.int64(action))
    row = worker.rows[line[3]]
    if game.result(row) != ONGOING or game.detect_win(row):
        return False
    mover = game.mover(row)
    points = assess(game, worker, line[3], mover)
    if line[1] != (points if mover == game.mover(rows[0]) else -points):
        return False
    for word in range(len(row)):
        end[word] = row[word]
    return True


# --- playing -------------------------------------------------------------------------------------


@kernel(types.void(_MOVE))
def clear_move(move: Any) -> None:
    """Note that an action was not searched for."""
    move.marks, move.score, move.depth, move.nodes, move.told = 0, 0, 0, 0, 0


@kernel(types.void(GAME, STANDS, WORKER, SHEET, types.int64))
def act(game: GameFunctions, stands: Any, worker: Worker, sheet: Sheet, action: int) -> None:
    """Play a legal action and judge it."""
    now = sheet.progress[0]
    mover = game.mover(sheet.rows[0])
    sheet.moves[now.actions].action = action
    now.actions += 1
    game.play(sheet.rows, 0, action)
    for word in range(sheet.rows.shape[1]):
        sheet.rows[0, word] = sheet.rows[1, word]
    now.result = judge(game, stands, sheet, worker.past)
    if now.result != ONGOING or game.mover(sheet.rows[0]) != mover:
        now.turns += 1


@kernel(types.int64(GAME, WORKER, _MANNER, SHEET, types.int64, types.int64))
def search_action(
    game: GameFunctions, worker: Worker, manner: Any, sheet: Sheet, total: int, nodes: int
) -> int:
    """Search the position of a sheet, whose legal actions are listed, and note what was found.

    Returns: the number of the last line.
    """
    now, state = sheet.progress[0], worker.state[0]
    move = sheet.moves[now.actions]
    for word in range(sheet.rows.shape[1]):
        worker.rows[0, word] = sheet.rows[0, word]
    for index in range(total):
        worker.actions[0, index] = sheet.buffers[0, index]
    state.root_actions = total
    move.marks = SEARCHED | FULLY
    if manner.quick_share and next_below(sheet.rng, WHOLE) < manner.quick_share:
        nodes, move.marks = min(nodes, manner.quick_nodes), SEARCHED
    found = think(game, worker, sheet.lines, manner.depth, nodes)
    last = sheet.lines[found - 1]
    move.depth, move.score, move.told, move.nodes = last[0], last[1], last[2], state.nodes
    if now.keeps_ends:
        for back in range(1, found + 1):
            line = sheet.lines[found - back]
            if find_quiet_end(game, worker, line, sheet.rows, sheet.ends[now.actions]):
                move.marks |= QUIET_END
                break
    return found - 1


@kernel(types.int64(GAME, WORKER, SHEET, types.int64))
def tempting_action(game: GameFunctions, worker: Worker, sheet: Sheet, total: int) -> int:
    """Return the action that looks best at once of some listed ones that are chosen at random.

    It is what a search meets at its leaves, and few good players play: mistakes that look good.
    """
    mover, best, best_points = game.mover(sheet.rows[0]), 0, -2 * MOST_POINTS
    for word in range(sheet.rows.shape[1]):
        worker.rows[0, word] = sheet.rows[0, word]
    for _ in range(1 + next_below(sheet.rng, MOST_TEMPTING)):
        action = int(np.int64(sheet.buffers[0, next_below(sheet.rng, total)]))
        game.play(worker.rows, 0, action)
        points = assess(game, worker, 1, mover)
        if points > best_points:
            best, best_points = action, points
    return best


@kernel(types.void(GAME, STANDS, WORKER, _MANNER, SHEET))
def play_turn(game: GameFunctions, stands: Any, worker: Worker, manner: Any, sheet: Sheet) -> None:
    """Play a whole turn."""
    now = sheet.progress[0]
    mover, spent, nodes = game.mover(sheet.rows[0]), 0, manner.nodes
    begin_turn(worker, manner, now.turns)
    while True:
        total = list_legal(game, stands, sheet, worker.past)
        last = search_action(game, worker, manner, sheet, total, nodes)
        spent += worker.state[0].nodes
        line, further = sheet.lines[last], 0
        if manner.stray_share and next_below(sheet.rng, WHOLE) < manner.stray_share:
            line[3], line[4] = 1, tempting_action(game, worker, sheet, total)
        for place in range(line[3] if manner.by_turns else 1):
            if place:  # the first action was listed
                known = False
                for index in range(list_legal(game, stands, sheet, worker.past)):
                    known |= sheet.buffers[0, index] == line[4 + place]
                if not known:
                    break
                clear_move(sheet.moves[now.actions])
            act(game, stands, worker, sheet, np.int64(line[4 + place]))
            further += 1
            if now.result != ONGOING or game.mover(sheet.rows[0]) != mover:
                return
        carry_over(worker, further)
        if manner.by_turns:
            nodes = max(1, manner.nodes // PARTS, manner.nodes - spent)


@kernel(types.void(PLAIN_GAME, STANDS, WORKER, WORKER, _MANNERS, SHEET))
def play_on(
    functions: tuple[Any, ...],
    stands: Any,
    first: Worker,
    second: Worker,
    manners: Any,
    sheet: Sheet,
) -> None:
    """Play on until the end, the limit of turns, or until a sheet has no more room for a turn."""
    game, now = named(functions), sheet.progress[0]
    while now.result == ONGOING and now.turns < now.turn_limit:
        if now.actions + LONGEST_TURN > len(sheet.moves) or is_crowded(first.past, now):
            return
        if game.mover(sheet.rows[0]) == 0:
            play_turn(game, stands, first, manners[0], sheet)
        else:
            play_turn(game, stands, second, manners[1], sheet)
