"""Compiled code in one file: what is no such file, or does not fit, is not taken."""

import io
import json
import lzma
import tarfile
from pathlib import Path

import pytest

from trine.core.compiled import jit, packed
from trine.core.errors import FileError

INDEX = "0123456789abcdef/kernel/rules.generate-45.py311.nbi"


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    store = tmp_path / "cache" / "kernels"
    store.mkdir(parents=True)
    monkeypatch.setattr(jit, "cache_root", lambda: store)
    return store


def written(file: Path, *members: str | tarfile.TarInfo, **other: str) -> Path:
    stamp = json.dumps(packed.stamp() | other).encode()
    with tarfile.open(file, "w:xz") as archive:
        for member in (packed.STAMP, *members):
            content = stamp if member == packed.STAMP else b"code"
            head = tarfile.TarInfo(member) if isinstance(member, str) else member
            head.size = len(content)
            archive.addfile(head, io.BytesIO(content))
    return file


def link(name: str, target: str) -> tarfile.TarInfo:
    head = tarfile.TarInfo(name)
    head.type, head.linkname = tarfile.SYMTYPE, target
    return head


def test_what_is_packed_comes_out_again(tmp_path: Path, store: Path) -> None:
    (store / INDEX).parent.mkdir(parents=True)
    (store / INDEX).write_bytes(b"code")
    packed.pack(tmp_path / "file")
    (store / INDEX).unlink()
    packed.install(tmp_path / "file")
    assert (store / INDEX).read_bytes() == b"code"


def test_what_is_kept_already_stays(tmp_path: Path, store: Path) -> None:
    (store / INDEX).parent.mkdir(parents=True)
    (store / INDEX).write_bytes(b"ours")
    packed.install(written(tmp_path / "file", INDEX))
    assert (store / INDEX).read_bytes() == b"ours"


@pytest.mark.parametrize(
    "member",
    [
        "../../escaped.nbc",
        "/tmp/escaped.nbc",
        "0123456789abcdef/../../escaped.nbc",
        "0123456789abcdef/..",
        link(INDEX, "/etc/passwd"),
    ],
)
def test_nothing_is_written_elsewhere(
    tmp_path: Path, store: Path, member: str | tarfile.TarInfo
) -> None:
    file = written(tmp_path / "file", INDEX.replace(".nbi", ".1.nbc"), member)
    with pytest.raises(FileError, match="holds no compiled code"):
        packed.install(file)
    assert not list(store.iterdir()) and {*tmp_path.iterdir()} == {file, store.parent}


@pytest.mark.parametrize("share", [0.0, 0.3, 0.99])
def test_half_a_file_is_not_taken(tmp_path: Path, store: Path, share: float) -> None:
    file = written(tmp_path / "file", INDEX)
    whole = file.read_bytes()
    file.write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(FileError, match="holds no compiled code"):
        packed.install(file)
    assert not list(store.iterdir())


@pytest.mark.parametrize("content", [b"", b"words", lzma.compress(b"words"), lzma.compress(b"")])
def test_what_is_no_archive_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(FileError, match="holds no compiled code"):
        packed.install(tmp_path / "file")


@pytest.mark.parametrize("what", list(packed.stamp()))
def test_the_condition_that_does_not_fit_is_named(tmp_path: Path, store: Path, what: str) -> None:
    with pytest.raises(FileError, match=f"is for {what} another; here is {what} "):
        packed.install(written(tmp_path / "file", INDEX, **{what: "another"}))
    assert not list(store.iterdir())


def test_of_several_files_in_the_package_one_that_fits_is_taken(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed, "BUNDLE_FOLDER", tmp_path)
    written(tmp_path / "kernels-1.tar.xz", INDEX, Python="2.7")
    with pytest.raises(FileError, match=r"Python 2\.7"):
        packed.install_bundled()
    written(tmp_path / "kernels-2.tar.xz", INDEX)
    packed.install_bundled()
    assert (store / INDEX).exists()


def test_a_checkout_takes_what_it_has_built_and_ignores_what_is_old(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed, "BUNDLE_FOLDER", tmp_path / "src" / "trine")
    monkeypatch.setattr(packed, "BUILD_FOLDER", tmp_path)
    written(tmp_path / "kernels-1.tar.xz", INDEX, trine="older")
    packed.install_bundled()
    assert not list(store.iterdir())
    written(tmp_path / "kernels-2.tar.xz", INDEX)
    packed.install_bundled()
    assert (store / INDEX).exists()
