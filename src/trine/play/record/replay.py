"""Replaying records: the referee checks every action and the stated result."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from trine.core.contract.position import Outcome, Position, Reason, Seat, Turn
from trine.core.contract.record import DRAW, STOPS, TAKEBACK, UNDO, Record, WrittenTurn
from trine.core.contract.room import Room
from trine.core.errors import IllegalError, MalformedError, TrineError
from trine.core.play import Play, describe, names, written_actions
from trine.core.text.sentence import Word, quoted, split_words, text
from trine.games import ROOMS, known_rules, open_room, start_position

BY_PEOPLE = frozenset(
    {Reason.RESIGNATION, Reason.TIME, Reason.SCORE, Reason.AGREEMENT, Reason.FORFEIT}
)
"""The reasons from outside the board; one of these must explain a result that is not on it."""
LEAVING = {Reason.RESIGNATION: "resigns", Reason.TIME: "lost"}
"""The reasons why one of several players can leave, each with its word in records."""

WON = frozenset({Reason.RESIGNATION, Reason.TIME, Reason.FORFEIT})
"""The reasons that only a won game has."""
DRAWN = frozenset({Reason.AGREEMENT, Reason.TRAPPED})  # the reasons that only a drawn game has

OnTurn = Callable[[WrittenTurn, Position, Position], None]
"""A callback for each written turn that was played, with the position before it and after it."""


def replay(record: Record, rules: str = "", on_turn: OnTurn | None = None) -> Play:
    """Replay a whole record.

    ``rules``, the name of a rule set, overrides the record's tag.

    Raises:
        TrineError: the first error in the record, with line, column and rule.
    """
    play, error = replay_as_far_as_legal(record, rules, on_turn)
    if error:
        raise error
    return play


def replay_as_far_as_legal(
    record: Record, rules: str = "", on_turn: OnTurn | None = None
) -> tuple[Play, TrineError | None]:
    """Replay a record up to its first error, which is returned too; raises `TrineError`."""
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
    """Return the room of a record, and the position at the start of its play."""
    tags, tag = record.tags, "Game"
    if record.error and not tags:
        raise record.error
    try:
        if tag not in tags:
            raise MalformedError(
                'no tag names the game, as [Game "arimaa"] does; the games are: {games}',
                games=", ".join(ROOMS),
            )
        room = open_room(tags[tag])
        tag = "Rules"
        if rules := rules or tags.get(tag, ""):
            rules = known_rules(room, rules)
        options = {
            option.tag: tags[option.tag] for option in room.rules.options if option.tag in tags
        }
        tag = next(filter(tags.__contains__, ("Start", *options)), "Game")
        return room, start_position(room, rules, options, tags.get("Start", ""))
    except TrineError as error:
        raise error.at(record.file, record.tag_lines.get(tag, record.line), 1) from None


def _replay_turn(play: Play, record: Record, turn: WrittenTurn, *, last: bool) -> None:
    try:
        if turn.words and turn.words[-1].text != TAKEBACK:
            play.check_goes_on()
        if turn.words or not last or not turn.closed:
            check_tag(play, turn)
        whole = _replay_words(play, turn, record, last=last)
        # A line without actions is no turn: its actions were undone, play stopped there, or it is
        # the number of the next turn, which other programs write at the end of a list.
        if turn.closed and whole and play.open_actions:
            _end_turn(play, turn)
    except TrineError as error:
        first = turn.words[0].column if turn.words else 1
        message = text("turn {turn}: {message}", turn=turn.tag, message=error.message)
        column = error.place.column or first
        raise type(error)(message).at(record.file, turn.line, column) from None


def check_tag(play: Play, turn: WrittenTurn) -> None:
    """Raise `MalformedError` unless a written turn has the number of the turn to play."""
    position = play.position
    if turn.number != position.number or turn.letter not in position.seats[play.mover].letters:
        raise MalformedError("this is turn {expected}", expected=play.turn_tag).at(column=1)


def _replay_words(play: Play, turn: WrittenTurn, record: Record, *, last: bool) -> bool:
    """Play the words of a turn; return False if they end in a takeback or a word of `STOPS`."""
    words: Sequence[Word] = turn.words
    played = len(play.turns)
    while words:
        word = words[0]
        if len(play.turns) > played:
            raise IllegalError("the turn is over; the next one begins on a new line").at(
                column=word.column
            )
        if word.text == UNDO:
            with _at(word):
                play.undo()
            words = words[1:]
        elif word.text == TAKEBACK or word.text in STOPS:
            if len(words) > 1:
                raise MalformedError("nothing can follow {word}", word=quoted(word.text)).at(
                    column=words[1].column
                )
            with _at(word):
                _read_last_word(play, word.text, record, last=last)
            return False
        else:
            try:
                action, used = play.room.rules.read_action(play.position, words, play.history)
            except TrineError as error:
                if not (record.lenient and _replay_typed(play, turn, record, words)):
                    raise error from None
                return True
            play.act_unchecked(action)
            words = words[used:]
    return True


def _replay_typed(play: Play, turn: WrittenTurn, record: Record, words: Sequence[Word]) -> bool:
    """Try to read the rest of a turn in loose notation; return whether that succeeded.

    The turn is then played, and rewritten in strict notation.
    """
    room, before = play.room, play.position
    try:
        actions = room.rules.interpret(before, " ".join(map(str, words)), play.history).actions
    except TrineError:
        return False
    play.act_unchecked(*actions)
    rewritten = split_words(written_actions(room, before, actions), words[0].column)
    turn.words = [*turn.words[: len(turn.words) - len(words)], *rewritten]
    if not record.remarks:
        record.remarks.append(
            text("turn {turn} and others are not in strict notation", turn=turn.tag)
        )
    return True


def _read_last_word(play: Play, word: str, record: Record, *, last: bool) -> None:
    """Handle a final word that is no action, such as ``resigns``; raises `IllegalError`."""
    if word == TAKEBACK:
        if play.open_actions:
            raise IllegalError("the open turn has actions; undo them first")
        play.take_back()
    elif STOPS[word] in LEAVING and len(play.position.playing) > 2:
        play.leave(STOPS[word])
    else:
        if not last:
            raise IllegalError("nothing can follow {word}", word=quoted(word))
        if "Result" not in record.tags:
            if STOPS[word] in LEAVING:
                play.leave(STOPS[word])
            else:
                play.room.check_draws(play.position.rules)
                play.conclude(Outcome(None, STOPS[word]))
        elif (stated := record.tags.get("Reason")) != STOPS[word]:
            # The result tag names the player: one can resign while the other is to move.
            stated = stated or "-"
            raise IllegalError("{word} here, but the reason is {stated}", word=word, stated=stated)


def _end_turn(play: Play, turn: WrittenTurn) -> None:
    with _at(turn.words[-1] if turn.words else Word("", 1)):
        if play.room.rules.end is None:
            raise IllegalError("the turn is not complete; another action must follow")
        play.act(play.room.rules.end)


@contextmanager
def _at(word: Word) -> Iterator[None]:
    """Within the block, add the column of a word to errors."""
    try:
        yield
    except TrineError as error:
        raise error.at(column=word.column) from None


def _conclude(play: Play, record: Record) -> None:
    """Compare the stated result with the referee's, and adopt one such as a resignation."""
    if "Result" not in record.tags:
        return
    line = record.tag_lines.get("Result", record.line)
    try:
        seats = play.position.seats
        stated = stated_outcome(seats, record)
        if stated.winner is None and play.outcome != stated:
            play.room.check_draws(play.position.rules)
        if play.outcome is None and can_be_stated(play, stated):
            play.conclude(stated)
        elif play.outcome != stated:
            raise IllegalError(
                "the record says {stated}, the rules say {real}",
                stated=describe(names(seats), stated),
                real=describe(names(seats), play.outcome),
            )
    except TrineError as error:
        raise error.at(record.file, line, 1) from None


