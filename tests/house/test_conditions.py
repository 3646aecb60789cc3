"""Conditional turns: seen by their player alone, followed, and played like any other turn."""

from collections.abc import Sequence
from random import Random

import msgspec
import pytest

from house.houses import OpenHouse, Time, asked, first_turn, two_at_a_board, until
from trine.core.clock import DAY
from trine.core.contract.position import Reason
from trine.core.errors import IllegalError, TrineError
from trine.core.play import Play
from trine.games import ROOMS, open_room
from trine.house.app import House
from trine.house.games.live.agreement import Agreement
from trine.house.games.live.commands import (
    MIN_TURN_TIME,
    NotYoursError,
    OutdatedError,
    answer,
    condition,
    offer,
    resume,
    turn,
)
from trine.house.games.live.drafts import DEEPEST, Branch, Conditions, play_ahead
from trine.house.games.live.game_actor import GameActor
from trine.house.games.storage.events import read_events
from trine.house.games.storage.tables import conditions_of
from trine.house.games.view.scenes import ViewerGroup, ahead_view
from trine.house.games.view.views import game_message
from trine.house.people.tables import Person
from trine.play.session.state import Kind

BY_DAYS = "3d/7d/0"
LINE = [["e8"], ["e3"], ["e7"], ["e4"]]
"""What North plays, and what South answers, twice."""


def turns_of(host: GameActor) -> int:
    return len(host.snapshot.state.play.turns) if host.snapshot.state else 0


def kept(host: GameActor) -> list[int]:
    found = host.dependencies.store.read(conditions_of, [host.id])
    return [row.seat for row in found.get(host.id, ())]


async def prepared(house: House) -> tuple[GameActor, Person, Person]:
    """A game by days in which South has played, and has answers for what North may play."""
    host, one, two = await two_at_a_board(house, clock=BY_DAYS)
    await host.do(turn, asked(one), ["e2"])
    await host.do(condition, asked(one), LINE)
    return host, one, two


async def test_an_answer_is_played_as_often_as_the_expected_turn_comes(
    house: House, time: Time
) -> None:
    host, one, two = await prepared(house)
    await host.do(condition, asked(one), [["d9"], ["e3"]])
    time.now += DAY
    await host.do(turn, asked(two, "b"), ["e8"])
    await until(lambda: turns_of(host) == 3)
    assert [len(line) for line in host.snapshot.conditions[0].lines()] == [2]
    time.now += DAY
    await host.do(turn, asked(two), ["e7"])
    await until(lambda: turns_of(host) == 5)
    assert kept(host) == [] and not host.snapshot.conditions
    acts = [entry for entry in host.game.entries if entry.kind is Kind.ACT]
    assert [entry.data["words"] for entry in acts] == ["e2", "e8", "e3", "e7", "e4"]
    assert [entry.data["used"] for entry in acts] == [
        0,
        DAY,
        MIN_TURN_TIME,
        DAY - MIN_TURN_TIME,
        MIN_TURN_TIME,
    ]
    assert len(house.store.read(read_events, host.id)) == host.snapshot.seq == 6


async def test_another_turn_than_expected_clears_them(house: House) -> None:
    host, _one, two = await prepared(house)
    await host.do(turn, asked(two), ["d9"])
    assert turns_of(host) == 2 and kept(host) == [] and not host.snapshot.conditions


async def test_a_turn_matches_in_whichever_order_its_actions_come(house: House) -> None:
    host, one, two = await two_at_a_board(house, "arimaa", clock=BY_DAYS)
    for person in (one, two):
        play = host.snapshot.state.play if host.snapshot.state else None
        assert play
        words = [str(action) for action in play.interpret("setup 99of9")]
        await host.do(turn, asked(person), [*words, "end"])
    steps = first_turn(host.snapshot.state.play)[:1]  # type: ignore[union-attr]
    await host.do(turn, asked(one), [*steps, "end"])
    play = host.snapshot.state.play  # type: ignore[union-attr]
    ways = play.interpret("ra7s rh7s"), play.interpret("rh7s ra7s")
    there, back = ([str(action) for action in way] for way in ways)
    answer = first_turn(play_ahead(play, [[*there, "end"]]))
    await host.do(condition, asked(one), [[*there, "end"], answer])
    await host.do(turn, asked(two), [*back, "end"])
    await until(lambda: turns_of(host) == 5)


async def test_nobody_else_sees_them(house: House) -> None:
    host, one, two = await two_at_a_board(house, clock=BY_DAYS)
    eve, _ = await house.accounts.welcome("Eve")
    await host.do(turn, asked(one), ["e2"])
    await host.do(condition, asked(one), LINE)
    for own in (frozenset[int](), frozenset({1})):
        shown = game_message(host.snapshot, ViewerGroup(own, 0, "en"))
        assert not shown.conditions
    shown = game_message(host.snapshot, ViewerGroup(frozenset({0}), 0, "en"))
    assert [[list(turn.a) for turn in line] for line in shown.conditions] == [LINE]
    with pytest.raises(NotYoursError):
        await host.do(condition, asked(eve), LINE)
    with pytest.raises(NotYoursError):
        await host.do(condition, asked(eve), [], drop=True)
    with pytest.raises(NotYoursError):
        ahead_view(host.snapshot, ViewerGroup(frozenset(), 0, "en"), [["e8"]], [])
    with pytest.raises(TrineError):  # it is the other's turn
        await host.do(condition, asked(two), LINE)
    await host.do(condition, asked(two), [], drop=True)
    assert kept(host) == [0], "the opponent has cleared them"
    assert "e3" not in str([event.data for event in house.store.read(read_events, host.id)])


