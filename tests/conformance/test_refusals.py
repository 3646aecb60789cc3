"""Every refusal is true, and what is not refused can be done: actions, and what is pointed at."""

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from conformance.test_pointing import STARTS
from conformance.test_rooms import begun
from games.arimaa import claims as of_arimaa
from games.claims import Claims, Refused
from games.corridor import claims as of_corridor
from games.tzaar import claims as of_tzaar
from trine.core.contract.choices import choices
from trine.core.contract.handbook import numbered_clause
from trine.core.contract.position import Action
from trine.core.errors import IllegalError
from trine.core.play import Play
from trine.core.text.sentence import Text, split_words
from trine.games import new_play, open_room
from trine.games.arimaa.board import DIRECTIONS, EMPTY, SQUARES, TRAPS
from trine.games.arimaa.position import Position
from trine.games.arimaa.rules import STEPS, is_supported
from trine.games.arimaa.rules import Placement as Setting
from trine.games.corridor.rules import Choice, Move, Wall
from trine.games.tzaar.board import POINTS
from trine.games.tzaar.rules import Capture, Placement, Stacking

CLAIMS: dict[str, Claims] = {
    "arimaa": of_arimaa.CLAIMS,
    "tzaar": of_tzaar.CLAIMS,
    "corridor": of_corridor.CLAIMS,
}
LETTERS = "EMHDCRRRemhdcrrr"


def scattered(play: Play, rng: random.Random) -> Play:
    others = "HDCRRRhdcrrr" * rng.randrange(2)
    letters = rng.sample(f"{LETTERS}{others}".ljust(len(SQUARES), EMPTY), len(SQUARES))
    for trap in TRAPS:
        if letters[trap] != EMPTY and not is_supported("".join(letters), trap):
            letters[trap] = EMPTY
    rules = play.position.rules
    return Play(play.room, Position.of(rules, "".join(letters), rng.randrange(2)))


def plays(game: str, seed: str, count: int) -> Iterator[Play]:
    rng = random.Random(f"{game} {seed}")
    for _ in range(count):
        play = begun(game)
        if play.room.name == "arimaa" and rng.random() < 0.8:
            play = scattered(play, rng)
        for _ in range(rng.choice([rng.randrange(8), rng.randrange(100)])):
            if play.outcome:
                break
            play.act_unchecked(rng.choice(play.legal_actions()))
        yield play


def assert_true(play: Play, asked: Refused) -> None:
    claims, position = CLAIMS[play.room.name], play.room.rules.format_position(asked.position)
    said = f"{position}: {asked.action or (asked.first, asked.last)}: {asked.sentence}"
    assert asked.sentence.template in claims, said
    assert claims[asked.sentence.template](asked), said


@pytest.mark.parametrize("game", STARTS)
def test_what_is_pointed_at_is_refused_truly_or_leads_on(game: str) -> None:
    for play in plays(game, "pointed", 6):
        if play.outcome:
            continue
        room, position, history = play.room, play.position, play.history
        board = room.view.scene(position).board
        spots = [*(spot.id for spot in board.spots), *(button.id for button in board.buttons)]
        legal = choices(room, position, play.legal_actions())
        drawn = [
            way
            for spot in spots
            for way in room.view.gestures(position, play.open_actions, spot, history)
        ]
        begins = {way.path[:count] for way in (*legal, *drawn) for count in (1, 2)}
        firsts = {path[0] for path in begins if (path[0],) not in {way.path for way in legal}}
        assert set(room.view.handles(position)) <= firsts
        for picks in (*((spot,) for spot in spots), *product(sorted(firsts), spots)):
            sentence = room.view.refusal(position, picks, history)
            assert not (sentence and picks in begins), (picks, str(sentence))
            if sentence:
                assert_true(play, Refused(position, history, picks[0], picks[-1], sentence))


def every_action(play: Play) -> Iterator[tuple[Action, str, str]]:
    """Actions of all kinds, legal and not, with the cells that they begin and end with."""
    position: Any = play.position
    names = [cell.id for cell in play.room.view.scene(position).board.cells]
    if play.room.name == "arimaa":
        for square, direction in product(SQUARES, DIRECTIONS):
            piece = position.board[square]
            step = STEPS["R" if piece == EMPTY else piece, square, direction]
            yield step, names[square], (*names[: len(SQUARES)], "")[step.target]
        yield from (
            (Setting(letter, square), letter, names[square])
            for letter, square in product("ERe", SQUARES)
        )
    elif play.room.name == "tzaar":
        for kind, origin, target in product((Capture, Stacking), POINTS, POINTS):
            yield kind(origin, target), names[origin], names[target]
        yield from ((Placement("Z", point), "Z", names[point]) for point in POINTS)
    else:
        for file, rank in product(range(position.size + 1), repeat=2):
            for action in (
                *(Wall(file, rank, "h"), Wall(file, rank, "v")),
                *(Move(file, rank), Choice(file, rank)),
            ):
                yield action, "", str(action).removeprefix("@")
    if play.room.rules.end:
        yield play.room.rules.end, "", ""


@pytest.mark.parametrize("game", STARTS)
def test_an_action_is_refused_truly_or_legal(game: str) -> None:
    for play in plays(game, "acted", 6):
        position, history = play.position, play.history
        legal = set(position.legal_actions(history))
        rulebook = play.room.rulebook(position.rules.name)
        for action, first, last in every_action(play):
            sentence = position.why_not(action, history)
            assert (sentence is None) == (action in legal), (str(action), str(sentence))
            if sentence is None:
                continue
            assert_true(play, Refused(position, history, first, last, sentence, action))
            cited = numbered_clause(sentence, rulebook)
            assert cited or sentence.plural or "play is over" in str(sentence), str(sentence)


@pytest.mark.parametrize(
    ("game", "action", "clause"),
    [
        ("arimaa/official", "Ra1s", "turn.steps"),
        ("arimaa/official", "Rh1n", "freeze.straight"),
        ("arimaa/diagonal", "Rh1n", "freeze.diagonal"),
        ("corridor/corridor", "a1h", "walls.ten"),
        ("corridor/corridor-8", "a1h", "walls.eight"),
        ("corridor/corridor-8", "e3", "turn.steps-of-corridor"),
        ("tzaar/open", "-", "turn.actions"),
    ],
)
def test_a_refusal_cites_its_clause(game: str, action: str, clause: str) -> None:
    position = {"a": "2g 8/8/8/8/8/8/r6c/R6R", "c": "9 2 e1,e9 - 0,0 1", "t": ""}[game[0]]
    name, _, rules = game.partition("/")
    room = open_room(name)
    at = f"{rules} {position}" if name == "corridor" else position
    play = new_play(game, at) if position else begun(game)
    with pytest.raises(IllegalError) as refused:
        room.rules.read_action(play.position, split_words(action), play.history)
    reason = refused.value.message.values["reason"]
    assert isinstance(reason, Text)
    number, found = numbered_clause(reason, room.rulebook(rules)) or (0, None)
    assert found == room.rulebook(rules)[number - 1]
    assert found is not None and found.name == clause
