"""The contract of a game's compiled code: its rules as a `Kernel`, and its `Heuristics`.

Heuristics are the terms of the evaluation, with the file of their weights, and the functions that a
search needs.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from random import Random
from typing import TYPE_CHECKING, Any, Final

from trine.core.contract.gathered import Gathered
from trine.core.contract.position import ItsAction, ItsPosition
from trine.core.contract.score import UNRESTRICTED
from trine.core.errors import MalformedError
from trine.core.text.sentence import Text, quoted

if TYPE_CHECKING:  # a board is shown without NumPy
    from trine.core.compiled.arrays import Buffer, Cells, Floats, Key, Row, Rows


@dataclass(frozen=True)
class Aspect:
    """A matter that can be better for one player than for another; several terms can count it."""

    name: str
    text: Text
    """Follows "better for Gold:", as in "the safety of the camels". The text names the matter, not
    the direction, so it is true whichever side has changed."""
    counted: Text | None = None
    """The `text` with a number: pluralized by ``count``."""


@dataclass(frozen=True)
class Term:
    """A term of an evaluation."""

    name: str
    """The term's name in the file of weights: ``elephant_centre``."""
    text: Text
    """The thing counted, for a reader who studies the evaluation: "elephant in the centre"."""
    aspect: Aspect | None = None
    """The matter that explains the term to players; None if it means nothing to them."""
    is_count: bool = False
    """Whether the aspect counts in the term's units."""
    weight: float = 0.0
    """Units: points for each unit of the term, from the game's file of weights."""


@dataclass(frozen=True, eq=False)
class NetInputs:
    """The inputs of a small net besides the terms: binary features; only for two players."""

    game: str
    name: str
    """The name of the inputs; change it when an input changes its meaning, to refuse older nets."""
    max_active: int
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
    """The term with the sum over the pieces; its weight is 1."""
    numbers: Mapping[str, float]
    """The current numbers, in points, by their names in the file of weights."""
    spread: Callable[[Sequence[float]], Floats]
    """``spread(numbers)``: the array that `Heuristics.evaluate` looks up after the weights."""


@dataclass(frozen=True)
class Heuristics(Gathered):
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
    """The game's other search constants, by the names in `trine.engine.search.kernel.constants`,
    each with the match that tuned it."""
    opening: Callable[[ItsPosition, Random], tuple[ItsAction, ...]] = lambda position, rng: ()
    """``opening(position, rng)``: the rest of a turn that needs no search, such as a setup; empty
    from the first searched turn on. By default every turn is searched."""
    must_act: Callable[[Row], bool] | None = None
    """``must_act(row)``: whether quiescence search may not stand pat, because the player has
    (almost) no choice and `evaluate` would count what is about to change. None: never."""
    correction_keys: int = 0
    correction_key: Callable[[Row, int], Key] | None = None
    """``correction_key(row, part)``: the hash of a part of the position, below ``correction_keys``;
    positions that share a part share errors of the evaluation. Its upper bits are used."""
    net: NetInputs | None = None
    """None if the game has no net."""
    overlook_rates: Mapping[int, int] = field(default_factory=dict)
    """The overlook rates of bots, by level, in 1/1024, where the default rates in
    `trine.engine.players.player` would space the levels badly in this game."""
    table: PieceSquareTable | None = None
    """The numbers that are fitted besides the weights, if the evaluation has any."""


COMMENT: Final = "#"
"""The first character of comment lines in a file of weights."""


def places_of(terms: Iterable[Term]) -> Any:
    """Return the index of each term in the counts, by its name, for kernels.

    >>> from trine.core.text.sentence import text
    >>> places = places_of([Term("pieces", text("pieces")), Term("tempo", text("to move"))])
    >>> places.tempo, len(places)
    (1, 2)
    """
    names = [term.name for term in terms]
    return namedtuple("Places", names)(*range(len(names)))


def weights_of(package: str, names: Iterable[str]) -> dict[str, float]:
    """Return the weights in a game's ``knowledge/weights.txt``.

    Raises:
        AssertionError: the names in the file differ from the given ones, or their order.
    """
    contents = files(f"{package}.knowledge").joinpath("weights.txt").read_text(encoding="utf-8")
    weights = parse_weights(contents, "weights.txt")
    assert list(weights) == list(names), f"{package}: weights.txt names other terms"
    return weights


def weighted(terms: Iterable[Term], weights: Mapping[str, float]) -> tuple[Term, ...]:
    return tuple(replace(term, weight=weights[term.name]) for term in terms)


