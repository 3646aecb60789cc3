"""Tournaments over HTTP: what forms do, and what somebody with bad intentions tries."""

import pytest

from house.web.clients import Client, heard
from house.web.served import Served
from house.web.test_people import register

NAME = "<b>Cup</b> & more"


OWN_HOUSE = {"address_credits": 20_000}


def created(owner: Client, **form: str) -> str:
    given = {"game": "corridor", "format": "swiss", "name": NAME, "clock": "3+2", **form}
    page = owner.ask("POST", "/tournaments", given)
    assert page.status == 303, page.text
    return page.headers["location"]


def test_a_stranger_can_only_join(served: Served) -> None:
    anna, eve = register(served, "Anna"), Client(served.address)
    path = created(anna)
    assert anna.post(f"{path}/join").status == 303
    for act in ("begin", "cancel", "remove", "bot"):
        page = eve.ask("POST", f"{path}/{act}", {"entry": "1", "bot": "bot:3"})
        assert page.status == 409 and "only the creator of the tournament" in page.text
        forged = anna.ask("POST", f"{path}/{act}", {"entry": "1"}, Origin="https://evil.example")
        assert forged.status == 403
    assert "Anna" in eve.get(path).text
    assert eve.post(f"{path}/join").status == 303
    assert "/begin" not in eve.get(path).text and "/begin" in anna.get(path).text
    assert eve.ask("POST", "/tournament/xxxxxxxxxxxx/join", {}).status == 404
    assert eve.get("/tournament/xxxxxxxxxxxx").status == 404


def test_a_name_is_a_text_and_a_link_is_needed_for_what_is_not_listed(served: Served) -> None:
    bela, eve = register(served, "Béla"), Client(served.address)
    hidden, shown = created(bela), created(bela, listed="on")
    lists = eve.get("/tournaments").text
    assert shown in lists and hidden not in lists
    assert "&lt;b&gt;Cup&lt;/b&gt; &amp; more" in lists and "<b>Cup</b>" not in lists
    assert eve.get(hidden).status == 200
    for name in ("\u202eevil", "x" * 61, " "):
        page = bela.ask("POST", "/tournaments", {"game": "corridor", "name": name, "clock": "3+2"})
        assert page.status == 400
    guest = eve.ask("POST", "/tournaments", {"game": "corridor", "name": NAME, "clock": "3+2"})
    assert guest.status == 400 and "accounts" in guest.text


@pytest.mark.parametrize(
    "wrong",
    [
        {"rounds": "99999"},
        {"rounds": "x"},
        {"format": "lottery"},
        {"starts": "1e9"},
        {"clock": ""},
        {"game": "../x"},
        {"format": "challenge", "challenger": "engine:/bin/sh"},
    ],
)
def test_nonsense_is_refused(served: Served, wrong: dict[str, str]) -> None:
    client = Client(served.address)
    form = {"game": "corridor", "format": "swiss", "name": "Cup", "clock": "3+2", **wrong}
    assert client.ask("POST", "/tournaments", form).status == 400


async def test_a_page_hears_of_whoever_joins_and_of_the_game(served: Served) -> None:
    cili, dora = register(served, "Cili"), register(served, "Dora")
    path = created(cili)
    assert cili.post(f"{path}/join").status == 303
    async with dora.connect(f"{path}/socket") as socket:
        assert "Dora" not in (await heard(socket, "tournament"))["html"]
        assert dora.post(f"{path}/join").status == 303
        await heard(socket, "tournament", "Dora")
        answer = cili.post(f"{path}/begin")
        game = (await heard(socket, "go"))["game"]
        assert answer.headers["location"] == f"/game/{game}"
        assert f"/game/{game}" in (await heard(socket, "tournament", "Dora"))["html"]
