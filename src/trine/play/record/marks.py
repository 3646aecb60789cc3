"""Marks: comments in the record of a running game about offers, resignations and forfeits.

Other programs skip them like any comment; a resumed game restores open offers from them. A person's
remark that could be read as a mark is put in quotation marks.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from trine.play.record.time_notes import read_time_mark

DRAW: Final = "draw"
"""The only request whose mark says "offers" instead of "asks for"."""

_MARK: Final = re.compile(
    r"([A-Z][a-z]+) (?:"
    r"(?P<asks>offers a draw|asks for .+)|accepts (?P<accepts>.+)|declines (?P<declines>.+)"
    r"|(?P<resigns>resigns)|(?P<lost>has lost on time)|forfeits: (?P<forfeits>.*))"
)


class CommentMark(NamedTuple):
    """A comment about a player's action that is no turn, such as an offer or a resignation."""

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
        action = "offers a draw" if mark.words == DRAW else f"asks for {mark.words}"
    elif mark.kind == "forfeits":
        action = f"forfeits: {mark.words}"
    elif mark.kind == "lost":
        action = "has lost on time"
    else:
        action = f"{mark.kind} {mark.words}".rstrip()
    return f"{mark.tag} {action}"


def read_mark(comment: str) -> CommentMark | None:
    """Return the mark that a comment contains, None if it is an ordinary comment.

    >>> read_mark("Gold asks for fill 7")
    CommentMark(tag='Gold', kind='asks', words='fill 7')
    >>> read_mark("Gold plays well") is None
    True
    """
    if not (match := _MARK.fullmatch(comment)):
        return None
    kind, words = next(
        (kind, words) for kind, words in match.groupdict().items() if words is not None
    )
    if kind == "asks":
        words = DRAW if words == "offers a draw" else words.removeprefix("asks for ")
    return CommentMark(match[1], kind, "" if kind in ("resigns", "lost") else words)


def as_remark(remark: str) -> str:
    """Return a person's remark as a comment, quoted if it would be read as a mark or a time.

    >>> as_remark("0:12"), as_remark("well played"), as_remark("Gold accepts draw")
    ('“0:12”', 'well played', '“Gold accepts draw”')
    """
    remark = " ".join(remark.split())
    return f"“{remark}”" if read_mark(remark) or read_time_mark(remark) else remark
