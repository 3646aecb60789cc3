"""Small nets as files, and as a search uses them.

A file is a NumPy archive: the kernel's integers (`trine.engine.search.kernel.net`), and a model
card: JSON with the net's inputs, training data, gate results and date.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trine.core.compiled.arrays import Row
from trine.core.contract.heuristics import NetInputs
from trine.core.contract.position import Position
from trine.core.errors import FileError, MalformedError
from trine.core.work.files import write_atomically
from trine.engine.search.kernel.net import (
    HIDDEN,
    LANES,
    MAX_TERM,
    MAX_TERM_SUM,
    ONE_IN,
    ONE_TERM,
    TERM_LANES,
    TERM_UNITS,
)
from trine.engine.search.kernel.worker import MAX_BUCKETS, Worker
from trine.games import open_heuristics, package_of

Shorts = NDArray[np.int16]
Floats = NDArray[np.float32]

MAX_SUM: Final = np.iinfo(np.int16).max  # maximum of the sums of the hidden layer
CARD_ARRAY: Final = "card"
ARRAYS: Final = {
    "first": "input_weights",
    "bias": "hidden_bias",
    "last": "output_weights",
    "rest": "output_bias",
    "margins": "margins",
}
"""The fields of `NetFile` by the names of their arrays in the file."""
TERM_ARRAYS: Final = ("term_weights", "term_scales")
"""The names of optional arrays, in the file and of the fields, for nets that take terms."""
TERM_NAMES_ARRAY: Final = "term_names"

FALLBACK_NAME: Final = "every"
"""The file name of the net for all rule sets without a net of their own."""
NAME_SEPARATOR: Final = "+"  # the separator of rule set names in the file name of a shared net


@dataclass(frozen=True, eq=False)
class NetFile:
    """A net as stored in a file: the integer weights of one perspective."""

    input_weights: Shorts  # Shapes: input, `HIDDEN`
    hidden_bias: Shorts  # Shapes: `HIDDEN`
    output_weights: Shorts  # Shapes: bucket, `LANES`: the mover's perspective, then the other
    output_bias: NDArray[np.int32]  # Shapes: bucket
    margins: NDArray[np.int32]
    """Shapes: bucket. Units: points; a bound that the output hardly ever exceeds, for lazy
    evaluation: a search skips the net if the terms are farther from the window."""
    scale: float  # points for each unit of the output
    term_weights: Shorts = field(default_factory=lambda: np.zeros((0, TERM_UNITS), np.int16))
    """Shapes: term, `TERM_UNITS`; empty if the terms are no inputs. Units: 1/`ONE_TERM` of the
    units of the hidden layer's sums."""
    term_scales: Floats = field(default_factory=lambda: np.zeros(0, np.float32))
    """Shapes: term. The factors from terms to the net's integers."""
    term_names: tuple[str, ...] = ()  # empty in older files: all terms of the game, in order
    card: Mapping[str, Any] = field(default_factory=dict)
    """JSON data; ``game``, ``rules`` and ``inputs``, a name, decide where the net fits."""

    @property
    def parts(self) -> tuple[NDArray[Any], ...]:
        return tuple(getattr(self, name) for name in ARRAYS.values())

    @property
    def hash(self) -> str:
        """A short hash of the weights, without the model card."""
        digest = sha256()
        terms = self.term_weights, self.term_scales
        for part in (*self.parts, np.array([self.scale], np.float32), *terms):
            digest.update(np.ascontiguousarray(part).tobytes())
        return digest.hexdigest()[:16]

    def seeing(self, terms: Sequence[str]) -> NetFile:
        """Return the net with its term inputs matched by name to a game's current terms.

        Terms that the net or the game lacks get weight 0. So a net survives changes of the terms,
        and loses only its weights of removed ones.
        """
        if not self.term_names:
            return replace(self, term_names=tuple(terms))
        weights = np.zeros((len(terms), TERM_UNITS), np.int16)
        scales = np.zeros(len(terms), np.float32)
        places = {name: place for place, name in enumerate(self.term_names)}
        for place, name in enumerate(terms):
            if (known := places.get(name)) is not None:
                weights[place], scales[place] = self.term_weights[known], self.term_scales[known]
        return replace(self, term_weights=weights, term_scales=scales, term_names=tuple(terms))

    def write(self, path: Path) -> None:
        arrays: dict[str, NDArray[Any]] = dict(zip(ARRAYS, self.parts, strict=True))
        arrays["scale"] = np.array(self.scale, np.float32)
        if len(self.term_scales):
            arrays |= dict(zip(TERM_ARRAYS, (self.term_weights, self.term_scales), strict=True))
            arrays[TERM_NAMES_ARRAY] = np.array(self.term_names)
        arrays[CARD_ARRAY] = np.frombuffer(json.dumps(dict(self.card)).encode(), np.uint8)
        write_atomically(path, lambda stream: np.savez_compressed(stream, **arrays))  # type: ignore[arg-type]


