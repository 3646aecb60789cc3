"""The socket of a game over a real net: what may be said, by whom, and what comes back."""

import json
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from house.web.clients import Client, Table
from house.web.served import Served
from trine.core.contract.record import read_records
from trine.games import open_room
from trine.play.record.replay import replay


def two_players(served: Served, **form: str) -> tuple[str, Client, Client]:
    one, two = Client(served.address), Client(served.address)
    game, links = one.new_game(**{"with": "friend", "name": "Anna", "side": "0", **form})
    two.join(links[0], "Béla")
    return game, one, two


async def play_on(tables: list[Table], turns: int) -> None:
    """Play first choices, until so many turns are played or the game is over."""
    while len(tables[0].turns) < turns and not tables[0].game["over"]:
        mover = next(table for table in tables if tables[0].game["mover"] in table.game["own"])
        await mover.my_turn()
        draft: list[str] = []
        while not mover.game.get("closed"):
            choice = mover.game["choices"][0]["id"]
            draft.append(choice)
            answer = await mover.ask("draft", at=mover.game["seq"], a=draft)
            assert answer["t"] == "ok", answer
            await mover.until(lambda mover=mover, draft=draft: mover.game["draft"] == draft)
        assert (await mover.turn(*draft))["t"] == "ok"
        seen = len(mover.turns)
        for table in tables:
            await table.until(lambda table=table, seen=seen: len(table.turns) > seen - 1)
        await mover.until(lambda mover=mover: not mover.game["draft"])
        for table in tables:
            seq = mover.game["seq"]
            await table.until(lambda table=table, seq=seq: table.game["seq"] >= seq)


@pytest.mark.parametrize("rules", ["tzaar/official", "corridor/great-wall", "arimaa/official"])
async def test_two_play_and_the_record_replays_to_what_both_see(served: Served, rules: str) -> None:
    room, name = rules.split("/")
    game, one, two = two_players(served, game=room, rules=name)
    async with one.play(game) as anna, two.play(game) as bela:
        await play_on([anna, bela], 6)
        assert anna.turns == bela.turns and len(anna.turns) >= 6
        assert (await bela.ask("do", what="resign"))["t"] == "ok"
        await anna.until(lambda: anna.game["over"])
        assert anna.game["winner"] == 0
        told = one.get(f"/game/{game}/record?download").text
        play = replay(next(iter(read_records(told.splitlines(keepends=True), "x"))))
        assert play.outcome and play.outcome.winner == 0
        assert [open_room(room).tag(turn.before) for turn in play.turns] == [
            turn["tag"] for turn in anna.turns
        ]


async def test_a_page_that_comes_back_sees_everything_and_a_command_twice_is_done_once(
    served: Served,
) -> None:
    game, one, two = two_players(served, game="corridor")
    async with one.play(game) as anna:
        assert (await anna.turn("e2", call="p.1"))["seq"] == 2
    async with one.play(game) as anna, two.play(game) as bela:
        assert anna.game["seq"] == 2 and len(anna.turns) == 1
        assert (await anna.turn("e2", call="p.1"))["seq"] == 2
        await bela.turn("e8")
        await anna.until(lambda: anna.game["seq"] == 3)
        stale = await anna.ask("turn", at=1, a=["e3"])
        assert stale["t"] == "no" and stale["seq"] == 3


async def test_only_the_seat_of_the_session_counts(served: Served) -> None:
    game, _one, two = two_players(served, game="corridor")
    async with Client(served.address).play(game) as stranger, two.play(game) as bela:
        assert stranger.game["own"] == [] and stranger.game["choices"] == []
        for table in (stranger, bela):
            assert (await table.turn("e2"))["t"] == "no"
        for what in ("resign", "abort", "claim", "rematch"):
            assert (await stranger.ask("do", what=what))["t"] == "no"
        assert stranger.game["seq"] == 1


