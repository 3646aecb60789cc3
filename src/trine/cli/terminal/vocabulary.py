"""The commands that a dialogue understands besides the actions of the game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from trine.cli.terminal.spoken import usage_in
from trine.core.contract.handbook import numbered_clause
from trine.core.contract.position import Position
from trine.core.errors import MalformedError, TrineError
from trine.core.play import Play
from trine.core.text.language import Language
from trine.core.text.sentence import Text, quoted, suggesting, text

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