def read_net(path: Path) -> NetFile:
    """Return the net in a file; raises `FileError` if the file is unreadable or holds no net."""
    try:
        with path.open("rb") as stream, np.load(stream) as data:
            parts: dict[str, Any] = {field: data[name] for name, field in ARRAYS.items()}
            parts |= {name: data[name] for name in TERM_ARRAYS if name in data}
            parts[TERM_NAMES_ARRAY] = (
                tuple(data[TERM_NAMES_ARRAY].tolist()) if TERM_NAMES_ARRAY in data else ()
            )
            card = json.loads(data[CARD_ARRAY].tobytes())
            net = NetFile(**parts, scale=float(data["scale"]), card=card)
    except OSError as error:
        raise FileError(
            "{file}: {reason}", file=str(path), reason=error.strerror or str(error)
        ) from None
    except (EOFError, ValueError, KeyError, zipfile.BadZipFile):
        raise FileError("{file} is no net", file=str(path)) from None
    return net


@dataclass(frozen=True, eq=False)
class SearchNet:
    """A net in the arrays of the search; any number of workers can share it."""

    rows: Shorts  # Shapes: row, `LANES`. The rows of `Worker.net`, without the accumulators
    output_bias: NDArray[np.int32]
    margins: NDArray[np.int32]
    scale: float
    inputs: int
    term_rows: Shorts  # see `Worker.term_rows`
    term_scales: Floats
    hash: str = ""

    def seat(self, worker: Worker) -> Worker:
        """Return a worker with this net in place of its own."""
        self.write(worker.state[0])
        return worker._replace(**self.arrays(len(worker.rows)))

    def write(self, state: Any) -> None:
        """Write the net's scalars into the state of a worker that has its arrays."""
        buckets = len(self.output_bias)
        state.net_inputs, state.net_buckets, state.net_scale = self.inputs, buckets, self.scale
        state.net_bias[:buckets], state.net_margins[:buckets] = self.output_bias, self.margins

    def arrays(self, plies: int) -> dict[str, NDArray[Any]]:
        """Return the net's arrays for a worker with this number of plies."""
        term_rows = aligned(self.term_rows.shape, np.int16)
        term_rows[:] = self.term_rows
        rows = aligned((len(self.rows) + plies if self.inputs else 0, LANES), np.int16)
        rows[: len(self.rows)] = self.rows
        return {
            "net": rows,
            "active": np.zeros((plies + 1, words_for(self.inputs) + 1), np.uint64),
            "term_rows": term_rows,
            "term_scales": self.term_scales,
        }

    def points(self, active: NDArray[np.intp], terms: Floats, mover: int, bucket: int) -> int:
        """Return the output for the player to move, from inputs and terms. Units: points."""
        added = self.rows[active].sum(0, dtype=np.int64)
        more = np.zeros(HIDDEN, np.int64)
        if count := len(self.term_scales):
            seen = (terms * self.term_scales).astype(np.int64).clip(-MAX_TERM, MAX_TERM)
            products = self.term_rows[:TERM_UNITS, :count].astype(np.int64) @ seen
            more[:TERM_UNITS] = np.fix(products / ONE_TERM).clip(-MAX_TERM_SUM, MAX_TERM_SUM)
        more *= 1 - 2 * mover
        accumulator = self.rows[self.inputs].astype(np.int64) + added + np.append(more, -more)
        weights = self.rows[self.inputs + 1 + 2 * bucket + mover].astype(np.int64)
        total = int(accumulator.clip(0, ONE_IN) @ weights) + int(self.output_bias[bucket])
        return int(np.rint(total * self.scale))


