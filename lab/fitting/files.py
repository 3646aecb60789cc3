"""Writing fitted curves of chances to a game's file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from trine.core.contract.heuristics import COMMENT, parse_weights
from trine.engine.players.chances import CHANCES_FILE, Curve
from trine.play.record.text_files import open_to_write

FITTED: Final = "# Fitted: "
"""The beginning of the line that names the games of a fit."""


def with_weights(contents: str, weights: Mapping[str, float], of: str, remark: str) -> str:
    r"""Return the text of a file of weights with new weights; comments and order are kept.

    Args: ``of`` names the games of the fit, as in ``corridor/quoridor``, and ``remark`` says how
        many they are; the line with both replaces an earlier one of the same games.

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
    """Write a file of weights atomically; raises `FileError`."""
    with open_to_write(path) as stream:
        stream.write(contents)


def with_curve(contents: str, rules: str, curve: Curve, of: str, remark: str) -> str:
    r"""Return the text of a file of curves with a new curve of one rule set.

    Args: ``of`` and ``remark`` as in `with_weights`.

    >>> text = with_curve("", "open", Curve(0.5, 0.02), "x/open", "9 games")
    >>> text.splitlines()
    ['open slope\t0.5', 'open lapses\t0.02', '# Fitted: x/open, 9 games']
    >>> with_curve(text, "open", Curve(0.6, 0.03), "x/open", "12 games").splitlines()[-1]
    '# Fitted: x/open, 12 games'
    """
    known = parse_weights(contents, CHANCES_FILE)
    lines = "".join(f"{name}\t0\n" for name in curve.names(rules) if name not in known)
    return with_weights(contents + lines, curve.names(rules), of, remark)
