"""The dialogue of a game: it shows the board, reads a line, and carries it out."""

import math
import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import InitVar, dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from trine.cli.terminal.opponents import HintBot, Opponents
from trine.cli.terminal.reader import LineReader, TimeUpError
from trine.cli.terminal.running_game import ComputerTurns, Consent, ScreenView, ready_action
from trine.cli.terminal.screen import Screen, program_command
from trine.cli.terminal.thinking import InterruptibleRunner, heartbeat
from trine.cli.terminal.vocabulary import (
    ANSWERS,
    by_topic,
    example_of,
    legality_of,
    meanings,
    read_line,
    usage_in,
    vocabulary,
)
from trine.core.contract.lesson import FirstGame
from trine.core.errors import IllegalError, MalformedError, TrineError
from trine.core.play import written_actions
from trine.core.text.sentence import Text, nearest, ntext, quoted, text, typed_line
from trine.core.work.files import file_error
from trine.engine.players.stand_in import quick_advice
from trine.games import first_game_after
from trine.play.record.replay import record_of
from trine.play.record.text_files import open_to_write
from trine.play.session.commands import Act, Remark, Resign, Resume, Undo
from trine.play.session.file_journal import FileJournal
from trine.play.session.game import Game
from trine.play.session.state import DRAW, WISHES

MAX_LISTED: Final = 24
"""If the board marks the legal actions, those of one kind are also listed up to this number."""


