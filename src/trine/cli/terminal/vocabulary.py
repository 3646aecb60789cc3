"""The commands that a dialogue understands besides the actions of the game.

Typed lines are translated from a language and script into English words and Latin letters. The
words come from the dialogue (`WORDS`) and from the games (`Handbook.words`).
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from trine.core.contract.handbook import numbered_clause
from trine.core.contract.position import Position
from trine.core.errors import MalformedError, TrineError
from trine.core.play import Play
from trine.core.text.language import Language, in_english
from trine.core.text.sentence import Text, ctexts, quoted, suggesting, text
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
    """Return a message with the words quoted from ``line`` written as they were typed.

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


SETTING_UP: Final = text("setting up")
PLAYING: Final = text("playing")
LOOKING: Final = text("looking")
STOPPING: Final = text("stopping")


@dataclass(frozen=True)
class Phrase:
    """A command that can be typed besides actions: its usage, its help and its topic."""

    usage: str
    help: Text
    topic: Text = PLAYING


OFFER_DRAW: Final = Phrase("offer draw", text("offer a draw"))
COMMANDS: Final = (
    Phrase("undo [N|all]", text("take back actions of the open turn")),
    Phrase(
        "moves [WORD]", text("show the legal actions, or those that begin with a word"), LOOKING
    ),
    Phrase("why ACTION", text("say why an action is not legal"), LOOKING),
    Phrase("try ACTION", text("show the board after an action, without playing it"), LOOKING),
    Phrase("insight", text("show threats and other insights"), LOOKING),
    Phrase("hint", text("let the computer think, and show what it would play and why"), LOOKING),
    Phrase("board", text("show the board again"), LOOKING),
    Phrase("flip", text("flip the board"), LOOKING),
    Phrase("turns", text("show the turns played so far"), LOOKING),
    Phrase("takeback", text("ask to take back the last whole turn")),
    OFFER_DRAW,
    Phrase("pause", text("ask for a pause, in which no time passes")),
    Phrase("continue", text("end the pause")),
    Phrase("accept", text("accept what was asked for")),
    Phrase("decline", text("decline it")),
    Phrase("resign", text("resign the game")),
    Phrase("save as FILE", text("write a copy of the record"), STOPPING),
    Phrase("help [WORD]", text("show what can be typed, or what a word does"), LOOKING),
    Phrase("quit", text("leave; the game is saved, and you can resume it"), STOPPING),
)
END: Final = Phrase(
    "end", text("end the turn (an empty line does it too, when nothing else is left)")
)
"""The command of games where a turn ends only when the player says so."""


def vocabulary(play: Play) -> Iterator[Phrase]:
    """Yield the commands that can be typed now, with their help."""
    if play.position.in_setup:
        for usage, meaning in play.room.rules.setup_words.items():
            yield Phrase(usage, meaning, SETTING_UP)
    for command in COMMANDS if play.room.rules.end is None else (END, *COMMANDS):
        if command is not OFFER_DRAW or play.position.rules.draws:
            yield command


def by_topic(play: Play, language: Language) -> list[Text]:
    """Return the commands that can be typed now, a line for each topic."""
    topics: dict[Text, list[str]] = {}
    for command in vocabulary(play):
        topics.setdefault(command.topic, []).append(usage_in(command.usage, language))
    return [
        text("{topic}: {words}", topic=topic, words=", ".join(usages))
        for topic, usages in topics.items()
    ]


def meanings(play: Play, word: str = "") -> list[Phrase]:
    """Return the commands that begin with some words; raises `MalformedError` if none does."""
    phrases = list(vocabulary(play))
    matching = [
        phrase
        for phrase in phrases
        if phrase.usage.lower().split()[: len(word.split())] == word.split()
    ]
    if not matching:
        unknown = text("help knows no {given}", given=quoted(word))
        raise MalformedError(
            suggesting(unknown, word, (phrase.usage.split()[0] for phrase in phrases))
        )
    return matching


def candidates(
    play: Play, line: str, language: Language, commands: Iterable[Phrase] | None = None
) -> list[str]:
    """Return the completions of a line's last word: actions, and for the first word commands."""
    before, _, last = line.rpartition(" ")
    if play.outcome:
        return []
    position = play.position
    try:
        if before:
            position = play.interpret(before).end
    except TrineError:
        return []
    actions = [str(action) for action in position.legal_actions(play.history)]
    candidates_found = list(actions)
    if not before:
        phrases = vocabulary(play) if commands is None else commands
        candidates_found += dict.fromkeys(
            usage_in(phrase.usage.split()[0], language) for phrase in phrases
        )
    matching = dict.fromkeys(
        word for word in candidates_found if word.lower().startswith(last.lower())
    )
    # In some games people leave out the letter of a piece: a2 completes to a2n.
    return list(matching) or [
        word[1:]
        for word in actions
        if word[1:].startswith(last.lower()) and _means(play, position, word[1:], word)
    ]


def _means(play: Play, position: Position, typed: str, word: str) -> bool:
    """Return whether a game reads typed text as the action in this notation."""
    try:
        return [word] == list(map(str, play.room.rules.interpret(position, typed, play.history)))
    except TrineError:
        return False


def example_of(play: Play) -> str:
    """Return a legal action as an example of the notation.

    Actions are ordered from the first player's side on; for that player the last is taken, since
    the first would often be a step back.
    """
    _, actions = play.room.view.group_actions(play.position, play.legal_actions())[0]
    return str(actions[0 if play.mover else -1])


def legality_of(play: Play, line: str) -> list[Text]:
    """Return sentences: that actions are legal, with warnings, or why they are not legal."""
    try:
        read = play.interpret(line)
    except TrineError as error:
        values = error.message.values
        if not isinstance(reason := values.get("reason"), Text):
            return [error.text]
        alone = str(values.get("given")) == line  # for a single action, only the reason is needed
        return [reason if alone else error.text, *_source(play, reason)]
    step_readings = (play.room.view.reading(step.before, step.action) for step in read.steps)
    readings = [reading for reading in step_readings if reading]
    return [text("{step} is legal", step=line), *readings, *read.warnings(play.history)]


def _source(play: Play, reason: Text) -> list[Text]:
    """Return the clause of the rule book that a reason cites, if any."""
    rulebook = play.room.rulebook(play.position.rules.name)
    if not (found := numbered_clause(reason, rulebook)):
        return []
    number, clause = found
    return [text("rule {number}: {source}", number=number, source=clause.source)]
