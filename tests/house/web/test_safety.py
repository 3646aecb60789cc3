"""Attempts of people who mean the house harm, and their failures."""

from __future__ import annotations

import base64
import re
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from house.web.clients import Client, Page
from house.web.served import TOKEN, Served, a_server
from playing import HOUSE
from waiting import PATIENCE

EMPTY = [(b"content-length", b"0")]


def raw(served: Served, request: bytes, *, hangs_up: bool = False) -> bytes:
    """The answer to bytes that no browser would send, be they all read or not."""
    answer = b""
    with socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE) as there:
        with suppress(ConnectionError):
            there.sendall(request)
            if hangs_up:
                there.shutdown(socket.SHUT_WR)
        with suppress(ConnectionError):
            while part := there.recv(65536):
                answer += part
    return answer


@pytest.mark.in_file
def test_a_house_of_one_process_tells_nobody_its_address(tmp_path: Path) -> None:
    with a_server(tmp_path) as served:
        client = Client(served.address)
        game, _ = client.new_game(game="corridor", **{"with": "screen"})
        for path in (game, f"game/{game}", f"game/{game}/socket", "lobby", "join/x", "x"):
            page = client.get(f"/where/{path}")
            assert page.status == 404 and "node" not in page.text
            assert "x-trine-node" not in page.headers


def test_whoever_hangs_up_in_the_middle_of_a_form_is_no_fault(tmp_path: Path) -> None:
    with a_server(tmp_path) as served:
        host = served.address.removeprefix("http://").rstrip("/")
        head = (
            f"POST /new HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n"
            "Connection: close\r\nContent-Length: 25\r\n\r\n"
        )
        assert raw(served, f"{head}game=corr".encode(), hangs_up=True) == b""
        whole = raw(served, f"{head}game=corridor&with=screen".encode())
        assert whole.startswith(b"HTTP/1.1 303 "), "a form that comes to its end is answered"
    assert "failed" not in (tmp_path / "log").read_text()


def head_of(served: Served, *headers: str) -> bytes:
    host = f"127.0.0.1:{served.port}"
    lines = ("POST /name HTTP/1.1", f"Host: {host}", f"Origin: http://{host}", *headers, "", "")
    return "\r\n".join(lines).encode()


def test_a_request_with_two_lengths_is_refused_with_all_that_follows_it(served: Served) -> None:
    smuggled = head_of(served).replace(b"POST /name", b"GET /healthz")
    lengths = ("Content-Length: 6", "Transfer-Encoding: chunked")
    for headers in (lengths, lengths[::-1]):
        answer = raw(served, head_of(served, *headers) + b"0\r\n\r\n" + smuggled)
        assert answer.startswith(b"HTTP/1.1 400 ") and answer.count(b"HTTP/1.1 ") == 1


@pytest.mark.parametrize(
    "head",
    [
        b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\nX: a\r\n\r\n",
        b"GET /healthz HTTP/1.1\nHost: 127.0.0.1\n\n",
        b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX: a\r\n b\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX: a\r\n\tContent-Length: 9\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\n",
    ],
)
def test_a_head_with_bare_line_feeds_or_folded_lines_is_refused(
    served: Served, head: bytes
) -> None:
    assert raw(served, head).startswith(b"HTTP/1.1 400 ")
    whole = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
    assert raw(served, whole).startswith(b"HTTP/1.1 200 ")


def test_only_names_of_the_house_are_answered_once_it_has_an_address(tmp_path: Path) -> None:
    tmp_path.joinpath("house.toml").write_text('[house]\naddress = "https://trine.example.org"\n')
    with a_server(tmp_path) as served:

        def ask(host: str, path: str) -> bytes:
            return raw(
                served, f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode()
            )

        for host in ("trine.example.org", "TRINE.example.org:443", "127.0.0.1", "localhost:8040"):
            answer = ask(host, "/learn")
            assert answer.startswith(b"HTTP/1.1 200 "), host
            assert f"wss://{host}".encode() in answer
        for host in ("evil.example", "trine.example.org.evil.example", "[", "a b", ""):
            answer = ask(host, "/learn")
            assert answer.startswith(b"HTTP/1.1 400 "), host
            assert b"ws://" not in answer and (not host or host.encode() not in answer)
        assert ask("house:8040", "/healthz").startswith(b"HTTP/1.1 200 "), "of a probe"


