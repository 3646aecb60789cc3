"""Principal variation search over actions (alpha-beta), independent of the game.

One ply is one action. The position knows the player to move, so scores are not negated between
actions of one turn. Positions after the end of a turn are checked for repetition.

Sources: A. Reinefeld, "An improvement of the Scout tree search algorithm" (1983), for the windows;
the Chess Programming Wiki for late-move reductions, null moves and futility.

Iterative deepening writes the lines that it finds into an array ``int32[depth, 4 + ply]``: in a
row, the depth, the score, the nodes so far, the length of the line, and its actions.
"""

import math
from typing import Final

import numpy as np

from trine.core.compiled.arrays import NumberRows
from trine.core.compiled.jit import kernel
from trine.core.contract.score import DRAWS, ONGOING, PROVEN_SCORE, WIN
from trine.engine.search.kernel import node, table
from trine.engine.search.kernel.correction import correction, learn_correction
from trine.engine.search.kernel.node import DRAWN, INFINITE, NO_LIMIT
from trine.engine.search.kernel.ordering import pick_best, reward_cutoff, score_moves
from trine.engine.search.kernel.quiescence import quiescence
from trine.engine.search.kernel.stack import MAX_PLY
from trine.engine.search.kernel.static_eval import static_eval
from trine.engine.search.kernel.table import EXACT, LOWER, NO_ACTION, NO_EVALUATION, UPPER
from trine.engine.search.kernel.worker import GameFunctions, Worker

IN_TURN: Final = 0  # the kind of a position within a turn
NEW_TURN: Final = 1  # the kind of a position at the beginning of a turn
AFTER_NULL: Final = 2
"""The kind of a position after a null move, where the other player's turn begins."""

MIN_NULL_MOVE_DEPTH: Final = 3  # minimum depth of null move pruning
MIN_LMR_DEPTH: Final = 3  # minimum depth of late-move reductions
LMR_UNIT: Final = 1024  # reductions are summed in this fraction of a ply, then rounded
GOOD_ORDER: Final = 512  # actions with a better ordering score are reduced by one ply less
MAX_RAZORING_DEPTH: Final = 3  # maximum depth of razoring
MIN_IIR_DEPTH: Final = 5
"""The minimum depth of internal iterative reduction: without a table move, the depth is one
less."""

MAX_WINDOW: Final = 1000  # points; beyond this aspiration windows are opened completely
MIN_WINDOW_DEPTH: Final = 4  # minimum depth for aspiration windows

COMPLETION_PARTS: Final = 4
"""The divisor of the node limit for completing a turn: if the principal variation ends within the
turn, at least this part of all nodes is left for the rest of the turn. Guess."""

LMR_TABLE: Final = np.array(
    [
        [
            round(LMR_UNIT * math.log(max(1, depth)) * math.log(max(1, index)) / 2.4)
            for index in range(128)
        ]
        for depth in range(64)
    ],
    np.int64,
)
"""Shapes: depth, index of the action. Units: 1/1024 of a ply; the base late-move reduction, before
a game's constants. Guess."""


