"""Whatever is done in a game, its journal, its record and the game in memory tell the same."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from house.houses import Eye, Time, a_house, asked, two_at_a_board, until
from trine.core.errors import TrineError
from trine.core.play import changed_cells
from trine.games import ROOMS, open_room
from trine.house.app import House
from trine.house.games.live.agreement import LINK, ME, Agreement
from trine.house.games.live.commands import CommandMeta, answer, claim, offer, resign, resume, turn
from trine.house.games.live.game_actor import GameActor
from trine.house.games.storage.events import read_events
from trine.house.games.storage.records import record_text
from trine.house.people.tables import Person
from trine.play.record.formats import named_format
from trine.play.record.replay import replay
from trine.play.session.changes import rebuild
from trine.play.session.state import Entry, Kind, State
from waiting import PATIENCE

OTHERS = (
    *("takeback", "draw", "pause", "yes", "no", "resume", "claim"),
    *("wrong turn", "stale turn", "nonsense"),
)
Again = Callable[[GameActor], Awaitable[int]]
"""The same command, under the same name, once more."""
Sent = Sequence[Again]
USUAL = [(game, open_room(game).default_rules) for game in ROOMS]
BY_NIGHT = [
    pytest.param(game, rules, marks=pytest.mark.nightly)
    for game in ROOMS
    for rules in open_room(game).rule_sets
    if (game, rules) not in USUAL
]


@pytest.mark.parametrize(("game", "rules"), [*USUAL, *BY_NIGHT])
def test_journal_record_and_replay_equal_the_live_game(
    tmp_path: Path, game: str, rules: str
) -> None:
    async def story() -> None:
        time = Time()
        for seed in range(2):
            rng = Random(f"{game} {rules} {seed}")
            async with a_house(tmp_path, time) as house:
                clock = rng.choice(["", "5+3"]) if seed else "5+3"
                host, *people = await two_at_a_board(house, game, rules=rules, clock=clock)
                sent = await do_much(host, people, time, rng, 16)
                before = host.snapshot.state
            async with a_house(tmp_path, time) as house:  # the house was closed, and is open again
                host = await house.games.actor(host.id)
                check_that_nothing_was_forgotten(before, host.snapshot.state)
                for person in people:
                    await host.enter(Eye(), person.id)
                await until(partial(has_begun_again, host))
                sent += await do_much(host, people, time, rng, 14, sent)
                await end(host, people, time, by_flag=seed == 0)
                await repeat(host, sent, rng, len(sent))
                check_that_all_tell_the_same(house, host)

    asyncio.run(asyncio.wait_for(story(), PATIENCE))


def test_four_players_leave_and_the_journal_tells_the_same(tmp_path: Path) -> None:
    async def story() -> None:
        time = Time()
        async with a_house(tmp_path, time) as house:
            one, _ = await house.accounts.welcome("Anna")
            agreed = Agreement.make("corridor", options={"Players": "4"}, clock="5+3")
            name, links = await house.games.create(agreed, [ME, LINK, LINK, LINK], one)
            people = [one]
            for token in links.values():
                other, _ = await house.accounts.welcome()
                await house.games.join(token, other)
                people.append(other)
            host, rng = await house.games.actor(name), Random(4)
            for number in range(24):
                time.now += 1
                await do_something(host, people, rng)
                if number in (9, 18) and not host.snapshot.over:
                    await host.do(resign, asked(people[number % 4]))
            check_that_all_tell_the_same(house, host)

    asyncio.run(asyncio.wait_for(story(), PATIENCE))


async def do_much(
    host: GameActor, people: list[Person], time: Time, rng: Random, count: int, sent: Sent = ()
) -> list[Again]:
    """Do things, some of them twice and late; what was done, to be done again."""
    done = list[Again]()
    for _ in range(count):
        time.now += rng.random()
        if host.snapshot.over:
            break
        if again := await do_something(host, people, rng):
            done.append(again)
        await repeat(host, [*sent, *done], rng, 2)
    return done


async def repeat(host: GameActor, sent: Sent, rng: Random, count: int) -> None:
    """Send commands again that have been done, in any order: nothing comes of it."""
    before, state = host.snapshot.seq, host.snapshot.state
    for again in rng.sample(sent, min(count, len(sent))):
        assert 0 < await again(host) <= before
    assert host.snapshot.seq == before and host.snapshot.state is state


def doing(command: Any, who: CommandMeta, *given: Any, **named: Any) -> Again:
    return lambda host: host.do(command, who, *given, **named)


async def do_something(host: GameActor, people: list[Person], rng: Random) -> Again | None:
    """A turn mostly, and now and then any other command, allowed or not: the same once more."""
    state, seen, call = host.snapshot.state, host.snapshot.seq, f"c{rng.random()}"
    command: Again
    assert state
    who = asked(rng.choice(people), call, seen)
    kind = rng.choice(["turn"] * 6 + [*OTHERS])
    before = len(host.game.entries)
    match kind:
        case "turn":
            mover, ids = people[state.play.mover], random_turn(host, rng)
            command = doing(turn, asked(mover, call, seen), ids)
        case "wrong turn":
            ids = rng.choice([["e2", "♞"], [], ["end"], ["a1"] * 9])
            command = doing(turn, who, ids)
        case "stale turn":
            mover = who_moves(host, people)
            command = doing(turn, asked(mover, call, 0), ["e2"])
        case "yes" | "no":
            command = doing(answer, who, "", agrees=kind == "yes")
        case "resume":
            command = doing(resume, who)
        case "claim":
            command = doing(claim, who)
        case _:
            command = doing(offer, who, kind)
    try:
        await command(host)
    except TrineError:
        assert len(host.game.entries) == before and host.snapshot.state is state, kind
        return None
    return command


async def end(host: GameActor, people: list[Person], time: Time, *, by_flag: bool) -> None:
    state = host.snapshot.state
    if host.snapshot.over or not state:
        return
    if state.by_consent:
        await host.do(resume, asked(people[0]))
    if by_flag and state.play.turns:
        await host.do(turn, asked(who_moves(host, people)), random_turn(host, Random(1)))
        time.now += 10_000
        host.tick()
        await until(lambda: host.snapshot.over)
    elif not by_flag:
        await host.do(resign, asked(people[1]))
        assert host.snapshot.over


def who_moves(host: GameActor, people: list[Person]) -> Person:
    state = host.snapshot.state
    assert state
    return people[state.play.mover]


def random_turn(host: GameActor, rng: Random) -> list[str]:
    state = host.snapshot.state
    assert state
    ahead, mover, ids = state.play.copy(), state.play.mover, list[str]()
    while not ahead.outcome and ahead.mover == mover and (not ids or ahead.position.turn_open):
        action = rng.choice(ahead.legal_actions())
        ids.append(str(action))
        ahead.act(action)
    return ids


def has_begun_again(host: GameActor) -> bool:
    return not (host.snapshot.waking or host.queue.busy)


def check_that_nothing_was_forgotten(before: State | None, after: State | None) -> None:
    assert before and after
    assert after.play.turns == before.play.turns and after.play.outcome == before.play.outcome
    assert after.offers == before.offers and after.clock == before.clock


def check_that_all_tell_the_same(house: House, host: GameActor) -> None:
    state = host.snapshot.state
    assert state
    events = house.store.read(read_events, host.id)
    assert len(events) == host.snapshot.seq
    again = rebuild([Entry(Kind(e.kind), e.actor, e.at, e.data) for e in events])
    assert again.play.turns == state.play.turns and again.play.outcome == state.play.outcome
    assert again.clock == state.clock and again.offers == state.offers
    assert (again.began, again.paused, again.at) == (state.began, state.paused, state.at)
    assert (
        len(host.snapshot.played_turns.times)
        == len(state.play.turns)
        == len(host.snapshot.played_turns.keys) - 1
    )
    room, turns = state.play.room, state.play.turns
    changed = (changed_cells(room, turn.before, turn.actions) for turn in turns)
    assert host.snapshot.played_turns.changed == (frozenset(), *changed)
    told = record_text(host.game.entries, state.play.start.seats)
    (record,) = named_format("trine").read(told.splitlines(keepends=True), "record")
    played = replay(record)
    assert played.turns == state.play.turns and played.outcome == state.play.outcome
