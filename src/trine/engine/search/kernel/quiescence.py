"""Quiescence search: at the bottom only tactical actions are searched, until none is left."""

from trine.core.compiled.arrays import Row
from trine.core.compiled.jit import kernel
from trine.core.contract.score import ONGOING, WIN
from trine.engine.search.kernel import node
from trine.engine.search.kernel.correction import correction
from trine.engine.search.kernel.ordering import pick_best, score_moves
from trine.engine.search.kernel.stack import MAX_PLY
from trine.engine.search.kernel.static_eval import lazy_eval
from trine.engine.search.kernel.table import NO_ACTION
from trine.engine.search.kernel.worker import GameFunctions, Worker


@kernel()
def never(row: Row) -> bool:
    """The default of `Heuristics.must_act`."""
    return False


@kernel()
def quiescence(
    game: GameFunctions, worker: Worker, ply: int, alpha: int, beta: int, left: int
) -> int:
    """Return the score of a position after tactical actions, at most ``left`` plies deep."""
    worker.pv[ply, 0] = 0
    if node.must_stop(worker):
        return alpha
    row, state = worker.rows[ply], worker.state[0]
    mover = game.mover(row)
    result = game.result(row)
    if result != ONGOING:
        return node.score_of_result(result, mover, ply)
    detected = game.detect_win(row)
    if detected:
        return node.score_of_win(detected, ply)

    # Stand pat: a player who need not act can take the static evaluation. A player whom the
    # opponent threatens to beat next turn must act, so for a few plies all actions are searched.
    is_last = ply >= MAX_PLY or left <= 0
    must_act, best = not is_last and game.must_act(row), -node.INFINITE
    if not must_act:
        off = correction(game, worker, ply, mover) if state.correction_scale else 0
        best = lazy_eval(game, worker, ply, mover, alpha - off, beta - off) + off
        if is_last:
            return best
        evades = best > alpha and state.quiescence_plies - left < state.evasion_plies
        must_act = evades and node.is_threatened(game, worker, ply)
    actions = worker.actions[ply]
    if must_act:
        total, best = game.generate(row, actions), -node.INFINITE
        if total == 0:  # the turn cannot be ended from here
            return ply - WIN
    else:
        if best >= beta:
            return best
        total = game.tactical(row, actions)
        if total == 0:
            return best
        alpha = max(alpha, best)

    total = score_moves(game, worker, ply, total, mover, NO_ACTION)
    for index in range(total):
        pick_best(actions, worker.scores[ply], index, total)
        action = int(actions[index])
        game.play(worker.rows, ply, action)
        if game.mover(worker.rows[ply + 1]) == mover:
            score = quiescence(game, worker, ply + 1, alpha, beta, left - 1)
        else:
            score = -quiescence(game, worker, ply + 1, -beta, -alpha, left - 1)
        if score > best:
            best = score
            if score > alpha:
                alpha = score
                node.update_pv(worker, ply, action)
                if score >= beta:
                    break
    return best
