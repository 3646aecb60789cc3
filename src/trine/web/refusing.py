"""The sentences of errors for the web, which reveal nothing internal."""

from __future__ import annotations

from typing import Final

import structlog

from trine.core.errors import TrineError
from trine.core.text.sentence import Text, text
from trine.store.refusals import FencedError, StaleError, StoreError, UnusableError

log: Final = structlog.get_logger()
MISTAKE: Final = text("the house has made a mistake; it is written down")


def is_fault(error: TrineError) -> bool:
    """Return whether the house is at fault, rather than the request."""
    refused_by_database = type(error) is StoreError  # every other has a class of its own
    return refused_by_database or isinstance(error, UnusableError | FencedError | StaleError)


def why_of(error: TrineError) -> Text:
    """Return the reason of a refusal; a fault of the house is only logged."""
    if not is_fault(error):
        return error.text
    log.error("the database failed", problem=repr(error))
    return MISTAKE


def refusal_of(error: TrineError) -> TrineError:
    """Return an error as a page shows it beside its form.

    Raises:
        TrineError: this one, where the house is at fault.
    """
    if is_fault(error):
        raise error
    return error