def fit_for_search(net: NetFile, inputs: NetInputs) -> SearchNet:
    """Return a net for searches of a game; raises `MalformedError` if the net does not fit."""
    names = input_terms(inputs)
    net, count, terms = net.seeing(names), len(inputs.mirrored), len(names)
    assert inputs.buckets <= MAX_BUCKETS
    buckets = (inputs.buckets,)
    shapes = ((count, HIDDEN), (HIDDEN,), (*buckets, LANES), buckets, buckets)
    given = tuple(part.shape for part in (*net.parts, net.term_weights, net.term_scales))
    if net.card.get("inputs") != inputs.name:
        raise MalformedError(
            "the net sees other inputs, {given}; expected {expected}",
            given=str(net.card.get("inputs")),
            expected=inputs.name,
        )
    if given != (*shapes, (terms, TERM_UNITS), (terms,)):
        raise MalformedError(
            "the net does not have the sizes of one that sees {inputs}", inputs=inputs.name
        )
    of_terms = np.abs(net.term_weights.astype(np.int64)).sum(0).max(initial=0) * MAX_TERM
    if (
        greatest_sum(net.input_weights, net.hidden_bias, inputs.max_active) > MAX_SUM
        or of_terms > np.iinfo(np.int32).max
    ):
        raise MalformedError("the sums of the net can grow too large")
    outputs = net.output_weights
    mirror = np.concatenate([outputs[:, HIDDEN:], outputs[:, :HIDDEN]], 1)
    rows = np.concatenate(
        [
            np.concatenate([net.input_weights, net.input_weights[inputs.mirrored]], 1),
            np.tile(net.hidden_bias, 2)[None],
            np.stack([outputs, mirror], 1).reshape(-1, LANES),
        ]
    )
    term_rows = new_term_rows(terms)
    term_rows[:TERM_UNITS, :terms] = net.term_weights.T
    numbers = net.output_bias, net.margins, net.scale
    return SearchNet(rows, *numbers, count, term_rows, net.term_scales, net.hash)


def input_terms(inputs: NetInputs) -> tuple[str, ...]:
    terms = open_heuristics(inputs.game).terms if inputs.takes_terms else ()
    return tuple(term.name for term in terms)


def new_term_rows(terms: int) -> Shorts:
    """Return zeroed rows for the term inputs of a net."""
    lanes = max(HIDDEN, -(-terms // TERM_LANES) * TERM_LANES)
    return np.zeros((TERM_UNITS + 2, lanes), np.int16)


def greatest_sum(weights: Shorts, bias: Shorts, most: int) -> int:
    """Return a bound of the sums of the hidden layer with at most ``most`` active inputs."""
    sizes = np.sort(np.abs(weights.astype(np.int64)), 0)[-most:].sum(0) + np.abs(
        bias.astype(np.int64)
    )
    return int(sizes.max())


def points_added(
    net: SearchNet, inputs: NetInputs, row: Row, terms: Floats, mover: int, player: int
) -> int:
    """Return a net's output in a position, for a player. Units: points."""
    if not net.inputs:
        return 0
    words = np.zeros(words_for(net.inputs), np.uint64)
    inputs.write_active(row, words)
    active = np.flatnonzero(np.unpackbits(words.view(np.uint8), bitorder="little"))
    if not len(active):
        return 0
    sign, bucket = (1 if player == mover else -1), inputs.bucket(row) if inputs.bucket else 0
    return sign * net.points(active, sign * terms, mover, bucket)


def words_for(inputs: int) -> int:
    return (inputs + 63) // 64


def net_of_file(game: str, path: Path) -> SearchNet:
    """Return the net in a file; raises `FileError`, or `MalformedError` if the net does not fit."""
    inputs = open_heuristics(game).net
    if inputs is None:
        raise MalformedError("{game} has no inputs for nets", game=game)
    return fit_for_search(read_net(path), inputs)


def default_net(game: str, position: Position) -> SearchNet:
    """Return the shipped net for a position; `NO_NET` if there is none.

    The game's folder ``knowledge/nets`` has it as ``RULES.npz``, as ``RULES+OTHERS.npz`` if rule
    sets share a net, or as ``every.npz`` for the other rule sets. A net is only for two players,
    and for the board size that it was trained on.
    """
    inputs = open_heuristics(game).net
    if inputs is None or len(position.seats) != 2:
        return NO_NET
    if inputs.applies_to is not None and not inputs.applies_to(position):
        return NO_NET
    return _net_of_rules(game, position.rules.name)


@cache
def _net_of_rules(game: str, rules: str) -> SearchNet:
    folder = files(package_of(game)).joinpath("knowledge", "nets")
    named = {
        name: file
        for file in (folder.iterdir() if folder.is_dir() else ())
        for name in file.name.removesuffix(".npz").split(NAME_SEPARATOR)
    }
    file = named.get(rules) or named.get(FALLBACK_NAME)
    if file is None:
        return NO_NET
    with as_file(file) as path:
        return net_of_file(game, path)


def aligned(shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    """Return a zeroed array aligned to a cache line."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    memory = np.zeros(size + 64, np.uint8)
    begin = -memory.ctypes.data % 64
    lines: NDArray[Any] = memory[begin : begin + size].view(dtype).reshape(shape)
    return lines


_NONE: Final = np.zeros(0, np.int32)
NO_NET: Final = SearchNet(
    rows=np.zeros((0, LANES), np.int16),
    output_bias=_NONE,
    margins=_NONE,
    scale=0.0,
    inputs=0,
    term_rows=new_term_rows(0),
    term_scales=np.zeros(0, np.float32),
)
"""The absence of a net: the evaluation has only terms."""
