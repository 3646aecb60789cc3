"""Code shared by the formats of other programs, from our records and to them.

Neither states whether an action captures or stacks: the board decides, so readers follow the board,
without judging it; that is for the referee. Both play `official`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from trine.core.contract import Format, oneword
from trine.core.contract.outcome import Reason
from trine.core.contract.position import position_after
from trine.core.contract.record import STOPS, Record
from trine.core.errors import FileError, MalformedError, TrineError
from trine.core.text.sentence import Text
from trine.core.text.words import quoted
from trine.games.tzaar.board import PIECES, SEATS, SIDES, WHITE
from trine.games.tzaar.diagrams import parse_position
from trine.games.tzaar.notation import parse_action
from trine.games.tzaar.position import Position
from trine.games.tzaar.rules import RULE_SETS, Action, Capture, Stacking
from trine.games.tzaar.starts import OPTIONS, start

OFFICIAL: Final = RULE_SETS["official"]
RESIGN: Final = "resign"
"""The word for a resignation, in our records and in those of both."""


def new_record(line: int, file: str) -> Record:
    """Return an empty record of `official`."""
    return Record({"Game": "tzaar", "Rules": OFFICIAL.name}, line=line, file=file)


def moved(position: Position, origin: int, target: int) -> Capture | Stacking:
    """Return the action that moves a stack to a point: the board decides its kind."""
    own = position.tops[target] in PIECES[position.mover]
    return Stacking(origin, target) if own else Capture(origin, target)


def start_of(record: Record) -> Position:
    """Return the position in which a record begins.

    Raises:
        TrineError: a tag is not right.
    """
    tags = record.tags
    rules = tags.get("Rules")
    if rules is not None and rules not in RULE_SETS:
        raise MalformedError("TZAAR has no rule set {given}", given=quoted(rules))
    if "Start" in tags:
        return parse_position(tags["Start"], RULE_SETS[rules] if rules else None)
    options = {option.tag: tags[option.tag] for option in OPTIONS if option.tag in tags}
    return start(rules or OFFICIAL.name, options)


def kept_turns(record: Record) -> list[tuple[int, list[Action]]]:
    """Return the turns that remain in a record: player and actions; no actions mean a resignation.

    Raises:
        MalformedError: a word is no action.
    """
    turns: list[tuple[int, list[Action]]] = []
    for turn, words in oneword.kept_turns(record):
        player = next((side for side in SIDES if turn.letter == SEATS[side].letter), None)
        if player is None:
            raise MalformedError("{given} is nobody's turn in TZAAR", given=quoted(turn.tag)).at(
                record.file, turn.line
            )
        if words[-1].text in STOPS:
            if STOPS[words[-1].text] is Reason.RESIGNATION:
                turns.append((player, []))
        else:
            try:
                actions = [parse_action(word.text) for word in words]
            except MalformedError as error:
                raise error.at(record.file, turn.line) from None
            if turn.closed or _is_whole(record, [*turns, (player, actions)]):
                turns.append((player, actions))
    loser = 1 - turns[-1][0] if turns else WHITE
    stated = record.tags.get("Reason"), record.tags.get("Result")
    if stated == (Reason.RESIGNATION, SEATS[1 - loser].tag) and not (turns and not turns[-1][1]):
        turns.append((loser, []))
    return turns


def _is_whole(record: Record, turns: list[tuple[int, list[Action]]]) -> bool:
    """Return whether the last of the turns is over on the board, though its line is open."""
    played = (action for _, actions in turns for action in actions)
    position = position_after(start_of(record), played)
    return not position.turn_open or position.outcome() is not None


def cannot_hold(record: Record, reason: Text) -> FileError:
    """The error of a record that a format has no words for, with the line that says so."""
    tag = next((tag for tag in ("Start", "Setup", "Rules") if tag in record.tags), "")
    return FileError(reason).at(record.file, record.tag_lines.get(tag, record.line))


def foreign_format(
    name: str,
    title: Text,
    read: Callable[[Iterable[str], str], Iterator[Record]],
    format_game: Callable[[Record], str],
    recognises: Callable[[str], bool],
    *,
    whose: str,
    example: str,
) -> Format:
    """Return a format whose games are written one by one, an empty line or a line break between.

    Whether it can hold a record is checked by writing it. Any other error becomes an error of the
    file: what cannot be read cannot be written either.
    """

    def write(records: Iterable[Record]) -> Iterator[str]:
        for index, record in enumerate(records):
            yield ("\n" if index else "") + format_game(record)

    def check(record: Record) -> None:
        try:
            format_game(record)
        except FileError:
            raise
        except TrineError as error:
            raise FileError(error.message).at(
                error.place.file or record.file, error.place.line or record.line
            ) from None

    return Format(
        name, title, read, write, check, recognises, game="tzaar", whose=whose, example=example
    )
