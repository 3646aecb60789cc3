"""Translating typed lines from a language and script into English words and Latin letters.

The words are those of the dialogue (`WORDS`) and those of the games (`Handbook.words`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Final

from trine.core.text.language import Language, in_english
from trine.core.text.sentence import Text, ctexts
from trine.games import ROOMS, open_room

WORDS: Final = ctexts(
    "typed",
    "yes no none people end undo all moves why try insight hint board flip turns takeback offer "
    "draw pause continue accept decline resign save as help quit setup random fill again list "
    "solution next back the",
)
"""The words that a dialogue understands; catalogues translate them."""

ANSWERS: Final = ("yes", "no", "none", "people")
"""The words that answer questions; they are not actions or commands."""
_STANDING_IN: Final = ctexts("usage", "WORD ACTION FILE N RANKS")
"""The placeholders in the usage of a command."""
_ALIKE: Final = str.maketrans("асеорхуԁһіАСЕНВРОМТХК", "aceopxydhiACEHBPOMTXK")
"""A table from Cyrillic letters to the Latin letters that look the same."""
_USED: Final = re.compile(r"[A-Z]+|[a-z0-9]+(?:-[a-z0-9]+)*")
"""A word in the usage of a command, such as ``great-wall``."""
_PARTS: Final = re.compile("([:,])")
_QUOTED: Final = re.compile(r"(?<=')[^']+(?=')")
_PLACE: Final = re.compile(r"@?[A-Za-z]{1,2}[0-9]+[A-Za-z0-9-]*")


@cache
def _english(language: Language) -> Mapping[str, str]:
    """Return a map from the words of a language to their English words."""
    return in_english(every_word(), language)


def every_word() -> list[Text]:
    """Return the words of the dialogue and of all games, each once."""
    games = (word for name in ROOMS for word in open_room(name).handbook.words)
    return list(dict.fromkeys((*WORDS, *games)))


def read_line(line: str, language: Language) -> str:
    """Return a typed line in English words and Latin letters; file names are not changed.

    >>> from trine.core.text.language import open_language
    >>> read_line("igen", open_language("hu")), read_line("е2е3", open_language("en"))
    ('yes', 'e2e3')
    """
    words = [_read_words(word, language) for word in line.split(" ")]
    if words[0] == "save":  # all other words are a file name
        named = line.split(" ")[1:]
        words[1:] = words[1:2] + named[1:] if words[1:2] == ["as"] else named
        return " ".join(words)
    # Articles are dropped, as in: proposer la nulle.
    return " ".join([*words[:1], *(word for word in words[1:] if word != "the")])


def _read_words(token: str, language: Language) -> str:
    """Translate a token without spaces: a word, or several such as ``gold:camel,dog``."""
    return "".join(_read_word(word, language) for word in _PARTS.split(token))


def _read_word(word: str, language: Language) -> str:
    if english := _english(language).get(word.lower()):
        return english
    latin = unicodedata.normalize("NFKC", word).translate(_ALIKE)
    return latin if _PLACE.fullmatch(latin) else word


def as_typed(message: str, line: str, language: Language) -> str:
    """Return a message with the words that it quotes from a line as they were typed.

    >>> from trine.core.text.language import open_language
    >>> as_typed("no piece 'elephant'", "try слон", open_language("ru"))
    "no piece 'слон'"
    """
    typed = {_read_words(word, language): word for word in line.split()}
    return _QUOTED.sub(
        lambda match: " ".join(typed.get(word, word) for word in match[0].split(" ")), message
    )


def usage_in(usage: str, language: Language) -> str:
    """Return the usage of a command in the words of a language.

    >>> from trine.core.text.language import open_language
    >>> usage_in("undo [N|all]", open_language("en"))
    'undo [N|all]'
    """
    texts = {word.template: word for word in every_word()}
    texts |= {word.template: word for word in _STANDING_IN}
    return _USED.sub(
        lambda match: language.say(texts[match[0]]) if match[0] in texts else match[0], usage
    )
