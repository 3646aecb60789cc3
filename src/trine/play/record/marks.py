"""Marks of a running game in records: comments that tell of offers, of leaving, of forfeits.

A reader who does not know them passes over them, as over any comment; a game that is gone on with
finds in them what was open. What a person says is quoted where it would be taken for one.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from trine.play.record.time_notes import read_time_mark

DRAW: Final = "draw"
"""The request that is offered rather than asked for."""

_MARK: Final = re.compile(
    r"([A-Z][a-z]+) (?:"
    r"(?P<asks>offers a draw|asks for .+)|accepts (?P<accepts>.+)|declines (?P<declines>.+)"
    r"|(?P<resigns>resigns)|(?P<lost>has lost on time)|forfeits: (?P<forfeits>.*))"
)


class CommentMark(NamedTuple):
    """A comment that tells what a player did besides playing."""

    tag: str
    """The tag of the player's seat."""
    kind: str
    """``asks``, ``accepts``, ``declines``, ``resigns``, ``lost``, ``forfeits``."""
    words: str = ""
    """The request made, accepted or declined, or the reason why the player forfeits."""


def format_mark(mark: CommentMark) -> str:
    """Write a mark as a comment.

    >>> format_mark(CommentMark("Gold", "asks", "draw"))
    'Gold offers a draw'
    >>> format_mark(CommentMark("Gold", "asks", "takeback"))
    'Gold asks for takeback'
    """
    if mark.kind == "asks":
        told = "offers a draw" if mark.words == DRAW else f"asks for {mark.words}"
    elif mark.kind == "forfeits":
        told = f"forfeits: {mark.words}"
    elif mark.kind == "lost":
        told = "has lost on time"
    else:
        told = f"{mark.kind} {mark.words}".rstrip()
    return f"{mark.tag} {told}"


def read_mark(comment: str) -> CommentMark | None:
    """The mark that a comment is, if it is one.

    >>> read_mark("Gold asks for fill 7")
    CommentMark(tag='Gold', kind='asks', words='fill 7')
    >>> read_mark("Gold plays well") is None
    True
    """
    if not (found := _MARK.fullmatch(comment)):
        return None
    kind, told = next((kind, told) for kind, told in found.groupdict().items() if told is not None)
    if kind == "asks":
        told = DRAW if told == "offers a draw" else told.removeprefix("asks for ")
    return CommentMark(found[1], kind, "" if kind in ("resigns", "lost") else told)


def as_remark(words: str) -> str:
    """Words of a person, so that they cannot be taken for a mark or a time.

    >>> as_remark("0:12"), as_remark("well played"), as_remark("Gold accepts draw")
    ('“0:12”', 'well played', '“Gold accepts draw”')
    """
    words = " ".join(words.split())
    return f"“{words}”" if read_mark(words) or read_time_mark(words) else words
