"""From a record to a play: every action checked by the referee, the stated result too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from trine.core.doors import Action, Position, Room
from trine.core.errors import IllegalError, MalformedError, TrineError
from trine.core.outcome import Outcome, Reason
from trine.core.play import Play
from trine.core.record import DRAW, STOPS, TAKEBACK, UNDO, Record, WrittenTurn
from trine.core.text import Text, text
from trine.core.words import Word, quoted, split_words
from trine.games import known_rules, open_room, start_position

BY_RULE = frozenset({Reason.GOAL, Reason.ELIMINATION, Reason.IMMOBILIZATION, Reason.REPETITION})
"""Reasons that the board itself gives; a record cannot claim them where the referee sees none."""


WON = frozenset({Reason.RESIGNATION, Reason.TIME, Reason.FORFEIT})
DRAWN = frozenset({Reason.AGREEMENT})
"""Reasons that somebody must have won by, and that nobody can have won by."""

OnTurn = Callable[[WrittenTurn, Position, Position], None]
"""Told of each written turn that was played: the positions at the beginning of the turns before
and after it."""


def replay(record: Record, rules: str = "", on_turn: OnTurn | None = None) -> Play:
    """Play a record through.

    Args: ``rules``, the name of a rule set, wins over the record's own tag.

    Raises:
        TrineError: the first thing that is wrong, with line, column and rule.
    """
    play, error = replay_as_far_as_legal(record, rules, on_turn)
    if error:
        raise error
    return play


def replay_as_far_as_legal(
    record: Record, rules: str = "", on_turn: OnTurn | None = None
) -> tuple[Play, TrineError | None]:
    """Play a record through, up to the first thing that is wrong.

    Returns: the play, and what was wrong.

    Raises:
        TrineError: it is already its beginning that is wrong.
    """
    play, error = _replay_by(record, rules, on_turn)
    if error and record.older_rules and not (rules or record.error):
        older, still_wrong = _replay_by(record, record.older_rules, on_turn)
        if not still_wrong:
            return older, None
    return play, error


def _replay_by(
    record: Record, rules: str, on_turn: OnTurn | None
) -> tuple[Play, TrineError | None]:
    room, start = opening(record, rules)
    play = Play(room, start)
    try:
        for index, turn in enumerate(record.turns):
            before = play.turn_start
            _replay_turn(play, record, turn, last=index == len(record.turns) - 1)
            if on_turn:
                on_turn(turn, before, play.turn_start)
        if record.error:
            raise record.error
        _conclude(play, record)
    except TrineError as error:
        return play, error
    return play, None


def opening(record: Record, rules: str = "") -> tuple[Room, Position]:
    """The room of a record, and the position in which its play begins.

    Raises:
        TrineError: a tag names no game, rule set, position or handicap that there is.
    """
    tags, tag = record.tags, "Game"
    if record.error and tag not in tags:
        raise record.error
    try:
        if tag not in tags:
            raise MalformedError(text("no tag Game: which game is this a record of?"))
        room = open_room(tags[tag])
        tag = "Rules"
        rules = known_rules(room, rules or tags.get(tag, room.default_rules))
        tag = "Start" if "Start" in tags else "Handicap"
        position, handicap = tags.get("Start", ""), tags.get("Handicap", "")
        return room, start_position(room, rules, handicap=handicap, position=position)
    except TrineError as error:
        raise error.at(record.file, record.tag_lines.get(tag, record.line), 1) from None


def _replay_turn(play: Play, record: Record, turn: WrittenTurn, *, last: bool) -> None:
    try:
        if turn.words and turn.words[-1].text != TAKEBACK:
            play.check_goes_on()
        if turn.words or not last or not turn.closed:
            _check_tag(play, turn)
        whole = _replay_words(play, turn, record, last=last)
        # A line without actions is no turn: all in it was undone, or play was broken off there, or
        # it is the tag of the next turn with which other programs end their lists.
        if turn.closed and whole and play.position.turn_open:
            _end_turn(play, turn)
    except TrineError as error:
        first = turn.words[0].column if turn.words else 1
        message = text("turn {turn}: {message}", turn=turn.tag, message=error.message)
        column = error.place.column or first
        raise type(error)(message).at(record.file, turn.line, column) from None


def _check_tag(play: Play, turn: WrittenTurn) -> None:
    player = play.room.player_letters_read.get(turn.letter)
    if (turn.number, player) != (play.position.number, play.mover):
        raise MalformedError(text("this is turn {expected}", expected=play.turn_tag)).at(column=1)


def _replay_words(play: Play, turn: WrittenTurn, record: Record, *, last: bool) -> bool:
    """Play the words of a turn.

    Returns: whether the end of the line ends the turn.
    """
    words: Sequence[Word] = turn.words
    while words:
        word = words[0]
        if word.text == UNDO:
            with _at(word):
                play.undo()
            words = words[1:]
        elif word.text == TAKEBACK or word.text in STOPS:
            if len(words) > 1:
                raise MalformedError(text("nothing can follow {word}", word=quoted(word.text))).at(
                    column=words[1].column
                )
            with _at(word):
                _read_last_word(play, word.text, record, last=last)
            return False
        else:
            action, used = play.room.read_action(play.position, words, play.history)
            play.act_unchecked(action)
            words = words[used:]
    return True


def _read_last_word(play: Play, word: str, record: Record, *, last: bool) -> None:
    """Read a word that ends its line without ending a turn."""
    if word == TAKEBACK:
        if play.open_actions:
            raise IllegalError(text("the open turn has actions; undo them first"))
        play.take_back()
    elif word in STOPS:
        if not last:
            raise IllegalError(text("nothing can follow {word}", word=quoted(word)))
        if "Result" not in record.tags:
            play.conclude(stopped(play, STOPS[word]))
        elif (stated := record.tags.get("Reason")) != STOPS[word]:
            # Who it was, the result says: one can resign while the other is to move.
            stated = stated or "-"
            raise IllegalError(
                text("{word} here, but the reason is {stated}", word=word, stated=stated)
            )


def _end_turn(play: Play, turn: WrittenTurn) -> None:
    if play.room.end is not None:
        with _at(turn.words[-1] if turn.words else Word("", 1)):
            play.act(play.room.end)


@contextmanager
def _at(word: Word) -> Iterator[None]:
    """Errors inside come from this word."""
    try:
        yield
    except TrineError as error:
        raise error.at(column=word.column) from None


def stopped(play: Play, reason: Reason) -> Outcome:
    """The outcome when the player to move resigns or has lost on time, or all agree on a draw.

    Limits: two players. Of more, the others would play on, which no game of the house has yet.
    """
    return Outcome(None if reason is Reason.AGREEMENT else 1 - play.mover, reason)


def _conclude(play: Play, record: Record) -> None:
    """Compare the stated result with the referee's, or take it over where only people decide."""
    if "Result" not in record.tags:
        return
    line = record.tag_lines.get("Result", record.line)
    try:
        stated = stated_outcome(play.room, record)
        if play.outcome is None and stated.reason not in BY_RULE:
            play.conclude(stated)
        elif play.outcome != stated:
            raise IllegalError(
                text(
                    "the record says {stated}, the rules say {real}",
                    stated=describe(play.room, stated),
                    real=describe(play.room, play.outcome),
                )
            )
    except TrineError as error:
        raise error.at(record.file, line, 1) from None


