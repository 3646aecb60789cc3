"""Whatever is done in a game, its journal, its record and the game in memory tell the same."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from house.houses import Time, a_house, asked, two_at_a_board
from trine.core.errors import TrineError
from trine.games import ROOMS, open_room
from trine.house.agreement import LINK, ME, Agreement
from trine.house.export import record_text
from trine.house.host import Host
from trine.house.house import House
from trine.record.formats import named_format
from trine.record.replay import replay
from trine.session.changes import rebuilt
from trine.session.entries import Entry, Kind
from trine.store.people import Person

EVERY_RULE_SET = [(game, rules) for game in ROOMS for rules in open_room(game).rule_sets]


@pytest.mark.parametrize(("game", "rules"), EVERY_RULE_SET)
def test_journal_record_and_replay_equal_the_live_game(
    tmp_path: Path, game: str, rules: str
) -> None:
    async def story() -> None:
        time = Time()
        async with a_house(tmp_path, time) as house:
            for seed in range(2):
                rng = Random(f"{game} {rules} {seed}")
                clock = rng.choice(["", "5+3"])
                host, one, two = await two_at_a_board(house, game, rules=rules, clock=clock)
                people = [one, two]
                for _ in range(30):
                    time.now += rng.random()
                    await do_something(host, people, rng)
                    if host.snapshot.over:
                        break
                check_that_all_tell_the_same(house, host)

    asyncio.run(asyncio.wait_for(story(), 30))


def test_four_players_leave_and_the_journal_tells_the_same(tmp_path: Path) -> None:
    async def story() -> None:
        time = Time()
        async with a_house(tmp_path, time) as house:
            one, _ = await house.welcome("Anna")
            agreed = Agreement.make("corridor", options={"Players": "4"}, clock="5+3")
            name, links = await house.create(agreed, [ME, LINK, LINK, LINK], one)
            people = [one]
            for token in links.values():
                other, _ = await house.welcome()
                await house.join(token, other)
                people.append(other)
            host, rng = await house.host(name), Random(4)
            for number in range(24):
                time.now += 1
                await do_something(host, people, rng)
                if number in (9, 18) and not host.snapshot.over:
                    await host.resign(asked(people[number % 4]))
            check_that_all_tell_the_same(house, host)

    asyncio.run(asyncio.wait_for(story(), 30))


async def do_something(host: Host, people: list[Person], rng: Random) -> None:
    """A turn mostly, and now and then any other command, allowed or not."""
    state = host.snapshot.state
    assert state
    who = asked(rng.choice(people), f"c{rng.random()}")
    kind = rng.choice(["turn"] * 6 + ["takeback", "draw", "pause", "yes", "no", "resume", "claim"])
    before = len(host.entries())
    try:
        match kind:
            case "turn":
                mover = people[state.play.mover]
                await host.turn(asked(mover, f"c{rng.random()}"), random_turn(host, rng))
            case "yes" | "no":
                await host.answer(who, "", agrees=kind == "yes")
            case "resume":
                await host.resume(who)
            case "claim":
                await host.claim(who)
            case _:
                await host.offer(who, kind)
    except TrineError:
        assert len(host.entries()) == before


def random_turn(host: Host, rng: Random) -> list[str]:
    state = host.snapshot.state
    assert state
    ahead, mover, ids = state.play.copy(), state.play.mover, list[str]()
    while not ahead.outcome and ahead.mover == mover and (not ids or ahead.position.turn_open):
        action = rng.choice(ahead.legal_actions())
        ids.append(str(action))
        ahead.act(action)
    return ids


def check_that_all_tell_the_same(house: House, host: Host) -> None:
    state = host.snapshot.state
    assert state
    events = house.store.events(host.id)
    assert len(events) == host.snapshot.seq
    again = rebuilt([Entry(Kind(e.kind), e.actor, e.at, e.data) for e in events])
    assert again.play.turns == state.play.turns and again.play.outcome == state.play.outcome
    assert again.clock == state.clock and again.offers == state.offers
    assert (again.began, again.paused, again.at) == (state.began, state.paused, state.at)
    assert len(host.snapshot.times) == len(state.play.turns) == len(host.snapshot.keys) - 1
    told = record_text(host.entries(), state.play.start.seats)
    (record,) = named_format("trine").read(told.splitlines(keepends=True), "record")
    played = replay(record)
    assert played.turns == state.play.turns and played.outcome == state.play.outcome
