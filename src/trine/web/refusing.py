"""The sentence of an error as the web is told it: nothing in it is from inside the house."""

from __future__ import annotations

from typing import Final

import structlog

from trine.core.errors import TrineError
from trine.core.text import Text, text
from trine.store.refusals import FencedError, UnusableError

log: Final = structlog.get_logger()
MISTAKE: Final = text("the house has made a mistake; it is written down")


def is_fault(error: TrineError) -> bool:
    """Whether the house is at fault, and not what was asked for."""
    return isinstance(error, UnusableError | FencedError)


def why_of(error: TrineError) -> Text:
    """Why something is refused; a fault of the house is told to its log alone."""
    if not is_fault(error):
        return error.text
    log.error("the database failed", problem=repr(error))
    return MISTAKE
