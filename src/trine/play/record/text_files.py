"""Text files, read and written with errors that name the file; the default folder of games."""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from io import TextIOWrapper
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import BinaryIO, Final, TextIO, cast

from platformdirs import user_data_path

from trine.core.errors import FileError, MalformedError, TrineError
from trine.core.work.files import file_error

MAX_LINE_LENGTH: Final = 1 << 24
"""Units: bytes; longer lines are refused, because they could fill the memory."""
_OTHER_KINDS: Final = {
    b"%pdf": "PDF",
    b"pk\3\4": "ZIP",
    b"\x1f\x8b": "gzip",
    b"bzh": "bzip2",
    b"\xfd7zxz": "xz",
    b"(\xb5/\xfd": "zstd",
    b"\x89png": "PNG",
    b"\xff\xd8\xff": "JPEG",
    b"gif8": "GIF",
    b"sqlite": "SQLite",
    b"par1": "Parquet",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
    b"<!doctype html": "HTML",
    b"<html": "HTML",
    b"<?xml": "XML",
    b"<svg": "SVG",
}
"""Other kinds of files by their magic bytes, which are compared in lower case."""
STANDARD: Final = "-"  # the file name for standard input or output


def read_lines(path: str | Path) -> Iterator[str]:
    """Yield the lines of a text file with their line breaks.

    Raises:
        FileError: the file cannot be read.
        MalformedError: the file is of another kind; or a line, whose number the error has, is not
            UTF-8, or too long.
    """
    with open_to_read(path) as stream:
        number = 0
        while line := stream.readline(MAX_LINE_LENGTH):
            number += 1
            if number == 1:
                _check_kind(line, str(path))
            if len(line) == MAX_LINE_LENGTH:
                raise MalformedError(
                    "a line of more than {limit} bytes is no text", limit=MAX_LINE_LENGTH
                ).at(str(path), number)
            yield decode(line, str(path), number)


def _check_kind(line: bytes, file: str) -> None:
    """Raise `MalformedError` if the first line of a file shows that it is no plain text."""
    head = line[: max(map(len, _OTHER_KINDS))].lower()  # a line can have megabytes
    for beginning, kind in _OTHER_KINDS.items():
        if head.startswith(beginning):
            raise MalformedError("this file is {kind}; expected plain text in UTF-8", kind=kind).at(
                file
            )


def decode(line: bytes, file: str, number: int) -> str:
    """Return a line as text, without a byte order mark; raises `MalformedError`."""
    try:
        decoded = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise MalformedError(
            "byte {given} is not UTF-8 text", given=f"0x{line[error.start]:02x}"
        ).at(file, number, len(line[: error.start].decode("utf-8")) + 1) from None
    return decoded.removeprefix("\ufeff") if number == 1 else decoded


@contextmanager
def open_to_read(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file, or standard input, for reading bytes; raises `FileError`."""
    try:
        if str(path) == STANDARD:
            if sys.stdin is None:
                raise OSError("closed")
            yield sys.stdin.buffer
        else:
            with Path(path).open("rb") as stream:
                yield stream
    except OSError as error:
        raise file_error(path, error) from None


@contextmanager
def open_to_write(target: str | Path) -> Iterator[TextIO]:
    """Open a text file, or standard output, for writing.

    Guarantee: a file appears under its name only when it is complete. After an earlier failure
        there is no file, or the old one is unchanged.

    Raises:
        FileError: the file cannot be written.
    """
    if str(target) == STANDARD:
        sys.stdout.flush()
        stream = TextIOWrapper(sys.stdout.buffer, encoding="utf-8", newline="\n")
        yield stream
        stream.flush()
        stream.detach()
        return
    path = Path(target)
    try:
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if path.exists() and not path.is_file():
            # A pipe or a device cannot be replaced.
            with path.open("w", encoding="utf-8", newline="\n") as special:
                yield special
        else:
            with _beside(path.resolve()) as unfinished:
                yield unfinished
    except TrineError:
        raise
    except (OSError, ValueError) as error:
        raise file_error(path, error) from None


@contextmanager
def _beside(path: Path) -> Iterator[TextIO]:
    """Open a temporary file that replaces the file at a path when it is complete."""
    unfinished = None
    try:
        with NamedTemporaryFile(
            "w", encoding="utf-8", newline="\n", dir=path.parent, prefix=".trine-", delete=False
        ) as temporary:
            unfinished = Path(temporary.name)
            yield cast(TextIO, temporary)
        unfinished.chmod(0o644)
        unfinished.replace(path)
    finally:
        if unfinished:
            unfinished.unlink(missing_ok=True)


def check_other_file(source: str, target: str | Path) -> None:
    """Raise `FileError` if a file to write is the file that is read."""
    same = False
    with suppress(OSError, ValueError):
        same = Path(source).samefile(target)
    if same:
        raise FileError("{file} would be destroyed; choose another name", file=str(target))


def games_folder() -> Path:
    """Return the folder for games, in the user's data folder; it may not exist yet.

    On Linux it is ``~/.local/share/trine/games``, or below ``XDG_DATA_HOME``.
    """
    return user_data_path("trine", appauthor=False) / "games"


def new_path(game_name: str, now: datetime) -> Path:
    name = f"{game_name}-{now:%Y-%m-%d-%H%M%S}"
    folder = games_folder()
    paths = [folder / f"{name}{tail}.txt" for tail in ("", *(f"-{n}" for n in range(2, 100)))]
    # Two games can begin in the same second.
    return next((path for path in paths if not path.exists()), paths[-1])


def newest_unfinished(*folders: Path) -> Path:
    """Return the newest record of an unfinished game in some folders; raises `FileError`."""
    files = [path for folder in folders for path in folder.glob("*.txt") if path.is_file()]
    records = [path for path in files if _is_unfinished(path)]
    if not records:
        raise FileError(
            "there is no unfinished game, neither in this folder nor in {folder}; name its file",
            folder=str(games_folder()),
        )
    return max(records, key=lambda path: path.stat().st_mtime)


def _is_unfinished(path: Path) -> bool:
    try:
        content = path.read_bytes()
    except OSError:
        return False
    return content.startswith(b"[Game ") and b"\n[Result " not in content
