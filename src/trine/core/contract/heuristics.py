"""A game's heuristics: the terms of its evaluation, and the functions that a search needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any

from trine.core.contract.position import ItsAction, ItsPosition
from trine.core.text.sentence import Text

if TYPE_CHECKING:  # a board is shown without NumPy
    from trine.core.compiled.arrays import Buffer, Floats, Row, Rows


@dataclass(frozen=True)
class Aspect:
    """A matter that can be better for one player than for another; several terms can count it."""

    name: str
    text: Text
    """Follows "better for Gold:", as in "the safety of the camels". The text names the matter, not
    the direction, so it is true whichever side has changed."""
    counted: Text | None = None
    """The matter with a number: a text pluralized by ``count``."""


@dataclass(frozen=True)
class Term:
    """A term of an evaluation."""

    name: str
    """The term's name in the file of weights: ``elephant_centre``."""
    text: Text
    """The thing counted, for a reader who studies the evaluation: "elephant in the centre"."""
    aspect: Aspect | None = None
    """The explanation of the term to a player; None if it means nothing to players."""
    is_count: bool = False
    """Whether the aspect counts in the term's units."""
    weight: float = 0.0
    """Units: points for each unit of the term, from the game's file of weights."""


@dataclass(frozen=True, eq=False)
class NetInputs:
    """The inputs of a small net beside the terms: binary features; only for two players."""

    game: str
    """The name of the game."""
    name: str
    """The name of the inputs; change it when an input changes its meaning, to refuse older nets."""
    max_active: int
    """The maximum number of active inputs in a position."""
    mirrored: Buffer
    """``int32[inputs]``: the input that replaces each one in the second player's perspective."""
    write_active: Callable[[Row, Row], None]
    """``write_active(row, out)`` writes the active inputs from the first player's perspective, as
    bits of ``uint64[n]``, large enough for all. If no input is active, the net is not evaluated."""
    buckets: int = 1
    """The number of output buckets, for different stages of a play."""
    bucket: Callable[[Row], int] | None = None
    """``bucket(row)``: the output bucket of a position. None: one bucket."""
    applies_to: Callable[[Any], bool] | None = None
    """``applies_to(position)``: whether the shipped nets apply to this board. None: always."""
    symmetries: Buffer | None = None
    """``int32[symmetries, inputs]``: a permutation of the inputs for each symmetry of the game that
    leaves the players as they are; the first is the identity. None: no symmetries."""
    stage: Callable[[Row], int] | None = None
    """``stage(row)``: the stage of a turn, such as the number of its actions so far, below 64.
    Training fits a bias for each stage beside the terms, so that the net need not learn it. None:
    one stage."""
    antisymmetric: bool = False
    """Whether the output changes sign with the player: one perspective's sum minus the other's, by
    the same weights."""
    takes_terms: bool = False
    """Whether the net takes the terms of the evaluation as inputs too. Each term's count must
    change sign with the player."""
    factorizer: Buffer | None = None
    """``int32[groupings, inputs]``: virtual features (a factorizer): for each grouping, the group
    of each input, numbered across all groupings, -1 for none. In training an input's weights are
    its own plus those of its groups, so that fewer positions suffice. None: no groups."""


@dataclass(frozen=True)
class PieceSquareTable:
    """A piece-square table: points of each kind of piece on each square, summed over the pieces.

    A single entry explains nothing to a person, so only their sum is a term. The entries are fitted
    together with the weights, and follow the weights of the terms in the file of weights.
    """

    term: str
    """The term that is their sum; its weight is 1."""
    numbers: Mapping[str, float]
    """The current numbers, in points, by their names in the file of weights."""
    spread: Callable[[Sequence[float]], Floats]
    """``spread(numbers)``: the array that `Heuristics.evaluate` looks up after the weights."""


@dataclass(frozen=True)
class Heuristics:
    """A game's compiled heuristics; opened by `trine.games.open_heuristics`.

    Rows, buffers and actions are those of the game's `Kernel`; no function is called for a finished
    play.

    Units: points. With a score of s a player expects ``1 / (1 + 10 ** (-s / 400))`` of a win
        against an equal opponent, as with Elo. Scores stay within ±20,000.
    """

    terms: tuple[Term, ...]
    weights: Floats
    """``float32[n]``: all numbers that `evaluate` looks up; the weights of the terms come first."""
    evaluate: Callable[[Row, int, Floats, Floats], int]
    """``evaluate(row, player, weights, counts)``: a player's points against the others. It writes
    the terms as counted for that player into ``counts``, ``float32[len(terms)]``."""
    tactical: Callable[[Row, Buffer], int]
    """``tactical(row, buffer)``: writes the actions that quiescence search follows; returns their
    number. It is not called if the player `must_act`."""
    score_moves: Callable[[Row, Buffer, int, Buffer], None]
    """Move ordering: ``score_moves(row, actions, total, scores)`` writes how promising actions
    look, from -1,000 to 1,000 each, into ``scores``, ``int32[max_actions]``."""
    detect_win: Callable[[Row], int]
    """Static win detection: ``detect_win(row)`` is n if the player to move certainly wins by the
    n-th action from here, -n if that player certainly loses, and 0 if unknown without a search."""
    null_move: Callable[[Rows, int], bool]
    """``null_move(rows, ply)`` writes the row after ``ply`` as if the turn ended without an action,
    even if the rules forbid that; false if a null move would be misleading."""
    futility_margin: int
    """Units: points; one quiet action rarely gains more than this. For futility pruning."""
    search_constants: Mapping[str, int] = field(default_factory=dict, kw_only=True)
    """The game's other search constants, by the names in `trine.engine.search.constants`, each with
    the match that tuned it."""
    opening: Callable[[ItsPosition, Random], tuple[ItsAction, ...]] = lambda position, rng: ()
    """``opening(position, rng)``: the rest of a turn that needs no search, such as a setup; empty
    from the first searched turn on. By default every turn is searched."""
    must_act: Callable[[Row], bool] | None = None
    """``must_act(row)``: whether the player cannot stand pat: when there is (almost) no choice,
    `evaluate` would count what is about to change. None: never."""
    net: NetInputs | None = None
    """The inputs of a net beside the terms; None if the game has no net."""
    overlook_rates: Mapping[int, int] = field(default_factory=dict)
    """The overlook rates of some levels of bots, by level, in 1/1024, if those of
    `trine.engine.players.levels` would space them badly in this game."""
    table: PieceSquareTable | None = None
    """The numbers that are fitted besides the weights, if the evaluation has any."""
