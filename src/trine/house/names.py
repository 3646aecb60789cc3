"""Names that people give themselves."""

from __future__ import annotations

import unicodedata
from typing import Final

from trine.core.errors import MalformedError
from trine.core.text import text
from trine.session.seats import is_computer

LONGEST: Final = 24
"""Units: characters."""


def seemly(name: str) -> str:
    """A name as it is shown: folded, so that two that look alike are alike.

    Raises:
        MalformedError: it cannot be a name.

    >>> seemly("  Ａnna   B. ")
    'Anna B.'
    """
    folded = " ".join(unicodedata.normalize("NFKC", name).split())
    if not folded or len(folded) > LONGEST:
        raise MalformedError(text("a name has 1 to {count} characters", count=LONGEST))
    if any(unicodedata.category(letter)[0] == "C" for letter in folded) or '"' in folded:
        raise MalformedError(text("a name has letters and figures, no other signs"))
    if is_computer(folded):
        raise MalformedError(text("a name that begins like this is that of a computer player"))
    return folded