async def test_a_line_that_makes_no_sense_is_refused(house: House) -> None:
    host, one, _ = await two_at_a_board(house, clock=BY_DAYS)
    with pytest.raises(IllegalError):
        await host.do(condition, asked(one), LINE)  # it is one's own turn
    await host.do(turn, asked(one), ["e2"])
    long = [["e8"], ["e3"]] * DEEPEST
    illegal: list[list[list[str]]] = [[["e9"], ["e3"]], [["e8"], ["e5"]], [[]]]
    for wrong in (*illegal, [], LINE[:1], LINE[:3], long):
        with pytest.raises(TrineError):
            await host.do(condition, asked(one), wrong)
    with pytest.raises(OutdatedError):
        await host.do(condition, asked(one, seen=1), LINE)
    assert kept(host) == []
    await host.do(condition, asked(one), LINE)
    await host.do(condition, asked(one), [*LINE[:3], ["d3h"]])
    (line,) = host.snapshot.conditions[0].lines()
    assert line[-1].ids == ("d3h",), "of two answers the later one counts"
    await host.do(condition, asked(one), [*LINE[:3]], drop=True)
    assert [len(line) for line in host.snapshot.conditions[0].lines()] == [2]
    await host.do(condition, asked(one), LINE[:2], drop=True)
    assert kept(host) == []


async def test_on_a_clock_one_answer_waits_and_costs_a_tenth_of_a_second(
    house: House, time: Time
) -> None:
    host, one, two = await two_at_a_board(house, clock="5+0")
    await host.do(turn, asked(one), ["e2"])
    with pytest.raises(IllegalError):
        await host.do(condition, asked(one), LINE)
    with pytest.raises(IllegalError):
        ahead_view(host.snapshot, ViewerGroup(frozenset({0}), 0, "en"), LINE, [])
    await host.do(condition, asked(one), LINE[:2])
    time.now += 3
    await host.do(turn, asked(two), ["e8"])
    await until(lambda: turns_of(host) == 3)
    state = host.snapshot.state
    assert state and state.clock and state.clock.reserves == (300 - MIN_TURN_TIME, 297)


async def test_who_has_no_time_left_loses_in_spite_of_an_answer(house: House, time: Time) -> None:
    host, one, two = await two_at_a_board(house, clock="0/5s")
    await host.do(turn, asked(one), ["e2"])
    await host.do(turn, asked(two), ["e8"])
    time.now += 5 - MIN_TURN_TIME / 2
    await host.do(turn, asked(one), ["e3"])
    await host.do(condition, asked(one), [["e7"], ["e4"]])
    await host.do(turn, asked(two), ["e7"])
    await until(lambda: not host.queue.busy)
    assert turns_of(host) == 4
    time.now += MIN_TURN_TIME
    host.tick()
    await until(lambda: host.snapshot.over)
    state = host.snapshot.state
    assert state and state.outcome and state.outcome.reason is Reason.TIME


async def test_conditions_outlast_a_pause(house: House) -> None:
    host, one, two = await prepared(house)
    await host.do(offer, asked(one), "pause")
    await host.do(answer, asked(two), "pause", agrees=True)
    with pytest.raises(IllegalError):
        await host.do(turn, asked(two), ["e8"])
    await host.do(resume, asked(two))
    assert kept(host) == [0]
    await host.do(turn, asked(two), ["e8"])
    await until(lambda: turns_of(host) == 3)


async def test_what_was_taken_back_is_no_longer_answered(house: House, time: Time) -> None:
    host, one, two = await prepared(house)
    time.now += 6
    await host.do(offer, asked(one), "takeback")
    await host.do(answer, asked(two), "takeback", agrees=True)
    assert turns_of(host) == 0 and kept(host) == []


async def test_an_answer_is_played_after_the_house_broke_down_before_it(
    house: House, open_house: OpenHouse
) -> None:
    host, _one, two = await prepared(house)
    host._play_prepared = lambda: None  # type: ignore[method-assign]
    await host.do(turn, asked(two), ["e8"])
    house = await open_house()
    host = await house.games.actor(host.id)
    await until(lambda: turns_of(host) == 3)
    assert kept(host) == [0], "the rest of the tree is gone"


