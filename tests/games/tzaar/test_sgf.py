"""The trees of which games of Little Golem and Boardspace are made."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.tzaar.foreign_games import read
from trine.core.errors import TrineError
from trine.games.tzaar.formats import FORMATS, GRID
from trine.games.tzaar.formats.sgf import read_trees
from trine.play.record.replay import replay


def test_values_may_hold_brackets_and_line_breaks() -> None:
    text = "(;\nC [a\\]b\\\nc\\\\]\n  D[x\ny];E[])"
    (tree,) = read_trees(text.splitlines(keepends=True))
    assert tree.error is None
    assert [{name: value.text for name, value in node.items()} for node in tree.nodes] == [
        {"C": "a]bc\\", "D": "x\ny"},
        {"E": ""},
    ]
    assert tree.nodes[0]["D"][1:] == (4, 5)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("x", "1:1"),
        ("()", "1:2"),
        ("(A[b])", "1:2"),
        ("(;[b])", "1:3"),
        ("(;A[b][c])", "1:7"),
        ("(;A[b]A[c])", "1:8"),
        ("(;A;B[c])", "1:4"),
        ("(;A B[c])", "1:5"),
        ("(;a[b])", "1:3"),
        ("(;A[b](;B[c]))", "1:7"),
        ("(;A[b]]", "1:7"),
        ("(;A[b]\n;C[d\\]", "2"),
        ("(;A[b]\n;C[d\\", "2"),
    ],
)
def test_what_is_no_tree_is_pointed_at(text: str, place: str) -> None:
    trees = list(read_trees(text.splitlines(keepends=True)))
    assert trees[0].error is not None
    assert str(trees[0].error.place) == place


@given(st.text(alphabet="(;)[]\\\n ABWFPOSk", max_size=60))
def test_nonsense_is_refused_or_read_but_never_breaks_a_reader(text: str) -> None:
    for form in FORMATS.values():
        if form is GRID:  # a position is refused whole
            continue
        for record in read(form, text):
            with pytest.raises(TrineError):
                replay(record)


@given(st.text(max_size=40))
def test_every_text_survives_as_a_value(text: str) -> None:
    escaped = text.replace("\\", r"\\").replace("]", r"\]")
    lines = f"(;A[{escaped}])".replace("\r", " ").split("\n")
    (tree,) = read_trees([line + "\n" for line in lines])
    assert tree.nodes[0]["A"].text == text.replace("\r", " ")