def stated_outcome(room: Room, record: Record) -> Outcome:
    """The result that the tags of a record state.

    Raises:
        MalformedError: they name no player, or no reason that there is.
    """
    result, reason = record.tags["Result"], record.tags.get("Reason", "")
    if result not in (*room.player_tags, DRAW):
        raise MalformedError(
            text(
                "{given} is no result; expected {known}",
                given=quoted(result),
                known=", ".join((*room.player_tags, DRAW)),
            )
        )
    if reason not in {str(known) for known in Reason}:
        raise MalformedError(
            text(
                "{given} is no reason for a result; expected one of {known}",
                given=quoted(reason),
                known=", ".join(Reason),
            )
        )
    winner = None if result == DRAW else room.player_tags.index(result)
    if (winner is None and reason in WON) or (winner is not None and reason in DRAWN):
        raise MalformedError(
            text("{result} cannot come of {reason}", result=quoted(result), reason=quoted(reason))
        )
    return Outcome(winner, Reason(reason))


def record_of(play: Play, tags: Mapping[str, str] | None = None) -> Record:
    """Write a play down: what stands on paper is what was played, less what was taken back.

    Args: ``tags`` are further tags, such as the names of the players.

    >>> from trine.games import new_play
    >>> play = new_play("arimaa", position="g [" + " " * 24 + "E" + " " * 30 + "r" + " " * 7 + "R]")
    >>> play.enter("Ea5n end")
    >>> [word.text for word in record_of(play).turns[0].words]
    ['Ea5n']
    """
    room = play.room
    head = {"Game": room.name, "Rules": play.position.rules.name, **(tags or {})}
    head |= room.start_tags(play.start)
    if play.outcome:
        head |= closing_tags(room, play.outcome)
    turns = [
        WrittenTurn(
            turn.number,
            room.player_letters[turn.player],
            split_words(written_actions(room, turn.before, turn.actions)),
        )
        for turn in play.turns
    ]
    return Record(head, turns)


def closing_tags(room: Room, outcome: Outcome) -> dict[str, str]:
    """The tags that state an outcome; `stated_outcome` reads them.

    >>> closing_tags(open_room("arimaa"), Outcome(None, Reason.AGREEMENT))
    {'Result': 'draw', 'Reason': 'agreement'}
    """
    result = DRAW if outcome.winner is None else room.player_tags[outcome.winner]
    return {"Result": result, "Reason": str(outcome.reason)}


def written_actions(room: Room, position: Position, actions: Iterable[Action]) -> str:
    """Actions, played one after the other from a position, as a record holds them."""
    words = []
    for action in actions:
        words.append(room.format_action(position, action))
        position = position.play_unchecked(action)
    return " ".join(filter(None, words))


def describe(room: Room, outcome: Outcome | None) -> Text:
    """An outcome as a sentence.

    >>> print(describe(open_room("arimaa"), Outcome(0, Reason.GOAL)))
    Gold wins (goal)
    """
    if outcome is None:
        return text("the play is not over")
    if outcome.winner is None:
        return text("a draw ({reason})", reason=outcome.reason.text)
    return text(
        "{player} wins ({reason})",
        player=room.player_names[outcome.winner],
        reason=outcome.reason.text,
    )