def can_be_stated(play: Play, stated: Outcome) -> bool:
    """Return whether a result not shown by the board, such as a resignation, can be stated."""
    playing = play.position.playing
    if stated.reason in LEAVING and len(playing) > 2:
        return False  # of three or four players, one leaves only in that player's turn
    if stated.reason is Reason.SCORE and play.room.rules.score_winner is None:
        return False
    return stated.reason in BY_PEOPLE and stated.winner in (None, *playing)


def stated_outcome(seats: Sequence[Seat], record: Record) -> Outcome:
    """Return the result that the tags of a record state; raises `MalformedError`."""
    result, reason = record.tags["Result"], record.tags.get("Reason", "")
    tags = [seat.tag for seat in seats]
    if result not in (*tags, DRAW):
        raise MalformedError(
            "{given} is no result; expected {known}",
            given=quoted(result),
            known=", ".join((*tags, DRAW)),
        )
    if reason not in {str(valid) for valid in Reason}:
        raise MalformedError(
            "{given} is no reason for a result; expected one of {known}",
            given=quoted(reason),
            known=", ".join(Reason),
        )
    winner = None if result == DRAW else tags.index(result)
    if (winner is None and reason in WON) or (winner is not None and reason in DRAWN):
        raise MalformedError(
            "{result} cannot come of {reason}", result=quoted(result), reason=quoted(reason)
        )
    return Outcome(winner, Reason(reason))


def turn_notation(room: Room, turn: Turn) -> str:
    """Return the actions of a turn as in records, or the word for a player who leaves."""
    return LEAVING[turn.left] if turn.left else written_actions(room, turn.before, turn.actions)


def record_of(play: Play, tags: Mapping[str, str] | None = None) -> Record:
    """Return the record of a play, without actions and turns that were taken back.

    ``tags`` are further tags, such as the names of the players.

    >>> from trine.games import new_play
    >>> play = new_play("arimaa", position="g [" + " " * 24 + "E" + " " * 30 + "r" + " " * 7 + "R]")
    >>> play.enter("Ea5n end")
    >>> [word.text for word in record_of(play).turns[0].words]
    ['Ea5n']
    """
    room = play.room
    head = {"Game": room.name, "Rules": play.position.rules.name, **(tags or {})}
    head |= room.rules.start_tags(play.start)
    if play.outcome:
        head |= closing_tags(play.position.seats, play.outcome)
    turns = [
        WrittenTurn(
            turn.number,
            turn.before.seats[turn.player].letter,
            split_words(turn_notation(room, turn)),
        )
        for turn in play.turns
    ]
    return Record(head, turns)


def closing_tags(seats: Sequence[Seat], outcome: Outcome) -> dict[str, str]:
    """Return the tags that state an outcome; `stated_outcome` reads them.

    >>> closing_tags(open_room("arimaa").seats, Outcome(None, Reason.AGREEMENT))
    {'Result': 'draw', 'Reason': 'agreement'}
    """
    result = DRAW if outcome.winner is None else seats[outcome.winner].tag
    return {"Result": result, "Reason": str(outcome.reason)}
