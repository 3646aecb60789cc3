"""The names of people: the allowed ones, and names that look alike."""

import re
import unicodedata
from collections.abc import Callable
from functools import cache
from typing import Final

from trine.core.errors import MalformedError
from trine.core.text.language import LANGUAGES, open_language
from trine.core.text.sentence import Text, ctext, text, verbatim
from trine.play.session.seats import is_computer

MAX_NAME_LENGTH: Final = 24  # characters
NAMELESS: Final = re.compile(r"Guest (\d{4})")
"""Names that the house gives to guests; no account can have them."""
DELETED: Final = "deleted"  # the name of deleted people


PLAYER_WORDS: Final = (
    ctext("reserved", "computer"),
    ctext("reserved", "level"),
    ctext("reserved", "bot"),
)
"""Words that begin the names of the house's own players."""
GUEST_WORDS: Final = (ctext("reserved", "guest"),)
"""Words that begin the names of guests without a chosen name."""
OFFICE_WORDS: Final = (
    ctext("reserved", "admin"),
    ctext("reserved", "administrator"),
    ctext("reserved", "moderator"),
    ctext("reserved", "deleted"),
)
"""Words reserved anywhere in a name, since they claim an office."""
WHOLE_NAMES: Final = (
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
"""Words reserved as a whole name."""
TECHNICAL_NAMES: Final = ("link", "me", "mod", "root", "trine")
"""Technical words reserved as a whole name; they are not translated."""


@cache
def in_all_languages(words: tuple[Text, ...], fold: Callable[[str], str]) -> frozenset[str]:
    """Return all inflected forms of words in all languages, folded.

    >>> sorted(in_all_languages(GUEST_WORDS, str.upper))
    ['GUEST', 'INVITÉ', 'INVITÉE', 'VENDÉG', 'ГОСТЬ', 'ГОСТЬЯ']
    """
    languages = [open_language(code) for code in LANGUAGES]
    return frozenset(
        fold(form) for language in languages for word in words for form in language.spellings(word)
    )


_ALIKE: Final = str.maketrans(
    # Cyrillic and Greek letters, and other signs, by the Latin letters that they look like.
    # Libraries for confusable characters carry tables of 600 KB for all of Unicode; since a name
    # has letters of one script, these few are enough.
    "авекмнорстухіјѕԁԛԝьӏαβεηικνορτυχωγ01iı|",
    "abekmhopctyxijsdqwbi".replace("i", "l") + "abenlkvoptuxwy" + "olll" + "l",
)
_SAME: Final = (("rn", "m"), ("vv", "w"), ("cl", "d"))
"""Pairs of letters that look like a single letter."""
_UNSEEN: Final = "\u115f\u1160\u3164\uffa0"  # invisible characters that Unicode counts as letters
_PILED: Final = 3  # a letter with this number of accents is refused
_EAST: Final = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO")
"""East Asian scripts, which may be mixed in a name."""


def clean_name(name: str) -> str:
    """Normalize a name for display; raises `MalformedError`.

    >>> clean_name("  Ａnna   B. ")
    'Anna B.'
    """
    folded = plain_text(name)
    if not folded or len(folded) > MAX_NAME_LENGTH:
        raise MalformedError("a name has 1 to {count} characters", count=MAX_NAME_LENGTH)
    if is_computer(folded):
        raise MalformedError("a name that begins like this is that of a computer player")
    return folded


def plain_text(name: str) -> str:
    """Normalize a name; raise `MalformedError` for characters that reverse or break lines."""
    plain = " ".join(unicodedata.normalize("NFKC", name).split())
    if any(unicodedata.category(letter)[0] == "C" for letter in plain) or '"' in plain:
        raise MalformedError("a name has letters and figures, no other signs")
    return plain


def guest_name(name: str) -> str:
    """Return a guest's name for display; raise `MalformedError` if it is reserved or misleading.

    >>> guest_name(" Zoë  🐘 ")
    'Zoë 🐘'
    """
    shown = clean_name(name)
    if _is_piled(shown) or not any(letter.isalnum() for letter in _visible(shown)):
        raise MalformedError("a name has letters or figures, and few accents")
    _check_scripts(shown)
    if _claims(shown) or fold("bot") in _words(shown):
        raise MalformedError("this name is reserved; choose another")
    return shown


def _visible(name: str) -> str:
    return "".join(letter for letter in name if letter not in _UNSEEN)


def _is_piled(name: str) -> bool:
    """Return whether a letter has a pile of accents, or an enclosing mark."""
    kinds = [unicodedata.category(letter) for letter in unicodedata.normalize("NFD", name)]
    return "Me" in kinds or "M" * _PILED in "".join(kind[0] for kind in kinds)


def _check_scripts(name: str) -> None:
    named = (unicodedata.name(letter, "?").split()[0] for letter in name if letter.isalpha())
    if len({"CJK" if script in _EAST else script for script in named}) > 1:
        raise MalformedError("a name has letters of one script")


def _claims(name: str) -> bool:
    """Return whether a name is reserved: a bot's, an official's, or a placeholder."""
    words, whole = _words(name), fold(name)
    return (
        not in_all_languages(PLAYER_WORDS, fold).isdisjoint(words[:1])
        or not in_all_languages(OFFICE_WORDS, fold).isdisjoint(words)
        or whole in map(fold, TECHNICAL_NAMES)
        or whole in in_all_languages(WHOLE_NAMES + PLAYER_WORDS, fold)
    )


def _words(name: str) -> list[str]:
    """Return the folded words of a name, without numbers and trailing digits."""
    words = (word.rstrip("0123456789") for word in re.findall(r"\w+", name))
    return [fold(word) for word in words if word]


def account_name(name: str) -> str:
    """Return an account's name for display; raises `MalformedError`.

    It has letters of one script, digits, spaces, dots and dashes.

    >>> account_name("Béla_2")
    'Béla_2'
    """
    shown = clean_name(name)
    fits = len(shown) > 1 and re.fullmatch(r"\w(?:[\w .'’-]*\w)?", shown)
    if not fits or not any(letter.isalpha() for letter in _visible(shown)):
        raise MalformedError(
            "the name of an account has letters and figures, 2 to {count}", count=MAX_NAME_LENGTH
        )
    _check_scripts(shown)
    if _claims(shown) or _words(shown)[0] in in_all_languages(GUEST_WORDS, fold):
        raise MalformedError("this name is reserved; choose another")
    return shown


def fold(name: str) -> str:
    """Return the folded form of a name: names that look alike have one folded form.

    >>> fold("Anna") == fold("АNNА") == fold("ａnna") == fold("a.nna") == fold("Änna")
    True
    >>> fold("Anna") == fold("Hanna")
    False
    """
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    letters = "".join(letter for letter in plain if letter.isalnum() or letter == "|")
    alike = letters.translate(_ALIKE)
    for pair, letter in _SAME:
        alike = alike.replace(pair, letter)
    return alike


def is_chosen(name: str) -> bool:
    """Return whether a name was chosen by a person, not given by the house.

    >>> is_chosen("Anna"), is_chosen("Guest 1234"), is_chosen(DELETED)
    (True, False, False)
    """
    return name not in ("", DELETED) and not NAMELESS.fullmatch(name)


def name_text(name: str) -> Text:
    """Return a name for display: a name given by the house is translated, a chosen name is not.

    >>> str(name_text("Guest 1234")), name_text("Anna") == verbatim("Anna")
    ('Guest 1234', True)
    """
    if name == DELETED:
        return ctext("player", "deleted")
    nameless = NAMELESS.fullmatch(name)
    return text("Guest {number}", number=nameless[1]) if nameless else verbatim(name)
