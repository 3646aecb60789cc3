"""The referee's answers, computed ahead for a static site, whose pages cannot ask a server.

From the position of a lesson, a puzzle or an example, the ways to its goal and the likely mistakes
named in the book are followed; other legal actions get a fixed answer. ``web/static/site/site.js``
looks answers up in this tree of branches.
"""

import json
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Final

import msgspec

from trine.core.contract.attempt import Attempt, AttemptState, verdict_on
from trine.core.contract.handbook import Example
from trine.core.contract.lesson import Lesson, Reached
from trine.core.contract.position import Action, Position
from trine.core.contract.room import Room
from trine.core.errors import TrineError
from trine.core.play import Play
from trine.core.text.language import LANGUAGES, open_language
from trine.core.text.sentence import Text, text
from trine.engine.puzzles.exercise import exercise
from trine.engine.puzzles.puzzle import Puzzle
from trine.house.games.live.drafts import read_draft, why_not
from trine.house.lessons.trial import Trial, example_state, goal_cells, lesson_state
from trine.house.puzzles.puzzles import puzzle_state

MAX_POSITIONS: Final = 5_000
"""Units: positions; the limit of the search for ways to a lesson's goal; the end of a turn counts
as ten. Beyond the limit, only the ways found and the solution, in any order, have answers."""
MAX_PICK_DISTANCE: Final = 1.6  # cells, between two picks whose refusal is stored
STRANGE: Final = text("That is legal, but it is not a way that these pages know. Try another.")
FORBIDDEN: Final = text("That is not legal here.")

Path = tuple[str, ...]


