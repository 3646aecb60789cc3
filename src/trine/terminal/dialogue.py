"""The conversation of a game: shows the board, asks for the next move, does what is asked for."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from trine.core.clock import format_seconds
from trine.core.errors import IllegalError, MalformedError, TrineError
from trine.core.text import Text, join, ntext, text
from trine.core.textboard import Look
from trine.core.words import quoted
from trine.record.files import file_error
from trine.record.live import LiveGame
from trine.record.replay import describe, written_actions
from trine.terminal.reader import Reader, TimeUpError
from trine.terminal.screen import Screen
from trine.terminal.sentences import changed_cells, last_turn


@dataclass(frozen=True)
class Command:
    """A word that the conversation understands besides actions."""

    usage: str
    help: Text


COMMANDS: Final = (
    Command("end", text("end the turn (an empty line does it too, when nothing else is left)")),
    Command("undo [N|all]", text("take back actions of the open turn")),
    Command("moves", text("show the legal actions")),
    Command("why STEP", text("say why a step is not legal")),
    Command("insight", text("show frozen pieces, trap holders, threats")),
    Command("board", text("show the board again")),
    Command("flip", text("turn the board around")),
    Command("turns", text("show the turns played so far")),
    Command("takeback", text("ask to take back the last whole turn")),
    Command("offer draw", text("offer a draw")),
    Command("accept", text("accept what the other side has asked for")),
    Command("decline", text("decline it")),
    Command("resign", text("give up")),
    Command("save as FILE", text("write a copy of the record")),
    Command("help", text("show this")),
    Command("quit", text("break off; the record is kept and can be gone on with")),
)


@dataclass
class Dialogue:
    """A conversation about one game."""

    game: LiveGame
    screen: Screen
    pieces: str = "letters"
    flipped: bool = False
    refused: int = 0
    """How many lines were refused."""
    interrupted: bool = False
    """Whether Ctrl-C broke the conversation off."""
    _request: str = ""
    """What the other side has been asked for: ``draw``, ``takeback`` or nothing."""
    _asked_by: int = 0
    _resigning: bool = False
    """Whether the line before this one was ``resign``, which must be said twice."""
    _quit: bool = False

    # --- the loop --------------------------------------------------------------------------------

    def run(self, reader: Reader) -> None:
        """Converse until the play is over or broken off."""
        self.show()
        try:
            while not self.game.play.outcome and not self._quit:
                self._turn(reader)
        except EOFError:
            pass
        except KeyboardInterrupt:
            self.interrupted = True
        finally:
            self.game.close()
        self._farewell()

    def _turn(self, reader: Reader) -> None:
        line: str | None = None
        try:
            line = reader.read(f"{self.game.play.turn_tag}> ", self.game.time_left)
        except TimeUpError:
            pass
        if self.game.check_time():
            self.screen.say(text("time is up"))
            return
        if line is None:
            return
        try:
            self.do(line)
        except TrineError as error:
            self.refused += 1
            self.screen.complain(error)

    def do(self, line: str) -> None:
        """Do what one line asks for.

        Raises:
            TrineError: it cannot be read or is not allowed; nothing has changed.
        """
        words = line.split()
        self._resigning = self._resigning and line.strip().lower() == "resign"
        if not words:
            self._empty_line()
            return
        handler = self._handlers().get(words[0].lower())
        if handler:
            handler(words[1:])
        else:
            self._enter(line)

    def _handlers(self) -> Mapping[str, Callable[[list[str]], None]]:
        return {
            "undo": self._undo,
            "moves": self._moves,
            "why": self._why,
            "insight": self._insight,
            "board": lambda _: self.show(),
            "flip": self._flip,
            "turns": self._turns,
            "takeback": self._ask_takeback,
            "offer": self._ask_draw,
            "accept": self._accept,
            "decline": self._decline,
            "resign": self._resign,
            "save": self._save,
            "help": self._help,
            "?": self._help,
            "quit": self._leave,
            "exit": self._leave,
        }

    # --- playing ---------------------------------------------------------------------------------

    def _enter(self, line: str) -> None:
        turns = len(self.game.play.turns)
        self.game.enter(line)
        ended = self.game.play.turns[turns:]
        if self._request == "takeback" and ended:
            self._request = ""  # another turn is the last one now
        if any(turn.player != self._asked_by for turn in ended):
            self._request = ""  # who was asked has played on instead
        self.show()

    def _empty_line(self) -> None:
        if self._only_end_is_left():
            self._enter("end")
        else:
            self.screen.say(text("type a step, or help"))

    def _only_end_is_left(self) -> bool:
        play = self.game.play
        return play.room.end is not None and play.legal_actions() == (play.room.end,)

    def _undo(self, words: list[str]) -> None:
        open_actions = len(self.game.play.open_actions)
        count = 1
        if [word.lower() for word in words] == ["all"]:
            count = max(open_actions, 1)
        elif words:
            if not (len(words) == 1 and re.fullmatch("[1-9][0-9]{0,2}", words[0])):
                raise MalformedError(
                    text("undo takes a number or all, not {given}", given=quoted(" ".join(words)))
                )
            count = int(words[0])
        if count > max(open_actions, 1):
            raise IllegalError(
                ntext(
                    "this turn has {count} action to take back",
                    "this turn has {count} actions to take back",
                    open_actions,
                )
            )
        for _ in range(count):
            self.game.undo()
        self.show()

    def _resign(self, words: list[str]) -> None:
        if words:
            raise MalformedError(text("resign stands alone"))
        # At a terminal a line of the history is quickly sent by mistake.
        if self.screen.plain or self._resigning:
            self.game.resign()
        else:
            self._resigning = True
            self.screen.say(text("type resign once more to give up"))

    # --- consent ---------------------------------------------------------------------------------

    def _ask_takeback(self, words: list[str]) -> None:
        if not self.game.terms.takebacks:
            raise IllegalError(
                text("this game was begun without taking turns back; see trine play --takebacks")
            )
        if not self.game.play.turns:
            raise IllegalError(text("there is no turn to take back"))
        self._request, self._asked_by = "takeback", self.game.play.mover
        self.screen.say(text("take back the last turn? accept or decline"))

    def _ask_draw(self, words: list[str]) -> None:
        if [word.lower() for word in words] != ["draw"]:
            raise MalformedError(text("only a draw can be offered: offer draw"))
        if not self.game.terms.draws:
            raise IllegalError(text("this game was begun without draws by agreement"))
        play = self.game.play
        self.game.remark(f"{play.room.player_tags[play.mover]} offers a draw")
        self._request, self._asked_by = "draw", play.mover
        self.screen.say(
            text("{player} offers a draw; accept or decline", player=self._player(play.mover))
        )

    def _accept(self, words: list[str]) -> None:
        request, self._request = self._request, ""
        if request == "draw":
            self.game.agree_draw()
        elif request == "takeback":
            self.game.take_back()
            self.show()
        else:
            raise IllegalError(text("nothing was asked for"))

    def _decline(self, words: list[str]) -> None:
        if not self._request:
            raise IllegalError(text("nothing was asked for"))
        self._request = ""
        self.game.remark("declined")
        self.screen.say(text("declined; play goes on"))

    # --- looking ---------------------------------------------------------------------------------

    def show(self, marks: Mapping[str, frozenset[str]] | None = None) -> None:
        """Show the board, with marks if there are any, and beside it whose turn it is."""
        play = self.game.play
        look = Look(self.pieces, self.flipped, self._last_cells(), marks or {})
        self.screen.show_board(play.room.text_board(play.position, look), self._beside())

    def _last_cells(self) -> frozenset[str]:
        """The cells that the last turn changed, whole or still open."""
        play = self.game.play
        if play.open_actions or not play.turns:
            return changed_cells(play.room, play.turn_start, play.open_actions)
        return changed_cells(play.room, play.turns[-1].before, play.turns[-1].actions)

    def _beside(self) -> list[Text]:
        play = self.game.play
        lines = last_turn(play.room, play.turns)
        if play.outcome:
            return [*lines, describe(play.room, play.outcome)]
        lines.append(
            text("{turn}: {player} to move", turn=play.turn_tag, player=self._player(play.mover))
        )
        if play.open_actions and not play.turn_start.in_setup:
            steps = written_actions(play.room, play.turn_start, play.open_actions)
            lines.append(text("so far: {steps}", steps=steps))
        lines += play.room.status(play.position)
        if self._only_end_is_left():
            lines.append(text("Enter ends the turn; undo takes back"))
        if self.game.clock:
            lines.append(self.clock_line())
        return lines

    def clock_line(self) -> Text:
        """What each player has left."""
        game, clock = self.game, self.game.clock
        assert clock is not None
        parts = []
        for player in range(len(game.terms.names)):
            left = game.time_left if player == game.play.mover else clock.left(player)
            shown = "∞" if left == float("inf") else format_seconds(int(max(left, 0)))
            parts.append(
                text("{player} {time}", player=game.play.room.player_names[player], time=shown)
            )
        return text("clock: {times}", times=join(parts))

    def _player(self, player: int) -> Text:
        room, name = self.game.play.room, self.game.terms.names[player]
        side = room.player_names[player]
        if name == room.player_tags[player]:
            return side  # nobody gave a name
        return text("{side} ({name})", side=side, name=name)

    def _moves(self, words: list[str]) -> None:
        play = self.game.play
        for heading, actions in play.room.group_actions(play.position, play.legal_actions()):
            said = self.screen.language.say(heading)
            self.screen.say_all([f"{said}: {' '.join(map(str, actions))}"])

    def _why(self, words: list[str]) -> None:
        if not words:
            raise MalformedError(text("why takes a step, such as why a2s"))
        try:
            self.game.play.interpret(" ".join(words))
        except TrineError as error:
            self.screen.say(error.text)
        else:
            self.screen.say(text("{step} is legal", step=" ".join(words)))

    def _insight(self, words: list[str]) -> None:
        play = self.game.play
        seen = play.room.insight(play.position)
        self.show(seen.marks())
        self.screen.say_all(seen.sentences())

    def _flip(self, words: list[str]) -> None:
        self.flipped = not self.flipped
        self.show()

    def _turns(self, words: list[str]) -> None:
        room = self.game.play.room
        for turn in self.game.play.turns:
            self.screen.say_all(
                [f"{room.tag(turn.before)} {written_actions(room, turn.before, turn.actions)}"]
            )

    def _help(self, words: list[str]) -> None:
        say = self.screen.language.say
        self.screen.say(text("type one or more steps, such as a2n b2n, or:"))
        special = self.game.play.room.prompt_words.items()
        lines = [*special, *((command.usage, command.help) for command in COMMANDS)]
        self.screen.say_all(f"{usage:<22}{say(meaning)}" for usage, meaning in lines)

    # --- the file --------------------------------------------------------------------------------

    def _save(self, words: list[str]) -> None:
        name = " ".join(words[1:] if words[:1] and words[0].lower() == "as" else words)
        if not name:
            raise MalformedError(text("save as takes the name of a file"))
        try:
            path = Path(name).expanduser()
            with path.open("xb") as copy:
                copy.write(self.game.log.path.read_bytes())
        except FileExistsError:
            raise IllegalError(text("{file} exists; choose another name", file=name)) from None
        except (OSError, RuntimeError, ValueError) as error:
            raise file_error(quoted(name), error) from None
        self.screen.say(text("a copy is in {file}", file=str(path)))

    def _leave(self, words: list[str]) -> None:
        self._quit = True

    def _farewell(self) -> None:
        play, path = self.game.play, str(self.game.log.path)
        if play.outcome:
            self.screen.say(describe(play.room, play.outcome))
            self.screen.say(text("the record is in {file}", file=path))
        else:
            self.screen.say(text("kept; go on with: trine resume {file}", file=shlex.quote(path)))

    # --- completion ------------------------------------------------------------------------------

    def candidates(self, line: str) -> list[str]:
        """What the last word of a line can become: legal actions, and at its beginning commands."""
        before, _, last = line.rpartition(" ")
        play = self.game.play
        position = play.position
        try:
            for action in play.room.interpret(position, before, play.history) if before else ():
                position = position.play_unchecked(action)
        except TrineError:
            return []
        if play.outcome:
            return []
        actions = [str(action) for action in position.legal_actions(play.history)]
        words = list(actions)
        if not before:
            words += [command.usage.split()[0] for command in COMMANDS if command.usage != "end"]
            words += dict.fromkeys(usage.split()[0] for usage in play.room.prompt_words)
        matching = [word for word in words if word.lower().startswith(last.lower())]
        # People leave the letter of the piece out: a2 completes to a2n.
        return matching or [word[1:] for word in actions if word[1:].startswith(last)]