async def test_a_draft_is_seen_by_its_owner_alone(served: Served) -> None:
    game, one, two = two_players(served, game="arimaa")
    async with one.play(game) as anna, two.play(game) as bela:
        answer = await anna.ask("draft", at=1, a=[], line="setup 99of9")
        assert answer["t"] == "ok"
        await anna.until(lambda: len(anna.game["draft"]) == 16)
        assert len(standing(anna)) == 16
        assert (await bela.ask("why", a=[], picks=["a7"]))["t"] == "why"
        assert not bela.game["draft"]
        assert not standing(bela)


def standing(table: Table) -> list[str]:
    """The squares with a piece on them."""
    squares = {f"{file}{rank}" for file in "abcdefgh" for rank in range(1, 9)}
    return [one["cell"] for one in table.game["view"]["pieces"] if one.get("cell") in squares]


GARBAGE: list[Any] = [
    "",
    "null",
    "[]",
    "{}",
    '{"t":"turn"}',
    '{"t":"turn","id":"1","at":-1,"a":[]}',
    '{"t":"turn","id":"1","at":1,"a":"e2"}',
    '{"t":"turn","id":"1","at":1,"a":[1]}',
    '{"t":"nothing","id":"1"}',
    '{"t":"do","id":"1","what":"win"}',
    '{"t":"turn","id":"1","at":1,"a":["e2"],"seat":1}',
    '{"t":"turn","id":"1","at":1,"a":["e2"],"now":1,"spent":0}',
    '{"t":"do","id":"1","what":"resign","person":"x"}',
    "[" * 2000,
    '{"x":' + "[" * 3000,
    '{"x":' + '{"a":' * 700,
    "\x00",
    "ü" * 500,
    b"\xff\xfe",
]


async def test_garbage_changes_nothing(served: Served) -> None:
    game, one, _ = two_players(served, game="corridor")
    async with one.play(game) as anna:
        for given in GARBAGE:
            await anna.socket.send(given)
        await anna.until(lambda: len(anna.refused) == len(GARBAGE))
        for actions in (["e5"], ["e2", "e3"], ["♞"], ["e2 e3"], [], ["e2"] * 64, ["#pass"]):
            answer = await anna.ask("turn", at=1, a=actions)
            assert answer["t"] == "no" and "Traceback" not in answer["why"]
        assert anna.game["seq"] == 1
        assert (await anna.turn("e2"))["seq"] == 2


async def test_a_message_that_is_too_long_closes_the_socket(served: Served) -> None:
    game, one, _ = two_players(served, game="corridor")
    async with one.play(game) as anna:
        await anna.socket.send(json.dumps({"t": "x" * 5000}))
        with pytest.raises(ConnectionClosed) as closed:
            await anna.until(lambda: False)
        assert closed.value.rcvd and closed.value.rcvd.code == 1009


async def test_who_says_too_much_is_shown_out(served: Served) -> None:
    game, one, _ = two_players(served, game="corridor")
    async with one.play(game) as anna:
        with pytest.raises(ConnectionClosed) as closed:
            for _ in range(300):
                await anna.send({"t": "pong", "n": 1})
            await anna.until(lambda: False)
        assert closed.value.rcvd and closed.value.rcvd.code == 1008


@pytest.mark.parametrize("origin", ["http://example.org", "null", "http://localhost:1"])
async def test_another_page_cannot_speak_to_the_house(served: Served, origin: str) -> None:
    game, one, _ = two_players(served, game="corridor")
    with pytest.raises(InvalidStatus):
        async with one.play(game, Origin=origin):
            pass
    form = {"game": "corridor", "with": "screen"}
    assert one.ask("POST", "/new", form, Origin=origin).status == 403


async def test_why_not_is_answered_by_the_referee(served: Served) -> None:
    game, one, _ = two_players(served, game="corridor")
    async with one.play(game) as anna:
        answer = await anna.ask("why", a=[], picks=["e5"])
        assert answer["t"] == "why" and "e5" in answer["why"]
        # What is no place is not answered as if it had been typed.
        answer = await anna.ask("why", a=[], picks=["tray-n"])
        assert "tray-n" not in answer["why"] and "nothing to choose" in answer["why"]