class AnswerScript:
    """The script file with the answers of a page; repeated sentences and parts are stored once."""

    def __init__(self) -> None:
        self._words: dict[tuple[str, ...], int] = {}
        self._parts: dict[str, int] = {}
        self._answers: dict[str, str] = {}

    def say(self, sentence: Text) -> str:
        said = tuple(open_language(code).say(sentence) for code in LANGUAGES)
        return f"~{self._words.setdefault(said, len(self._words))}" if any(said) else ""

    def add(self, place: str, answer: Any) -> None:
        plain = msgspec.to_builtins(answer, enc_hook=self.say)
        self._answers[place] = _json(self._shared(plain))

    def script(self) -> str:
        words = dict(zip(LANGUAGES, map(list, zip(*self._words, strict=True)), strict=False))
        return f"know({_json(self._answers)}, {_json([*self._parts])}, {_json(words)});\n"

    def _shared(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {name: self._shared(one) for name, one in value.items()}
        if isinstance(value, (list, tuple)):
            return [self._part(one) if isinstance(one, dict) else one for one in value]
        return value

    def _part(self, part: dict[str, Any]) -> str:
        return f"^{self._parts.setdefault(_json(self._shared(part)), len(self._parts))}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


async def _branches(
    judge: Callable[[Path], Awaitable[Any]],
    replayed: Callable[[Path], tuple[Play, bool]],
    wanted: Callable[[Path, Play, Action], bool],
    lines: Any = None,
) -> Any:
    """Return the tree of a page's states, by the actions tried before.

    ``judge`` returns the state after some actions, ``replayed`` the play and whether it goes on,
    and ``wanted`` whether a branch is followed. ``lines`` are states by typed line.
    """
    numbers: dict[tuple[Position, int], int] = {}
    nodes: list[Any] = []

    async def visit(path: Path) -> int:
        play, goes_on = replayed(path)
        number = numbers.setdefault((play.position, len(play.turns)), len(nodes))
        if number == len(nodes):
            state, following = await judge(path), dict[str, int]()
            whys = {} if path else _refusals(play, state.choices)
            nodes.append({"state": state, "next": following, "why": whys})
            for action in play.legal_actions() if goes_on else ():
                if wanted(path, play, action):
                    following[str(action)] = await visit((*path, str(action)))
        return number

    await visit(())
    return {"nodes": nodes, "lines": lines or {}, "strange": STRANGE, "forbidden": FORBIDDEN}


def _refusals(play: Play, choices: Sequence[Any]) -> dict[str, Text]:
    """Return the reasons why picks are no action: of single spots, and of pairs near each other."""
    board = play.room.view.scene(play.position).board
    at = {cell.id: cell.at for cell in board.cells}
    known = {one.picks[:count] for one in choices if one.picks for count in (1, 2)}
    picks = {(spot.id,) for spot in board.spots} | {
        (first, other)
        for first in {first for first, *_ in known} & at.keys()
        for other in at
        if max(abs(a - b) for a, b in zip(at[first], at[other], strict=True)) < MAX_PICK_DISTANCE
    }
    return {" ".join(one): why_not(play, [], one) for one in sorted(picks - known)}


def _prefixes(lines: Iterable[Path]) -> set[Path]:
    return {line[:count] for line in lines for count in range(len(line) + 1)}


def _ids(play: Play, line: str) -> Path:
    """Return the ids of a line's actions; empty if the line is not legal."""
    try:
        return tuple(str(step.action) for step in play.interpret(line).steps)
    except TrineError:
        return ()


class _LessonWays:
    """The ways to the goal of a lesson within its first turn."""

    def __init__(self, lesson: Lesson) -> None:
        self._lesson, self._left = lesson, MAX_POSITIONS
        self._known: dict[tuple[Position, int], bool] = {}

    def lead_on(self, play: Play, left: int) -> bool:
        """Return whether the goal can be reached with ``left`` more actions."""
        key = (play.position, left)
        if key not in self._known and self._left > 0:
            self._left -= 10 if play.turns else 1
            if play.turns:
                turn = play.turns[0]
                reached = Reached(play.start, turn.after, turn.actions, play.outcome)
                self._known[key] = self._lesson.goal(reached)
            elif left > 0:
                self._known[key] = any(
                    self.lead_on(play.after([action]), left - 1) for action in play.legal_actions()
                )
        return self._known.get(key, False)


async def _attempts(
    room: Room,
    rules: str,
    lesson: Lesson,
    judge: Callable[[Path], Awaitable[Any]],
    wanted: Callable[[Path, Play, Action], bool],
) -> Any:
    def replayed(path: Path) -> tuple[Play, bool]:
        attempt = Attempt(room, rules, lesson)
        for given in path:
            attempt.follow(read_draft(attempt.play, [given]))
        return attempt.play, attempt.state is AttemptState.OPEN

    return await _branches(judge, replayed, wanted)


async def lesson_answers(room: Room, rules: str, lesson: Lesson) -> Any:
    goal, ways = goal_cells(room.name, rules, lesson.name), _LessonWays(lesson)
    attempt = Attempt(room, rules, lesson)
    wrong = _prefixes([_ids(attempt.play, line) for line in lesson.wrong])
    solution = []
    for line in lesson.solution:
        solution.append(_ids(attempt.play, line))
        attempt.enter(line)

    async def judge(path: Path) -> Any:
        return lesson_state(room, rules, lesson, Trial(list(path)), goal)

    def wanted(path: Path, play: Play, action: Action) -> bool:
        if (*path, str(action)) in wrong or str(action) in solution[len(play.turns) // 2]:
            return True
        left = len(solution[0]) - len(path) - 1
        return lesson.turns == 1 and ways.lead_on(play.after([action]), left)

    return await _attempts(room, rules, lesson, judge, wanted)


async def puzzle_answers(puzzle: Puzzle) -> Any:
    lesson = exercise(puzzle)
    solving = [{str(action) for action in turn.actions} for turn in puzzle.solutions]
    tried = _prefixes([tuple(map(str, one[0].actions)) for one in puzzle.tries])

    async def none(play: Play) -> None:
        return None

    async def judge(path: Path) -> Any:
        return await puzzle_state(puzzle, Trial(list(path)), none)

    def wanted(path: Path, play: Play, action: Action) -> bool:
        way = (*path, str(action))
        return way in tried or any({*way} <= actions for actions in solving)

    return await _attempts(puzzle.room, puzzle.rules, lesson, judge, wanted)


async def example_answers(room: Room, rules: str, example: Example) -> Any:
    """Return the states of an example, along the lines that the book tries."""
    start = Play(room, room.rules.parse_position(example.position, rules))
    lines = [one.line for one in example.tries]
    verdicts = [verdict_on(room, rules, example.position, line).after for line in lines]
    ways = _prefixes([_path_of(play) for play in verdicts])

    async def judge(path: Path) -> Any:
        return example_state(room, rules, example, Trial(list(path)))

    def replayed(path: Path) -> tuple[Play, bool]:
        play = start.copy()
        for given in path:
            play.follow(read_draft(play, [given]))
        return play, True

    states = {line: example_state(room, rules, example, Trial(line=line)) for line in lines}
    return await _branches(
        judge, replayed, lambda path, play, action: (*path, str(action)) in ways, states
    )


def _path_of(play: Play) -> Path:
    done = [action for turn in play.turns for action in turn.actions]
    return tuple(map(str, (*done, *play.open_actions)))
