import io
import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trine.core.errors import FileError, MalformedError
from trine.play.record import text_files
from trine.play.record.text_files import decode, read_lines


def test_lines_come_with_their_line_breaks(path: Path) -> None:
    path.write_bytes(b"a\nb\r\nc\x0bd\re\n\nf")
    assert list(read_lines(path)) == ["a\n", "b\r\n", "c\x0bd\re\n", "\n", "f"]


def test_standard_input_is_a_file_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("é\n".encode())))
    assert list(read_lines("-")) == ["é\n"]


def test_a_byte_that_is_no_text_is_named_with_its_place(path: Path) -> None:
    path.write_bytes("fine\nÉlan \n".encode() + "é".encode("latin-1") + b"\n")
    lines = read_lines(path)
    assert [next(lines), next(lines)] == ["fine\n", "Élan \n"]
    with pytest.raises(MalformedError, match=r"game\.txt:3:1: .*0xe9") as caught:
        next(lines)
    assert caught.value.place.line == 3


@given(st.text(st.characters(exclude_categories=["Cs"])), st.sampled_from([0x80, 0xFE, 0xFF]))
def test_the_column_counts_letters_not_bytes(before: str, bad: int) -> None:
    with pytest.raises(MalformedError) as caught:
        decode(before.encode() + bytes([bad]), "game.txt", 9)
    assert (caught.value.place.line, caught.value.place.column) == (9, len(before) + 1)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_named(path: Path) -> None:
    path.touch(mode=0o000)
    with pytest.raises(FileError, match=r"game\.txt: Permission denied"):
        list(read_lines(path))


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="there is no such file here")
def test_a_file_that_fails_while_it_is_read_is_named() -> None:
    with pytest.raises(FileError, match="/proc/self/mem: "):
        list(read_lines("/proc/self/mem"))


def test_a_line_without_end_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_files, "MAX_LINE_LENGTH", 100)
    path.write_bytes(b"fine\n" + b"x" * 1000)
    lines = read_lines(path)
    assert next(lines) == "fine\n"
    with pytest.raises(MalformedError, match=r"game\.txt:2: .*100 bytes"):
        next(lines)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("absent.txt", "abse"),
        (".", "."),
        ("absent/game.txt", "there is no folder absent"),
        ("a" * 5000, "aaaa"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(
    name: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileError) as caught:
        list(read_lines(name))
    assert str(caught.value).startswith(told)


@pytest.mark.parametrize(
    ("beginning", "kind"),
    [
        (b"%PDF-1.4\n%\xe2\xe3", "PDF"),
        (b"PK\3\4\x14", "ZIP"),
        (b"\x1f\x8b\x08", "gzip"),
        (b"\x89PNG\r\n", "PNG"),
        ("2g Ra2n".encode("utf-16"), "UTF-16"),
        (b"<!DOCTYPE html>\n<p>e2 e8", "HTML"),
        (b'<?xml version="1.0"?>\n<a>e2</a>', "XML"),
    ],
)
def test_a_file_of_another_kind_is_refused_by_its_name(
    beginning: bytes, kind: str, path: Path
) -> None:
    path.write_bytes(beginning)
    with pytest.raises(MalformedError, match=f"game.txt: this file is {kind}; expected plain text"):
        list(read_lines(path))
