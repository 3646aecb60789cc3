"""Tables of refusals: a position, and indented below it illegal actions with the reasons."""

from collections.abc import Iterator

import pytest


def refusals(table: str) -> pytest.MarkDecorator:
    """Parametrize a test with the position, the words of actions and the message of each line.

    A line with a deeper indent continues the message, and one with `#` is a comment.
    """
    return pytest.mark.parametrize(("position", "words", "message"), [*_rows(table)])


def _rows(table: str) -> Iterator[tuple[str, str, str]]:
    position = ""
    for line in table.replace("\n        ", " ").splitlines():
        if line.startswith("    "):
            words, message = line.split(" | ")
            yield position, words.strip(), message.strip()
        elif not line.startswith("#"):
            position = line
