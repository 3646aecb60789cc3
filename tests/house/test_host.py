"""One game in the house: who may do what, what is written, and what others see of it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from house.houses import (
    Eye,
    FirstActions,
    Time,
    a_house,
    asked,
    first_turn,
    in_house,
    two_at_a_board,
    until,
)
from trine.core.errors import IllegalError, TrineError
from trine.games import ROOMS
from trine.house.agreement import LINK, ME, Agreement
from trine.house.bots import Bots
from trine.house.house import House
from trine.house.refusals import NotYoursError, OutdatedError
from trine.store.game_rows import Stage
from trine.store.seat_rows import SeatKind, SeatRow
from trine.web.views import Audience, game_data


def test_a_turn_counts_when_it_is_in_the_store(place: str) -> None:
    async def story(house: House, time: Time) -> None:
        host, one, _ = await two_at_a_board(house)
        seq = await host.turn(asked(one), ["e2"])
        events = house.store.events(host.id)
        assert len(events) == seq == 2
        assert events[-1].kind == "act" and events[-1].data["words"] == "e2"

    in_house(place, story)


def test_only_the_owner_of_a_seat_plays_at_it(tmp_path: Path) -> None:
    async def story(house: House, time: Time) -> None:
        host, _one, two = await two_at_a_board(house)
        stranger, _ = await house.welcome("Eve")
        for nobody in (stranger, two):
            with pytest.raises(TrineError):
                await host.turn(asked(nobody), ["e2"])
        with pytest.raises(NotYoursError):
            await host.resign(asked(stranger))
        assert len(house.store.events(host.id)) == 1

    in_house(tmp_path, story)


def test_the_same_command_twice_is_done_once(place: str) -> None:
    async def story(house: House, time: Time) -> None:
        host, one, two = await two_at_a_board(house)
        first, again = await asyncio.gather(
            host.turn(asked(one, "a1"), ["e2"]), host.turn(asked(one, "a1"), ["e2"])
        )
        assert first == again == 2
        await host.turn(asked(two, "b1"), ["e8"])
        assert await host.turn(asked(one, "a1"), ["e2"]) == 2
        assert len(house.store.events(host.id)) == 3

    in_house(place, story)


def test_a_command_is_known_again_after_a_restart(place: str) -> None:
    async def first(house: House, time: Time) -> None:
        host, one, _ = await two_at_a_board(house)
        await host.turn(asked(one, "a1"), ["e2"])
        names.extend([host.id, one.id])

    async def second(house: House, time: Time) -> None:
        host = await house.host(names[0])
        person = house.store.people.get(names[1])
        assert person
        assert await host.turn(asked(person, "a1"), ["e2"]) == 2

    names: list[str] = []
    in_house(place, first)
    in_house(place, second)


def test_a_turn_from_what_is_no_longer_true_is_refused(tmp_path: Path) -> None:
    async def story(house: House, time: Time) -> None:
        host, one, two = await two_at_a_board(house)
        await host.turn(asked(one, "", 1), ["e2"])
        await host.turn(asked(two, "", 2), ["e8"])
        with pytest.raises(OutdatedError):
            await host.turn(asked(one, "", 1), ["e3"])
        await host.offer(asked(two), "draw")
        await host.turn(asked(one, "", 3), ["e3"])  # an offer changes nothing of the turn

    in_house(tmp_path, story)


def test_a_draft_is_judged_and_seen_by_its_owner_alone(tmp_path: Path) -> None:
    async def story(house: House, time: Time) -> None:
        host, one, two = await two_at_a_board(house, "arimaa")
        for player in (one, two):
            play = host.snapshot.state.play  # type: ignore[union-attr]
            await host.turn(asked(player), first_turn(play))
        own, other = Eye(), Eye()
        await host.enter(own, one.id)
        await host.enter(other, two.id)
        before = len(other.seen)
        play = host.snapshot.state.play  # type: ignore[union-attr]
        step = str(play.legal_actions()[0])
        line = await host.draft(asked(one), [step])
        assert [str(action) for action in line] == [step]
        assert host.snapshot.drafts[0] == line and own.seen[-1].drafts == {0: line}
        assert len(other.seen) == before
        with pytest.raises(IllegalError):
            await host.draft(asked(one), ["Ea1n"])
        with pytest.raises(IllegalError, match="not complete"):
            await host.turn(asked(one), [step])
        assert len(house.store.events(host.id)) == 3

    in_house(tmp_path, story)


def test_a_line_that_a_person_types_becomes_a_draft(tmp_path: Path) -> None:
    async def story(house: House, time: Time) -> None:
        host, one, _ = await two_at_a_board(house, "arimaa")
        line = await host.draft(asked(one), [], "setup 99of9")
        await host.turn(asked(one), [*map(str, line), "end"])
        assert host.snapshot.state.play.mover == 1  # type: ignore[union-attr]

    in_house(tmp_path, story)


def test_a_draw_is_made_by_offering_and_agreeing(tmp_path: Path) -> None:
    async def story(house: House, time: Time) -> None:
        host, one, two = await two_at_a_board(house, "tzaar", takebacks=True)
        await host.turn(asked(one), first_turn(host.snapshot.state.play))  # type: ignore[union-attr]
        await host.offer(asked(two), "takeback")
        await host.answer(asked(one), "takeback", agrees=True)
        assert not host.snapshot.state.play.turns  # type: ignore[union-attr]
        await host.offer(asked(two), "pause")
        await host.answer(asked(one), "pause", agrees=False)
        assert host.snapshot.state.paused is None  # type: ignore[union-attr]

    in_house(tmp_path, story)


def test_a_rematch_swaps_the_seats(place: str) -> None:
    async def story(house: House, time: Time) -> None:
        host, one, two = await two_at_a_board(house)
        await host.turn(asked(one), ["e2"])
        await host.resign(asked(two))
        assert await host.rematch(asked(one)) == ""
        again = await house.host(await host.rematch(asked(two)))
        assert [seat.person for seat in again.snapshot.seats] == [two.id, one.id]
        assert host.snapshot.next_game == again.id

    in_house(place, story)


def test_a_bot_answers_and_agrees_to_a_takeback(tmp_path: Path) -> None:
    async def story(house: House, time: Time) -> None:
        one, _ = await house.welcome("Anna")
        name, _ = await house.create(Agreement.make("corridor"), [ME, "bot:1"], one)
        host = await house.host(name)
        await host.turn(asked(one), ["e2"])
        await until(lambda: len(host.snapshot.state.play.turns) == 2)  # type: ignore[union-attr]
        await host.offer(asked(one), "takeback")
        assert not host.snapshot.state.play.turns  # type: ignore[union-attr]
        await host.offer(asked(one), "draw")
        assert not host.snapshot.over and not host.snapshot.state.offers  # type: ignore[union-attr]

    in_house(tmp_path, story)


def test_four_play_and_one_who_resigns_leaves_the_others_playing(tmp_path: Path) -> None:
    async def story(house: House, time: Time) -> None:
        one, _ = await house.welcome("Anna")
        agreed = Agreement.make("corridor", options={"Players": "4"})
        name, links = await house.create(agreed, [ME, LINK, LINK, LINK], one)
        host = await house.host(name)
        others = []
        for token in links.values():
            assert host.snapshot.stage is Stage.WAITING
            other, _ = await house.welcome()
            await house.join(token, other)
            others.append(other)
        assert host.snapshot.stage is Stage.PLAYING
        await host.resign(asked(others[1]))
        assert not host.snapshot.over and host.snapshot.state
        assert 2 not in host.snapshot.state.staying

    in_house(tmp_path, story)


def test_a_seat_is_taken_once(tmp_path: Path) -> None:
    async def story(house: House, time: Time) -> None:
        one, _ = await house.welcome("Anna")
        name, links = await house.create(Agreement.make("tzaar"), [ME, LINK], one)
        two, _ = await house.welcome("Béla")
        three, _ = await house.welcome("Cili")
        assert await house.join(links[1], two) == name
        assert await house.join(links[1], two) == name  # a second tap does no harm
        with pytest.raises(TrineError, match="taken"):
            await house.join(links[1], three)
        with pytest.raises(TrineError, match="nowhere"):
            await house.join("guess", three)

    in_house(tmp_path, story)


def test_at_one_screen_nobody_has_to_agree_with_oneself(tmp_path: Path) -> None:
    async def story(house: House, time: Time) -> None:
        one, _ = await house.welcome("Anna")
        name, _ = await house.create(Agreement.make("tzaar"), [ME, ME], one)
        host = await house.host(name)
        await host.turn(asked(one), first_turn(host.snapshot.state.play))  # type: ignore[union-attr]
        await host.offer(asked(one), "takeback")
        assert not host.snapshot.state.play.turns  # type: ignore[union-attr]
        await host.offer(asked(one), "pause")
        assert host.snapshot.state.by_consent  # type: ignore[union-attr]
        await host.resume(asked(one))
        await host.turn(asked(one), first_turn(host.snapshot.state.play))  # type: ignore[union-attr]

    in_house(tmp_path, story)


def test_to_ask_for_something_agrees_to_nothing_else(tmp_path: Path) -> None:
    async def story(house: House, time: Time) -> None:
        (one, _), (two, _) = await house.welcome("Anna"), await house.welcome("Béla")
        agreed = Agreement.make("corridor", options={"Players": "4"})
        seats = [
            SeatRow(SeatKind.PERSON, person.name, person.id) for person in (one, one, two, two)
        ]
        host = await house.host(await house.create_with(agreed, seats))
        await host.turn(asked(one), ["e2"])
        await host.offer(asked(two), "takeback")
        waiting = {offer.what: offer.waiting for offer in host.snapshot.state.offers}  # type: ignore[union-attr]
        assert waiting == {"takeback": (0, 1)}
        await host.offer(asked(one), "pause")
        waiting = {offer.what: offer.waiting for offer in host.snapshot.state.offers}  # type: ignore[union-attr]
        assert waiting == {"takeback": (0, 1), "pause": (2, 3)}

    in_house(tmp_path, story)


def test_a_crowd_that_comes_is_not_shown_to_those_who_look(tmp_path: Path) -> None:
    async def story(house: House, time: Time) -> None:
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

    in_house(tmp_path, story)


def test_bots_at_show_play_only_while_somebody_looks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trine.house.bot_turns.AT_SHOW", 0.0)

    async def story(house: House, time: Time) -> None:
        host = await house.show.game()
        assert (await house.show.game()) is host and not host.agreement.listed
        await asyncio.sleep(0.1)
        assert host.game and not host.game.play.turns
        eye = Eye()
        await host.enter(eye, None)
        await until(lambda: host.game and len(host.game.play.turns) > 2)
        host.leave(eye, closed=True)
        await until(lambda: not host.watching)
        await asyncio.sleep(0.1)
        turns = len(host.game.play.turns)
        await asyncio.sleep(0.1)
        assert len(host.game.play.turns) == turns

    in_house(tmp_path, story)


def test_a_game_that_may_be_watched_is_shown_before_that_of_bots(tmp_path: Path) -> None:
    async def story(house: House, time: Time) -> None:
        await house.show.game()
        host, one, _ = await two_at_a_board(house, listed=True)
        assert (await house.show.game()) is host
        await host.resign(asked(one))
        assert (await house.show.game()).agreement.show

    in_house(tmp_path, story)


def test_the_rest_of_a_placement_is_filled_by_chance_when_both_agree(tmp_path: Path) -> None:
    async def story(house: House, time: Time) -> None:
        host, one, two = await two_at_a_board(house, "tzaar", options={"Setup": "placement"})
        await host.turn(asked(one), ["Ta1"])
        await host.offer(asked(two), "fill 7")
        assert len(host.snapshot.state.play.turns) == 1  # type: ignore[union-attr]
        await host.answer(asked(one), "fill 7", agrees=False)
        assert host.snapshot.state.play.position.in_setup  # type: ignore[union-attr]
        await host.offer(asked(two), "fill 7")
        await host.answer(asked(one), "fill 7", agrees=True)
        play = host.snapshot.state.play  # type: ignore[union-attr]
        assert len(play.turns) == 60 and not play.position.in_setup
        assert str(play.turns[0].actions[0]) == "Ta1"
        alone, _ = await house.create(host.agreement, [ME, ME], one)
        same = await house.host(alone)
        await same.offer(asked(one), "fill")
        assert not same.snapshot.state.play.position.in_setup  # type: ignore[union-attr]

    in_house(tmp_path, story)


class Cold(FirstActions):
    """Bots that cannot think before they are let."""

    def __init__(self) -> None:
        super().__init__()
        self.ready = asyncio.Event()

    def is_warm(self, game: str) -> bool:
        return self.ready.is_set()

    async def choose(self, *given: Any) -> tuple[str, ...] | None:
        await self.ready.wait()
        return await super().choose(*given)


def test_it_is_told_while_the_computer_makes_itself_ready(tmp_path: Path) -> None:
    async def story() -> None:
        bots = Cold()
        async with a_house(tmp_path, bots=bots) as house:
            one, _ = await house.welcome("Anna")
            name, _ = await house.create(Agreement.make("corridor"), [ME, "bot:1"], one)
            host = await house.host(name)
            assert not host.snapshot.warming, "a person is to move"
            await host.turn(asked(one), ["e2"])
            assert host.snapshot.warming
            assert game_data(host.snapshot, Audience(frozenset({0}), 0, "en"), whole=False)[
                "warming"
            ]
            bots.ready.set()
            await until(lambda: len(host.snapshot.state.play.turns) == 2)
            assert not host.snapshot.warming

    asyncio.run(story())


def test_a_game_is_warm_when_a_worker_has_made_ready_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def story() -> None:
        bots, asked_for = Bots(workers=1), list[asyncio.Future[None]]()

        def submit(*given: object) -> asyncio.Future[None]:
            asked_for.append(asyncio.get_running_loop().create_future())
            return asked_for[-1]

        monkeypatch.setattr(bots, "_submit", submit)
        bots.warm()
        assert [bots.is_warm(game) for game in ROOMS] == [False] * len(ROOMS)
        asked_for[1].set_result(None)
        asked_for[2].set_exception(OSError("the worker has died"))
        await asyncio.sleep(0)
        assert asked_for[2].exception()
        assert [bots.is_warm(game) for game in ROOMS] == [False, True, True]

    asyncio.run(story())
