"""Records of other programs: what all of them hold, and how they are told apart."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.tzaar.foreign_games import (
    BOARDSPACE,
    GOLEM,
    MOUSE,
    SHORT,
    error_of,
    random_play,
    read,
    words,
    written,
)
from trine.core.contract.record import Record, format_record, read_records
from trine.core.errors import FileError, MalformedError
from trine.games.tzaar.formats import FORMATS
from trine.play.record.formats import known_formats
from trine.play.record.replay import record_of, replay

HOLDS: dict[str, list[dict[str, str]]] = {
    "littlegolem": [{}, {"setup": "random", "seed": "12"}],
    "boardspace": [{}, {"setup": "placement"}],
}


@pytest.mark.parametrize("name", FORMATS)
def test_plays_round_trip(name: str) -> None:
    form = FORMATS[name]
    for options in HOLDS[name]:
        plays = [random_play(options, seed, most=20 * seed + 3) for seed in range(6)]
        records = [record_of(play, {"White": "Anna", "Black": "B. ]\\ [C]"}) for play in plays]
        for record in records:
            form.check(record)
        text = written(form, *records)
        again = read(form, text)
        assert [words(record) for record in again] == [words(record) for record in records]
        for play, record in zip(plays, again, strict=True):
            assert record.error is None
            assert (record.tags["White"], record.tags["Black"]) == ("Anna", "B. ]\\ [C]")
            replayed = replay(record)
            assert replayed.position == play.position
            assert replayed.outcome == play.outcome
        assert written(form, *again) == text


@pytest.mark.parametrize("name", FORMATS)
def test_what_was_taken_back_is_not_written(name: str) -> None:
    (record,) = read_records(
        [
            '[Game "tzaar"]\n',
            '[Rules "official"]\n',
            "1w a5xa4\n",
            "1w takeback\n",
            "1w b1xa1 undo a5xa4\n",
            "1b a3xa4 a4xa2 undo -\n",
            "2w b1xa1 ...\n",
        ]
    )
    FORMATS[name].check(record)
    (again,) = read(FORMATS[name], written(FORMATS[name], record))
    assert words(again) == ["1w a5xa4", "1b a3xa4 -"]


START = "open TT2t../.Y..../.Z...../......../....*..../......../......./.t..../.zy.Y white 1"


@pytest.mark.parametrize(
    ("name", "tags", "turns"),
    [
        ("littlegolem", {"Setup": "placement"}, ""),
        ("littlegolem", {"Rules": "open"}, ""),
        ("littlegolem", {"Rules": "open", "Start": START}, ""),
        ("boardspace", {"Rules": "open"}, ""),
        ("boardspace", {"Setup": "random", "Seed": "3"}, ""),
        ("littlegolem", {"Start": "nonsense"}, ""),
        ("boardspace", {"Setup": "nonsense"}, ""),
        ("littlegolem", {}, "1w Za1\n"),
        ("boardspace", {}, "1w a5-a4\n"),
        ("boardspace", {}, "1g a5xa4\n"),
    ],
)
def test_what_a_format_cannot_hold_is_refused(name: str, tags: dict[str, str], turns: str) -> None:
    head = Record({"Game": "tzaar", **tags})
    lines = [*format_record(head).splitlines(keepends=True), turns]
    (record,) = read_records(lines, "game.txt")
    with pytest.raises(FileError) as refused:
        FORMATS[name].check(record)
    assert refused.value.place.line


@pytest.mark.parametrize(("name", "text"), [("littlegolem", SHORT), ("boardspace", MOUSE)])
def test_files_are_told_by_how_they_begin(name: str, text: str) -> None:
    telling = [form.name for form in known_formats().values() if form.recognises(text)]
    assert telling == [name]
    assert FORMATS[name].game == "tzaar"


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
