"""Actions tried on a page: an attempt at a lesson, or play from the example of a clause.

The house keeps no state of an attempt: each request has all actions so far, which are few, and are
replayed within milliseconds.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from string import ascii_lowercase
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from trine.core.contract.attempt import MISSED, Attempt, AttemptState, Verdict, verdict_on
from trine.core.contract.choices import Choosable, choices
from trine.core.contract.handbook import Example
from trine.core.contract.lesson import Lesson
from trine.core.contract.position import Action, Position, Reason, Turn
from trine.core.contract.room import Room
from trine.core.errors import IllegalError, MalformedError
from trine.core.play import Play, changed_cells, describe, names, next_step, written_actions
from trine.core.scene.composing import FIRST_KEYS
from trine.core.scene.scene import NAMED, Board, Scene, View
from trine.core.text.language import open_language
from trine.core.text.sentence import NOTHING, Text, join, ntext, text
from trine.games import open_room
from trine.house.games.live.drafts import gestures, read_draft, why_not
from trine.house.games.live.live_game import keys_after
from trine.house.games.view.messages import Id, Line
from trine.house.games.view.scenes import arrows, without_absent
from trine.house.web.messages import decode_json
from trine.play.draw.board_theme import NIGHT
from trine.play.draw.svg import draw_svg

MAX_ACTIONS: Final = 24
"""The maximum number of actions in a trial: enough for any lesson, and to try a clause."""


class Trial(msgspec.Struct, forbid_unknown_fields=True):
    """Actions to try in a lesson, puzzle or clause, as a page sends them."""

    a: Annotated[list[Id], Meta(max_length=MAX_ACTIONS)] = []  # all actions so far
    submit: bool = True
    """Whether a turn ended by the last action is submitted; if not, it can still be changed."""
    picks: Annotated[list[Id], Meta(max_length=8)] = []
    """Refused picks after the actions; if given, the response is `Why`."""
    spot: str = ""  # the spot where a gesture begins; if given, the response is `Gestures`
    helped: bool = False  # whether the visitor has asked for a hint or the solution
    line: Line = ""  # a line of an example, in place of the actions


class Why(msgspec.Struct):
    """The reason for a refusal."""

    why: Text


class Gestures(msgspec.Struct):
    """The actions that a gesture can make in the open turn."""

    choices: Sequence[Choosable]


class LessonState(msgspec.Struct):
    """The state of an attempt at a lesson."""

    view: View
    choices: Sequence[Choosable]
    handles: Sequence[str]
    a: list[str]
    open: int  # number of actions of the turn that is open, or closed and not yet submitted
    closed: bool
    state: str
    told: Text
    coach: Text  # a sentence on the next action of an open turn
    first: View | None  # the board before the opponents' replies; ``view`` is the board after them
    rated: Text | None = None
    """The change of the person's rating by this attempt at a puzzle, if it is rated."""


class Solution(msgspec.Struct):
    """The solution of a puzzle and the expected continuation."""

    views: Sequence[View]  # the board at the beginning and after each turn
    told: Text


class ExampleState(msgspec.Struct):
    """The referee's answer to actions that a page tries in an example."""

    view: View
    choices: Sequence[Choosable]
    handles: Sequence[str]
    a: list[str]
    legal: bool
    told: Text
    mover: Text  # the player to move; empty if the play is over


_DECODER = msgspec.json.Decoder(Trial)


def still_scene(game_name: str, rules: str, written: str) -> Scene:
    """Return the scene of a position, from the seat of the player to move."""
    room = open_room(game_name)
    position = room.rules.parse_position(written, rules)
    return without_absent(room.view.scene(position, seat=position.mover))


@lru_cache(maxsize=256)
def still(game_name: str, rules: str, written: str, code: str) -> bytes:
    scene = still_scene(game_name, rules, written)
    return draw_svg(scene, language=open_language(code), night=NIGHT).encode()


def boards_of(game_name: str, rules: str) -> list[Board]:
    room = open_room(game_name)
    written = [lesson.position for lesson in room.lessons(rules)]
    written += [one.example.position for one in room.rulebook(rules) if one.example]
    return [still_scene(game_name, rules, position).board for position in written]


def read_trial(words: bytes) -> Trial:
    """Decode the request of a page.

    Raises:
        MalformedError: the request is malformed.

    >>> read_trial(b'{"a":["e2"]}').submit
    True
    """
    try:
        return decode_json(_DECODER, words)
    except msgspec.DecodeError:
        raise MalformedError("this is no message") from None


