"""Computer players and advisers for conversations: quick, and with the faults that a test wants."""

import io
from collections.abc import Callable
from pathlib import Path
from random import Random

from rich.console import Console

from engine.protocol.fakes import random_turn
from playing import HandClock, Script, plain_screen, shown
from trine.cli.terminal.dialogue import Dialogue
from trine.cli.terminal.opponents import HintBot, Opponents
from trine.cli.terminal.screen import Screen
from trine.cli.terminal.thinking import InterruptibleRunner
from trine.core.clock import Limits
from trine.core.contract.position import Action
from trine.core.contract.score import Score
from trine.core.play import Play
from trine.core.text.language import open_language
from trine.core.text.sentence import Text, verbatim
from trine.core.work.stop import Stop
from trine.engine.players.player import Decision, ForfeitError
from trine.engine.search.info import Info, OnInfo
from trine.play.record.agreed_terms import Terms
from trine.play.session.file_journal import FileJournal, begin_in_file
from trine.play.session.game import Game

Decide = Callable[[Play], Decision]


class Puppet:
    """Does what a test says; by default, plays by chance."""

    def __init__(self, decide: Decide | None = None, *, name: str = "puppet") -> None:
        self.name = name
        self.begun: list[str] = []
        self.asked: list[Limits] = []
        self.closed = False
        self._decide = decide
        self._rng = Random(7)

    def begin(self, play: Play) -> None:
        self.begun.append(play.turn_tag)

    def choose(
        self, play: Play, limits: Limits, told: OnInfo | None = None, stop: Stop | None = None
    ) -> Decision:
        self.asked.append(limits)
        return self._decide(play) if self._decide else Decision(random_turn(play, self._rng))

    def close(self) -> None:
        self.closed = True


def failing(message: str, transcript: str = "") -> Decide:
    def decide(play: Play) -> Decision:
        raise ForfeitError(verbatim(message), transcript)

    return decide


def thinking_that(points: int) -> Decide:
    """A turn by chance, by somebody who thinks that it stands so."""

    def decide(play: Play) -> Decision:
        turn = random_turn(play, Random(1))
        return Decision(turn, Info(3, Score(points), turn, 100, 0.1))

    return decide


class QuickHintBot(HintBot):
    def open(self, thinking: InterruptibleRunner) -> bool:
        return True

    def advise(
        self, play: Play, thinking: InterruptibleRunner, left: float
    ) -> tuple[str, list[Text]]:
        first = str(play.legal_actions()[0])
        return first, [verbatim(f"hint: {first}"), verbatim("because")]


def with_computers(
    path: Path,
    agreed: Terms,
    players: dict[int, Puppet],
    *lines: str | Callable[[], object],
    now: HandClock | None = None,
) -> tuple[str, Game[FileJournal]]:
    """All that is said in a conversation in which computer players take part, and the game."""
    game = begin_in_file(agreed, path, now or HandClock())
    dialogue = Dialogue(game, plain_screen(), opponents=Opponents(players))
    dialogue.run(Script(*lines))
    assert all(player.closed for player in players.values())
    return shown(dialogue.screen), game


def terminal_screen(
    width: int = 100, height: int = 50, language: str = "en"
) -> tuple[Screen, io.StringIO]:
    file = io.StringIO()
    console = Console(
        file=file, width=width, height=height, force_terminal=True, color_system=None, _environ={}
    )
    return Screen(open_language(language), console), file


def whole(*actions: Action) -> Decide:
    return lambda play: Decision(actions)