def test_a_name_that_is_not_known_does_not_reach_the_policy(served: Served) -> None:
    policies = [
        Client(served.address).get("/learn", Host=host).headers["content-security-policy"]
        for host in ("evil.example", "127.0.0.1:8040")
    ]
    assert "evil" not in policies[0] and "ws://127.0.0.1:8040" in policies[1]


def test_a_name_that_is_malformed_breaks_no_page(served: Served) -> None:
    assert Client(served.address).get("/account", Host="[").status == 200


@pytest.mark.parametrize(
    "body", [b"1;" + b"x" * 200_000, b"1\r\na\r\n1;" + b"x" * 200_000, b"1;e=1\r\na\r\nzz\r\n"]
)
def test_a_body_that_is_none_is_refused_and_is_no_fault(served: Served, body: bytes) -> None:
    for line in (b"POST /name", b"POST /api/games/x", b"HEAD /learn"):
        head = head_of(served, "Transfer-Encoding: chunked").replace(b"POST /name", line)
        assert raw(served, head + body).startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 413 "))


def test_text_that_is_none_ends_a_socket_and_is_no_fault(served: Served, one: Client) -> None:
    game, _ = one.new_game(game="corridor", **{"with": "screen"})
    key = base64.b64encode(bytes(16)).decode()
    head = head_of(
        served,
        *("Upgrade: websocket", "Connection: Upgrade"),
        *("Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}"),
    ).replace(b"POST /name", f"GET /game/{game}/socket".encode())
    with socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE) as there:
        there.sendall(head)
        answer = there.recv(65536)
        assert answer.startswith(b"HTTP/1.1 101 ")
        there.sendall(b"\x81\x82\0\0\0\0\xff\xfe")
        while part := there.recv(65536):
            answer += part
    assert answer.endswith(b"\x88\x02" + (1007).to_bytes(2, "big"))


def test_a_game_that_is_not_listed_is_shown_to_nobody_and_its_links_to_its_players(
    served: Served,
) -> None:
    one, eve = Client(served.address), Client(served.address)
    game, links = one.new_game(game="tzaar", **{"with": "friend"})
    token = links[0].removeprefix("/join/")
    assert token in one.get(f"/game/{game}?invite={token}").text
    assert token not in eve.get(f"/game/{game}?invite={token}").text
    assert game not in eve.get("/").text
    assert one.get(f"/game/{game}?invite={'x' * 5000}").status == 200
    assert len(game) == 12 and len(token) == 43


@pytest.mark.parametrize(
    "path",
    [
        "/game/%00",
        "/game/..%2f..%2fhouse.db",
        "/static/../../house.db",
        "/join/" + "x" * 3000,
        "/rules/__class__/official",
        "/new?game=../../etc",
        "/game/{game}/turn/99999999999999999999999",
        "/game/{game}/turn/" + "9" * 4301,
        "/game/{game}/picture.svg?seat=-1",
        "/game/{game}/picture.svg?turn=1e9",
        "/game/{game}/board/%2e%2e",
        "/language/..?back=//evil.example",
    ],
)
def test_an_address_that_leads_astray_is_refused_and_tells_nothing(one: Client, path: str) -> None:
    game, _ = one.new_game(game="corridor", **{"with": "screen"})
    page = one.get(path.replace("{game}", game))
    assert page.status in (400, 404)
    assert not any(word in page.text for word in ("Traceback", "site-packages", ".py"))


