"""The file of a room's weights: lines of a name, a tab and a number, and comments."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

from trine.core.contract.terms import COMMENT, parse_weights
from trine.core.errors import MalformedError
from trine.core.text.sentence import suggesting, text
from trine.core.text.words import quoted
from trine.games import open_heuristics, package_of
from trine.play.record.text_files import open_to_write, read_lines

if TYPE_CHECKING:
    from trine.core.compiled.arrays import Floats

FITTED: Final = "# Fitted: "
"""The beginning of the line that names the games that weights were fitted to."""


def weights_of_room(game: str) -> str:
    return (
        files(f"{package_of(game)}.knowledge").joinpath("weights.txt").read_text(encoding="utf-8")
    )


def read_weights(path: Path) -> str:
    """Return the text of a file of weights, which `parse_weights` can read; raises `FileError`."""
    contents = "".join(read_lines(path))
    parse_weights(contents, str(path))
    return contents


def weights_of_file(game: str, path: Path) -> Floats:
    """Return the array that a game's evaluation looks up, with the weights that a file names.

    Raises:
        FileError: the file cannot be read.
        MalformedError: as `parse_weights`, or the evaluation has no term of such a name.
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


def with_weights(contents: str, weights: Mapping[str, float], of: str, remark: str) -> str:
    r"""Return the text of a file of weights with some of them changed; comments and order stay.

    Args: ``of`` names the games that they are fitted to, as in ``corridor/quoridor``, and
    ``remark`` tells their number; the line with both replaces an earlier one of the same games.

    >>> with_weights("# Guess.\na\t1\nb\t2\n", {"b": 2.3456}, "x/y", "9 games").splitlines()
    ['# Guess.', 'a\t1', 'b\t2.35', '# Fitted: x/y, 9 games']
    """
    head = f"{FITTED}{of}, "
    lines = [line for line in contents.splitlines() if not line.startswith(head)]
    for index, line in enumerate(lines):
        name, tab, _ = line.partition("\t")
        if tab and not line.startswith(COMMENT) and name in weights:
            lines[index] = f"{name}\t{format_weight(weights[name])}"
    return "\n".join((*lines, head + remark, ""))


def format_weight(weight: float) -> str:
    """Return a weight with three significant digits, more than its error justifies.

    >>> format_weight(-1234.5), format_weight(0.04567), format_weight(30.0)
    ('-1230', '0.0457', '30')
    """
    return f"{float(f'{weight:.3g}'):.10g}"


def write_weights(path: Path, contents: str) -> None:
    """Write a file of weights, whole or not at all; raises `FileError`."""
    with open_to_write(path) as stream:
        stream.write(contents)
