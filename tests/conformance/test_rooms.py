"""One contract for every room and rule set: what the floors above may rely on."""

import json
import pickle
import random
from collections.abc import Iterator, Sequence
from itertools import groupby

import pytest

from scenes import assert_drawn_once, assert_known_paints
from trine.core.contract.insight import Effect
from trine.core.contract.notation import Format
from trine.core.contract.position import Action, Outcome, Reason
from trine.core.contract.record import Record, format_record, read_records
from trine.core.contract.room import Room
from trine.core.errors import FileError, TrineError
from trine.core.play import Play, changed_cells
from trine.core.scene.canvas import Look
from trine.core.scene.scene import plain
from trine.core.text.language import LANGUAGES, open_language
from trine.core.text.sentence import Text
from trine.games import ROOMS, new_play, open_room, start_position
from trine.play.record.formats import MAX_HEAD_LINES
from trine.play.record.replay import record_of, replay

RULE_SETS = [f"{name}/{rules}" for name in ROOMS for rules in open_room(name).rule_sets]
OTHER_STARTS = [
    "arimaa/official handicap=gold:camel,dog",
    "tzaar/official setup=random seed=7",
    "tzaar/open setup=placement",
    "corridor/quoridor players=4",
    "corridor/quoridor size=4",
    "corridor/corridor-8 size=5",
    "corridor/great-wall players=3 size=6",
    "corridor/great-wall players=4 size=5",
    "corridor/corridor drawn=caught size=3",
    "arimaa/classic competition=yes",
]
"""Beginnings that are not the usual ones: the game, and its options."""
PLIES = 100


def begun(game: str) -> Play:
    """A play that is begun: ``GAME/RULES``, and options if there are any."""
    name, *options = game.split()
    return new_play(name, **dict(option.split("=") for option in options))


def random_play(game: str, seed: int, plies: int = PLIES) -> Iterator[Play]:
    """A random play, given out before its first and after every action."""
    rng = random.Random(seed)
    play = begun(game)
    yield play
    for _ in range(plies):
        if play.outcome:
            return
        play.act(rng.choice(play.legal_actions()))
        yield play


def finished(game: str, seed: int, plies: int = PLIES) -> Play:
    *_, play = random_play(game, seed, plies)
    return play


@pytest.fixture(params=RULE_SETS + OTHER_STARTS)
def game(request: pytest.FixtureRequest) -> str:
    """A game, its rule set, and how it begins."""
    name: str = request.param
    return name


@pytest.fixture(params=RULE_SETS)
def rule_set(request: pytest.FixtureRequest) -> str:
    """A game and its rule set."""
    name: str = request.param
    return name


def room_of(game: str) -> Room:
    return open_room(game.partition("/")[0])


def some_of(actions: Sequence[Action]) -> list[Action]:
    """The first and the last of some actions, where those of rare kinds stand, and some between."""
    rng = random.Random(len(actions))
    return [*actions[:2], *rng.sample(actions, min(4, len(actions))), *actions[-2:]]


def agreed_ends(play: Play) -> list[Play]:
    """The ways in which people can end a play, each carried out."""
    ends = []
    for reason in (Reason.RESIGNATION, Reason.TIME):
        left = play.copy()
        while not left.outcome:
            left.leave(reason)
        ends.append(left)
    if play.position.rules.draws:
        drawn = play.copy()
        drawn.conclude(Outcome(None, Reason.AGREEMENT))
        ends.append(drawn)
    return ends


def test_legal_actions_are_unique_and_legal(game: str) -> None:
    for play in random_play(game, 1):
        actions = play.legal_actions()
        assert len(set(actions)) == len(actions)
        assert bool(actions) != bool(play.outcome)
        for action in some_of(actions):
            assert play.why_not(action) is None
            warning = play.position.warning(action, play.history)
            assert isinstance(warning, Text | None)
            ahead = play.copy()
            ahead.act(action)
            if ahead.outcome and ahead.outcome.winner not in (None, play.mover):
                assert warning, f"{action} loses at once"
            play.position.play(action, play.history)


def test_positions_are_immutable_values(game: str) -> None:
    for play in random_play(game, 2, 60):
        before, key = play.position, hash(play.position)
        for action in play.legal_actions()[:3]:
            assert play.position.play_unchecked(action) == play.position.play_unchecked(action)
        assert play.position is before
        assert hash(play.position) == key


def test_a_position_comes_back_from_another_process_with_the_same_rules(game: str) -> None:
    for play in random_play(game, 3, 60):
        back = pickle.loads(pickle.dumps(play.position))
        assert back == play.position and back.rules is play.position.rules


