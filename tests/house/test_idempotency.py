"""Idempotency keys: a form that is sent twice, in one process or in two, does its work once."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import Connection, select

from house.houses import a_house, members
from house.web.clients import Client
from house.web.served import a_server
from trine.core.errors import TrineError
from trine.core.text.sentence import verbatim
from trine.house.people.idempotency import FIELD, IDEMPOTENCY_KEY, Finish, FormOutcome
from trine.house.store.secrets import new_token


async def test_two_presses_in_two_processes_do_it_once(place: str) -> None:
    async with a_house(place) as house, a_house(place, home="other") as other:
        anna, bela = await members(house, "Anna", "Bela")
        form, done = {FIELD: new_token()}, list[FormOutcome]()

        async def work(finish: Finish) -> FormOutcome:
            done.append(FormOutcome(f"/game/{len(done)}?invite=secret", "token"))
            return done[-1]

        both = [one.idempotency_keys.once(form, anna, work) for one in (house, other, house, other)]
        assert set(await asyncio.gather(*both)) == {led(0)} == set(done)
        assert "invite" not in house.store.read(paths), "links are stored nowhere"
        assert await house.idempotency_keys.once(form, bela, work) == led(1)
        assert await house.idempotency_keys.once({FIELD: "x"}, anna, work) == led(2)
        for one in (house, other):
            assert await one.idempotency_keys.once(form, None, work) == led(3), "strangers, too"

        async def refused(finish: Finish) -> FormOutcome:
            raise TrineError(verbatim("no"))

        form = {FIELD: new_token()}
        with pytest.raises(TrineError):
            await other.idempotency_keys.once(form, anna, refused)
        assert await house.idempotency_keys.once(form, anna, work) == led(4)


def led(number: int) -> FormOutcome:
    return FormOutcome(f"/game/{number}?invite=secret", "token")


def paths(connection: Connection) -> str:
    return "".join(
        bytes.fromhex(path).decode("latin-1")
        for path in connection.execute(select(IDEMPOTENCY_KEY.c.path)).scalars()
    )


def test_a_stranger_who_presses_twice_is_one_guest_with_one_game(tmp_path: Path) -> None:
    with a_server(tmp_path) as served:
        key, form = new_token(), {"game": "corridor", "with": "screen"}
        one, again, other = (Client(served.address) for _ in range(3))
        games = [client.new_game(**form, idempotency_key=key)[0] for client in (one, again)]
        games.append(other.new_game(**form, idempotency_key=new_token())[0])
        assert games[0] == games[1] != games[2]
        assert one.cookie == again.cookie != other.cookie


def test_forms_that_make_something_make_it_once(tmp_path: Path) -> None:
    with a_server(tmp_path) as served:
        one, key = Client(served.address), new_token()
        one.new_game(game="corridor", **{"with": "screen"})
        forms = {
            "/new": {"game": "corridor", "with": "friend"},
            "/tournaments": {
                "game": "corridor",
                "format": "swiss",
                "clock": "5+5",
                "title": "Once",
            },
        }
        for path, form in forms.items():
            shown = one.get("/new?game=corridor" if path == "/new" else "/tournaments/new").text
            assert 'name="idempotency-key"' in shown
            answers = [one.ask("POST", path, {**form, "idempotency-key": key}) for _ in range(2)]
            assert [answer.status for answer in answers] == [303, 303], answers[0].text
            assert answers[0].headers["location"] == answers[1].headers["location"]
        again = one.ask("POST", "/new", {**forms["/new"], "idempotency-key": new_token()})
        assert again.headers["location"] not in (answers[0].headers["location"], "")