def parse_weights(contents: str, file: str = "") -> dict[str, float]:
    r"""Return the weights by the names of the terms.

    Raises:
        MalformedError: a line is neither a weight, nor a comment, nor empty.

    >>> parse_weights("# Guess.\nhorse\t12.5\n")
    {'horse': 12.5}
    """
    weights: dict[str, float] = {}
    for number, line in enumerate(contents.splitlines(), start=1):
        if not line or line.startswith(COMMENT):
            continue
        name, _, weight = line.partition("\t")
        try:
            weights[name] = float(weight)
        except ValueError:
            raise MalformedError(
                "no weight {given}; expected a name, a tab and a number", given=quoted(line)
            ).at(file, number) from None
    return weights


@dataclass(frozen=True)
class Repetition:
    """A game's rule for the third occurrence of a position.

    Searches, environments and self-play need nothing else (`trine.core.compiled.repetition`).

    Limits: `LOSES` and `FORBIDDEN` are for two players.
    """

    rule: Callable[[ItsPosition], int]
    """``rule(position)``: the consequence of a third occurrence by the rule set, a constant of
    `trine.core.contract.score`."""
    can_recur: Callable[[Row], bool] | None = None
    """``can_recur(row)``: whether repetition rules count a position, as at the beginning of a turn
    after the setup. None: they count every position."""
    longest_turn: int = 1
    """The maximum number of actions in a turn, its end included."""


@dataclass(frozen=True)
class Kernel(Gathered):
    """A game's compiled rules; opened by `trine.games.open_kernel`.

    A position is a row of 64-bit words, an action a number. The functions ignore history: callers
    that have it judge repetition.

    Shapes: a row is ``uint64[words]``, rows are ``uint64[plies, words]``; a buffer for actions is
        ``int32[max_actions]``, buffers are ``int32[plies, max_actions]``. The caller allocates all.
    """

    words: int
    """The number of words of a row."""
    max_actions: int
    """The maximum number of legal actions in a position."""
    actions: Callable[[ItsPosition], int]
    """The number of distinct action numbers in plays from a position."""
    number_of: Callable[[ItsPosition, ItsAction], int]
    action_of: Callable[[ItsPosition, int], ItsAction]
    """The action with a number in a position; raises `MalformedError`."""
    to_row: Callable[[ItsPosition, Row], None]
    """``to_row(position, row)`` writes a position into a row."""
    to_position: Callable[[Row], ItsPosition]
    generate: Callable[[Row, Buffer], int]
    """``generate(row, buffer)``: writes the legal actions; returns their number, 0 after the
    end."""
    play: Callable[[Rows, int, int], None]
    """``play(rows, ply, action)`` writes the row after ``ply``."""
    result: Callable[[Row], int]
    """The winner's number, -1 while the play goes on, -2 for a draw."""
    mover: Callable[[Row], int]
    key: Callable[[Row], Key]
    """A 64-bit hash of the position; collisions are possible but rare."""

    # only if the game can count faster than by listing the actions
    count_actions: Callable[[Row], int] | None = None
    """``count_actions(row)``: the number of legal actions."""
    count_turns: Callable[[Row], int] | None = None
    """``count_turns(row)``: the number of distinct positions after a whole turn from its beginning,
    as `Rules.turn_results` finds them; -1 within a turn or a setup. None if the referee is fast
    enough."""

    # repetition and observations
    repetition: Repetition = Repetition(lambda position: UNRESTRICTED)
    """By default repetition has no consequence."""
    play_in_place: Callable[[Rows, int], bool] | None = None
    """``play_in_place(rows, action)`` plays an action in the first of two rows (the second is
    scratch) and returns whether it is irreversible, so that no earlier position can recur. None:
    `play` is used, and the whole history is kept."""
    observation_shape: Callable[[Row], tuple[int, int, int]] | None = None
    """``observation_shape(row)``: the planes, rows and columns of an observation."""
    observe: Callable[[Row, int, Cells], None] | None = None
    """``observe(row, viewer, cells)`` writes a player's observation into zeroed cells. None, as
    `observation_shape`: the bits of the row, and the viewer's index (`trine.engine.rl`)."""

    def row_of(self, position: ItsPosition) -> Row:
        import numpy as np  # boards are shown without NumPy

        row = np.zeros(self.words, np.uint64)
        self.to_row(position, row)
        return row

    def key_of(self, position: ItsPosition) -> int:
        return int(self.key(self.row_of(position)))


def check_number(number: int, actions: int) -> None:
    """Raise `MalformedError` if a number is no action, from 0 to ``actions`` - 1.

    >>> check_number(9, 9)
    Traceback (most recent call last):
    trine.core.errors.MalformedError: 9 is no number of an action; expected 0 to 8
    """
    if not 0 <= number < actions:
        raise MalformedError(
            "{given} is no number of an action; expected 0 to {last}",
            given=number,
            last=actions - 1,
        )
