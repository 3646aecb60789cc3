"""A record: a written play, as plain data and as the text in our files.

Tags come first, one a line; then the turns, one a line; the tags about the end come last::

    [Game "arimaa"]
    [Rules "official"]
    [Gold "Anna"]

    1g Ra1 Rb1 … {0:31}
    1s ra8 rb8 … {0:24}
    2g Ee2n undo Dd2n Ee2n {0:12}
    2s takeback
    [Result "Gold"]
    [Reason "resignation"]

The line of a turn holds its number, the letter of its player, the actions in the game's notation,
``undo`` for an action taken back within the turn, and comments in braces. ``takeback`` in place of
a turn takes back the previous turn. Lines that begin with ``#`` are skipped. A file may hold many
records, each beginning with its tag ``Game``. ``docs/guides/records.md`` has the whole format;
`trine.play.record.replay` interprets the words.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from trine.core.contract.position import Reason
from trine.core.errors import MalformedError, TrineError
from trine.core.text.sentence import Text, Word, quoted, split_words

UNDO = "undo"
TAKEBACK = "takeback"
STOPS: Mapping[str, Reason] = {
    "resigns": Reason.RESIGNATION,
    "resign": Reason.RESIGNATION,
    "lost": Reason.TIME,
    "drawn": Reason.AGREEMENT,
}
"""Words that end a play within a turn, with the reasons: the player to move resigns or has lost on
time, or both have agreed on a draw. *resigns* and *lost* are official notation, *resign* is that of
the server's archive of 2002, *drawn* is ours."""

OPEN = "..."
"""The last word of a finished line whose turn is still open."""

DRAW = "draw"
"""The value of the tag ``Result`` for a draw; otherwise the winner's name."""

CLOSING_TAGS = ("Result", "Reason")
"""The tags after the turns; unfinished plays have none."""


@dataclass
class WrittenTurn:
    """One line of a record: a turn, or as much of a turn as is written."""

    number: int
    letter: str
    words: list[Word] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    line: int = 0
    """The line number in its file, from 1; 0 if the turn was not read from a file."""
    closed: bool = True
    """Whether the line, and with it the turn, is complete."""

    @property
    def tag(self) -> str:
        """Number and letter, as in ``2g``."""
        return f"{self.number}{self.letter}"


@dataclass
class Record:
    """A written play: tags and turns, not checked against any rules."""

    tags: dict[str, str] = field(default_factory=dict)
    turns: list[WrittenTurn] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    """The comments of a record without turns; the first turn takes them over."""
    tag_lines: dict[str, int] = field(default_factory=dict)
    """The line number of each tag in its file."""
    line: int = 1
    """The line number of the record's first line in the file."""
    file: str = ""
    older_rules: str = ""
    """A rule set to try if the record names none and is illegal by the present rules."""
    error: TrineError | None = None
    """An error in the first unreadable part; the rest of the record is skipped."""
    lenient: bool = False
    """Whether the words may be as a person types them; replaying rewrites them strictly."""
    remarks: list[Text] = field(default_factory=list)
    """The reader's remarks on how it read the record."""
    readings: tuple[str, ...] = ()
    """The formats that read the record as different legal games, the one in use first; empty if the
    record is unambiguous."""


_TAG = re.compile(r'\[([A-Za-z][A-Za-z0-9_-]{0,30}) "((?:[^"\\]|\\.)*)"\][ \t]*')
_TURN = re.compile(r"[ \t]*([0-9]{1,7})([a-z])(?=[ \t]|$)")
_COMMENT = re.compile(r"\{([^{}]*)\}")
_COMMENT_LINE = re.compile(r"(?:\s*\{[^{}]*\})+\s*")


def format_tag(name: str, value: str) -> str:
    r"""Write a tag line; quotes and backslashes are escaped, line breaks become spaces.

    >>> format_tag("Gold", 'Anna "the Cat"')
    '[Gold "Anna \\"the Cat\\""]'
    """
    value = " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{value}"]'