def test_actions_round_trip_through_their_notation(game: str) -> None:
    from trine.core.text.sentence import split_words

    room = room_of(game)
    for play in random_play(game, 3, 120):
        for action in some_of(play.legal_actions()):
            words = split_words(room.rules.format_action(play.position, action))
            if action != room.rules.end:
                assert room.rules.read_action(play.position, words, play.history) == (
                    action,
                    len(words),
                )
            typed = room.rules.interpret(play.position, str(action), play.history)
            assert tuple(typed) == (action,)
            if room.name != "arimaa":  # where small letters are Silver's pieces
                typed = room.rules.interpret(play.position, str(action).upper(), play.history)
                assert tuple(typed) == (action,)


def test_positions_round_trip_through_their_text(game: str) -> None:
    room = room_of(game)
    for play in random_play(game, 4):
        if not (play.position.turn_open or room.sets_up_whole(play.position)):
            text = room.rules.format_position(play.position)
            for rules in (play.position.rules.name, ""):
                read = room.rules.parse_position(text, rules)
                if rules or read.rules == play.position.rules:
                    assert read == play.position
            assert room.rules.format_position(read) == text


def test_keys_are_equal_exactly_where_what_repeats_is_equal(game: str) -> None:
    by_key: dict[object, object] = {}
    for seed in range(3):
        for play in random_play(game, seed):
            position = play.position
            if not position.turn_open and position.key is not None:
                assert by_key.setdefault(position.key, position) == position


def test_every_beginning_is_made_again_by_its_tags(game: str) -> None:
    room, play = room_of(game), begun(game)
    rules = play.position.rules.name
    for start in (play.start, play.position):
        tags = dict(room.rules.start_tags(start))
        position = tags.pop("Start", "")
        assert start_position(room, rules, tags, position) == start


def test_options_are_settled_once(game: str) -> None:
    room, (name, *given) = room_of(game), game.split()
    rules = name.partition("/")[2]
    options = {tag.capitalize(): value for tag, _, value in (word.partition("=") for word in given)}
    settled = room.rules.settle(rules, options)
    assert settled.keys() <= {option.tag for option in room.rules.options}
    assert room.rules.settle(rules, settled) == settled
    assert room.rules.start(rules, settled) == room.rules.start(rules, settled)
    for tag in settled:
        with pytest.raises(TrineError):
            room.rules.settle(rules, {**settled, tag: "nonsense"})


def test_results_are_final(game: str) -> None:
    for seed in range(6, 12):
        play = finished(game, seed, 2000)
        if play.outcome:
            assert play.legal_actions() == ()
            with pytest.raises(TrineError, match="the play is over"):
                play.enter("a1")
            return
    pytest.fail("no random play came to an end")


def test_whoever_leaves_loses_and_the_last_who_stays_wins(game: str) -> None:
    for play in random_play(game, 16, 20):
        if play.outcome:
            break
        mover, number = play.mover, len(play.position.playing)
        others = [player for player in play.position.playing if player != mover]
        left = play.copy()
        left.leave(Reason.RESIGNATION)
        if number == 2:
            assert left.outcome == Outcome(others[0], Reason.RESIGNATION)
        else:
            assert list(left.position.playing) == others
            assert left.mover in others
            assert left.take_back().left is Reason.RESIGNATION
            assert left.position == play.turn_start


def test_what_people_agree_on_round_trips_through_records(game: str) -> None:
    play = finished(game, 17, 12)
    while play.open_actions:
        play.undo()
    if play.outcome:
        play.take_back()
    for ended in agreed_ends(play):
        (record,) = read_records(format_record(record_of(ended)).splitlines(keepends=True))
        again = replay(record)
        assert (again.position, again.outcome) == (ended.position, ended.outcome)
        assert len(again.turns) == len(ended.turns)


def test_only_games_with_draws_can_be_drawn(game: str) -> None:
    record = record_of(begun(game))
    record.tags |= {"Result": "draw", "Reason": "agreement"}
    if begun(game).position.rules.draws:
        assert replay(record).outcome == Outcome(None, Reason.AGREEMENT)
    else:
        with pytest.raises(TrineError, match=r"has no draws|nobody can agree"):
            replay(record)


def test_a_play_that_is_taken_back_is_as_it_was(game: str) -> None:
    play = finished(game, 12, 200)
    stood = {key: play.history.times(key) for key in (t.after.key for t in play.turns) if key}
    turns = list(play.turns)
    while play.turns:
        turn = play.take_back()
        assert play.position == turn.before
    assert play.position == play.start
    for turn in turns:
        play.follow(play.check(turn.actions))
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
        if index % 25:
            continue
        seen = room.view.insight(play.position)
        groups = room.view.group_actions(play.position, play.legal_actions())
        assert sum(len(actions) for _, actions in groups) == len(play.legal_actions())
        for language in languages:
            said = [
                *seen.sentences(),
                *room.view.status(play.position),
                *(text for text, _ in groups),
            ]
            for sentence in said:
                assert isinstance(sentence, Text)
                assert language.say(sentence).strip()
        last = (
            changed_cells(room, play.turns[-1].before, play.turns[-1].actions) if play.turns else ()
        )
        targets = frozenset(map(str, play.legal_actions()))
        for pieces in room.view.piece_sets:
            for flipped in (False, True):
                look = Look(pieces, flipped, frozenset(last), seen.marks(), targets)
                board = room.view.text_board(play.position, look)
                assert str(board)
                assert len({sign.sign for sign in board.legend}) == len(board.legend)
        seat = index // 25 % len(play.position.seats)
        scene = room.view.scene(play.position, seat=seat, last=last, marks=seen.marks())
        assert len(scene.board.players) == len(play.position.seats)
        json.dumps(plain(scene.board))
        json.dumps(plain(scene.view))
        assert_drawn_once(scene)
        assert_known_paints(scene.board.figures.values(), None)


