"""The examples in Python of the book on matches work."""

import re
from pathlib import Path

import pytest

BOOK = Path(__file__).resolve().parents[3] / "docs" / "guides" / "matches.md"


def test_the_example_plays_a_match(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = re.findall(r"^```python\n(.*?)^```", BOOK.read_text(), re.DOTALL | re.MULTILINE)
    exec(compile(example, str(BOOK), "exec"), {})
    said = capsys.readouterr().out
    assert "Results of A vs B (100 nodes, 64MB, auto):" in said
    assert "Games: 4, " in said
