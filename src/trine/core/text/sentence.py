"""Sentences for people, stored separately from their translations.

Language-independent code writes ``text("the {piece} is frozen", piece=...)``. The user interface
translates it by a `Language` (`trine.core.text.language`). ``str()`` gives the English sentence, so
that logs, tests and tracebacks are readable without a language.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

Translate = Callable[["Text"], str]
"""A function that returns a `Text`'s template in one language, in the right plural form."""


class Text:
    """A sentence with named blanks, which may hold further texts. Immutable.

    Not a dataclass, so that JSON encoders must ask for its translation.

    >>> cat = Text("cat", context="piece")
    >>> str(Text("the {piece} on {cell}", {"piece": cat, "cell": "c2"}))
    'the cat on c2'
    """

    __slots__ = ("context", "plural", "said", "template", "values")

    def __init__(
        self,
        template: str,
        values: Mapping[str, object] | None = None,
        context: str = "",
        plural: str = "",
    ) -> None:
        self.template = template
        self.values: Mapping[str, object] = {} if values is None else values
        self.context = context  # a word that distinguishes equal English texts for translators
        self.plural = plural  # the English plural of the template, chosen by the value of ``count``
        self.said: tuple[str, str] | None = None
        """Cache: the last translation, after the code of its language."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Text) and self._parts == other._parts

    def __hash__(self) -> int:
        return hash((self.template, self.context, self.plural))

    def __repr__(self) -> str:
        return f"Text{self._parts!r}"

    @property
    def _parts(self) -> tuple[str, Mapping[str, object], str, str]:
        return (self.template, self.values, self.context, self.plural)

    def __str__(self) -> str:
        return self.render(_in_english)

    def render(self, translate: Translate) -> str:
        """Fill the blanks of a translated template, and those of nested texts."""
        if not self.values:
            return translate(self)
        if self.template == VERBATIM:
            return str(self.values["words"])
        values = dict(self.values)
        if self.plural:
            values["count"] = number(values["count"])
        filled = {
            name: value.render(translate) if isinstance(value, Text) else value
            for name, value in values.items()
        }
        return translate(self).format(**filled)


def _in_english(sentence: Text) -> str:
    if sentence.plural and sentence.values.get("count") != 1:
        return sentence.plural
    return sentence.template


def text(template: str, **values: object) -> Text:
    """Make a text from a template, which is extracted for translators.

    >>> str(text("{count} of {limit}", count=1, limit=4))
    '1 of 4'
    """
    return Text(template, values)


def ctext(context: str, template: str, **values: object) -> Text:
    """Make a text with a context, for English words with several meanings."""
    return Text(template, values, context)


def ctexts(context: str, words: str) -> tuple[Text, ...]:
    """Make a text of each word, with a context that disambiguates it.

    >>> [str(word) for word in ctexts("typed", "yes no")]
    ['yes', 'no']
    """
    return tuple(Text(word, context=context) for word in words.split())


def ntext(template: str, plural: str, count: int, **values: object) -> Text:
    """Make a text with a plural, chosen by ``count``.

    >>> str(ntext("{count} step left", "{count} steps left", 3))
    '3 steps left'
    """
    return Text(template, {"count": count, **values}, plural=plural)


def suggesting(message: Text, given: str, known: Iterable[str]) -> Text:
    """Return a message about an unknown word, with the nearest known word if there is a close one.

    >>> str(suggesting(text("no game"), "arima", ["arimaa", "tzaar"]))
    'no game; did you mean arimaa?'
    """
    if near := nearest(given, known):
        return text("{message}; did you mean {word}?", message=message, word=near)
    return message


def nearest(given: str, known: Iterable[str]) -> str:
    """Return the known word nearest to a given one; empty if none is close.

    >>> nearest("pley", ["play", "show"]), nearest("e2n", ["play", "show"])
    ('play', '')
    """
    from difflib import get_close_matches  # only needed after a typo

    return next(iter(get_close_matches(given.lower(), list(known), n=1)), "")


def number(value: object, digits: int = 0, *, signed: bool = False) -> Text:
    """Return a number for people, with the language's separators and decimal mark.

    Output for programs (protocols, records, JSON) does not use it.

    Args: ``digits`` is the number of decimals; ``signed`` writes a plus too. A string is a number
        already formatted by Python, and only gets the language's marks.

    >>> str(text("{nodes} nodes", nodes=number(1_500_000)))
    '1,500,000 nodes'
    >>> str(number(0.25, 1)), str(number(3, 2, signed=True))
    ('0.2', '+3.00')
    """
    if isinstance(value, str):
        return Text("{number}", {"number": value}, NUMBER)
    form = f"{'+' if signed else ''},{f'.{digits}f' if digits else ''}"
    return Text(f"{{number:{form}}}", {"number": value}, NUMBER)


def join(parts: list[Text] | tuple[Text, ...], separator: str = ", ") -> Text:
    """Join texts with a separator that is not translated.

    >>> str(join([text("one"), text("two")]))
    'one, two'
    """
    names = [f"part{index}" for index in range(len(parts))]
    template = separator.join(f"{{{name}}}" for name in names)
    return Text(template, dict(zip(names, parts, strict=True)), context=UNTRANSLATED)


NUMBER = "number"  # the context of numbers, which languages format differently
TYPED = "typed"  # the context of words that people type; catalogues may list several spellings
UNTRANSLATED = "-"  # the context of templates that contain only blanks


VERBATIM = "{words}"  # the template of untranslated words; it is filled without being parsed


def verbatim(words: str) -> Text:
    """Return words that are the same in every language: names, notation, numbers.

    >>> str(verbatim("{a2n}"))
    '{a2n}'
    """
    return Text(VERBATIM, {"words": words}, context=UNTRANSLATED)


NOTHING: Final = verbatim("")  # the empty text


class Word(NamedTuple):
    """A word, and the column of its first character, counted from 1."""

    text: str
    column: int = 0

    def __str__(self) -> str:
        return self.text


def quoted(given: str) -> str:
    """Return a quoted text for an error message, shortened if it is very long.

    >>> quoted("a2q"), len(quoted("x" * 10_000))
    ("'a2q'", 60)
    """
    return repr(given if len(given) <= 60 else given[:57] + "…")


def split_words(line: str, column: int = 1) -> list[Word]:
    """Return the words of a line that begins in a column; only spaces and tabs separate words.

    >>> split_words("Ra2n  Rb2n")
    [Word(text='Ra2n', column=1), Word(text='Rb2n', column=7)]
    """
    found = []
    for word in line.replace("\t", " ").split(" "):  # fast, because archives have millions of lines
        if word:
            found.append(Word(word, column))
        column += len(word) + 1
    return found


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