def test_what_turns_bring_about_is_told_in_every_language(game: str) -> None:
    room, languages = room_of(game), [open_language(code) for code in LANGUAGES]
    turns = finished(game, 16, 100).turns
    for turn in turns[:-1:3]:  # nothing is asked about a turn that ends the play
        for effect in room.view.effects(turn.before, turn.actions):
            assert isinstance(effect, Effect)
            assert all(language.say(effect.text).strip() for language in languages)
            assert "{" not in str(effect.text)


def test_turns_lead_to_the_positions_that_turns_can_make(game: str) -> None:
    room = room_of(game)
    play = finished(game, 15, 34)  # past any setup
    while play.open_actions:
        play.undo()
    results = room.rules.turn_results(play.position, play.history)
    assert bool(results) != bool(play.outcome)
    for _, turn in zip(
        range(200), room.rules.legal_turns(play.position, play.history), strict=False
    ):
        after = play.position
        for action in turn:
            after = after.play(action, play.history)
        if room.rules.end is not None:
            after = after.play(room.rules.end, play.history)
        assert after in results


def test_the_rule_book_has_the_rule_set(rule_set: str) -> None:
    clauses = room_of(rule_set).rulebook(rule_set.partition("/")[2])
    assert clauses
    chapters = [str(chapter) for chapter, _ in groupby(clauses, key=lambda one: one.chapter)]
    assert len(set(chapters)) == len(chapters), "each chapter stands in one place"
    for clause in clauses:
        assert str(clause.chapter)
        assert str(clause.words).endswith((".", "…"))
        assert str(clause.source)


def can_hold(form: Format, record: Record) -> bool:
    try:
        form.check(record)
    except FileError:
        return False
    return True


@pytest.mark.parametrize("plies", [0, 6, 2000])
def test_formats_hold_what_they_say_they_can(game: str, plies: int) -> None:
    room, play = room_of(game), finished(game, 18, plies)
    while play.open_actions:
        play.undo()
    record = record_of(play, {"Date": "2026-01-02"})
    for name, form in room.rules.formats.items():
        assert (form.name, form.game) == (name, room.name)
        if not form.only_read and can_hold(form, record):
            written = "".join(form.write([record]))
            begins = "".join(written.lstrip("\n").splitlines(keepends=True)[:MAX_HEAD_LINES])
            # A few actions can be the same in two notations of one game.
            known = any(other.recognises(begins) for other in room.rules.formats.values())
            assert known or form.of_positions
            (read,) = form.read(written.splitlines(keepends=True), "")
            read.tags |= {
                tag: record.tags[tag] for tag in ("Handicap", "Competition") if tag in record.tags
            }
            again = replay(read, play.position.rules.name)
            assert (again.position, again.outcome) == (play.position, play.outcome)


FORMATS_OF_GAMES = [
    name
    for room in ROOMS
    for name, form in open_room(room).rules.formats.items()
    if not form.of_positions
]


@pytest.mark.parametrize("name", FORMATS_OF_GAMES)
def test_every_format_can_hold_some_game(name: str) -> None:
    held = 0
    for room in map(open_room, ROOMS):
        for rules in room.rule_sets if name in room.rules.formats else ():
            play = finished(f"{room.name}/{rules}", 18, 60)
            while play.open_actions:
                play.undo()
            held += can_hold(room.rules.formats[name], record_of(play))
    assert held


def test_formats_of_all_games_have_different_names() -> None:
    names = [name for room in map(open_room, ROOMS) for name in room.rules.formats]
    assert len(set(names)) == len(names)


def test_the_plaque_is_complete(rule_set: str) -> None:
    room = room_of(rule_set)
    assert room.name == rule_set.partition("/")[0]
    assert room.default_rules in room.rule_sets
    for field in ("tag", "letter", "name"):
        assert len({getattr(seat, field) for seat in room.seats}) == len(room.seats)
    assert set(begun(rule_set).position.seats) <= set(room.seats)
    assert room.rules.words_by_consent <= {usage.split()[0] for usage in room.rules.setup_words}
    for option in room.rules.options:
        asked = option.ask(rule_set.partition("/")[2], {})
        if asked:
            question, ready = asked
            assert str(question)
            room.rules.settle(rule_set.partition("/")[2], {option.tag: ready})
