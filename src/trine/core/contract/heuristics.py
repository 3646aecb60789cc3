"""A room's knowledge about playing well: the terms of its evaluation, and the needs of a search."""

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
    """Something that can be better for one player than for another, however many terms count it."""

    name: str
    text: Text
    """As behind "better for Gold:": "the safety of the camels". It must be true whichever side has
    changed, so it names the matter and not the direction."""
    counted: Text | None = None
    """The same with how many it is better by, as a sentence that depends on ``count``."""


@dataclass(frozen=True)
class Term:
    """A term of an evaluation."""

    name: str
    """As the file of weights has it: ``elephant_centre``."""
    text: Text
    """The subject of its count, for a student of the evaluation: "elephant in the centre"."""
    aspect: Aspect | None = None
    """As what it is a reason for a turn; None where it would make no sense to a player."""
    is_count: bool = False
    """Whether its unit is what the aspect counts."""
    weight: float = 0.0
    """Units: points for each unit of the term. A room has it from its file of weights."""


@dataclass(frozen=True, eq=False)
class NetInputs:
    """The facts of a position that a small net beside the terms can see, each set or not set.

    Limits: for two players.
    """

    game: str
    """The name of the room."""
    name: str
    """Another one whenever an input gets another meaning: nets that learned from others do not fit.
    """
    max_active: int
    """No position has more of them set."""
    mirrored: Buffer
    """``int32[inputs]``: the input that the second player sees in place of each of the first's."""
    write_active: Callable[[Row, Row], None]
    """``write_active(row, out)`` writes the active inputs from the first player's perspective, as
    bits of ``uint64[n]``, large enough for all. If no input is active, the net is not evaluated."""
    buckets: int = 1
    """The number of sets of output weights, for different stages of a play."""
    bucket: Callable[[Row], int] | None = None
    """``bucket(row)``: the set for a position. None where there is one."""
    applies_to: Callable[[Any], bool] | None = None
    """``applies_to(position)``: whether the board is that for which the room's own nets are. None
    where all are."""
    symmetries: Buffer | None = None
    """``int32[symmetries, inputs]``: the inputs of a position that is changed by a symmetry of the
    game which leaves the players as they are; the first changes nothing. None where inputs do not
    tell such positions apart."""
    stage: Callable[[Row], int] | None = None
    """``stage(row)``: the stage of a turn, such as the number of its actions so far, below 64. What
    all positions of a stage have in common is added to the terms while a net learns, so that it
    does not learn that. None where there is one."""
    antisymmetric: bool = False
    """Whether a net says the opposite for the other player: what one view comes to, less what the
    other comes to through the same weights."""
    takes_terms: bool = False
    """Whether a net sees the terms of the evaluation as well, as they are counted. The count of
    each must be the opposite for the other player."""
    factorizer: Buffer | None = None
    """``int32[ways, inputs]``: groups of inputs that are alike in some way, numbered from 0 through
    all ways, -1 for none. While a net learns, the weights of an input are the sum of a part of its
    own and the parts of its groups, so that few positions teach more. None where nothing is."""


@dataclass(frozen=True)
class PieceSquareTable:
    """Numbers that an evaluation adds up wherever something stands, such as points of squares.

    They are no terms, since each alone says nothing to a reader; one term is their sum. They are
    fitted with the weights, and the file of weights has them behind those of the terms.
    """

    term: str
    """The term that is their sum; its weight is 1."""
    numbers: Mapping[str, float]
    """The present numbers, in points, by their names in the file of weights."""
    spread: Callable[[Sequence[float]], Floats]
    """``spread(numbers)``: all that `Heuristics.evaluate` looks up behind the weights."""


@dataclass(frozen=True)
class Heuristics:
    """A room's knowledge about playing well, compiled; opened by `trine.games.open_heuristics`.

    Rows, buffers and actions are those of the room's `Kernel`; nothing is asked about a row after
    the end of the play.

    Units: points. A player whose score is s can expect ``1 / (1 + 10 ** (-s / 400))`` of a win
        against another who thinks alike, as with Elo. Scores stay within ±20,000.
    """

    terms: tuple[Term, ...]
    weights: Floats
    """``float32[n]``: all that `evaluate` looks up; the weights of the terms come first."""
    evaluate: Callable[[Row, int, Floats, Floats], int]
    """``evaluate(row, player, weights, counts)``: the points of a player against the others. It
    writes the terms as counted for that player into ``counts``, ``float32[len(terms)]``."""
    tactical: Callable[[Row, Buffer], int]
    """``tactical(row, buffer)``: the actions that a search must follow before it can trust
    `evaluate`, and how many they are. It is not asked where the player `must_act`."""
    score_moves: Callable[[Row, Buffer, int, Buffer], None]
    """Move ordering: ``score_moves(row, actions, total, scores)`` writes how promising actions look
    without a search, from -1,000 to 1,000 each, into ``scores``, ``int32[max_actions]``."""
    detect_win: Callable[[Row], int]
    """Static win detection: ``detect_win(row)`` is n if the player to move surely wins with the
    n-th action from here, at the latest, -n if the player surely loses so; 0 where that cannot be
    told without a search."""
    null_move: Callable[[Rows, int], bool]
    """``null_move(rows, ply)`` writes the row after ``ply`` as if the player to move did nothing
    and the turn were over, also where the rules have no such turn; false where that tells
    nothing."""
    futility_margin: int
    """Units: points; what one quiet action can hardly gain. The search leaves out what is worse."""
    search_constants: Mapping[str, int] = field(default_factory=dict, kw_only=True)
    """Further constants of the search that are the game's own, by the names that
    `trine.engine.search.constants` has, each with the match that tuned it."""
    opening: Callable[[ItsPosition, Random], tuple[ItsAction, ...]] = lambda position, rng: ()
    """``opening(position, rng)``: the rest of the turn where no thought is needed or a search
    would be of no use, such as a setup; empty where it must be thought about, and from then on. By
    default that is everywhere."""
    must_act: Callable[[Row], bool] | None = None
    """``must_act(row)``: whether a search cannot stop here, since the player to move has little
    choice, or none, and `evaluate` would count what soon changes. None stands for never."""
    net: NetInputs | None = None
    """The inputs of a net beside the terms; None where it can see nothing."""
    overlook_rates: Mapping[int, int] = field(default_factory=dict)
    """The overlook rates of some levels of bots, by level, in 1/1024, if those of
    `trine.engine.players.levels` would space them badly in this game."""
    table: PieceSquareTable | None = None
    """The numbers that are fitted besides the weights, if the evaluation has any."""