def format_record(record: Record) -> str:
    """Write a record as in our files, closing tags last.

    >>> print(format_record(Record({"Game": "arimaa"}, [WrittenTurn(2, "g", [Word("Ee2n")])])))
    [Game "arimaa"]
    <BLANKLINE>
    2g Ee2n
    <BLANKLINE>
    """
    head = [format_tag(*tag) for tag in record.tags.items() if tag[0] not in CLOSING_TAGS]
    tail = [format_tag(*tag) for tag in record.tags.items() if tag[0] in CLOSING_TAGS]
    turns = [format_written_turn(turn) for turn in record.turns]
    comments = [format_comment(comment) for comment in record.comments]
    return "\n".join([*head, "", *comments, *turns, *tail, ""])


def format_written_turn(turn: WrittenTurn) -> str:
    """Write the line of a turn, comments last; an open turn ends with `OPEN`."""
    words = [word.text for word in turn.words]
    comments = [format_comment(comment) for comment in turn.comments]
    still_open = [] if turn.closed else [OPEN]
    return " ".join([turn.tag, *words, *comments, *still_open])


def format_comment(words: str) -> str:
    """Write a comment; braces and line breaks, which would end it, are replaced.

    >>> format_comment("a {b}")
    '{a (b)}'
    """
    return "{" + " ".join(words.split()).replace("{", "(").replace("}", ")") + "}"


def read_records(lines: Iterable[str], file: str = "") -> Iterator[Record]:
    """Read the records of a file one by one, in constant memory.

    The lines include their line breaks, as open files yield them; a last line without a line break
    is an open turn. A line that is no tag, turn or comment spoils only its own record: the record
    has the ``error``, and reading continues with the next record. Comments with a line of their own
    belong to the turn before them, those before all turns to the first turn.
    """
    record = Record(file=file)
    for number, line in enumerate(lines, start=1):
        bare = line.rstrip("\r\n")
        if not bare.strip(" \t") or bare.startswith("#"):
            continue
        if bare.startswith("[Game ") and (record.tags or record.turns or record.error):
            yield record
            record = Record(line=number, file=file)
        if record.error:
            continue
        try:
            if bare.startswith("["):
                _add_tag(record, bare, number)
            elif _COMMENT_LINE.fullmatch(bare):
                commented = record.turns[-1] if record.turns else record
                commented.comments += _COMMENT.findall(bare)
            else:
                turn = parse_written_turn(bare, file, number, closed=bare != line)
                turn.comments[:0], record.comments = record.comments, []
                record.turns.append(turn)
        except MalformedError as error:
            record.error = error
    if record.tags or record.turns or record.error:
        yield record


def _add_tag(record: Record, line: str, number: int) -> None:
    name, value = parse_tag(line, record.file, number)
    if name in record.tags:
        raise MalformedError("the tag {name} stands twice", name=name).at(record.file, number)
    record.tags[name] = value
    record.tag_lines[name] = number


def parse_tag(line: str, file: str = "", number: int = 0) -> tuple[str, str]:
    r"""Read a tag line.

    >>> parse_tag('[Gold "Anna \\"the Cat\\""]')
    ('Gold', 'Anna "the Cat"')
    """
    found = _TAG.fullmatch(line)
    if not found:
        raise MalformedError(
            '{given} is not a tag; expected [Name "value"]', given=quoted(line)
        ).at(file, number, 1)
    return found.group(1), re.sub(r"\\(.)", r"\1", found.group(2))


def parse_written_turn(
    line: str, file: str = "", number: int = 0, *, closed: bool = True
) -> WrittenTurn:
    """Read the line of a turn: number, letter, words, comments.

    >>> parse_written_turn("2g Ee2n {0:12}").comments
    ['0:12']
    """
    head = _TURN.match(line)
    if not head:
        raise MalformedError(
            "{given} is not a turn; expected one such as 2g …", given=quoted(line)
        ).at(file, number, 1)
    comments = _COMMENT.findall(line, head.end())
    # Comments become spaces of equal length, so that columns stay true.
    rest = _COMMENT.sub(lambda comment: " " * len(comment.group()), line[head.end() :])
    words = split_words(rest, head.end() + 1)
    for word in words:
        if "{" in word.text or "}" in word.text:
            raise MalformedError("a brace without its partner").at(file, number, word.column)
    if words and words[-1].text == OPEN:
        words.pop()
        closed = False
    turn_number, letter = head.groups()
    return WrittenTurn(int(turn_number), letter, words, comments, number, closed)
