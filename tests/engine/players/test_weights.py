"""Files of weights: read, changed and written without losing anything."""

from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from trine.core.contract.heuristics import parse_weights, weights_of
from trine.core.errors import MalformedError
from trine.engine.protocol.players import read_weights, weights_of_file
from trine.games import ROOMS, open_heuristics, package_of


def weights_of_room(game: str) -> str:
    file = files(f"{package_of(game)}.knowledge").joinpath("weights.txt")
    return file.read_text(encoding="utf-8")


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


@pytest.mark.parametrize("line", ["horse 12", "horse\ttwelve", "horse"])
def test_a_line_that_is_no_weight_is_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / "weights.txt"
    file.write_text(f"# Guess.\n{line}\n")
    with pytest.raises(MalformedError, match=r"weights\.txt:2: no weight"):
        read_weights(file)


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
