"""The terms of a game's evaluation as a tuple, and the file of their weights."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterable, Mapping
from dataclasses import replace
from importlib.resources import files
from typing import Any, Final

from trine.core.contract.heuristics import Term
from trine.core.errors import MalformedError
from trine.core.text.words import quoted

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
