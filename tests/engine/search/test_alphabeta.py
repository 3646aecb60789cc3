"""The search: the same each time, right where the truth can be counted, quick to stop."""

import signal
import threading
import time
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest

from trine.core.clock import Limits
from trine.core.contract.score import PROVEN_SCORE, WIN
from trine.core.play import Play
from trine.core.work.stop import Stop
from trine.engine.search.alphabeta import AlphaBeta
from trine.engine.search.bench import bench_positions
from trine.engine.search.info import Info
from trine.engine.search.kernel.ordering import keep_noticed, set_overlook_rate
from trine.engine.search.kernel.worker import Worker
from trine.games import ROOMS, new_play, open_heuristics, open_kernel, open_room

GAMES = pytest.mark.parametrize("game", ROOMS)


@cache
def searcher(game: str) -> AlphaBeta:
    return AlphaBeta(game, hash_mb=4)


def middle_game(game: str) -> Play:
    room = open_room(game)
    positions = [bench.position for bench in bench_positions(room)]
    two = [p for p in positions if len(p.seats) == 2 and not p.in_setup]
    return Play(room, two[len(two) // 2])


def played_at_random(game: str, seed: int, until: int) -> Play:
    """A play by chance, stopped so many actions before its end."""
    rng, whole = Random(seed), new_play(game)
    actions = []
    while not whole.outcome:
        actions.append(rng.choice(whole.legal_actions()))
        whole.act_unchecked(actions[-1])
    play = new_play(game)
    play.act_unchecked(*actions[: max(0, len(actions) - until)])
    return play


@GAMES
def test_the_same_search_takes_the_same_nodes_and_finds_the_same(game: str) -> None:
    found = []
    for _ in range(2):
        searcher(game).clear()
        found.append(searcher(game).search(middle_game(game), Limits(depth=5))[0])
    first, second = found
    assert (first.nodes, first.score, first.pv) == (second.nodes, second.score, second.pv)
    assert first.nodes > 100


@GAMES
def test_a_quick_search_finds_what_one_in_a_thread_finds(game: str) -> None:
    play, found = middle_game(game), []
    for effort in (Limits(nodes=3_000), Limits(nodes=3_000, hard=600.0)):
        searcher(game).clear()
        found.append(searcher(game).search(play, effort)[0])
    assert (found[0].pv, found[0].score) == (found[1].pv, found[1].score)


@GAMES
def test_every_line_is_legal_and_its_length_fits_its_depth(game: str) -> None:
    play = middle_game(game)
    told: list[Info] = []
    best = searcher(game).search(play, Limits(nodes=20_000), told.append)[0]
    assert best == told[-1]
    assert [info.depth for info in told] == sorted(info.depth for info in told)
    for info in told:
        ahead = play.copy()
        ahead.follow(ahead.check(info.pv))
        assert info.pv


@GAMES
def test_lines_differ_in_what_their_first_turns_lead_to(game: str) -> None:
    play = middle_game(game)
    lines = searcher(game).search(play, Limits(depth=6), lines=3)
    assert [info.rank for info in lines] == [1, 2, 3]
    ends = set()
    for info in lines:
        ahead = play.copy()
        for action in info.pv:
            if ahead.mover != play.mover:
                break
            ahead.act(action)
        ends.add(ahead.position)
    assert len(ends) == 3


@GAMES
def test_lines_are_whole_turns_of_one_depth_the_best_first(game: str) -> None:
    play = middle_game(game)
    for depth in (1, 2, 6):
        lines = searcher(game).search(play, Limits(depth=depth), lines=5)
        assert len(lines) == 5
        assert {info.depth for info in lines} == {depth}
        points = [info.score.points for info in lines]
        assert points == sorted(points, reverse=True)
        for info in lines:
            ahead = play.copy()
            ahead.follow(ahead.check(info.pv))
            assert len(ahead.turns) > len(play.turns)


def test_a_line_whose_end_is_known_is_told_to_the_end() -> None:
    search, told = searcher("corridor"), 0
    for seed in range(10):
        play = played_at_random("corridor", seed, 12)
        info = search.search(play, Limits(depth=7))[0]
        whole = search.extend_proof(play, info)
        assert whole.pv[: len(info.pv)] == info.pv
        if info.score.decided_in is None:
            assert whole == info
        elif len(whole.pv) > len(info.pv):
            ahead = play.copy()
            ahead.follow(ahead.check(whole.pv))
            assert ahead.outcome
            assert (ahead.outcome.winner == play.mover) == (info.score.points > 0)
            told += 1
    assert told


def test_all_turns_are_lines_where_there_are_few() -> None:
    play = new_play("corridor", size="3", players="2")
    results = play.room.rules.turn_results(play.position, play.history)
    lines = searcher("corridor").search(play, Limits(depth=3), lines=100)
    assert len(lines) == len(results)
    points = [info.score.points for info in lines]
    assert points == sorted(points, reverse=True)


@GAMES
def test_who_overlooks_everything_sees_what_looks_best(game: str) -> None:
    play, search = middle_game(game), searcher(game)
    blind = search.search(play, Limits(depth=1), overlook_rate=1024)[0].pv[0]
    kernel, heuristics = open_kernel(game), open_heuristics(game)
    rows = np.zeros((1, kernel.words), np.uint64)
    kernel.to_row(play.position, rows[0])
    actions, scores = np.zeros((2, kernel.max_actions), np.int32)
    total = kernel.generate(rows[0], actions)
    heuristics.score_moves(rows[0], actions, total, scores)
    best = kernel.number_of(play.position, blind)
    assert scores[actions[:total].tolist().index(best)] == scores[:total].max()


@GAMES
def test_it_stops_at_once_when_told(game: str) -> None:
    search = searcher(game)
    stop = Stop()
    timer = threading.Timer(0.1, stop.set)  # no event: one compiled call searches all depths
    timer.start()
    best = search.search(middle_game(game), Limits(), stop=stop)[0]  # it would think for ever
    assert stop.is_set
    timer.join()
    assert best.pv


@pytest.mark.parametrize("interrupts_the_wait", [True, False])
def test_a_signal_arrives_while_it_searches(interrupts_the_wait: bool) -> None:
    def ring(number: int, frame: object) -> None:
        raise InterruptedError

    caller = threading.get_ident()

    def ring_at_depth_2(info: Info) -> None:
        if info.depth == 2:
            thread = caller if interrupts_the_wait else threading.get_ident()
            signal.pthread_kill(thread, signal.SIGUSR1)

    before = signal.signal(signal.SIGUSR1, ring)
    try:
        began = time.monotonic()
        with pytest.raises(InterruptedError):
            searcher("tzaar").search(middle_game("tzaar"), Limits(hard=60.0), ring_at_depth_2)
        assert time.monotonic() - began < 30
    finally:
        signal.signal(signal.SIGUSR1, before)


@GAMES
def test_a_stop_that_is_set_before_is_heard_and_one_behind_the_end_is_nothing(game: str) -> None:
    search, stop, play = searcher(game), Stop(), middle_game(game)
    stop.set()
    for limits in (Limits(), Limits(hard=600.0)):
        assert (best := search.search(play, limits, stop=stop)[0]).pv
        assert best.seconds < 60
    late = Stop()
    search.search(play, Limits(depth=2), stop=late)
    assert not late.is_set  # the end of a search is no stop for whoever asked
    late.set()
    assert search.search(play, Limits(depth=2), stop=Stop())[0].depth == 2


@GAMES
def test_depth_1_is_searched_whatever_the_time_and_the_stop_say(game: str) -> None:
    search, stop, play = searcher(game), Stop(), middle_game(game)
    stop.set()
    search.clear()
    wanted = search.search(play, Limits(depth=1))[0]
    for limits in (Limits(hard=0.0), Limits(hard=0.0, nodes=1), Limits(soft=0.0, hard=0.0)):
        search.clear()
        found = search.search(play, limits)[0]
        assert (found.depth, found.score, found.pv) == (1, wanted.score, wanted.pv)
    for limits in (Limits(), Limits(nodes=9)):
        search.clear()
        found = search.search(play, limits, stop=stop)[0]
        assert (found.depth, found.score, found.pv) == (1, wanted.score, wanted.pv)


MOST_POSITIONS = 3_000


def _exact(play: Play) -> int | None:
    """The score of a play by plain minimax over all that can follow; None if that is too much."""
    kernel = open_kernel(play.room.name)
    known: dict[bytes, int] = {}

    def value(row: np.ndarray) -> int:
        """For the player to move; counted from here."""
        if (key := row.tobytes()) in known:
            return known[key]
        if len(known) > MOST_POSITIONS:
            raise OverflowError
        mover, result = kernel.mover(row), kernel.result(row)
        if result != -1:
            return 0 if result == -2 else WIN if result == mover else -WIN
        buffer = np.zeros(kernel.max_actions, np.int32)
        best = -WIN
        for action in buffer[: kernel.generate(row, buffer)]:
            rows = np.zeros((2, row.size), np.uint64)
            rows[0] = row
            kernel.play(rows, 0, action)
            after = value(rows[1])
            after -= (after > 0) - (after < 0)
            best = max(best, after if kernel.mover(rows[1]) == mover else -after)
        known[key] = best
        return best

    row = kernel.row_of(play.position)
    try:
        return value(row)
    except OverflowError:
        return None


def test_endings_of_tzaar_are_played_out_as_they_must_be() -> None:
    checked = 0
    for seed in range(30):
        play = played_at_random("tzaar", seed, until=2 + seed % 3)
        truth = None if play.outcome else _exact(play)
        if truth is None:
            continue
        searcher("tzaar").clear()
        best = searcher("tzaar").search(play, Limits(depth=30))[0]
        assert np.sign(best.score.points) == np.sign(truth)
        if truth > 0:  # perhaps not by the shortest way: late actions are looked at less
            assert best.score.decided_in is not None
            assert best.score.decided_in >= WIN - truth
        checked += 1
    assert checked >= 4


def test_a_win_that_is_there_is_taken_and_the_shortest_first() -> None:
    for seed in range(25):
        play = played_at_random("tzaar", seed, until=1)
        if play.outcome:
            continue
        best = searcher("tzaar").search(play, Limits(depth=6))[0]
        winning = [a for a in play.legal_actions() if _wins(play, a)]
        if winning:
            assert best.score.points == WIN - 1
            assert best.pv[0] in winning


def _wins(play: Play, action: Any) -> bool:
    ahead = play.copy()
    ahead.act(action)
    return ahead.outcome is not None and ahead.outcome.winner == play.mover


def test_a_third_standing_that_draws_is_better_than_a_loss() -> None:
    """South, who is far ahead in the race, has gone to and fro; North takes the draw."""
    play = new_play("corridor/quoridor", "quoridor 9 2 e5,e9 - 0,0 1")
    play.enter("e4 e8 e5 e9 e4 e8 e5")
    best = searcher("corridor").search(play, Limits(depth=4))[0]
    assert best.score.points == 0
    assert str(best.pv[0]) == "e9"


def test_who_is_ahead_does_not_let_a_position_stand_again() -> None:
    """The standing of the board now counts too: a third one would be a draw."""
    play = new_play("corridor/quoridor", "quoridor 9 2 e5,e9 - 0,0 1")
    play.enter("e4 e8 e5 e9")
    best = searcher("corridor").search(play, Limits(depth=6))[0]
    assert best.score.points > 0
    assert str(best.pv[0]) == "e6"


def search_and_lay_out(play: Play) -> tuple[AlphaBeta, Worker]:
    """A search of a play, and a worker with what it has learned."""
    search = AlphaBeta("arimaa", hash_mb=1)
    search.search(play, Limits(depth=6))
    worker = layout_of(search, play)
    assert search._learned
    worker.killers[:], worker.history[:], worker.corrections[:] = search._learned
    assert (worker.killers[1:] >= 0).any() and worker.history.any() and worker.corrections.any()
    return search, worker


def layout_of(search: AlphaBeta, play: Play) -> Worker:
    return search.worker_factory.worker(play, search.table, np.zeros(1, np.int64), search.weights)


def test_a_win_by_repetition_is_no_proof_since_it_rests_on_the_path() -> None:
    back, out = "Dh4s Dh3s Hg4s Hg3s", "Dh2n Dh3n Hg2n Hg3n"
    play = new_play("arimaa", position="2g 1rC5/eE6/rM6/C7/6HD/8/8/R7")
    for turn in (back, "ea7n", out, "ea8s", back, "ea7n"):
        play.enter(f"{turn} end")
    play.enter(out)  # Silver can only repeat, which is forbidden the third time
    found = AlphaBeta("arimaa", hash_mb=1).search(play, Limits(depth=5))[0]
    assert found.score.points == PROVEN_SCORE and found.score.decided_in is None


def test_killers_and_history_live_on_within_a_turn() -> None:
    play = middle_game("arimaa")
    search, learned = search_and_lay_out(play)
    play.act_unchecked(play.legal_actions()[0])
    assert play.turn_start != play.position and not play.turns
    later = layout_of(search, play)
    search.reuse_ordering(play, later)
    assert (later.killers[:-1] == learned.killers[1:]).all()
    assert (later.history == learned.history).all()
    assert (later.corrections == learned.corrections).all()


def test_another_turn_begins_without_killers_and_history() -> None:
    play = middle_game("arimaa")
    search, _ = search_and_lay_out(play)
    while not play.turns:
        play.act_unchecked(play.legal_actions()[-1])
    later = layout_of(search, play)
    search.reuse_ordering(play, later)
    assert (later.killers == -1).all() and not later.history.any() and not later.corrections.any()
    again = middle_game("arimaa")
    search, _ = search_and_lay_out(again)
    anew = layout_of(search, again)
    search.reuse_ordering(again, anew)  # the same position once more: no part of the turn is new
    assert (anew.killers == -1).all() and not anew.history.any()


@GAMES
def test_a_search_that_overlooks_leaves_nothing_to_one_that_does_not(game: str) -> None:
    play, fresh, shared = middle_game(game), AlphaBeta(game, hash_mb=4), AlphaBeta(game, hash_mb=4)
    shared.search(play, Limits(depth=5), overlook_rate=300)
    alone = fresh.search(play, Limits(depth=5))[0]
    after = shared.search(play, Limits(depth=5))[0]
    assert (alone.nodes, alone.score, alone.pv) == (after.nodes, after.score, after.pv)


def noticed(search: AlphaBeta, play: Play, overlook_rate: int, seed: int) -> frozenset[int]:
    """The actions that a worker that overlooks some looks at."""
    worker = layout_of(search, play)
    row, total = worker.rows[0], int(worker.state[0].root_actions)
    set_overlook_rate(worker.state, overlook_rate, seed)
    search.worker_factory.heuristics.score_moves(row, worker.actions[0], total, worker.scores[0])
    kept = keep_noticed(worker, 0, total, search.worker_factory.kernel.key(row))
    return frozenset(worker.actions[0, :kept].tolist())


@GAMES
def test_a_worker_overlooks_its_share_and_the_same_each_time(game: str) -> None:
    play, search = middle_game(game), searcher(game)
    total = len(play.legal_actions())
    one, again, *others = (noticed(search, play, 512, seed) for seed in (1, 1, *range(2, 20)))
    assert one == again
    assert len({one, *others}) > len(others) // 2
    shares = [len(actions) / total for actions in (one, *others)]
    assert 0.35 < sum(shares) / len(shares) < 0.7
    assert noticed(search, play, 100, 1) >= one  # who overlooks less sees all that and more


def test_who_is_about_to_lose_cannot_rest_at_the_bottom() -> None:
    room = open_room("arimaa")
    play = Play(room, room.rules.parse_position("20g 7e/8/7E/8/8/r7/8/3R4", "official"))
    for step in ("Eh6w", "Eg6w"):
        play.act({str(action): action for action in play.legal_actions()}[step])
    found = AlphaBeta("arimaa", hash_mb=1).search(play, Limits(depth=1))[0]
    assert found.score.decided_in is not None and found.score.points < 0


def test_results_of_quiescence_are_kept_only_where_a_room_wants_them() -> None:
    of_depth_0 = {}
    for game in ROOMS:
        search = searcher(game)
        search.clear()
        search.search(middle_game(game), Limits(depth=3))
        data = search.table[:, ::2]
        of_depth_0[game] = int(((data != 0) & (data >> np.uint64(48) & np.uint64(255) == 0)).sum())
    assert of_depth_0["arimaa"] > 0 and of_depth_0["corridor"] > 0 and not of_depth_0["tzaar"]
