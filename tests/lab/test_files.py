"""Files of weights and of curves: changed and written without losing anything."""

from pathlib import Path

import pytest

from fitting.files import format_weight, with_curve, with_weights, write_weights
from trine.core.contract.heuristics import parse_weights
from trine.core.errors import FileError
from trine.engine.players.chances import Curve
from trine.engine.protocol.players import read_weights

pytestmark = pytest.mark.nightly

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


@pytest.mark.parametrize(
    "weight, written",
    [(612.345, "612"), (-0.01, "-0.01"), (1e-9, "0.000000001"), (98765.0, "98800")],
)
def test_weights_are_written_as_plain_numbers(weight: float, written: str) -> None:
    assert float(format_weight(weight)) == float(written)
    assert "e" not in format_weight(98765.0)


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="nowhere"):
        write_weights(tmp_path / "nowhere" / "weights.txt", CONTENTS)


def test_a_curve_of_another_rule_set_stays() -> None:
    both = with_curve(with_curve("", "one", Curve(0.5, 0.01), "x/one", "9 games"), "two",
                      Curve(2, 0.2), "x/two", "8 games")  # fmt: skip
    again = with_curve(both, "one", Curve(0.7, 0.03), "x/one", "10 games").splitlines()
    assert again == [
        *("one slope\t0.7", "one lapses\t0.03", "two slope\t2", "two lapses\t0.2"),
        *("# Fitted: x/two, 8 games", "# Fitted: x/one, 10 games"),
    ]
