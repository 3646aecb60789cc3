"""Files of evaluation weights: lines of a name, a tab and a number, and comments."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from trine.core.contract.heuristics import parse_weights
from trine.core.errors import MalformedError
from trine.core.text.sentence import quoted, suggesting, text
from trine.games import open_heuristics
from trine.play.record.text_files import read_lines

if TYPE_CHECKING:
    from trine.core.compiled.arrays import Floats


def read_weights(path: Path) -> str:
    """Return the text of a file of weights, checked by `parse_weights`; raises `FileError`."""
    contents = "".join(read_lines(path))
    parse_weights(contents, str(path))
    return contents


def weights_of_file(game: str, path: Path) -> Floats:
    """Return the weights array of a game's evaluation, with the values of a file.

    Raises:
        FileError: the file cannot be read.
        MalformedError: as `parse_weights`, or the evaluation lacks one of the terms.
    """
    heuristics = open_heuristics(game)
    places = {term.name: place for place, term in enumerate(heuristics.terms)}
    numbers = dict(heuristics.table.numbers) if heuristics.table else {}
    looked_up = heuristics.weights.copy()
    for name, weight in parse_weights(read_weights(path), str(path)).items():
        if name in numbers:
            numbers[name] = weight
        elif name in places:
            looked_up[places[name]] = weight
        else:
            given = text("{file}: no term {name}", file=str(path), name=quoted(name))
            raise MalformedError(suggesting(given, name, (*places, *numbers)))
    if heuristics.table:
        looked_up[len(places) :] = heuristics.table.spread(list(numbers.values()))
    return looked_up