@dataclass
class Dialogue:
    """The dialogue of one game."""

    game: Game[FileJournal]
    screen: Screen
    pieces: InitVar[str] = ""
    flipped: InitVar[bool] = False
    opponents: Opponents = field(default_factory=Opponents)
    hint_bot: HintBot | None = None  # the source of hints; None to open one for the first hint
    first: FirstGame | None = None
    """The game for beginners that is played, if any; its sentences are shown along the way."""
    refused: int = 0  # number of lines that were refused
    interrupted: bool = False  # whether Ctrl-C ended the dialogue
    view: ScreenView = field(init=False)
    consent: Consent = field(init=False)
    computers: ComputerTurns = field(init=False)
    thinking: InterruptibleRunner = field(init=False)
    _unconfirmed: str = ""  # the last line, if it must be typed again as confirmation; else empty
    _quit: bool = False
    _shown_turns: int = -1  # number of turns played when the last sentence for beginners was shown
    _needs_greeting: bool = True  # whether the sentence on what to type has not been shown yet

    def __post_init__(self, pieces: str, flipped: bool) -> None:
        names = {seat: player.name for seat, player in self.opponents.players.items()}
        self.view = ScreenView(self.game, self.screen, pieces, flipped, names)
        self.thinking = InterruptibleRunner(self.screen)
        self.computers = ComputerTurns(self.view, self.opponents, self.thinking)
        self.consent = Consent(self.computers)

    def run(self, reader: LineReader) -> None:
        """Run the dialogue until the game is over, or the person leaves."""
        try:
            with heartbeat(self.game):
                self._converse(reader)
        except EOFError:
            pass
        except KeyboardInterrupt:
            self.interrupted = True
        finally:
            self.game.close()
            self.opponents.close()
            if self.hint_bot:
                self.hint_bot.close()
        self._farewell()

    def _converse(self, reader: LineReader) -> None:
        if self.game.state.paused is not None and not (self.game.over or self._paused):
            self.game.do(Resume())
        self.view.show()
        self.computers.begin()
        self.consent.remind()
        while not self.game.over and not self._quit:
            if self.game.play.mover in self.opponents and not self._paused:
                with self.thinking.interruptible():
                    self.computers.take_turn()
                self._time_is_up()
            else:
                self._turn(reader)

    @property
    def _paused(self) -> bool:
        return self.game.state.by_consent

    def _turn(self, reader: LineReader) -> None:
        line: str | None = None
        if self._needs_greeting and not self.screen.plain:
            self._say_what_to_type()
        self._needs_greeting = False
        turns = self.game.play.turns
        if self.first and len(turns) > self._shown_turns:
            self._shown_turns = len(turns)
            if sentence := self.first.line(turns, self.game.play.mover):
                self.screen.say(self.first.typed if self.first.typed and not turns else sentence)
        if self.thinking.take_missed_press():
            self._say_too_late()
        try:
            left = math.inf if self._paused else self.game.time_left
            line = reader.read(f"{self.game.play.turn_tag}> ", left)
        except TimeUpError:
            pass
        except KeyboardInterrupt:
            if not self.thinking.is_late_press():
                raise
            self._say_too_late()
        if self._time_is_up() or line is None:
            return
        try:
            self.do(line)
        except TrineError as error:
            self.refused += 1
            self.screen.complain(error)
            if isinstance(error, MalformedError):
                self.screen.say(self._what_to_type(line))

    def _what_to_type(self, line: str) -> Text:
        """Return a suggestion for a line that cannot be read."""
        commands = (re.split(r" (?=[A-Z[])", one.usage)[0] for one in vocabulary(self.game.play))
        usages = [usage_in(words, self.screen.language) for words in commands]
        first, *rest = line.lower().split() or [""]
        near = nearest(first, dict.fromkeys(usage.split()[0] for usage in usages))
        if near == first and rest:
            near = nearest(f"{first} {rest[0]}", usages)
        if near and not line.lower().startswith(near):
            return text("did you mean {word}? help lists what can be typed", word=near)
        return text("help lists what can be typed")

    def _say_what_to_type(self) -> None:
        play, example = self.game.play, example_of(self.game.play)
        if play.room.sets_up_whole(play.position):  # beginners do not set up piece by piece
            example = usage_in(next(iter(play.room.rules.setup_words)), self.screen.language)
        self.screen.say(text("type an action such as {example}, or help", example=example))

    def _say_too_late(self) -> None:
        self.screen.say(text("the computer had finished already; another Ctrl-C leaves the game"))

    def _time_is_up(self) -> bool:
        """End the game if the time of the player to move is up; return whether it was up."""
        mover = self.view.player(self.game.play.mover)
        if not self.game.check_time():
            return False
        self.screen.say(text("{player}: time is up", player=mover))
        if not self.game.over:
            self.view.show()
        return True

    def do(self, line: str) -> None:
        """Carry out a line; raises `TrineError`, then nothing has changed."""
        self.screen.last_line = line
        line = self._read(line)
        ready = ready_action(self.game.play) if not line.split() else None
        line = line if ready is None else str(ready)
        words = line.split()
        if words != self._unconfirmed.split():
            self._unconfirmed = ""
        if not words:
            self._say_what_to_type()
            return
        first = words[0].lower()
        if handler := self._handlers().get(first):
            handler(words[1:])
        elif first in self.game.play.room.rules.words_by_consent:
            self.consent.ask_for(line)
        else:
            self._enter(line)

    def _read(self, line: str) -> str:
        """Return a line in English words and Latin letters; say if letters of squares changed."""
        read = read_line(line, self.screen.language)
        if read.split(" ")[0] in ANSWERS:
            return line
        # Show the correction, so that people do not put the lookalike letters into record files.
        typed = line.split()
        places = [word for word in read.split() if word not in typed and re.search(r"\d", word)]
        if places:
            self.screen.say(text("read as {line}", line=" ".join(places)))
        return read

    def _handlers(self) -> Mapping[str, Callable[[list[str]], None]]:
        return {
            "undo": self._undo,
            "moves": self._moves,
            "why": self._why,
            "try": self._try,
            "insight": self._insight,
            "hint": self._hint,
            "board": lambda _: self.view.show(),
            "flip": self._flip,
            "turns": self._turns,
            **{wish: partial(self.consent.ask, wish) for wish in WISHES.keys() - {DRAW}},
            "takeback": self.consent.ask_takeback,
            "offer": self.consent.ask_draw,
            "continue": self._continue,
            "accept": self.consent.accept,
            "decline": self.consent.decline,
            "resign": self._resign,
            "save": self._save,
            "help": self._help,
            "?": self._help,
            "quit": self._leave,
            "exit": self._leave,
        }

    def _enter(self, line: str) -> None:
        read, rest = self.game.play.interpret_to_the_end(line)
        if (warnings := read.warnings(self.game.play.history)) and self._must_confirm(line):
            self.screen.say_all(warnings, indent="")
            self.screen.say(text("type it again to play it anyway"))
            return
        self.game.do(Act(read))
        self.view.show()
        if rest:
            self.screen.say(text("the game is over; not played: {line}", line=rest))

    def _must_confirm(self, line: str) -> bool:
        """Return whether a line must be typed again to confirm it; never over a pipe."""
        if self.screen.plain or self._unconfirmed:
            return False
        self._unconfirmed = line
        return True

    def _undo(self, args: list[str]) -> None:
        open_actions = len(self.game.play.open_actions)
        if not (args or open_actions) and self.game.state.placed(1):
            self.computers.take_back_placement()
            return
        count = 1
        if [word.lower() for word in args] == ["all"]:
            count = max(open_actions, 1)
        elif args:
            if not (len(args) == 1 and re.fullmatch("[1-9][0-9]{0,2}", args[0])):
                raise MalformedError(
                    "undo takes a number or all, not {given}", given=quoted(" ".join(args))
                )
            count = int(args[0])
        if count > max(open_actions, 1):
            if not open_actions and self.game.play.turns and self.game.terms.takebacks:
                raise IllegalError(
                    "this turn has no action to take back; takeback asks for the last turn"
                )
            raise IllegalError(
                ntext(
                    "this turn has {count} action to take back",
                    "this turn has {count} actions to take back",
                    open_actions,
                )
            )
        self.game.do(Undo(count))
        self.view.show()

    def _resign(self, args: list[str]) -> None:
        if args:
            raise MalformedError("{word} stands alone", word="resign")
        # At a terminal, a line of the history is easily sent by mistake.
        if self._must_confirm("resign"):
            self.screen.say(text("type resign again to confirm"))
            return
        self.game.do(Resign(self.game.play.mover))
        if not self.game.over:
            self.view.show()

    def _continue(self, args: list[str]) -> None:
        if args:
            raise MalformedError("{word} stands alone", word="continue")
        self.game.do(Resume())
        self.view.show()

    def _moves(self, args: list[str]) -> None:
        play, beginning = self.game.play, " ".join(args).lower()
        every = play.legal_actions()
        # People leave out the letter of a piece: c2 also means Cc2n.
        legal = [action for action in every if str(action).lower().startswith(beginning)] or [
            action for action in every if str(action)[1:].startswith(beginning)
        ]
        if not legal:
            refusal = play.room.view.refusal(play.position, [beginning], play.history)
            raise IllegalError(
                refusal or text("no legal action begins with {given}", given=quoted(" ".join(args)))
            )
        marked = self.view.board(play, targets=legal) != self.view.board(play)
        if marked:
            self.view.show(targets=legal)  # the board of this game can mark the targets of actions
        for heading, actions in play.room.view.group_actions(play.position, legal):
            listed = typed_line(" ".join(map(str, actions)))
            if marked and not beginning and len(actions) > MAX_LISTED:
                listed = text("{count}, marked on the board", count=len(actions))
            self.screen.say_all([text("{heading}: {actions}", heading=heading, actions=listed)])

    def _why(self, args: list[str]) -> None:
        line = " ".join(args)
        if not line:
            raise MalformedError(
                "why takes an action, such as why {example}", example=example_of(self.game.play)
            )
        verdict, *warnings = legality_of(self.game.play, line)
        self.screen.say(verdict)
        self.screen.say_all(warnings)

    def _try(self, args: list[str]) -> None:
        line = " ".join(args)
        if not line:
            raise MalformedError(
                "try takes an action, such as try {example}", example=example_of(self.game.play)
            )
        read, ahead = self.game.play.interpret(line), self.game.play.copy()
        ahead.follow(read)
        self.view.show(play=ahead)
        self.screen.say_all(read.warnings(self.game.play.history))
        self.screen.say(text("this is only a preview; {line} is not played", line=line))

    def _insight(self, args: list[str]) -> None:
        play = self.game.play
        seen = play.room.view.insight(play.position)
        self.view.show_telling(seen.sentences(), seen.marks())

    def _hint(self, args: list[str]) -> None:
        game = self.game
        game.play.room.check_search(game.play.position)
        hint_bot = self.hint_bot = self.hint_bot or HintBot(
            game.play.room.name,
            self.opponents.without_clock,
            self.opponents.settings,
            self.opponents.compilation,
            has_substitute=bool(game.play.room.handbook.strategists) and not self.screen.plain,
        )
        with self.thinking.interruptible():
            with game.preparing():
                ready = hint_bot.open(self.thinking)
            if ready:
                turn, sentences = hint_bot.advise(game.play, self.thinking, game.time_left)
            else:
                decision, sentences = quick_advice(game.play)
                turn = written_actions(game.play.room, game.play.position, decision.actions)
            game.do(Remark(f"hint: {turn}", game.play.mover))
            self.screen.say_all(sentences[:1], indent="")
            self.screen.say_all(sentences[1:])

    def _flip(self, args: list[str]) -> None:
        self.view.flipped = not self.view.flipped
        self.view.show()

    def _turns(self, args: list[str]) -> None:
        self.screen.say_all(
            f"{turn.tag} {' '.join(word.text for word in turn.words)}"
            for turn in record_of(self.game.play).turns
        )

    def _help(self, args: list[str]) -> None:
        play = self.game.play
        example = text(
            "type one or more actions, such as {example}, or:", example=example_of(self.game.play)
        )
        if not args and not self.screen.plain:
            more = text("help all explains everything; help WORD explains one word")
            self.view.show_telling([example, *by_topic(play, self.screen.language), more])
            return
        word = " ".join(args).lower()
        phrases = meanings(play, "" if word == "all" else word)
        if word in ("", "all"):
            self.screen.say(example)
        self.screen.say_meanings(
            (usage_in(phrase.usage, self.screen.language), phrase.help) for phrase in phrases
        )

    def _save(self, args: list[str]) -> None:
        name = " ".join(args[1:] if args[:1] and args[0].lower() == "as" else args)
        if not name:
            raise MalformedError("save as takes the name of a file")
        try:
            path = Path(name).expanduser()
            if path.exists():
                raise IllegalError("{file} exists; choose another name", file=name)
            record = self.game.journal.path.read_bytes().decode()
            with open_to_write(path) as copy:
                copy.write(record)
        except TrineError:
            raise
        except (OSError, RuntimeError, ValueError) as error:
            raise file_error(quoted(name), error) from None
        self.screen.say(text("a copy is in {file}", file=str(path)))

    def _leave(self, args: list[str]) -> None:
        self._quit = True

    def _farewell(self) -> None:
        play, path = self.game.play, str(self.game.journal.path)
        if play.outcome:
            self.screen.say(self.view.outcome(play))
            self.screen.say(text("the record is in {file}", file=path))
            if self.first and (after := first_game_after(self.first.name)):
                command = f"{program_command()} play --first {after.name}"
                self.screen.say_command(text("to continue, run: {command}", command=command))
        else:
            command = f"{program_command()} resume {shlex.quote(path)}"
            self.screen.say_command(
                text("the game is saved; to continue, run: {command}", command=command)
            )
