"""Parsing submitted records and positions, in helper processes and within limits."""

import signal
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Final

from trine.core.contract.record import Record, format_record
from trine.core.errors import IllegalError, MalformedError, TrineError
from trine.core.play import Play
from trine.core.text.sentence import Text, text
from trine.games import ROOMS, known_rules, open_room, parse_game, room_of_position, start_position
from trine.house.job_pool import JobPool
from trine.house.refusals import HouseError
from trine.play.record.formats import UnknownFormatError, format_remark, parse_records
from trine.play.record.replay import record_of, replay
from trine.play.record.variations import tree_of, written_tree

MAX_LENGTH: Final = 200_000  # characters; the maximum length of a text
LONGEST_TIME: Final = 2.0
"""Units: seconds of CPU time; the maximum for a text. The longest game takes one second."""
MAX_TURNS: Final = 1500  # maximum number of turns of a tree, with variations
MAX_GAMES: Final = 200  # maximum number of games of a file that are listed


@dataclass(frozen=True)
class ParsedRecord:
    """The result of reading a text."""

    record: str = ""  # the game as a record of our own format
    form: str = ""  # name of the recognized format, if the page should mention it
    readings: tuple[str, ...] = ()
    """The names of the formats, if several read the text as legal, but different games."""
    games: tuple[str, ...] = ()  # the names of the games, if there are several and none was chosen
    refusal: Text | None = None  # the reason if the text cannot be read


async def parse_in_pool(
    helpers: JobPool, address: str, words: str, game: int = 0, rules: str = "", form: str = ""
) -> ParsedRecord:
    """Parse a record in any known format, or a position, in a helper process.

    Args: ``address`` is the sender's network address. ``game`` is the number of one of several
        games, from 1; 0 if none was chosen. ``rules`` is a game with its rule set, such as
        ``arimaa/official``, for texts without it. ``form`` is the name of the format; if empty, the
        format is recognized.

    Raises:
        HouseError: the text is too long or takes too long, or the queue is full.
    """
    if len(words) > MAX_LENGTH:
        raise HouseError("this is longer than {count} characters; give one game", count=MAX_LENGTH)
    try:
        return await helpers.run(address, partial(parse_submitted, words, game, rules, form))
    except BrokenProcessPool:
        raise HouseError("this cannot be read") from None


# --- in the processes ----------------------------------------------------------------------------


def parse_submitted(words: str, game: int = 0, rules: str = "", form: str = "") -> ParsedRecord:
    """Read a record or a position, within the time limit."""
    try:
        with _time_limit():
            return _parse(words, game, rules, form)
    except TrineError as error:
        return ParsedRecord(refusal=text("{problem}", problem=error.text))
    except TimeoutError:
        return ParsedRecord(refusal=text("this takes too long to read"))
    except (RecursionError, MemoryError):
        return ParsedRecord(refusal=text("this cannot be read"))


def _parse(words: str, game: int, rules: str, form: str) -> ParsedRecord:
    if not words.strip():
        raise MalformedError("there is nothing to read")
    if (play := _position(words, rules)) is not None:
        return ParsedRecord(format_record(record_of(play)))
    # Pasted text often lacks the last line break, although its last line is complete.
    lines = f"{words.rstrip()}\n".splitlines(keepends=True)
    try:
        known, records = parse_records(lines, form)
    except UnknownFormatError:
        raise MalformedError(
            "this is neither a game nor a position in a form that is known here"
        ) from None
    found = list(islice(records, MAX_GAMES))
    if found and found[0].readings:
        return ParsedRecord(readings=found[0].readings)
    shown = known.name if format_remark(known) else ""
    if len(found) > 1 and not 1 <= game <= len(found):
        return ParsedRecord(games=tuple(map(_name, found)), form=shown)
    chosen = found[game - 1 if len(found) > 1 else 0] if found else None
    if chosen is None:
        raise IllegalError("there is no game in it")
    _, _, named = rules.partition("/")
    play = replay(chosen, "" if "Rules" in chosen.tags else named)
    chosen.tags = {"Game": chosen.tags["Game"], "Rules": "", **chosen.tags}
    chosen.tags["Rules"] = play.position.rules.name
    root = tree_of(chosen)
    if sum(1 for _ in root.tree()) > MAX_TURNS + 1:  # the root is no turn
        raise IllegalError("more than {count} turns", count=MAX_TURNS)
    return ParsedRecord(format_record(written_tree(root, chosen)), form=shown)


def _position(words: str, rules: str) -> Play | None:
    """Return the play that begins in a position; None if the text is no position."""
    words = words.strip()
    if rules:
        room, named = parse_game(rules)
        try:
            position = room.rules.parse_position(words, named)
        except MalformedError:
            pass  # may be a record, or a position of another game
        else:
            return _begun(room.name, room.rules.format_position(position), named)
    if words.startswith(("[", "#")):
        return None
    try:
        room = room_of_position(words)
    except MalformedError:
        for name in ROOMS:
            _check_meant(words, name)
        return None
    return _begun(room.name, room.rules.format_position(room.rules.parse_position(words, "")), "")


def _check_meant(words: str, name: str) -> None:
    """Raise the referee's refusal if the text is a position that no play can reach."""
    try:
        open_room(name).rules.parse_position(words, "")
    except MalformedError:
        return


def _begun(game_name: str, position: str, rules: str) -> Play:
    room = open_room(game_name)
    return Play(room, start_position(room, known_rules(room, rules) if rules else "", {}, position))


def _name(record: Record) -> str:
    """Return a label for a list of games: up to four tags, such as the players and the date."""
    tags = [
        value
        for name, value in record.tags.items()
        if name not in ("Game", "Rules", "Start", "Result", "Reason")
    ]
    return " · ".join(tags[:4])[:80]


@contextmanager
def _time_limit() -> Iterator[None]:
    def too_late(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGPROF, too_late)
    signal.setitimer(signal.ITIMER_PROF, LONGEST_TIME)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
