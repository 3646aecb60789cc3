"""Conversations line by line, for tests."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from cli.terminal.computers import QuickHintBot
from playing import HandClock, converse, live, plain_screen, shown, terms
from tables import parts
from trine.cli.terminal.dialogue import Dialogue
from trine.cli.terminal.lessons import LessonDialogue
from trine.core.errors import TrineError
from trine.play.record.agreed_terms import Terms


@contextmanager
def talking(path: Path, agreed: Terms, now: HandClock | None = None) -> Iterator[Dialogue]:
    with live(path, agreed, now) as game:
        yield Dialogue(game, plain_screen(), hint_bot=QuickHintBot(agreed.room.name))


def said(dialogue: Dialogue | LessonDialogue, *lines: str) -> str:
    """Do some lines; return the answer to the last one."""
    before = 0
    for line in lines:
        before = len(shown(dialogue.screen))
        try:
            dialogue.do(line)
        except TrineError as error:
            dialogue.refused += 1
            dialogue.screen.complain(error)
    return shown(dialogue.screen)[before:]


def check_talk(dialogue: Dialogue | LessonDialogue, talk: str) -> None:
    """Type lines, and compare the answers with the words that are in them or, with `!`, are not.

    A conversation is written `typed -> words + !words ; typed ; Enter -> words`.
    """
    for exchange in parts(talk):
        typed, _, expected = exchange.partition(" -> ")
        answer = said(dialogue, {"Enter": "", "Spaces": "   "}.get(typed, typed))
        for words in filter(None, expected.split(" + ")):
            assert (words.removeprefix("!") in answer) != words.startswith("!"), (typed, answer)


def transcript(path: Path, *lines: str | Callable[[], object], agreed: Terms | None = None) -> str:
    with live(path, agreed or terms()) as game:
        return shown(converse(game, *lines).screen)
