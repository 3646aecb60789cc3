"""Words that people type in their own language, translated to the program's English words.

A catalogue has one or several translations of a word, the preferred one first. English words work
in every language.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from trine.core.text.language import Language
from trine.core.text.sentence import TYPED, Text, join, verbatim


def typed(word: str) -> Text:
    """Return a word to be shown as a person would type it, in capitals if the word is.

    >>> from trine.core.text.language import open_language
    >>> open_language("hu").say(typed("yes"))
    'igen'
    """
    return Text(word, context=TYPED)


def typed_line(line: str) -> Text:
    """Return a line of actions as a person would type it: only words are translated.

    >>> from trine.core.text.language import open_language
    >>> open_language("hu").say(typed_line("Ee2n a1n end"))
    'Ee2n a1n vége'
    """
    words = line.split(" ")
    return join([typed(word) if word.isalpha() else verbatim(word) for word in words], " ")


def name_in(language: Language, name: str) -> str:
    """Return the name of a game or a rule set in a language, in the given upper or lower case.

    >>> from trine.core.text.language import open_language
    >>> [name_in(open_language("ru"), name) for name in ("great-wall", "Corridor", "TZAAR")]
    ['большая-стена', 'Коридор', 'ЦААР']
    """
    return language.say(typed(name))


def in_english(words: Iterable[Text], language: Language) -> Mapping[str, str]:
    """Return everything that people can type for words, with the English words.

    >>> from trine.core.text.language import open_language
    >>> in_english([typed("none")], open_language("fr"))
    {'aucun': 'none', 'aucune': 'none'}
    """
    return {
        said.lower(): word.template
        for word in reversed(list(words))
        for said in language.spellings(word)
    }