async def test_of_three_players_the_turns_of_both_others_are_expected(house: House) -> None:
    agreed = Agreement.make(
        "corridor", "great-wall", options={"Players": "3"}, clock=BY_DAYS, listed=True
    )
    people = [(await house.accounts.welcome())[0] for _ in range(3)]
    await house.lobby.open("a", people[0], agreed, side=0)
    for person in people[1:]:
        game = await house.lobby.take("a", person)
    host = await house.games.actor(game)
    by_id = {person.id: person for person in people}
    order = [by_id[str(seat.person)] for seat in host.game.seats]
    play = host.snapshot.state.play  # type: ignore[union-attr]
    line = []
    for _ in range(4):
        line.append(list(first_turn(play)))
        play = play_ahead(play, line[-1:])
    await host.do(turn, asked(order[0]), line[0])
    with pytest.raises(IllegalError):
        await host.do(condition, asked(order[0]), line[1:3])
    await host.do(condition, asked(order[0]), line[1:])
    await host.do(turn, asked(order[1]), line[1])
    assert kept(host) == [0]
    await host.do(turn, asked(order[2]), line[2])
    await until(lambda: turns_of(host) == 4)
    assert kept(host) == []


@pytest.mark.parametrize("game", ROOMS)
def test_a_tree_is_followed_as_its_lines_say(game: str) -> None:
    """Random trees, compared with a search through the lines that were kept."""
    rng = Random(game)
    room = open_room(game)
    for _ in range(4):
        play = Play(
            room, room.rules.start(room.default_rules, room.rules.settle(room.default_rules, {}))
        )
        for _ in range(3):
            play = play_ahead(play, [_ids(play, rng)])
        seat = 1 - play.mover
        tree, answers = Conditions(len(play.turns)), dict[tuple[object, ...], object]()
        for _ in range(6):
            line, ahead, path = [], play.copy(), list[object]()
            for _ in range(rng.choice([2, 4])):
                ids, before = _ids(ahead, rng), ahead.mover
                line.append(ids)
                ahead = play_ahead(ahead, [ids])
                if before == seat:  # the latest answer counts, and what followed another is gone
                    if answers.get(tuple(path)) != ahead.position:
                        gone = [key for key in answers if key[: len(path)] == tuple(path)]
                        for key in gone:
                            del answers[key]
                    answers[tuple(path)] = ahead.position
                path.append(ahead.position)
                if ahead.outcome:
                    break
            try:
                tree = tree.with_line(play, seat, line)
            except IllegalError:
                assert ahead.outcome
        for branches in tree.lines():
            left, ahead, path = tree, play.copy(), list[object]()
            for branch in branches:
                after = play_ahead(ahead, [branch.ids])
                if branch.mine:
                    assert answers[tuple(path)] == after.position
                left, ahead = left.followed(ahead, after), after
                path.append(after.position)
            assert not left or all(one.mine is False for one in left.branches)
        assert sum(one.mine for one in _nodes(tree.branches)) == len(answers)
        again = msgspec.json.decode(msgspec.json.encode([one.as_data() for one in tree.branches]))
        assert [Branch.from_data(one) for one in again] == list(tree.branches)


def _nodes(branches: Sequence[Branch]) -> list[Branch]:
    return [node for one in branches for node in (one, *_nodes(one.then))]


def _ids(play: Play, rng: Random) -> list[str]:
    ahead, mover, ids = play.copy(), play.mover, list[str]()
    while not ahead.outcome and ahead.mover == mover and (not ids or ahead.position.turn_open):
        action = rng.choice(ahead.legal_actions()[:3])
        ids.append(str(action))
        ahead.act(action)
    return ids


async def test_a_turn_waits_for_whatever_comes(house: House) -> None:
    host, one, two = await two_at_a_board(house, clock="5+0")
    await host.do(turn, asked(one), ["e2"])
    await host.do(condition, asked(one), [[], ["d2"]])
    await host.do(condition, asked(one), [[], ["e3"]])
    assert [len(line) for line in host.snapshot.conditions[0].lines()] == [2], "the later one"
    await host.do(condition, asked(one), [["d9"], ["d2"]])
    await host.do(turn, asked(two), ["e8"])
    await until(lambda: turns_of(host) == 3)
    state = host.snapshot.state
    assert state and [str(action) for action in state.play.turns[-1].actions] == ["e3"]


async def test_what_waits_is_not_played_where_it_is_illegal_then(house: House) -> None:
    host, one, two = await two_at_a_board(house, clock="5+0")
    await host.do(turn, asked(one), ["e2"])
    with pytest.raises(TrineError):
        await host.do(condition, asked(one), [[], ["e5"]])
    await host.do(condition, asked(one), [[], ["e3"]])
    await host.do(turn, asked(two), ["e2h"])
    await until(lambda: not host.queue.busy)
    assert turns_of(host) == 2
    await host.do(turn, asked(one), ["d2"])
    assert not host.snapshot.conditions


async def test_no_turn_waits_while_the_board_is_set_up(house: House) -> None:
    host, _, two = await two_at_a_board(house, "arimaa", clock="5+0")
    with pytest.raises(IllegalError):
        await host.do(condition, asked(two), [[], ["Ra7"]])
