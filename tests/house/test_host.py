"""One game in the house: who may do what, what is written, and what others see of it."""

from dataclasses import replace
from typing import Any

import pytest

from house.houses import (
    Cold,
    Eye,
    FirstActions,
    OpenHouse,
    Time,
    asked,
    first_turn,
    guests,
    seated,
    settled,
    two_at_a_board,
    until,
)
from trine.core.compiled.ahead import CompileProgress
from trine.core.errors import TrineError
from trine.house.app import House
from trine.house.games.live.actor_requests import rematch
from trine.house.games.live.agreement import ME, Agreement
from trine.house.games.live.commands import (
    NotYoursError,
    OutdatedError,
    answer,
    offer,
    resign,
    resume,
    turn,
)
from trine.house.games.live.game_actor import GameActor
from trine.house.games.live.timekeeper import RETURN_GRACE
from trine.house.games.storage.events import read_events
from trine.house.games.storage.tables import SeatKind, SeatRow
from trine.house.games.view.messages import Warming
from trine.house.games.view.scenes import ViewerGroup
from trine.house.games.view.views import game_message
from trine.house.people.tables import read_person
from trine.house.web.refusing import InternalError


@pytest.mark.usefixtures("place")
async def test_a_turn_counts_when_it_is_in_the_store(house: House) -> None:
    host, one, _ = await two_at_a_board(house)
    seq = await host.do(turn, asked(one), ["e2"])
    events = house.store.read(read_events, host.id)
    assert len(events) == seq == 2
    assert events[-1].kind == "act" and events[-1].data["words"] == "e2"


def failing(host: GameActor) -> None:
    """Have what follows from each change of a game fail, until it is loaded anew."""

    def fail(connection: object) -> None:
        raise KeyError("nobody")

    change_hooks = host.dependencies.change_hooks
    each = (lambda before, after, context: fail, *change_hooks.each)
    host.dependencies = replace(host.dependencies, change_hooks=replace(change_hooks, each=each))


@pytest.mark.faults("a game is loaded anew")
async def test_a_fault_in_what_follows_from_a_turn_is_told_and_the_game_loaded_anew(
    house: House,
) -> None:
    host, one, two = await two_at_a_board(house)
    eye = Eye()
    await host.enter(eye, two.id)
    failing(host)
    with pytest.raises(InternalError, match="something went wrong"):
        await host.do(turn, asked(one, "a1"), ["e2"])
    await until(lambda: eye.was_dropped)
    again = await house.games.actor(host.id)
    assert again is not host and not again.snapshot.played_turns.written
    await again.do(turn, asked(one, "a1"), ["e2"])
    assert len(again.snapshot.played_turns.written) == 1


