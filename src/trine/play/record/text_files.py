"""Reading and writing text files; every failure becomes a `TrineError` that names the file."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import BinaryIO, Final, TextIO, cast

from trine.core.errors import FileError, MalformedError, TrineError
from trine.core.work.files import file_error

MAX_LINE_LENGTH: Final = 1 << 24
"""Units: bytes; longer lines are refused, because they could fill the memory."""
STANDARD: Final = "-"
"""The file name for standard input or output."""


def read_lines(path: str | Path) -> Iterator[str]:
    """Yield the lines of a text file with their line breaks.

    Raises:
        FileError: the file cannot be read.
        MalformedError: a line is not UTF-8, or too long; the error has its number.
    """
    with open_to_read(path) as stream:
        number = 0
        while line := stream.readline(MAX_LINE_LENGTH):
            number += 1
            if len(line) == MAX_LINE_LENGTH:
                raise MalformedError(
                    "a line of more than {limit} bytes is no text", limit=MAX_LINE_LENGTH
                ).at(str(path), number)
            yield decode(line, str(path), number)


def decode(line: bytes, file: str, number: int) -> str:
    """Return a line as text, without a byte order mark; raises `MalformedError`."""
    try:
        decoded = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise MalformedError(
            "byte {given} is not UTF-8 text",
            given=f"0x{line[error.start]:02x}",
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
