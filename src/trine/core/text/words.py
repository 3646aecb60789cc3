"""A line of text split into words with columns, so that errors can point at them."""

from __future__ import annotations

from typing import NamedTuple


class Word(NamedTuple):
    """A word, and the column of its first character, counted from 1."""

    text: str
    column: int = 0

    def __str__(self) -> str:
        return self.text


def quoted(given: str) -> str:
    """Return a quoted text for an error message, shortened if it is very long.

    >>> quoted("a2q"), len(quoted("x" * 10_000))
    ("'a2q'", 60)
    """
    return repr(given if len(given) <= 60 else given[:57] + "…")


def split_words(line: str, column: int = 1) -> list[Word]:
    """Return the words of a line that begins in a column; only spaces and tabs separate words.

    >>> split_words("Ra2n  Rb2n")
    [Word(text='Ra2n', column=1), Word(text='Rb2n', column=7)]
    """
    found = []
    for word in line.replace("\t", " ").split(" "):  # fast, because archives have millions of lines
        if word:
            found.append(Word(word, column))
        column += len(word) + 1
    return found