@pytest.mark.faults("a game is loaded anew")
async def test_a_flag_whose_fall_fails_falls_later_though_nobody_looks(
    house: House, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trine.house.games.live.games.RELOAD_DELAY", 0.0)
    host, one, _ = await two_at_a_board(house, clock="1+0")
    await host.do(turn, asked(one), ["e2"])
    failing(host)
    time.now += 61
    host.tick()
    await until(lambda: house.games.loaded(host.id) not in (host, None))
    again = await house.games.actor(host.id)
    assert not again.snapshot.over and again.snapshot.waking
    time.now += RETURN_GRACE
    again.tick()
    await settled(again)
    time.now += 61
    again.tick()
    await until(lambda: again.snapshot.over)


async def test_only_the_owner_of_a_seat_plays_at_it(house: House) -> None:
    host, _one, two = await two_at_a_board(house)
    stranger, _ = await house.accounts.welcome("Eve")
    for nobody in (stranger, two):
        with pytest.raises(TrineError):
            await host.do(turn, asked(nobody), ["e2"])
    with pytest.raises(NotYoursError):
        await host.do(resign, asked(stranger))
    assert len(house.store.read(read_events, host.id)) == 1


@pytest.mark.usefixtures("place")
async def test_a_command_is_known_again_after_a_restart(
    house: House, open_house: OpenHouse
) -> None:
    host, one, _ = await two_at_a_board(house)
    await host.do(turn, asked(one, "a1"), ["e2"])
    house = await open_house()
    host, person = await house.games.actor(host.id), house.store.read(read_person, one.id)
    assert person
    assert await host.do(turn, asked(person, "a1"), ["e2"]) == 2


async def test_a_turn_from_what_is_no_longer_true_is_refused(house: House) -> None:
    host, one, two = await two_at_a_board(house)
    await host.do(turn, asked(one, "", 1), ["e2"])
    await host.do(turn, asked(two, "", 2), ["e8"])
    with pytest.raises(OutdatedError):
        await host.do(turn, asked(one, "", 1), ["e3"])
    await host.do(offer, asked(two), "draw")
    await host.do(turn, asked(one, "", 3), ["e3"])  # an offer changes nothing of the turn


async def test_a_line_that_a_person_types_becomes_a_draft(house: House) -> None:
    host, one, _ = await two_at_a_board(house, "arimaa")
    line = await host.draft(asked(one), [], "setup 99of9")
    await host.do(turn, asked(one), [*map(str, line), "end"])
    assert host.snapshot.state.play.mover == 1  # type: ignore[union-attr]


async def test_a_rematch_swaps_the_seats(house: House) -> None:
    host, one, two = await two_at_a_board(house)
    await host.do(turn, asked(one), ["e2"])
    await host.do(resign, asked(two))
    assert await rematch(host, asked(one)) == ""
    again = await house.games.actor(await rematch(host, asked(two)))
    assert [seat.person for seat in again.snapshot.seats] == [two.id, one.id]
    assert host.snapshot.next_game == again.id


async def test_a_bot_answers_and_agrees_to_a_takeback(house: House) -> None:
    one, _ = await house.accounts.welcome("Anna")
    name, _ = await house.games.create(Agreement.make("corridor"), [ME, "bot:1"], one)
    host = await house.games.actor(name)
    await host.do(turn, asked(one), ["e2"])
    await until(lambda: len(host.snapshot.state.play.turns) == 2)  # type: ignore[union-attr]
    await host.do(offer, asked(one), "takeback")
    assert not host.snapshot.state.play.turns  # type: ignore[union-attr]
    await host.do(offer, asked(one), "draw")
    assert not host.snapshot.over and not host.snapshot.state.offers  # type: ignore[union-attr]


@pytest.mark.parametrize(("waits", "opens", "back"), [(3, False, 0), (5, False, 1), (3, True, 1)])
async def test_a_turn_that_nobody_has_seen_is_taken_back_within_five_seconds(
    house: House, time: Time, waits: float, opens: bool, back: int
) -> None:
    host, one, two = await two_at_a_board(house)
    await host.do(turn, asked(one), ["e2"])
    page = Eye()
    time.now += 1
    if opens:
        await host.enter(page, two.id)
        host.leave(page, closed=True)
    time.now += waits
    await host.do(offer, asked(one), "takeback")
    assert len(host.snapshot.state.play.turns) == back  # type: ignore[union-attr]
    assert bool(host.snapshot.state.offers) == bool(back)  # type: ignore[union-attr]


async def test_at_one_screen_nobody_has_to_agree_with_oneself(house: House) -> None:
    one, _ = await house.accounts.welcome("Anna")
    name, _ = await house.games.create(Agreement.make("tzaar"), [ME, ME], one)
    host = await house.games.actor(name)
    await host.do(turn, asked(one), first_turn(host.snapshot.state.play))  # type: ignore[union-attr]
    await host.do(offer, asked(one), "takeback")
    assert not host.snapshot.state.play.turns  # type: ignore[union-attr]
    await host.do(offer, asked(one), "pause")
    assert host.snapshot.state.by_consent  # type: ignore[union-attr]
    await host.do(resume, asked(one))
    await host.do(turn, asked(one), first_turn(host.snapshot.state.play))  # type: ignore[union-attr]


async def test_to_ask_for_something_agrees_to_nothing_else(house: House, time: Time) -> None:
    one, two = await guests(house, "Anna", "Béla")
    agreed = Agreement.make("corridor", options={"Players": "4"})
    host = await seated(house, agreed, one, one, two, two)
    for who, line in ((one, "e2"), (one, "b5"), (two, "e8")):
        await host.do(turn, asked(who), [line])
    time.now += 6
    await host.do(offer, asked(two), "takeback")
    waiting = {offer.what: offer.waiting for offer in host.snapshot.state.offers}  # type: ignore[union-attr]
    assert waiting == {"takeback": (0, 1)}
    await host.do(offer, asked(one), "pause")
    waiting = {offer.what: offer.waiting for offer in host.snapshot.state.offers}  # type: ignore[union-attr]
    assert waiting == {"takeback": (0, 1), "pause": (2, 3)}
    await host.do(answer, asked(two), "takeback", agrees=False)  # Béla's own: it is withdrawn
    waiting = {offer.what: offer.waiting for offer in host.snapshot.state.offers}  # type: ignore[union-attr]
    assert waiting == {"pause": (2, 3)}


async def test_a_crowd_that_comes_is_not_shown_to_those_who_look(house: House) -> None:
    host, one, _two = await two_at_a_board(house)
    first = Eye()
    await host.enter(first, None)
    for _ in range(3):
        await host.enter(Eye(), None)
    assert not first.seen
    mine = Eye()
    await host.enter(mine, one.id)  # a player is seen to come, and to go
    host.leave(mine, closed=True)
    await until(lambda: len(first.seen) == 2)


async def test_bots_among_themselves_play_only_while_somebody_looks(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trine.house.games.live.bot_turns.MIN_TURN_TIME", 0.0)
    begun, choose = list[str](), FirstActions.choose

    async def counted(bots: FirstActions, game: str, *given: Any) -> Any:
        begun.append(game)
        return await choose(bots, game, *given)

    monkeypatch.setattr(FirstActions, "choose", counted)

    async def asked_to_go_on(host: GameActor) -> None:
        await until(lambda: not host._bots._thinking)
        host.tick()
        await settled(host)

    bots = [SeatRow(SeatKind.BOT, f"bot:{level}") for level in (2, 3)]
    host = await house.games.actor(await house.games.create_with(Agreement.make("corridor"), bots))
    await asked_to_go_on(host)
    assert not begun and host.game and not host.game.play.turns
    eye = Eye()
    await host.enter(eye, None)
    await until(lambda: host.game and len(host.game.play.turns) > 2)
    host.leave(eye, closed=True)
    await until(lambda: not host.audience)
    await asked_to_go_on(host)  # what was thought of before may still be played
    thoughts, turns = len(begun), len(host.game.play.turns)
    for _ in range(3):
        await asked_to_go_on(host)
    assert (len(begun), len(host.game.play.turns)) == (thoughts, turns)


async def test_the_rest_of_a_placement_is_filled_by_chance_when_both_agree(house: House) -> None:
    host, one, two = await two_at_a_board(house, "tzaar", options={"Setup": "placement"})
    await host.do(turn, asked(one), ["Ta1"])
    await host.do(offer, asked(two), "fill 7")
    assert len(host.snapshot.state.play.turns) == 1  # type: ignore[union-attr]
    await host.do(answer, asked(one), "fill 7", agrees=False)
    assert host.snapshot.state.play.position.in_setup  # type: ignore[union-attr]
    await host.do(offer, asked(two), "fill 7")
    await host.do(answer, asked(one), "fill 7", agrees=True)
    play = host.snapshot.state.play  # type: ignore[union-attr]
    assert len(play.turns) == 60 and not play.position.in_setup
    assert str(play.turns[0].actions[0]) == "Ta1"
    alone, _ = await house.games.create(host.agreement, [ME, ME], one)
    same = await house.games.actor(alone)
    await same.do(offer, asked(one), "fill")
    assert not same.snapshot.state.play.position.in_setup  # type: ignore[union-attr]


async def test_it_is_told_while_the_computer_makes_itself_ready(open_house: OpenHouse) -> None:
    bots = Cold()
    house = await open_house(bots=bots)
    one, _ = await house.accounts.welcome("Anna")
    name, _ = await house.games.create(Agreement.make("corridor"), [ME, "bot:5"], one)
    host = await house.games.actor(name)
    assert not host.snapshot.warming, "a person is to move"
    await host.do(turn, asked(one), ["e2"])
    group = ViewerGroup(frozenset({0}), 0, "en")

    def told() -> Warming | None:
        return game_message(host.snapshot, group).warming

    assert told() == Warming(0, 0, 0)
    bots.go_on(CompileProgress(3, 14, 40, 21.5))
    assert told() == Warming(3, 14, 21.5)
    bots.made_ready.set()
    await until(lambda: len(host.game.running().play.turns) == 2)
    assert not host.snapshot.warming