async def test_what_cannot_be_asked_for_now_is_refused_in_a_sentence(served: Served) -> None:
    game, one, two = two_players(served, game="corridor")
    stranger = Client(served.address)
    async with one.play(game) as anna, two.play(game) as bela, stranger.play(game) as eve:
        for table, kind, more, said in (
            (eve, "hint", {}, "only players can do that"),
            (bela, "hint", {}, "another player is to move"),
            (anna, "do", {"what": "claim"}, "no player has been away for long enough"),
            (anna, "do", {"what": "claim-draw"}, "no player has been away for long enough"),
            (anna, "do", {"what": "resume"}, "the game is not paused"),
            (anna, "do", {"what": "rematch"}, "the game is not over"),
            (anna, "answer", {"what": "draw", "yes": True}, "nothing was asked for"),
        ):
            answer = await table.ask(kind, **more)
            assert answer["t"] == "no" and said in answer["why"], (kind, more, answer)
        assert (await bela.ask("do", what="resign"))["t"] == "ok"
        answer = await anna.ask("hint")
        assert answer["t"] == "no" and "there are no hints" in answer["why"]


async def test_a_connection_that_is_lost_is_not_a_page_that_is_closed(served: Served) -> None:
    game, one, two = two_players(served, game="corridor")
    async with one.play(game) as anna:
        for end, seen in (("abort", "reconnecting"), ("close", "left")):
            async with two.play(game) as bela:
                await anna.until(lambda: anna.game["seats"][1]["presence"] == "here")
                if end == "abort":
                    bela.socket.transport.abort()
                else:
                    await bela.socket.close()
                await anna.until(lambda seen=seen: anna.game["seats"][1]["presence"] == seen)


async def test_conditional_turns_are_set_and_seen_by_their_player_alone(served: Served) -> None:
    game, one, two = two_players(served, game="corridor", clock="3d", vacation="7")
    line = [["e8"], ["e3"]]
    eve = Client(served.address)
    async with one.play(game) as anna, two.play(game) as bela, eve.play(game) as watcher:
        tables = (anna, bela, watcher)
        assert (await anna.turn("e2"))["t"] == "ok"
        for table in tables:
            await table.until(lambda table=table: len(table.turns) == 1)
        assert anna.game["clock"]["spare"] == [7 * 86_400.0] * 2
        seq = anna.game["seq"]
        told = await anna.ask("ahead", at=seq, path=line[:1])
        assert told["mover"] == 0 and told["line"][0]["words"] == "e8"
        assert "e3" in {choice["id"] for choice in told["choices"]}
        why = await anna.ask("why", a=[], picks=["e5"], path=line[:1])
        assert why["why"] and why["why"] != (await anna.ask("why", a=[], picks=["e5"]))["why"]
        for wrong in ([["e1"]], [["e8"], ["e8"]], [["e8", "e7"]], line * 8):
            assert (await anna.ask("ahead", at=seq, path=wrong))["t"] == "no"
        for table in (bela, watcher):
            assert (await table.ask("if", at=seq, line=line))["t"] == "no"
        assert (await watcher.ask("ahead", at=seq, path=line))["t"] == "no"
        assert (await anna.ask("if", "c1", at=seq, line=line))["t"] == "ok"
        assert (await anna.ask("if", "c1", at=seq, line=line))["t"] == "ok"
        await anna.until(lambda: len(anna.game.get("conditions", [])) == 1)
        for table in (bela, watcher):
            await table.ask("why", a=[], picks=[])  # all that was under way has come
            assert not table.game["conditions"]
            assert (await table.ask("if", at=seq, line=[], drop=True))["t"] in ("no", "ok")
        assert (await bela.turn("e8"))["t"] == "ok"
        for table in tables:
            await table.until(lambda table=table: len(table.turns) == 3)
        assert (await anna.ask("if", at=seq, line=line))["t"] == "no", "a stale one"