def test_a_form_without_its_fields_is_no_fault(tmp_path: Path) -> None:
    posts = {
        found[1]
        for file in (HOUSE / "src" / "trine" / "house").rglob("*.py")
        for found in re.finditer(
            r'Route\(\s*"([^"]+)",[^()]*?methods=\["POST"\]', file.read_text(encoding="utf-8")
        )
    }
    posts |= {f"/account/{name}" for name in ("register", "login", "name", "password", "delete")}
    assert len(posts) > 35
    with a_server(tmp_path) as served:
        one = Client(served.address)
        game, _ = one.new_game(game="corridor", **{"with": "screen"})
        fillings = {"game": game, "rules": "official", "number": "1", "name": "Anna"}
        faults = []
        for post in sorted(posts):
            named = re.sub(r"\{(\w+)(:\w+)?\}", lambda m: fillings.get(m[1], "x"), post)
            for form in ({"x": "1"}, {"game": "corridor"}, {"name": "\0", "rules": "", "of": "x"}):
                if (status := one.ask("POST", named, form).status) >= 500:
                    faults.append((named, form, status))
        assert faults == []
    assert "failed" not in (tmp_path / "log").read_text()


def test_no_line_of_a_form_becomes_a_header(one: Client) -> None:
    split = "A\r\nSet-Cookie: trine=stolen"
    assert one.ask("POST", "/name", {"name": split}).status == 400
    page = one.get("/language/hu?back=/%0d%0aSet-Cookie:%20trine=stolen")
    assert "stolen" not in page.headers.get("set-cookie", "")
    assert "\n" not in page.headers["location"]


@pytest.mark.parametrize(
    ("headers", "body", "status"),
    [
        ("Content-Length: 5000", b"x" * 5000, 413),
        ("Transfer-Encoding: chunked", b"5\r\na=b&c\r\n0\r\n\r\n", 413),
        ("Content-Length: x", b"a=b", 400),
        ("Content-Length: 4", b"\xff\xfe=a", 400),
        ("Content-Length: 300", b"&".join(b"a=%d" % n for n in range(99))[:300], 400),
        ("X: " + "y" * 300_000, b"", 400),
    ],
)
def test_a_form_that_is_no_form_is_refused(
    served: Served, headers: str, body: bytes, status: int
) -> None:
    host = served.address.removeprefix("http://").rstrip("/")
    head = f"POST /new HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nConnection: close\r\n{headers}\r\n\r\n"
    answer = raw(served, head.encode() + body)
    assert answer.startswith(f"HTTP/1.1 {status} ".encode()) and b"Traceback" not in answer


async def test_a_cookie_that_was_made_up_is_nobody(served: Served, one: Client) -> None:
    game, _ = one.new_game(game="corridor", **{"with": "screen"})
    for cookie in ("trine=guess", "trine=" + "x" * 3000, "trine=\"'; drop table person"):
        async with Client(served.address, cookie).play(game) as table:
            assert table.game["own"] == []
            assert (await table.turn("e2"))["t"] == "no"


def test_figures_are_told_to_who_has_the_token_alone(one: Client) -> None:
    for given in ("", "Bearer", "Bearer wrong", TOKEN, f"Basic {TOKEN}", f"Bearer {TOKEN}x"):
        assert one.get("/metrics", Authorization=given).status == 404
    told = one.get("/metrics", Authorization=f"Bearer {TOKEN}")
    assert told.status == 200 and "trine_games" in told.text


async def test_one_address_cannot_flood_the_house(tmp_path_factory: pytest.TempPathFactory) -> None:
    with a_server(tmp_path_factory.mktemp("flood"), address_credits=100) as served:
        one = Client(served.address)
        game, _ = one.new_game(game="corridor", **{"with": "screen"})
        opened = 0
        with suppress(InvalidStatus):
            while opened < 40:
                async with one.play(game):
                    opened += 1
        assert 0 < opened < 25

        def refused(ask: Callable[[], Page]) -> bool:
            # Credits come back with time, so that a slow machine may grant one or two.
            return any(ask().status == 429 for _ in range(10))

        assert refused(lambda: one.post("/name", name="Anna"))
        assert refused(lambda: one.get(f"/join/{'x' * 43}")), "links can be guessed without an end"
        assert refused(lambda: one.get(f"/game/{game}/picture.svg"))
        assert one.get("/healthz").status == 200
