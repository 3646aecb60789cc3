"""One contract for every room and rule set: what the floors above may rely on."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import pytest

from trine.core.doors import Room
from trine.core.errors import TrineError
from trine.core.language import LANGUAGES, open_language
from trine.core.play import Play
from trine.core.record import format_record, read_records
from trine.core.text import Text
from trine.core.textboard import Look
from trine.games import ROOMS, new_play, open_room
from trine.record.replay import record_of, replay

RULE_SETS = [f"{name}/{rules}" for name in ROOMS for rules in open_room(name).rule_sets]
PLIES = 300


def random_play(game: str, seed: int, plies: int = PLIES) -> Iterator[Play]:
    """A random play, given out before its first and after every action."""
    chance = random.Random(seed)
    play = new_play(game)
    yield play
    for _ in range(plies):
        if play.outcome:
            return
        play.act(chance.choice(play.legal_actions()))
        yield play


def finished(game: str, seed: int, plies: int = PLIES) -> Play:
    *_, play = random_play(game, seed, plies)
    return play


@pytest.fixture(params=RULE_SETS)
def game(request: pytest.FixtureRequest) -> str:
    """The name of a game and rule set."""
    name: str = request.param
    return name


def room_of(game: str) -> Room:
    return open_room(game.partition("/")[0])


def test_legal_actions_are_unique_and_legal(game: str) -> None:
    for play in random_play(game, 1):
        actions = play.legal_actions()
        assert len(set(actions)) == len(actions)
        assert bool(actions) != bool(play.outcome)
        for action in actions[:5]:
            assert play.why_not(action) is None
            play.position.play(action, play.history)


def test_positions_are_immutable_values(game: str) -> None:
    for play in random_play(game, 2, 60):
        before, key = play.position, hash(play.position)
        for action in play.legal_actions()[:3]:
            assert play.position.play_unchecked(action) == play.position.play_unchecked(action)
        assert play.position is before
        assert hash(play.position) == key


def test_actions_round_trip_through_their_notation(game: str) -> None:
    from trine.core.words import split_words

    room = room_of(game)
    for play in random_play(game, 3, 120):
        for action in play.legal_actions()[:10]:
            words = split_words(room.format_action(play.position, action))
            if action != room.end:
                assert room.read_action(play.position, words, play.history) == (action, len(words))
            typed = room.interpret(play.position, str(action), play.history)
            assert typed == (action,)


def test_positions_round_trip_through_their_text(game: str) -> None:
    room = room_of(game)
    for play in random_play(game, 4):
        if not play.position.turn_open and play.position.key is not None:
            text = room.format_position(play.position)
            read = room.parse_position(text, play.position.rules.name)
            assert read == play.position
            assert room.format_position(read) == text


def test_keys_are_equal_exactly_where_what_repeats_is_equal(game: str) -> None:
    by_key: dict[object, object] = {}
    for seed in range(3):
        for play in random_play(game, seed):
            position = play.position
            if not position.turn_open and position.key is not None:
                assert by_key.setdefault(position.key, position) == position


def test_replaying_is_deterministic(game: str) -> None:
    assert finished(game, 5).position == finished(game, 5).position


def test_results_are_final(game: str) -> None:
    for seed in range(6, 12):
        play = finished(game, seed, 2000)
        if play.outcome:
            assert play.legal_actions() == ()
            with pytest.raises(TrineError, match="the play is over"):
                play.enter("a1")
            return
    pytest.fail("no random play came to an end")


def test_a_play_that_is_taken_back_is_as_it_was(game: str) -> None:
    play = finished(game, 12, 200)
    stood = {key: play.history.times(key) for key in (t.after.key for t in play.turns) if key}
    turns = list(play.turns)
    while play.turns:
        turn = play.take_back()
        assert play.position == turn.before
    assert play.position == play.start
    for turn in turns:
        for action in turn.actions:
            play.act(action)
    assert stood == {key: play.history.times(key) for key in stood}


def test_records_round_trip(game: str) -> None:
    play = finished(game, 13)
    while play.open_actions:
        play.undo()
    (record,) = read_records(format_record(record_of(play)).splitlines(keepends=True))
    again = replay(record)
    assert again.position == play.position
    assert again.outcome == play.outcome
    assert len(again.turns) == len(play.turns)


def test_what_is_seen_is_well_formed(game: str) -> None:
    room = room_of(game)
    languages = [open_language(code) for code in LANGUAGES]
    for index, play in enumerate(random_play(game, 14, 100)):
        if index % 10:
            continue
        seen = room.insight(play.position)
        json.dumps(seen.as_data())
        groups = room.group_actions(play.position, play.legal_actions())
        assert sum(len(actions) for _, actions in groups) == len(play.legal_actions())
        for language in languages:
            said = [*seen.sentences(), *room.status(play.position), *(text for text, _ in groups)]
            for sentence in said:
                assert isinstance(sentence, Text)
                assert language.say(sentence).strip()
        for pieces in room.piece_sets:
            for flipped in (False, True):
                board = room.text_board(play.position, Look(pieces, flipped, marks=seen.marks()))
                assert str(board)
        scene = room.scene(play.position, flipped=bool(index % 20), marks=seen.marks())
        json.dumps(scene.as_data())


def test_turns_lead_to_the_positions_that_turns_can_make(game: str) -> None:
    room = room_of(game)
    play = finished(game, 15, 34)  # past any setup
    while play.open_actions:
        play.undo()
    results = room.turn_results(play.position, play.history)
    for _, turn in zip(range(200), room.legal_turns(play.position, play.history), strict=False):
        after = play.position
        for action in turn:
            after = after.play(action, play.history)
        if room.end is not None:
            after = after.play(room.end, play.history)
        assert after in results


def test_the_rule_book_has_the_rule_set(game: str) -> None:
    clauses = room_of(game).rulebook(game.partition("/")[2])
    assert clauses
    for clause in clauses:
        assert str(clause.chapter)
        assert str(clause.words).endswith((".", "…"))
        assert str(clause.source)


def test_the_plaque_is_complete(game: str) -> None:
    room = room_of(game)
    assert room.name == game.partition("/")[0]
    assert room.default_rules in room.rule_sets
    for field in ("tag", "letter", "name"):
        assert len({getattr(seat, field) for seat in room.seats}) == len(room.seats)
