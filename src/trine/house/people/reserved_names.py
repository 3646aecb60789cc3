"""The words that the house keeps for itself in names, in all its languages.

The catalogues have them in the context ``reserved``: all forms of a word, separated by spaces.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from trine.core.text.language import LANGUAGES, open_language
from trine.core.text.sentence import Text, ctext

PLAYERS: Final = (
    ctext("reserved", "computer"),
    ctext("reserved", "level"),
    ctext("reserved", "bot"),
)
"""The words with which the names of the house's own players begin."""
GUESTS: Final = (ctext("reserved", "guest"),)
"""The words with which the names of guests begin that have chosen none."""
OFFICES: Final = (
    ctext("reserved", "admin"),
    ctext("reserved", "administrator"),
    ctext("reserved", "moderator"),
    ctext("reserved", "deleted"),
)
"""Words that claim something in any place of a name."""
ALONE: Final = (
    ctext("reserved", "anonymous"),
    ctext("reserved", "everybody"),
    ctext("reserved", "house"),
    ctext("reserved", "nobody"),
    ctext("reserved", "owner"),
    ctext("reserved", "staff"),
    ctext("reserved", "support"),
    ctext("reserved", "system"),
    ctext("reserved", "you"),
)
"""Words that are no name by themselves."""
OF_PROGRAMS: Final = ("link", "me", "mod", "root", "trine")
"""The same, of programs: they are not translated."""


@cache
def in_all_languages(words: tuple[Text, ...], fold: Callable[[str], str]) -> frozenset[str]:
    """Return all forms of words in all languages, folded.

    >>> sorted(in_all_languages(GUESTS, str.upper))
    ['GUEST', 'INVITÉ', 'INVITÉE', 'VENDÉG', 'ГОСТЬ', 'ГОСТЬЯ']
    """
    languages = [open_language(code) for code in LANGUAGES]
    return frozenset(
        fold(form) for said in languages for word in words for form in said.spellings(word)
    )
