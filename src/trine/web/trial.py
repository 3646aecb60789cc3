"""Something tried on a page: a lesson, or play from the example of a clause.

The house keeps nothing of it. The page says each time all that was tried so far, and is told what
has come of it: a few actions, replayed within milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from trine.core.attempt import MISSED, Attempt, AttemptState
from trine.core.choices import choices
from trine.core.clause import Example
from trine.core.doors import Room
from trine.core.errors import IllegalError, MalformedError
from trine.core.keys import FIRST_KEYS
from trine.core.language import Language
from trine.core.lesson import Lesson
from trine.core.play import Play
from trine.core.position import Action, Position
from trine.core.scene import Scene
from trine.core.text import Text, ntext, text
from trine.core.turn import Turn
from trine.core.verdict import Verdict, verdict_on
from trine.core.wording import changed_cells, describe, names, written_actions
from trine.house.drafts import read_draft, why_not
from trine.house.snapshot import keys_after
from trine.web.messages import Id, Line

MOST: Final = 24
"""Actions of one trial: more than any lesson needs, and enough to see what a clause says."""
NO_TRIAL: Final = text("this is no message")


class Trial(msgspec.Struct, forbid_unknown_fields=True):
    """A trial, as a page tells of it."""

    a: Annotated[list[Id], Meta(max_length=MOST)] = []
    """All actions so far."""
    submit: bool = True
    """Whether the turn is over if the last action ends it; it can still be changed if not."""
    picks: Annotated[list[Id], Meta(max_length=8)] = []
    """The picks behind them that were refused; the question is why."""
    line: Line = ""
    """One of the lines that an example shows, in place of the actions."""


_DECODER: Final = msgspec.json.Decoder(Trial)


def read_trial(words: bytes) -> Trial:
    """Read what a page says.

    Raises:
        MalformedError: it is no trial.

    >>> read_trial(b'{"a":["e2"]}').submit
    True
    """
    try:
        trial: Trial = _DECODER.decode(words)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise MalformedError(NO_TRIAL) from None
    return trial


# --- lessons -------------------------------------------------------------------------------------


def lesson_data(
    room: Room, rules: str, lesson: Lesson, trial: Trial, language: Language
) -> dict[str, Any]:
    """The state of an attempt at a lesson, as data for its page.

    Raises:
        TrineError: an action is not legal, or comes when the attempt is over.
    """
    attempt = Attempt(room, rules, lesson)
    shown, closed = attempt.play, False
    for number, given in enumerate(trial.a, 1):
        attempt.check_goes_on()
        line = read_draft(attempt.play, [given])
        closed = line.steps[-1].closes and number == len(trial.a) and not trial.submit
        if closed:
            shown = attempt.play.copy()
            shown.follow(line)
        else:
            attempt.follow(line)
    if trial.picks:
        if closed:
            raise IllegalError(text("the turn is over; it can only be submitted or changed"))
        return {"why": language.say(_why_not(attempt.play, trial.picks))}
    is_open = attempt.state is AttemptState.OPEN and not closed
    data = {
        "view": _scene(shown).as_data(language.say),
        "choices": _choices(shown, language) if is_open else [],
        "a": trial.a,
        "open": len(shown.turns[-1].actions) if closed else len(shown.open_actions),
        "closed": closed,
        "state": attempt.state.value,
        "told": " · ".join(map(language.say, _told(attempt))),
        "status": [language.say(one) for one in _status(shown)] if is_open else [],
    }
    if attempt.answered:
        before = attempt.play.copy()
        before.turns = before.turns[: -len(attempt.answered)]
        before.position = before.turns[-1].after
        data["first"] = _scene(before).as_data(language.say)
    return data


def _told(attempt: Attempt) -> Iterable[Text]:
    play = attempt.play
    match attempt.state:
        case AttemptState.SOLVED:
            yield text("Done! {success}", success=attempt.lesson.success)
        case AttemptState.MISSED:
            if play.outcome:
                yield describe(names(play.position.seats), play.outcome)
            yield MISSED
        case AttemptState.OPEN:
            for turn in attempt.answered:
                steps = written_actions(attempt.room, turn.before, turn.actions)
                player = turn.before.seats[turn.player].name
                yield text("{player} plays {turn}", player=player, turn=steps)
            if attempt.answered:
                yield ntext("{count} turn left", "{count} turns left", attempt.turns_left)


def _status(play: Play) -> list[Text]:
    """The lines that have changed since the beginning; the rest would hide the task."""
    known = play.room.status(play.start)
    return [line for line in play.room.status(play.position) if line not in known]


# --- clauses -------------------------------------------------------------------------------------


def example_data(
    room: Room, rules: str, example: Example, trial: Trial, language: Language
) -> dict[str, Any]:
    """The answer of the referee to a trial in the position of an example, as data for the page.

    Raises:
        TrineError: an action before the last one is not legal.
    """
    told: Text | None
    if trial.line:
        verdict = verdict_on(room, rules, example.position, trial.line)
        told = verdict.about(trial.line)
    else:
        verdict, told = _tried(room, room.parse_position(example.position, rules), trial)
    if trial.picks:
        return {"why": language.say(_why_not(verdict.after, trial.picks))}
    play = verdict.after
    done = [str(action) for turn in play.turns for action in turn.actions]
    done += [str(action) for action in play.open_actions]
    return {
        "view": _scene(play).as_data(language.say),
        "choices": _choices(play, language) if len(done) < MOST else [],
        "a": done,
        "legal": verdict.legal,
        "told": language.say(told) if told else "",
        "mover": "" if play.outcome else language.say(mover_text(play.position)),
    }


def _tried(room: Room, start: Position, trial: Trial) -> tuple[Verdict, Text | None]:
    play = Play(room, start)
    for given in trial.a:
        play.follow(read_draft(play, [given]))
    ended = describe(names(play.position.seats), play.outcome) if play.outcome else None
    verdict = Verdict(True, play, ended)
    return verdict, verdict.about(trial.a[-1]) if trial.a else None


def mover_text(position: Position) -> Text:
    """Return a sentence on whose turn it is."""
    return text("{player} to move", player=position.seats[position.mover].name)


# --- both ----------------------------------------------------------------------------------------


def _why_not(play: Play, picks: Sequence[str]) -> Text:
    play.check_goes_on()
    return why_not(play, [], picks)


def _choices(play: Play, language: Language) -> list[dict[str, Any]]:
    found = choices(play.room, play.position, play.legal_actions())
    return [one.as_data(language.say) for one in found]


def _scene(play: Play) -> Scene:
    """The scene of a play, with keys that its pieces keep and with what was changed last."""
    room, keys = play.room, FIRST_KEYS
    turns, last = list(play.turns), frozenset[str]()
    actions: tuple[Action, ...] = play.open_actions
    if actions:
        turns.append(Turn(play.turn_start, actions, play.position))
    for turn in turns:
        keys = keys_after(room, turn, keys)
    if turns:
        last = changed_cells(room, turns[-1].before, turns[-1].actions)
    scene: Scene = room.scene(play.position, seat=play.start.mover, last=last, keys=keys)
    return scene
