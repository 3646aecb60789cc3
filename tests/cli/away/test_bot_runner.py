"""`trine bot`: challenges that end while the house is lost, and games that nobody can play."""

import socket
from collections.abc import Iterator, Sequence
from typing import Any, cast

import pytest

from trine.cli.away import bot_runner as module
from trine.cli.away.api_client import ApiClient, RefusedError, UnreachableError
from trine.cli.away.bot_runner import BotRunner, BotSettings
from trine.cli.away.remote_game import _will_never_begin
from trine.core.errors import MalformedError
from trine.core.text.sentence import Text, text
from trine.engine.players.player import Player
from trine.engine.protocol import api

SIDE = api.Side("Anna")
WANTED = api.NewChallenge("Anna", "corridor", "quoridor", {}, "5+5", False)
TOLD: tuple[Any, ...] = (SIDE, SIDE, "corridor", "quoridor", {}, "5+5", False, None, 0.0)


def a_game(stage: str, **about: Any) -> api.Game:
    given: dict[str, Any] = {
        "id": "c1",
        "seq": 0,
        "game": "corridor",
        "rules": "quoridor",
        "start": {},
        "clock": "",
        "rated": False,
        "stage": stage,
        "seats": [SIDE, SIDE],
        "own": [],
        "mover": None,
        "turns": [],
        "elapsed": 0.0,
        "left": [],
        "paused": False,
        "offers": [],
    }
    return api.Game(**given | about)


class FakeClient:
    """A house that tells what a test wants, stream by stream; each is then lost."""

    def __init__(
        self, streams: Sequence[Sequence[Any]], *, played: Sequence[str] = (), loses: bool = False
    ) -> None:
        self._streams, self._played, self._loses = list(streams), played, loses
        self.sent = 0

    def account(self) -> api.Account:
        return api.Account("Bot", True, ["read", "challenge", "play"])

    def challenge(self, wanted: api.NewChallenge) -> api.Challenge:
        self.sent += 1
        if self._loses:
            raise UnreachableError(text("no answer"))
        return api.Challenge(f"c{self.sent}", True, *TOLD)

    def game(self, game: str) -> api.Game:
        if game not in self._played:
            raise RefusedError(text("there is no such game"))
        return a_game("over")

    def events(self) -> Iterator[Any]:
        assert self._streams, "it goes on for ever"
        yield from self._streams.pop(0)
        raise UnreachableError(text("lost"))


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ANNOUNCE_TIMEOUT", 0.0)
    monkeypatch.setattr(module, "FIRST_RETRY_DELAY", 0.0)


def nobody(game: str) -> Player:
    raise AssertionError(game)


def ignored(told: Text) -> None:
    """Say nothing."""


def run_bot(client: FakeClient, rounds: int = 1) -> None:
    settings = BotSettings(["corridor"], challenge=WANTED, rounds=rounds)
    BotRunner(cast(ApiClient, client), settings, nobody, ignored).run()


PING = api.Ping(0.0)
OWN = api.Challenge("c1", True, *TOLD)


def test_a_challenge_that_ended_while_the_house_was_lost_is_not_waited_for() -> None:
    client = FakeClient([[PING, OWN], [PING, PING]])
    with pytest.raises(RefusedError, match="has ended"):
        run_bot(client)


def test_a_challenge_that_still_stands_after_a_loss_is_waited_for() -> None:
    client = FakeClient([[PING, OWN], [OWN, PING, PING], [OWN, PING, api.Gone("c1"), PING]])
    with pytest.raises(RefusedError, match="has ended"):
        run_bot(client)
    assert client.sent == 1


def test_a_challenge_whose_answer_was_lost_counts_as_one() -> None:
    client = FakeClient([[PING, OWN], [PING, PING, PING]], played=["c1"], loses=True)
    run_bot(client)
    assert client.sent == 1


@pytest.mark.parametrize("server", ["https://[::1", "ftp://example.org", "https://"])
def test_an_address_of_no_house_is_refused(server: str) -> None:
    with pytest.raises(MalformedError, match="no address such as"):
        ApiClient(server, "token")


def test_a_game_that_was_played_while_the_house_was_lost_counts_as_one() -> None:
    client = FakeClient([[PING, OWN], [PING, PING, PING]], played=["c1", "c2"])
    run_bot(client)
    assert client.sent == 1


def test_a_house_that_does_not_listen_is_named_in_plain_words() -> None:
    with socket.socket() as closed:  # bound and not listening: connections are refused
        closed.bind(("127.0.0.1", 0))
        client = ApiClient(f"http://127.0.0.1:{closed.getsockname()[1]}", "trine_token")
        with pytest.raises(UnreachableError, match=r"cannot be reached: Connection refused$"):
            client.account()


@pytest.mark.parametrize(
    ("start", "why"), [({"Size": "13"}, "up to 11"), ({"Size": "99"}, "99"), ({"Size": "11"}, None)]
)
def test_boards_that_engines_do_not_play_are_refused(
    start: dict[str, str], why: str | None
) -> None:
    challenge = api.Challenge("x", False, SIDE, SIDE, "corridor", "quoridor", start, *TOLD[5:])
    refusal = BotSettings(["corridor"]).refusal(challenge)
    assert (why in str(refusal)) if why else refusal is None


@pytest.mark.parametrize(
    ("about", "never"),
    [
        ({}, True),
        ({"clock": "5+5"}, False),
        ({"turns": [api.PlayedTurn("1s", "e2", None)]}, True),
        ({"turns": [api.PlayedTurn("1s", "e2", None)], "rated": True}, False),
        ({"turns": [api.PlayedTurn("1s", "e2", None)] * 2}, False),
    ],
)
def test_a_game_without_a_clock_is_given_up_if_the_opponent_never_began(
    about: dict[str, Any], never: bool
) -> None:
    assert _will_never_begin(a_game("playing", **about), 0) is never
