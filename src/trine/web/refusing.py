"""The sentence of an error as the web is told it: nothing in it is from inside the house."""

from __future__ import annotations

from typing import Final

import structlog

from trine.core.errors import TrineError
from trine.core.text import Text, text
from trine.store.refusals import FencedError, StaleError, StoreError, UnusableError

log: Final = structlog.get_logger()
MISTAKE: Final = text("the house has made a mistake; it is written down")


def is_fault(error: TrineError) -> bool:
    """Whether the house is at fault, and not what was asked for."""
    refused_by_database = type(error) is StoreError  # every other has a class of its own
    return refused_by_database or isinstance(error, UnusableError | FencedError | StaleError)


def why_of(error: TrineError) -> Text:
    """Why something is refused; a fault of the house is told to its log alone."""
    if not is_fault(error):
        return error.text
    log.error("the database failed", problem=repr(error))
    return MISTAKE


def refusal_of(error: TrineError) -> TrineError:
    """An error as a page shows it beside what was asked for.

    Raises:
        TrineError: this one, where the house is at fault.
    """
    if is_fault(error):
        raise error
    return error
