"""Words that people type in their own language, read as what the program understands.

The catalogue of a language has a word for each, or several, the usual one first. English words work
in every language.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from trine.core.text.language import Language
from trine.core.text.sentence import TYPED, Text, join, verbatim


def typed(word: str) -> Text:
    """Return a word that can be typed, to be shown as a person would type it, in capitals if it is.

    >>> from trine.core.text.language import open_language
    >>> open_language("hu").say(typed("yes"))
    'igen'
    """
    return Text(word, context=TYPED)


def typed_line(line: str) -> Text:
    """Return a line of actions to be shown as a person would type it: words, not places, differ.

    >>> from trine.core.text.language import open_language
    >>> open_language("hu").say(typed_line("Ee2n a1n end"))
    'Ee2n a1n vége'
    """
    words = line.split(" ")
    return join([typed(word) if word.isalpha() else verbatim(word) for word in words], " ")


def name_in(language: Language, name: str) -> str:
    """Return the name of a game or a rule set in a language, in the case in which it is given.

    >>> from trine.core.text.language import open_language
    >>> [name_in(open_language("ru"), name) for name in ("great-wall", "Corridor", "TZAAR")]
    ['большая-стена', 'Коридор', 'ЦААР']
    """
    return language.say(typed(name))


def in_english(words: Iterable[Text], language: Language) -> Mapping[str, str]:
    """Return everything that can be typed for some words, with the English words they stand for.

    >>> from trine.core.text.language import open_language
    >>> in_english([typed("none")], open_language("fr"))
    {'aucun': 'none', 'aucune': 'none'}
    """
    return {
        said.lower(): word.template
        for word in reversed(list(words))
        for said in language.spellings(word)
    }
