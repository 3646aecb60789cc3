"""Files of weights: read, changed and written without losing anything."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from trine.core.contract.terms import parse_weights, weights_of
from trine.core.errors import FileError, MalformedError
from trine.engine.players.weights import (
    format_weight,
    read_weights,
    weights_of_file,
    weights_of_room,
    with_weights,
    write_weights,
)
from trine.games import ROOMS, open_heuristics, package_of

CONTENTS = """\
# What terms are worth. Guess.
horse\t12.5
# Of the other kind:

dog\t-3
cat\t0
"""


def test_comments_and_order_survive_a_round_trip(tmp_path: Path) -> None:
    file = tmp_path / "weights.txt"
    write_weights(file, with_weights(CONTENTS, {"dog": 4.5678, "horse": -1}, "a/b", "9 games"))
    assert read_weights(file) == (
        "# What terms are worth. Guess.\nhorse\t-1\n# Of the other kind:\n\ndog\t4.57\ncat\t0\n"
        "# Fitted: a/b, 9 games\n"
    )
    assert list(tmp_path.iterdir()) == [file]


def test_a_second_fit_replaces_what_the_first_says_of_itself() -> None:
    once = with_weights(CONTENTS, {}, "a/b", "9 games")
    other = with_weights(once, {}, "a/c", "5 games")
    again = with_weights(other, {}, "a/b", "80 games")
    assert again == CONTENTS + "# Fitted: a/c, 5 games\n# Fitted: a/b, 80 games\n"


def test_names_of_no_term_are_not_written() -> None:
    changed = with_weights(CONTENTS, {"cow": 5.0, "# Of the other kind:": 1.0}, "a/b", "-")
    assert parse_weights(changed) == {"horse": 12.5, "dog": -3.0, "cat": 0.0}


@pytest.mark.parametrize("game", ROOMS)
def test_the_files_of_the_rooms_are_read_as_the_rooms_read_them(game: str) -> None:
    heuristics = open_heuristics(game)
    terms = {term.name: term.weight for term in heuristics.terms}
    numbers = heuristics.table.numbers if heuristics.table else {}
    assert parse_weights(weights_of_room(game)) == {**terms, **numbers}
    assert list(open_heuristics(game).weights[: len(terms)]) == pytest.approx(list(terms.values()))


@pytest.mark.parametrize("game", ROOMS)
def test_a_swap_of_two_names_is_found(game: str) -> None:
    """The places of the terms in compiled code are made of the same names, in the same order."""
    first, second, *rest = parse_weights(weights_of_room(game))
    assert weights_of(package_of(game), (first, second, *rest))
    with pytest.raises(AssertionError, match=r"weights\.txt names other terms"):
        weights_of(package_of(game), (second, first, *rest))


@pytest.mark.parametrize(
    "weight, written",
    [(612.345, "612"), (-0.01, "-0.01"), (1e-9, "0.000000001"), (98765.0, "98800")],
)
def test_weights_are_written_as_plain_numbers(weight: float, written: str) -> None:
    assert float(format_weight(weight)) == float(written)
    assert "e" not in format_weight(98765.0)


@pytest.mark.parametrize("line", ["horse 12", "horse\ttwelve", "horse"])
def test_a_line_that_is_no_weight_is_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / "weights.txt"
    file.write_text(f"# Guess.\n{line}\n")
    with pytest.raises(MalformedError, match=r"weights\.txt:2: no weight"):
        read_weights(file)


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="nowhere"):
        write_weights(tmp_path / "nowhere" / "weights.txt", CONTENTS)


def test_a_file_can_hold_the_points_of_squares(tmp_path: Path) -> None:
    file, heuristics = tmp_path / "weights.txt", open_heuristics("arimaa")
    file.write_text("E_a1\t50.4\nmaterial\t70\n", encoding="utf-8")
    changed = weights_of_file("arimaa", file)
    behind = changed[len(heuristics.terms) :] - heuristics.weights[len(heuristics.terms) :]
    assert np.flatnonzero(behind).tolist() == [0, 7], "a1, and h1 as its mirror"
    assert changed[len(heuristics.terms)] == 50, "whole points"
    file.write_text("E_e1\t50\n", encoding="utf-8")
    with pytest.raises(MalformedError, match="E_e1"):
        weights_of_file("arimaa", file)