def lesson_state(
    room: Room, rules: str, lesson: Lesson, trial: Trial, goal: frozenset[str] = frozenset()
) -> LessonState | Why | Gestures:
    """Return the state of an attempt at a lesson, or the answer about picks or a gesture.

    ``goal`` are cells to be marked besides those named by the task.

    Raises:
        TrineError: an action is not legal, or follows the end of the attempt.
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
    if trial.picks or trial.spot:
        if closed:
            raise IllegalError("the turn is over; it can only be submitted or changed")
        return _advise(attempt.play, trial)
    is_open = attempt.state is AttemptState.OPEN and not closed
    named = goal | named_cells(room, shown.start, lesson.task) if is_open else ()
    first = None
    if attempt.answered:
        before = attempt.play.copy()
        before.turns = before.turns[: -len(attempt.answered)]
        before.position = before.turns[-1].after
        first = scene_of(before).view
    return LessonState(
        view=scene_of(shown, named).view,
        choices=_choices(shown) if is_open else (),
        handles=room.view.handles(shown.position) if is_open else (),
        a=trial.a,
        open=len(shown.turns[-1].actions) if closed else len(shown.open_actions),
        closed=closed,
        state=attempt.state.value,
        told=join(list(_state_texts(attempt)), " · "),
        coach=next_step(room, shown.turn_start, shown.open_actions, shown.position)
        if is_open and shown.open_actions
        else NOTHING,
        first=first,
    )


def _state_texts(attempt: Attempt) -> Iterable[Text]:
    play = attempt.play
    match attempt.state:
        case AttemptState.SOLVED:
            yield text("Done! {success}", success=attempt.lesson.success)
        case AttemptState.MISSED:
            if play.outcome:
                yield play.ended_for(play.start.mover)
            yield MISSED
        case AttemptState.OPEN:
            for turn in attempt.answered:
                steps = written_actions(attempt.room, turn.before, turn.actions)
                player = turn.before.seats[turn.player].name
                yield text("{player} plays {turn}", player=player, turn=steps)
            if attempt.answered:
                yield ntext("{count} turn left", "{count} turns left", attempt.turns_left)


def example_state(
    room: Room, rules: str, example: Example, trial: Trial
) -> ExampleState | Why | Gestures:
    """Return the referee's answer to actions tried in the position of an example."""
    answer: Text | None
    if trial.line:
        verdict = verdict_on(room, rules, example.position, trial.line)
        answer = verdict.about(trial.line)
    else:
        verdict, answer = _judge(room, room.rules.parse_position(example.position, rules), trial)
    play = verdict.after
    if trial.picks or trial.spot:
        return _advise(play, trial)
    done = [str(action) for turn in play.turns for action in turn.actions]
    done += [str(action) for action in play.open_actions]
    return ExampleState(
        view=scene_of(play).view,
        choices=_choices(play) if len(done) < MAX_ACTIONS else (),
        handles=room.view.handles(play.position)
        if len(done) < MAX_ACTIONS and not play.outcome
        else (),
        a=done,
        legal=verdict.legal,
        told=answer or NOTHING,
        mover=NOTHING if play.outcome else mover_text(play.position),
    )


def _judge(room: Room, start: Position, trial: Trial) -> tuple[Verdict, Text | None]:
    play = Play(room, start)
    for given in trial.a:
        play.follow(read_draft(play, [given]))
    ended = describe(names(play.position.seats), play.outcome) if play.outcome else None
    verdict = Verdict(True, play, ended)
    return verdict, verdict.about(trial.a[-1]) if trial.a else None


def mover_text(position: Position) -> Text:
    return text("{player} to move", player=position.seats[position.mover].name)


def _advise(play: Play, trial: Trial) -> Why | Gestures:
    play.check_goes_on()
    if trial.spot:
        return Gestures(gestures(play, [], trial.spot))
    return Why(why_not(play, [], trial.picks))


def _choices(play: Play) -> Sequence[Choosable]:
    return choices(play.room, play.position, play.legal_actions())


def scene_of(play: Play, named: Iterable[str] = ()) -> Scene:
    """Return the scene of a play, with lasting keys of its pieces and the last turn marked."""
    room, keys = play.room, FIRST_KEYS
    turns, last = list(play.turns), frozenset[str]()
    actions: tuple[Action, ...] = play.open_actions
    if actions:
        turns.append(Turn(play.turn_start, actions, play.position))
    for turn in turns:
        keys = keys_after(room, turn, keys)
    if turns:
        last = changed_cells(room, turns[-1].before, turns[-1].actions)
    marks = dict.fromkeys(named, frozenset({NAMED}))
    return without_absent(
        room.view.scene(play.position, seat=play.start.mover, last=last, keys=keys, marks=marks)
    )


def named_cells(room: Room, position: Position, sentence: Text) -> frozenset[str]:
    """Return the cells that the sentence of a task names, singly or by rank, to be marked.

    >>> from trine.games import new_play, open_room
    >>> arimaa, start = open_room("arimaa"), new_play("arimaa").start
    >>> sorted(named_cells(arimaa, start, text("Take it from d2 to e5, and win.")))
    ['d2', 'e5']
    >>> len(named_cells(arimaa, start, text("Bring a rabbit to rank 8.")))
    8
    """
    known, words = room.view.scene(position).board.by_id, str(sentence)
    named = set(re.findall(r"\w+", words)) & known.keys()
    ranks = set(re.findall(r"\brank (\d+)", words))
    return frozenset(named | {cell for cell in known if cell.lstrip(ascii_lowercase) in ranks})


@cache
def goal_cells(game_name: str, rules: str, name: str) -> frozenset[str]:
    """Return the cells of the edge that the learner must reach in a lesson; usually none.

    >>> sorted(goal_cells("corridor", "great-wall", "three-players"))[:3]
    ['i1', 'i2', 'i3']
    """
    room = open_room(game_name)
    attempt = Attempt(room, rules, next(one for one in room.lessons(rules) if one.name == name))
    for line in attempt.lesson.solution:
        attempt.enter(line)
    position, outcome = attempt.play.position, attempt.play.outcome
    cause = outcome and outcome.reason is Reason.GOAL and room.view.cause(position, outcome)
    if not cause:
        return frozenset()
    board = room.view.scene(position).board
    cells = {cell.id: cell.at for cell in board.cells if cell.role != "slot"}
    reached = cells[cause.cells[0]]
    rows = [at[1] for at in cells.values()]
    axis = 1 if reached[1] in (min(rows), max(rows)) else 0
    return frozenset(cell for cell, at in cells.items() if at[axis] == reached[axis])


def solution_paths(room: Room, rules: str, lesson: Lesson) -> list[Sequence[str]]:
    """Return the picks of each action of the first turn that solves a lesson, for arrows."""
    play = Play(room, room.rules.parse_position(lesson.position, rules))
    steps = play.interpret(lesson.solution[0]).steps
    return arrows(room, ((step.before, step.action) for step in steps))
