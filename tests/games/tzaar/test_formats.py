"""Records of other programs: how they are told apart, and what all of them refuse."""

from collections.abc import Callable

import pytest

from games.tzaar.foreign_games import BOARDSPACE, GOLEM, MOUSE, SHORT, error_of, read
from trine.core.contract.record import Record
from trine.core.errors import MalformedError
from trine.games.tzaar.formats import FORMATS
from trine.play.record.formats import known_formats, writable_formats


@pytest.mark.parametrize(("name", "text"), [("littlegolem", SHORT), ("boardspace", MOUSE)])
def test_files_are_told_by_how_they_begin(name: str, text: str) -> None:
    telling = [form.name for form in known_formats().values() if form.recognises(text)]
    assert telling == [name]
    assert FORMATS[name].game == "tzaar"
    assert name not in writable_formats()


READERS: list[Callable[[], list[Record]]] = [
    lambda: read(GOLEM, ""),
    lambda: read(BOARDSPACE, "\n \n"),
]


@pytest.mark.parametrize("reader", READERS)
def test_an_empty_file_holds_no_game(reader: Callable[[], list[Record]]) -> None:
    assert reader() == []


def test_errors_of_trees_name_their_file() -> None:
    for form in (GOLEM, BOARDSPACE):
        error = error_of(form, "(;A[b](")
        assert isinstance(error, MalformedError)
        assert str(error.place) == "game.txt:1:7"
