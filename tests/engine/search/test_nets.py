"""Nets beside the terms: sums that are kept equal those from nothing, no net is no change, files."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import numba
import numpy as np
import pytest

from trine import games
from trine.core.clock import Limits
from trine.core.compiled.jit import signature_of
from trine.core.contract.heuristics import NetInputs
from trine.core.contract.score import ONGOING
from trine.core.errors import FileError, MalformedError
from trine.engine.search import nets
from trine.engine.search.alphabeta import AlphaBeta
from trine.engine.search.kernel.net import HIDDEN, LANES, TERM_UNITS
from trine.engine.search.kernel.static_eval import net_eval
from trine.engine.search.kernel.worker import GameFunctions, Worker
from trine.engine.search.nets import (
    FALLBACK_NAME,
    NO_NET,
    NetFile,
    default_net,
    fit_for_search,
    input_terms,
    net_of_file,
    points_added,
    read_net,
)
from trine.engine.search.worker_factory import WorkerFactory, functions_of, new_table
from trine.engine.selfplay.game import PlayerSettings, SelfPlay
from trine.engine.selfplay.selfplay_plan import set_up
from trine.games import ROOMS, new_play, open_heuristics, open_kernel

SEEING = [name for name in ROOMS if open_heuristics(name).net]
"""The rooms whose positions a net can see."""
PLIES = 400


def inputs_of(game: str) -> NetInputs:
    inputs = open_heuristics(game).net
    assert inputs is not None
    return inputs


def terms_of(game: str) -> int:
    heuristics = open_heuristics(game)
    return len(heuristics.terms) if inputs_of(game).takes_terms else 0


def random_net(game: str, seed: int = 1, size: int | None = None) -> NetFile:
    """A net whose hidden sums fall below 0, above 1 and between."""
    rng, inputs = np.random.default_rng(seed), inputs_of(game)
    size = size or 20_000 // inputs.max_active
    return NetFile(
        rng.integers(-size, size, (len(inputs.mirrored), HIDDEN)).astype(np.int16),
        rng.integers(0, 255, HIDDEN).astype(np.int16),
        rng.integers(-size, size, (inputs.buckets, LANES)).astype(np.int16),
        rng.integers(-9999, 9999, inputs.buckets).astype(np.int32),
        np.full(inputs.buckets, 20_000, np.int32),
        0.005,
        rng.integers(-400, 400, (terms_of(game), TERM_UNITS)).astype(np.int16),
        rng.integers(1, 64, terms_of(game)).astype(np.float32),
        card={"game": game, "inputs": inputs.name},
    )


def zero_net(game: str) -> NetFile:
    net = random_net(game)
    return replace(
        net,
        input_weights=0 * net.input_weights,
        hidden_bias=0 * net.hidden_bias,
        output_weights=0 * net.output_weights,
        output_bias=0 * net.output_bias,
        term_weights=0 * net.term_weights,
    )


def _added(game: GameFunctions, worker: Worker, ply: int, mover: int) -> int:
    game.evaluate(worker.rows[ply], mover, worker.weights, worker.counts)
    return net_eval(game, worker, ply, mover)


@cache
def compiled_added() -> Callable[[GameFunctions, Worker, int, int], int]:
    """Compile `_added`, which takes a second: not where nobody asks for it."""
    compiled: Callable[[GameFunctions, Worker, int, int], int] = numba.njit(signature_of(_added))(
        _added
    )
    return compiled


def test_some_room_has_inputs() -> None:
    assert "tzaar" in SEEING


@pytest.mark.parametrize("game", SEEING)
def test_kept_accumulators_equal_fresh_ones(game: str) -> None:
    """A walk up and down a stack of positions, with captures, ends of turns and null moves."""
    kernel, heuristics, rng = open_kernel(game), open_heuristics(game), Random(7)
    inputs, added = inputs_of(game), compiled_added()
    net = fit_for_search(random_net(game), inputs)
    worker_factory, functions = WorkerFactory(kernel, heuristics), functions_of(kernel, heuristics)
    seen, nulls = set[int](), 0
    for seed in range(4):
        play = new_play(game, setup="random", seed=seed) if game == "tzaar" else new_play(game)
        stop = np.zeros(1, np.int64)
        worker = worker_factory.worker(play, new_table(1 / 16), stop, heuristics.weights, net)
        buffer, ply = np.zeros(kernel.max_actions, np.int32), 0
        for _ in range(PLIES):
            row = worker.rows[ply]
            if kernel.result(row) != ONGOING or ply > 60:
                ply = rng.randrange(ply)  # the rows above still stand
                continue
            if rng.random() < 0.8:
                mover = kernel.mover(row)
                points = added(functions, worker, ply, mover)
                assert points == points_added(net, inputs, row, worker.counts, mover, mover)
                seen.add(points)
            if rng.random() < 0.1 and heuristics.null_move(worker.rows, ply):
                nulls += 1
            else:
                total = kernel.generate(row, buffer)
                kernel.play(worker.rows, ply, int(buffer[rng.randrange(total)]))
            ply += 1
        marked = np.flatnonzero(worker.active[:-1, -1])
        assert len(marked) > 20
        for at in marked:  # the sums themselves, bit for bit
            bits = np.unpackbits(worker.active[at, :-1].view(np.uint8), bitorder="little")
            sums = net.rows[np.flatnonzero(bits)].sum(0, dtype=np.int64) + net.rows[net.inputs]
            assert np.array_equal(worker.net[len(net.rows) + at], sums)
    assert len(seen) > 100 and nulls > 10


@pytest.mark.parametrize("game", SEEING)
def test_a_net_of_zeros_searches_as_no_net(game: str) -> None:
    play = new_play(game)
    set_up(play, Random(1))
    zero = fit_for_search(zero_net(game), inputs_of(game))
    plain, same, other = (
        AlphaBeta(game, hash_mb=1, net=net).search(play, Limits(depth=4))[0]
        for net in (NO_NET, zero, fit_for_search(random_net(game), inputs_of(game)))
    )
    assert replace(plain, seconds=0) == replace(same, seconds=0)
    assert plain.nodes != other.nodes


def test_whole_games_are_those_of_searches_one_by_one() -> None:
    play, net = new_play("tzaar"), fit_for_search(random_net("tzaar"), inputs_of("tzaar"))
    players = (PlayerSettings(nodes=60, net=net), PlayerSettings(nodes=60, net=NO_NET))
    played = SelfPlay(play, hash_mb=[0.25, 0.25]).play(play, players)
    searches = [
        AlphaBeta("tzaar", hash_mb=0.25, net=settings.net, in_kernel_order=True)
        for settings in players
    ]
    for move in played.moves[:30]:
        info = searches[play.mover].search(play, Limits(nodes=60))[0]
        assert (info.score.points, info.depth) == (move["score"], move["depth"])
        play.act(info.pv[0])


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    net, file = random_net("tzaar"), tmp_path / "net.npz"
    for game in ("arimaa", "tzaar"):
        net = random_net(game).seeing(input_terms(inputs_of(game)))
        net.write(file)
        again = read_net(file)
        assert again.hash == net.hash and again.card == net.card
        assert again.term_names == net.term_names
    assert net_of_file("tzaar", file).hash == net.hash
    assert [path.name for path in tmp_path.iterdir()] == ["net.npz"]
    first = file.read_bytes()
    net.write(file)
    assert file.read_bytes() == first


def test_what_is_no_net_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "net.npz"
    with pytest.raises(FileError, match="No such file"):
        read_net(file)
    random_net("tzaar").write(file)
    file.write_bytes(file.read_bytes()[:-99])
    with pytest.raises(FileError, match="is no net"):
        read_net(file)
    other = replace(random_net("tzaar"), card={"inputs": "others"})
    with pytest.raises(MalformedError, match="sees other inputs, others; expected relations"):
        fit_for_search(other, inputs_of("tzaar"))
    short = replace(random_net("tzaar"), margins=np.zeros(1, np.int32))
    with pytest.raises(MalformedError, match="does not have the sizes of one that sees relations"):
        fit_for_search(short, inputs_of("tzaar"))
    large = random_net("tzaar", size=2000)
    with pytest.raises(MalformedError, match="can grow too large"):
        fit_for_search(large, inputs_of("tzaar"))


def test_all_nets_that_are_shipped_fit_and_have_won_their_gate() -> None:
    shipped = sorted(Path(games.__file__).parent.glob("*/knowledge/nets/*.npz"))
    assert {path.parents[2].name for path in shipped} >= {"arimaa", "tzaar"}
    for path in shipped:
        game, card = path.parents[2].name, read_net(path).card
        assert card["game"] == game and path.stem in (card["rules"], FALLBACK_NAME)
        assert card["gate"][-1]["elo"] > card["gate"][-1]["error"]
        assert net_of_file(game, path).inputs == len(inputs_of(game).mirrored)


def test_a_net_outlives_changes_of_the_terms() -> None:
    inputs = inputs_of("arimaa")
    names = input_terms(inputs)
    unnamed = random_net("arimaa")
    net, same = unnamed.seeing(names), fit_for_search(unnamed, inputs)
    assert fit_for_search(net, inputs).hash == same.hash, "without names the order tells"
    lacking = net.seeing(names[1:])
    shuffled = net.seeing(names[::-1])
    assert fit_for_search(shuffled, inputs).hash == same.hash
    terms, active = np.arange(len(names), dtype=np.float32) % 7, np.array([3, 70, 500], np.intp)
    absent = terms.copy()
    absent[0] = 0
    assert fit_for_search(lacking, inputs).points(active, terms, 0, 0) == same.points(
        active, absent, 0, 0
    )


def test_rule_sets_share_the_net_of_a_file_that_names_them() -> None:
    corridor, eight, quoridor = (
        default_net("corridor", new_play(f"corridor/{rules}").position)
        for rules in ("corridor", "corridor-8", "quoridor")
    )
    assert corridor.inputs and corridor.hash == eight.hash != quoridor.hash


def test_a_rule_set_without_a_file_has_the_net_of_every_one_or_none() -> None:
    assert default_net("tzaar", new_play("tzaar/open").position) is NO_NET
    nets_of_arimaa = [
        default_net("arimaa", new_play(f"arimaa/{rules}").position).hash
        for rules in ("official", "classic", "ejection", "diagonal")
    ]
    assert nets_of_arimaa[0] and len(set(nets_of_arimaa)) == 1


def test_a_room_s_own_net_is_for_two_on_the_usual_board(monkeypatch: pytest.MonkeyPatch) -> None:
    own = default_net("tzaar", new_play("tzaar").position)
    monkeypatch.setattr(nets, "_net_of_rules", lambda game, rules: own)
    found = [
        (players, size)
        for players in (2, 4)
        for size in (7, 9, 11)
        if default_net("corridor", new_play("corridor", players=players, size=size).position) is own
    ]
    assert found == [(2, 9)]


def test_a_room_s_own_net_is_used_unless_another_is_given() -> None:
    play, limits = new_play("tzaar"), Limits(depth=3)
    own = default_net("tzaar", play.position)
    assert own is not NO_NET and own is default_net("tzaar", play.position)
    nodes = [
        AlphaBeta("tzaar", hash_mb=1, net=net).search(play, limits)[0].nodes
        for net in (None, own, NO_NET)
    ]
    assert nodes[0] == nodes[1] != nodes[2]
