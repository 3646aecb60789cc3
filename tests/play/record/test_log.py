import errno
import io
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import BinaryIO, cast
from unittest import mock

import pytest

from capturing import captured
from playing import environment
from trine.core.errors import FileError, LockedError
from trine.play.record.log import Log, damaged_path

TAGS = {"Game": "arimaa", "Gold": 'Anna "the Cat"'}
HEAD = b'[Game "arimaa"]\n[Gold "Anna \\"the Cat\\""]\n\n'


class FullDisk(io.FileIO):
    room = 3

    def write(self, data: object) -> int:
        assert isinstance(data, bytes)
        if not self.room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = super().write(data[: self.room])
        self.room -= written
        return written


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    log = Log.create(tmp_path / "a" / "b" / "game.txt", TAGS)
    yield log
    log.close()


def test_a_new_log_holds_its_tags(log: Log) -> None:
    assert log.path.read_bytes() == HEAD
    assert not log.line_open


def test_what_was_appended_is_in_the_file_at_once(log: Log) -> None:
    log.append("2g Ra2n ")
    assert log.line_open
    assert log.path.read_bytes() == HEAD + b"2g Ra2n "
    log.append("{é}\n")
    assert not log.line_open
    assert log.path.read_bytes() == HEAD + "2g Ra2n {é}\n".encode()


def test_what_was_appended_is_on_disk_before_append_comes_back(
    tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inodes: list[int] = []
    contents: list[bytes] = []
    real = os.fsync

    def fsync(handle: int) -> None:
        inodes.append(os.fstat(handle).st_ino)
        contents.append(path.read_bytes())
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    log = Log.create(path, TAGS)
    log.append("2g Ra2n ")
    log.close()
    # The file, the folder in which it is new, and the file again.
    assert inodes == [entry.stat().st_ino for entry in (path, tmp_path, path)]
    assert contents == [HEAD, HEAD, HEAD + b"2g Ra2n "]


def test_a_log_never_overwrites_a_file(path: Path) -> None:
    path.write_text("precious")
    with pytest.raises(FileError, match="resume"):
        Log.create(path, TAGS)
    assert path.read_text() == "precious"


def test_a_full_disk_leaves_the_log_as_it_was(log: Log) -> None:
    full = Log(log.path, cast(BinaryIO, FullDisk(log.path, "r+")))
    with closing(full), pytest.raises(FileError, match="No space left"):
        full.append("2g Ra2n ")
    assert log.path.read_bytes() == HEAD
    assert not full.line_open


class PulledOut(FullDisk):
    room = 0

    def truncate(self, size: int | None = None, /) -> int:
        raise OSError(errno.EIO, os.strerror(errno.EIO))


def test_a_disk_that_is_pulled_out_is_an_error_too(log: Log) -> None:
    gone = Log(log.path, cast(BinaryIO, PulledOut(log.path, "r+")))
    with closing(gone), pytest.raises(FileError):
        gone.append("2g Ra2n ")


BROKEN = OSError(errno.EIO, os.strerror(errno.EIO))


@pytest.mark.parametrize("error", [BROKEN, KeyboardInterrupt()], ids=["a broken disk", "Ctrl-C"])
def test_what_is_not_synced_leaves_no_trace(
    error: BaseException, log: Log, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", mock.Mock(side_effect=error))
    expected = (FileError, "Input/output error") if error is BROKEN else (KeyboardInterrupt, None)
    for write in (partial(log.append, "2g Ra2n "), partial(Log.create, path, TAGS)):
        with pytest.raises(expected[0], match=expected[1]):
            write()
    assert (log.path.read_bytes(), log.line_open) == (HEAD, False)
    assert not path.exists()


def test_a_log_that_cannot_be_opened_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for path in (tmp_path, tmp_path / "loop", tmp_path / "file" / "game.txt"):
        with pytest.raises(FileError):
            Log.open(path)
        with pytest.raises(FileError):
            Log.create(path, TAGS)
    with pytest.raises(FileError):
        Log.open(tmp_path / "absent")


def test_a_log_is_open_once(log: Log) -> None:
    with pytest.raises(LockedError, match=r"game\.txt is being played"):
        Log.open(log.path)
    log.append("2g Ra2n ")
    log.close()
    again, content = Log.open(log.path)
    again.close()
    assert content == HEAD + b"2g Ra2n "


def test_another_process_is_refused_until_the_log_is_closed(log: Log, tmp_path: Path) -> None:
    script = (
        "import sys, pathlib, trine.play.record.log as l; l.Log.open(pathlib.Path(sys.argv[1]))"
    )
    command = [sys.executable, "-c", script, str(log.path)]
    variables = environment(tmp_path / "home")
    refused = captured(*command, env=variables)
    assert "LockedError" in refused.stderr
    log.close()
    assert subprocess.run(command, env=variables, check=False).returncode == 0


def test_a_damaged_end_is_set_aside_byte_for_byte(log: Log) -> None:
    damage = b"{\xff\0 \r"
    log.append("2g Ra2n ")
    log.close()
    with log.path.open("ab") as stream:
        stream.write(damage)
    again, content = Log.open(log.path)
    with closing(again):
        length = content.index(damage)
        assert again.cut(length) == damage
        assert damaged_path(log.path).read_bytes() == damage + b"\n"
        assert log.path.read_bytes() == HEAD + b"2g Ra2n "
        again.append("{x}\n")
        assert log.path.read_bytes() == HEAD + b"2g Ra2n {x}\n"
        again.cut(length)
    assert damaged_path(log.path).read_bytes() == damage + b"\n{x}\n\n"


def test_nothing_is_cut_that_could_not_be_set_aside(log: Log) -> None:
    log.close()
    damaged_path(log.path).mkdir()
    again, content = Log.open(log.path)
    with closing(again), pytest.raises(FileError, match=r"\.damaged: "):
        again.cut(10)
    assert log.path.read_bytes() == content == HEAD
