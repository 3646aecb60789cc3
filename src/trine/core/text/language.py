"""The supported languages: gettext catalogues in ``trine/locale``, one ``.po`` file each.

The ``.po`` files are read directly, so there are no compiled catalogues that could be stale. For a
word that people type, a catalogue has one or several translations, the preferred one first; the
English word works in every language.
"""

import gettext
import io
import os
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from trine.core.errors import TrineError
from trine.core.text.sentence import NUMBER, TYPED, UNTRANSLATED, Text, quoted, text, typed

LANGUAGES: Mapping[str, str] = {
    "en": "English",
    "fr": "français",
    "hu": "magyar",
    "ru": "русский",
}
"""The supported languages: codes (ISO 639-1) and native names."""

MARKS = str.maketrans(",.", "\u202f,")
"""Thousands separator, a narrow no-break space, and decimal mark, in all languages but English."""
CATALOGUES = Path(__file__).parents[2] / "locale"


class Language:
    """A language of the user interface: translates texts and errors."""

    def __init__(self, code: str, translations: gettext.NullTranslations) -> None:
        self.code = code
        self._translations = translations

    def say(self, sentence: Text | TrineError | str) -> str:
        """Return a text, or an error with its place, in this language.

        >>> open_language("fr").say(Text("cat", context="piece"))
        'chat'
        """
        if isinstance(sentence, TrineError):
            sentence = sentence.text
        if isinstance(sentence, str):
            return sentence
        if sentence.said is None or sentence.said[0] != self.code:
            sentence.said = (self.code, sentence.render(self.template))
        return sentence.said[1]

    def colon(self, topic: str) -> str:
        r"""Return a topic with the language's colon, to be followed by a remark on it.

        >>> open_language("en").colon("Arimaa"), open_language("fr").colon("Arimaa")
        ('Arimaa:', 'Arimaa\xa0:')
        """
        return self.say(text("{topic}: {words}", topic=topic, words="")).rstrip()

    def template(self, sentence: Text) -> str:
        """Return the template of a text in this language, its blanks not filled."""
        catalogue, context = self._translations, sentence.context
        if context == UNTRANSLATED:
            return sentence.template
        if context == NUMBER:
            written = sentence.template.format_map(sentence.values)
            return written if self.code == "en" else written.translate(MARKS)
        if context == TYPED:
            word, said = sentence.template, self.spellings(sentence)[0]
            if word.isupper():
                return said.upper()
            return said[:1].upper() + said[1:] if word[:1].isupper() else said
        if sentence.plural:
            count = sentence.values["count"]
            assert isinstance(count, int), sentence
            return catalogue.ngettext(sentence.template, sentence.plural, count)
        if context:
            return catalogue.pgettext(context, sentence.template)
        return catalogue.gettext(sentence.template)

    def spellings(self, word: Text) -> list[str]:
        """Return the words that a person may type for an English word, the preferred one first.

        >>> open_language("fr").spellings(Text("none", context="typed"))
        ['aucun', 'aucune']
        """
        words = self._translations.pgettext(word.context, word.template.lower()).split()
        return words or [word.template]


@cache
def open_language(code: str) -> Language:
    """Open a language by its code.

    Raises:
        TrineError: the language is not supported.

    >>> open_language("hu").code
    'hu'
    """
    if code not in LANGUAGES:
        raise TrineError(
            "the house does not speak {given}; it speaks {known}",
            given=quoted(code),
            known=", ".join(LANGUAGES),
        )
    if code == "en":
        return Language(code, gettext.NullTranslations())
    import polib  # English needs no catalogue, so skip this import

    catalogue = polib.pofile(str(CATALOGUES / f"{code}.po"), encoding="utf-8")
    return Language(code, gettext.GNUTranslations(io.BytesIO(catalogue.to_binary())))


def language_of(environment: Mapping[str, str] | None = None) -> str:
    """Return the language code in the environment, read as gettext reads it.

    >>> language_of({"LANG": "ru_RU.UTF-8"}), language_of({"LC_ALL": "C"})
    ('ru', 'en')
    """
    environment = os.environ if environment is None else environment
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        locale = environment.get(variable, "")
        if locale:
            break
    if locale in ("C", "POSIX", ""):
        return "en"
    wished = [*environment.get("LANGUAGE", "").split(":"), locale]
    for wish in wished:
        code = wish.split("_")[0].split(".")[0].lower()
        if code in LANGUAGES:
            return code
    return "en"


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