@kernel()
def search(
    game: GameFunctions, worker: Worker, ply: int, depth: int, alpha: int, beta: int, arrival: int
) -> int:
    """Return the score of a position for the player to move, searched to a depth.

    The score is exact between ``alpha`` and ``beta``, else a bound; meaningless once stopped. The
    kind of the position, ``arrival``, is `IN_TURN`, `NEW_TURN` or `AFTER_NULL`.
    """
    # Step 0. Multi-PV: the first turns of better principal variations are excluded.
    state = worker.state[0]
    salt = state.salt
    if len(worker.excluded) and node.is_first_turn(worker, ply):
        if ply > 0 and node.is_excluded(worker, game.key(worker.rows[ply])):
            return -INFINITE if arrival == IN_TURN else INFINITE
        salt ^= node.salt_of(worker)

    # Step 1. Quiescence search at the bottom. Its results are stored in games where different
    # orders of a turn's steps reach the same leaves; elsewhere they are hardly ever found again.
    row = worker.rows[ply]
    if depth <= 0 or ply >= MAX_PLY:
        if not state.quiescence_tt:
            return quiescence(game, worker, ply, alpha, beta, state.quiescence_plies)
        worker.pv[ply, 0] = 0
        leaf_key = game.key(row) ^ salt
        if beta - alpha == 1:
            leaf = table.probe(worker.table, leaf_key)
            if leaf:
                score, bound = table.score_of(leaf, ply), table.bound_of(leaf)
                if bound == EXACT or (bound == LOWER) == (score >= beta):
                    return alpha if node.must_stop(worker) else score
        score = quiescence(game, worker, ply, alpha, beta, state.quiescence_plies)
        if not worker.stop[0]:
            bound = LOWER if score >= beta else EXACT if score > alpha else UPPER
            age = state.age
            table.store(worker.table, leaf_key, ply, NO_ACTION, score, NO_EVALUATION, 0, bound, age)
        return score
    worker.pv[ply, 0] = 0
    if node.must_stop(worker):
        return alpha

    # Step 2. The end of the play, and repetition.
    mover = game.mover(row)
    key = game.key(row)
    if ply > 0:
        worker.keys[worker.repetition_state[0] + ply - 1] = (
            key if arrival == NEW_TURN else np.uint64(0)
        )
        result = game.result(row)
        if result != ONGOING:
            return node.score_of_result(result, mover, ply)
        if arrival == NEW_TURN:
            repeated = node.repetition_result(worker, key, ply)
            if repeated:
                # On other paths this is no win, so the table must not store it as a proof.
                return DRAWN if repeated == DRAWS else PROVEN_SCORE

        # Step 3. Mate distance pruning: an immediate win or loss here bounds the score.
        alpha = max(alpha, ply - WIN)
        beta = min(beta, WIN - ply - 1)
        if alpha >= beta:
            return alpha

    # Step 4. Transposition table; static win detection; internal iterative reduction if the table
    # has no move.
    tt_key = key ^ salt
    data = table.probe(worker.table, tt_key)
    tt_move, evaluation = NO_ACTION, NO_EVALUATION
    is_zero_window = beta - alpha == 1
    if data:
        tt_move, evaluation = table.action_of(data), table.evaluation_of(data)
    full_depth = depth
    if tt_move == NO_ACTION and depth >= MIN_IIR_DEPTH:
        depth -= 1
    if data and ply > 0 and is_zero_window:
        score, bound = table.score_of(data, ply), table.bound_of(data)
        deep = table.depth_of(data) >= depth or abs(score) > state.proven
        if deep and (bound == EXACT or (bound == LOWER) == (score >= beta)):
            return score
    if ply > 0:
        detected = game.detect_win(row)
        if detected:
            return node.score_of_win(detected, ply)
    if evaluation == NO_EVALUATION:
        evaluation = static_eval(game, worker, ply, mover)
    uncorrected = evaluation
    if state.correction_scale:
        evaluation += correction(game, worker, ply, mover)

    if is_zero_window and ply > 0 and abs(beta) < PROVEN_SCORE:
        # Step 5. Reverse futility pruning: the evaluation is above beta by more than the margin.
        if depth <= state.futility_depth and evaluation - state.futility_margin * depth >= beta:
            return evaluation

        # Step 6. Razoring: the evaluation is so far below alpha that only tactics could make up for
        # it.
        if (
            state.razoring_margin
            and depth <= MAX_RAZORING_DEPTH
            and evaluation + state.razoring_margin * depth <= alpha
        ):
            score = quiescence(game, worker, ply, alpha, beta, state.quiescence_plies)
            if worker.stop[0]:
                return alpha
            if score <= alpha:
                return score

        # Step 7. Null move pruning: the score is at least beta even after passing the turn.
        if (
            arrival != AFTER_NULL
            and depth >= MIN_NULL_MOVE_DEPTH
            and evaluation >= beta
            and game.null_move(worker.rows, ply)
        ):
            reduced = depth - 4 - depth // 6
            score = -search(game, worker, ply + 1, reduced, -beta, 1 - beta, np.int64(AFTER_NULL))
            if worker.stop[0]:
                return alpha
            if score >= beta:
                return min(score, PROVEN_SCORE)

    # Step 8. Move ordering: the TT move, killers, history, the game's own scores.
    actions, scores = worker.actions[ply], worker.scores[ply]
    total = state.root_actions if ply == 0 else game.generate(row, actions)
    if total == 0:  # the turn cannot be ended from here
        return ply - WIN
    # A forced action costs no depth; mostly it ends a turn.
    is_forced = total == 1 and ply > 0
    depth = full_depth if is_forced else depth
    onward_depth = depth if is_forced else depth - 1
    total = score_moves(game, worker, ply, total, mover, tt_move)
    best, best_action, alpha_before = -INFINITE, NO_ACTION, alpha
    for index in range(total):
        pick_best(actions, scores, index, total)
        action = int(actions[index])

        # Step 9. Futility and late-move pruning: near the bottom, this action and all later ones
        # are skipped.
        order = scores[index]
        if (
            is_zero_window
            and best > -PROVEN_SCORE
            and order < state.futility_max_order
            and depth <= state.futility_depth
        ):
            futile = evaluation + state.futility_margin * (depth + 1) <= alpha
            if futile or index > state.lmp_count + depth * depth * 2:
                break

        # Step 10. The first action is searched with the full window.
        game.play(worker.rows, ply, action)
        table.prefetch_bucket(worker.table, game.key(worker.rows[ply + 1]) ^ salt)
        same = game.mover(worker.rows[ply + 1]) == mover
        onward = np.int64(IN_TURN if same else NEW_TURN)
        low, high = (alpha, beta) if same else (-beta, -alpha)
        if index == 0:
            score = search(game, worker, ply + 1, onward_depth, low, high, onward)
        else:
            # Step 11. Late-move reduction and a zero window; a re-search if the score beats alpha.
            reduction = 0
            if depth >= MIN_LMR_DEPTH and index >= 3:
                usual = LMR_TABLE[min(depth, 63), min(index, 127)]
                reduction = state.lmr_base + usual * state.lmr_scale // LMR_UNIT
                if arrival == IN_TURN:
                    reduction += state.lmr_in_turn
                if order > GOOD_ORDER:
                    reduction -= LMR_UNIT
                if not is_zero_window:
                    reduction -= state.lmr_pv
                reduction = max(0, min((reduction + LMR_UNIT // 2) // LMR_UNIT, depth - 2))
            low, high = (alpha, alpha + 1) if same else (-alpha - 1, -alpha)
            score = search(game, worker, ply + 1, onward_depth - reduction, low, high, onward)
            if reduction and (score > alpha if same else -score > alpha):
                score = search(game, worker, ply + 1, onward_depth, low, high, onward)
            if alpha < (score if same else -score) < beta:
                low, high = (alpha, beta) if same else (-beta, -alpha)
                score = search(game, worker, ply + 1, onward_depth, low, high, onward)
        if not same:
            score = -score
        if worker.stop[0]:
            return alpha

        # Step 12. A new best action; a beta cutoff updates killers and history.
        if score > best:
            best, best_action = score, action
            if score > alpha:
                alpha = score
                node.update_pv(worker, ply, action)
                if score >= beta:
                    reward_cutoff(worker, ply, mover, index, depth)
                    break

    # Step 13. Store in the transposition table; learn the correction, unless the evaluation and the
    # bound agree.
    bound = LOWER if best >= beta else EXACT if best > alpha_before else UPPER
    tt_action = best_action if bound != UPPER else NO_ACTION
    if (
        state.correction_scale
        and salt == state.salt
        and abs(best) < PROVEN_SCORE
        and (bound != LOWER or best > evaluation)
        and (bound != UPPER or best < evaluation)
    ):
        learn_correction(game, worker, ply, mover, best - uncorrected, depth)
    table.store(worker.table, tt_key, ply, tt_action, best, uncorrected, depth, bound, state.age)
    return best


@kernel()
def search_within(game: GameFunctions, worker: Worker, depth: int, expected: int) -> int:
    """Search a worker's root, first with an aspiration window around the expected score.

    The score is exact, unless stopped; `-INFINITE` if every turn is excluded. ``expected`` is the
    score of the previous depth. The principal variation is ``worker.pv[0]``.
    """
    window = worker.state[0].aspiration_window
    margin = window if depth >= MIN_WINDOW_DEPTH and abs(expected) < PROVEN_SCORE else INFINITE
    low, high = max(-INFINITE, expected - margin), min(INFINITE, expected + margin)
    while True:
        score = search(game, worker, 0, depth, low, high, np.int64(IN_TURN))
        if worker.stop[0] or low < score < high or margin == INFINITE:
            return score
        margin = 3 * margin if margin < MAX_WINDOW else INFINITE
        if score <= low:
            low = max(-INFINITE, score - margin)
        else:
            high = min(INFINITE, score + margin)


@kernel()
def nodes_left(nodes: int, spent: int) -> int:
    """Return the node limit for completing a turn whose first actions are decided."""
    return max(1, nodes // COMPLETION_PARTS, nodes - spent)


@kernel()
def shift_killers(killers: NumberRows, further: int) -> None:
    """Shift the killers by the plies already played in the same turn."""
    last = len(killers) - further
    for ply in range(len(killers)):
        for place in range(2):
            killers[ply, place] = killers[ply + further, place] if ply < last else -1


@kernel()
def forget_turn(worker: Worker) -> None:
    shift_killers(worker.killers, len(worker.killers))
    for player in range(len(worker.history)):
        for action in range(worker.history.shape[1]):
            worker.history[player, action] = 0
    for part in range(len(worker.corrections)):
        for entry in range(worker.corrections.shape[1]):
            worker.corrections[part, entry] = 0


@kernel()
def deepen(
    game: GameFunctions,
    worker: Worker,
    lines: NumberRows,
    first: int,
    last: int,
    score: int,
    nodes: int,
) -> int:
    """Search the root of a worker depth by depth, until the last, a limit or a proof.

    ``score`` is the expected score at the ``first`` depth. If a depth finds no line (all turns are
    excluded, or the search was stopped), its score is written nevertheless.

    Returns: the number of lines written into ``lines``.
    """
    state, found = worker.state[0], 0
    for depth in range(first, last + 1):
        # Depth 1 is always completed; the limit holds from depth 2 on.
        state.node_limit = nodes if depth > 1 else NO_LIMIT
        score = search_within(game, worker, depth, score)
        length, line = worker.pv[0, 0], lines[found]
        line[0], line[1], line[2], line[3] = depth, score, state.nodes, length
        for place in range(length):
            line[4 + place] = worker.pv[0, 1 + place]
        found += length > 0
        if state.nodes >= nodes or worker.stop[0]:
            break
        if abs(score) > PROVEN_SCORE and WIN - abs(score) <= depth:
            break
    return found
