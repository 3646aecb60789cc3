"""A game in the form of an archive: a record checked by the referee, with position keys."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from sys import intern
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trine.core.contract.position import Position, Seat
from trine.core.contract.record import CLOSING_TAGS, TAKEBACK, Record, WrittenTurn
from trine.core.text.sentence import split_words
from trine.engine.archive.position_keys import position_key
from trine.play.record.replay import closing_tags, replay, turn_notation
from trine.play.record.statistics import rating_of

UNKNOWN_YEAR: Final = 0
_YEAR: Final = re.compile(r"[12][0-9]{3}")


@dataclass(frozen=True)
class ArchivedGame:
    """A game of an archive."""

    tags: Mapping[str, str]  # all tags but those about the end; the rule set is always among them
    players: tuple[str, ...]  # the names in turn order; empty if unknown
    ratings: tuple[int | None, ...]
    winner: int | None  # number of the winner, in turn order; None for a draw or an unfinished game
    reason: str | None  # the reason of the result; None for an unfinished game
    closing: Mapping[str, str]  # the tags about the end; empty for an unfinished game
    turns: tuple[str, ...]  # the tags of the turns in order, as `2g`
    texts: tuple[str, ...]  # the actions of each turn, in the notation of records
    comments: tuple[tuple[str, ...], ...]
    keys: NDArray[np.uint64]  # the keys of the positions before each turn, and of the last position
    images: tuple[str, ...]  # by position, the name of the symmetry whose image has the key
    movers: tuple[int, ...]
    file: str = ""
    line: int = 0

    @property
    def game(self) -> str:
        return self.tags["Game"]

    @property
    def year(self) -> int:
        """The year when the game began; `UNKNOWN_YEAR` if it has no date."""
        found = _YEAR.match(self.tags.get("Date", ""))
        return int(found.group()) if found else UNKNOWN_YEAR

    @property
    def identity(self) -> int:
        """A hash of start, players, date, turns and result, to find duplicates."""
        first, last = int(self.keys[0]), self.closing.values()
        facts = [str(first), *self.players, self.tags.get("Date", ""), *self.texts, *last]
        return int.from_bytes(
            hashlib.blake2b("\n".join(facts).encode(), digest_size=8).digest(), "little"
        )

    def score(self, player: int) -> float | None:
        """Return the score of a player: 1, 0.5 or 0; None for an unfinished game."""
        if self.reason is None:
            return None
        return 0.5 if self.winner is None else float(self.winner == player)

    def rating(self, player: int) -> int | None:
        return self.ratings[player]


def archived_game(record: Record) -> ArchivedGame:
    """Return a record in the form of an archive; raises `TrineError` if it is illegal."""
    play = replay(record)
    room, seats, outcome = play.room, play.position.seats, play.outcome
    tags, comments = _on_one_line(record.tags), _comments(record, seats)
    turns = [intern(room.tag(turn.before)) for turn in play.turns]
    positions = [*(turn.before for turn in play.turns), play.turn_start]
    keys, images = zip(*(position_key(room, position) for position in positions), strict=True)
    return ArchivedGame(
        tags=_opening_tags(tags, play.start),
        players=tuple(tags.get(seat.tag, "") for seat in seats),
        ratings=tuple(rating_of(tags, seat) for seat in seats),
        winner=outcome.winner if outcome else None,
        reason=str(outcome.reason) if outcome else None,
        closing=closing_tags(seats, outcome) if outcome else {},
        turns=tuple(turns),
        texts=tuple(turn_notation(room, turn) for turn in play.turns),
        comments=tuple(comments.get(turn, ()) for turn in turns),
        keys=np.array(keys, np.uint64),
        images=images,
        movers=tuple(turn.player for turn in play.turns),
        file=record.file,
        line=record.line,
    )


def _on_one_line(tags: Mapping[str, str]) -> dict[str, str]:
    return {name: " ".join(value.split()) for name, value in tags.items()}


def _opening_tags(tags: Mapping[str, str], start: Position) -> dict[str, str]:
    """Return the tags that are not about the end, with the rule set that makes the record legal."""
    played = {"Game": tags["Game"], "Rules": str(start.rules.name)}
    return played | {name: tags[name] for name in tags if name not in (*played, *CLOSING_TAGS)}


def _comments(record: Record, seats: Sequence[Seat]) -> dict[str, tuple[str, ...]]:
    """Return comments by turn; for a turn that was taken back, those of its replacement."""
    usual = {letter: seat.letter for seat in seats for letter in seat.letters}
    return {
        f"{turn.number}{usual.get(turn.letter, turn.letter)}": tuple(
            " ".join(comment.split()) for comment in turn.comments
        )
        for turn in record.turns
        if turn.comments and not (turn.words and turn.words[-1].text == TAKEBACK)
    }


def written_record(
    tags: Mapping[str, str],
    closing: Mapping[str, str],
    turns: Sequence[str],
    texts: Sequence[str],
    comments: Sequence[Sequence[str]],
) -> Record:
    written = [
        WrittenTurn(int(turn[:-1]), turn[-1], split_words(words), list(said))
        for turn, words, said in zip(turns, texts, comments, strict=True)
    ]
    return Record({**tags, **closing}, written)
