"""The sentences for errors on the web, which reveal nothing internal."""

from typing import Final

import structlog

from trine.core.errors import TrineError
from trine.core.text.sentence import Text, text
from trine.house.store.store_errors import FencedError, StaleError, UnusableError

log: Final = structlog.get_logger()
MISTAKE: Final = text("something went wrong; the error was logged")
AWAY: Final = text("the database of the house does not answer; try again in a moment")


class InternalError(TrineError):
    """An internal error, which is already logged."""

    default_text = MISTAKE


def is_internal(error: Exception) -> bool:
    """Return whether an error is internal: not the fault of the request."""
    of_house = InternalError | UnusableError | FencedError | StaleError
    return isinstance(error, of_house) or not isinstance(error, TrineError)


def why_of(error: Exception) -> Text:
    """Return the reason for a refusal; an internal error is only logged."""
    if isinstance(error, TrineError) and (
        isinstance(error, InternalError) or not is_internal(error)
    ):
        return error.text
    if isinstance(error, UnusableError):
        log.error("the database failed", problem=repr(error))
        return AWAY
    log.error("the house failed", problem=repr(error), exc_info=error)
    return MISTAKE


def refusal_of(error: TrineError) -> TrineError:
    """Return the error if a page can show it beside a form; raise an internal error."""
    if is_internal(error):
        raise error
    return error
