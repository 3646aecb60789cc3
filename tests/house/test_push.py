"""What people are told on their devices: sealed, gathered, not what they know already, and safely."""

from __future__ import annotations

import asyncio
import ssl
import stat
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from house.houses import Time, a_house, asked, story, until
from house.push_service import (
    Answering,
    PushService,
    Receiver,
    a_push_service,
    check_signature,
)
from house.test_homes import die, houses, lasting
from house.test_tournaments import joined, people, running
from postgres import Server
from trine.core.clock import DAY, HOUR, MINUTE
from trine.core.errors import MalformedError
from trine.house import lease as leases
from trine.house import push, push_services, push_settings
from trine.house.agreement import LINK, ME, Agreement
from trine.house.house import House
from trine.house.push_messages import check_keys, decode, encode, seal
from trine.house.push_services import Endpoint, PushServices, UnreachableError
from trine.house.push_settings import read_push
from trine.house.refusals import HouseError
from trine.store import devices, notices
from trine.store.devices import PUSH
from trine.store.people import Person
from trine.store.refusals import StoreError, TooManyError
from trine.tournament.plan import Format, Plan

PASSWORD = "four quiet rabbits"
BY_DAYS = "2d/0/0"


def private(given: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(decode(given)), ec.SECP256R1())


def test_a_message_is_sealed_as_in_the_example_of_the_standard() -> None:
    """RFC 8291, section 5 and appendix A."""
    own = private("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
    theirs = Receiver(
        private("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"), decode("BTBZMqHH6r4Tts7J_aSIgg")
    )
    words = b"When I grow up, I want to be a watermelon"
    sealed = seal(
        *(words, theirs.key, theirs.secret),
        size=0,
        own=own,
        salt=decode("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    assert sealed == decode(
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml"
        "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
        "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    assert theirs.read(sealed) == words


def test_messages_are_of_one_length_and_never_the_same() -> None:
    device = Receiver()
    some = [seal(words, device.key, device.secret) for words in (b"a", b"b" * 2000, b"a")]
    assert {len(one) for one in some} == {2150} and len(set(some)) == 3
    assert [len(device.read(one)) for one in some] == [1, 2000, 1]


# --- the key and the settings --------------------------------------------------------------------


def test_the_key_of_a_house_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    assert read_push(tmp_path) is None
    (tmp_path / "push.toml").write_text('contact = "https://example.org/about"')
    with pytest.raises(MalformedError, match="same key"):
        read_push(tmp_path, shared=True)
    path = tmp_path / "push.pem"
    one = read_push(tmp_path)
    assert one and stat.S_IMODE(path.stat().st_mode) == 0o600
    for shared in (False, True):
        again = read_push(tmp_path, shared=shared)
        assert again and again.key.public == one.key.public
    path.chmod(0o640)
    with pytest.raises(MalformedError, match="0600"):
        read_push(tmp_path)
    path.chmod(0o600)
    path.write_text("something else")
    with pytest.raises(MalformedError, match="cannot be read"):
        read_push(tmp_path)


def test_whoever_wants_notifications_without_their_libraries_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "push.toml").write_text('contact = "https://example.org/about"')
    monkeypatch.setattr(push_settings, "find_spec", lambda name: None)
    with pytest.raises(MalformedError, match="scripts/extras"):
        read_push(tmp_path)


def test_settings_that_are_wrong_are_named(tmp_path: Path) -> None:
    for wrong, told in [
        ("contact=", "cannot be read"),
        ("services=[]", "contact"),
        ('contact="host@example.org"', "mailto:"),
        ('contact="mailto:host"', "e-mail"),
        ('contact="mailto:a@b.org"\nservices="https://p.org"', "wrong type"),
        ('contact="mailto:a@b.org"\nservices=["http://p.org"]', "https://push"),
        ('contact="mailto:a@b.org"\nservices=["https://p.org/x"]', "https://push"),
    ]:
        (tmp_path / "push.toml").write_text(wrong)
        with pytest.raises(MalformedError, match=told):
            read_push(tmp_path)


# --- where messages are sent ---------------------------------------------------------------------


def test_endpoints_are_those_of_known_push_services_alone() -> None:
    services = PushServices(["https://push.example.org:8443"])
    for good, owner in [
        ("https://fcm.googleapis.com/fcm/send/x:y-z", "Google"),
        ("https://updates.push.services.mozilla.com/wpush/v2/gAA", "Mozilla"),
        ("https://wns2-par02p.notify.windows.com:443/w/?token=BQ%2b", "Microsoft"),
        ("https://web.push.apple.com/QAbc", "Apple"),
        ("https://push.example.org:8443/up?x", "push.example.org"),
    ]:
        assert services.read(good).owner == owner
    for bad in [
        "",
        "http://fcm.googleapis.com/x",
        "https://fcm.googleapis.com:8443/x",
        "https://fcm.googleapis.com@evil.example/x",
        "https://user:word@fcm.googleapis.com/x",
        "https://fcm.googleapis.com.evil.example/x",
        "https://evilfcm.googleapis.com/x",
        "https://xpush.apple.com/x",
        "https://push.apple.com/x",
        "https://evil.example/fcm.googleapis.com",
        "https://localhost/x",
        "https://127.0.0.1/x",
        "https://[::1]/x",
        "https://[::1/x",
        "https://169.254.169.254/latest/meta-data",
        "https://push.example.org/x",
        "http://push.example.org:8443/x",
        "https://fcm.googleapis.com/a b",
        "https://fcm.googleapis.com/a\r\nX-Y: z",
        "https://fcm.googleapis.com/é",
        "https://fcm.googleapis.com/#x",
        "https://fcm.googleapis.com/" + "x" * 1000,
        "https://fcm.googleapis.com:99999/x",
        "file:///etc/passwd",
    ]:
        with pytest.raises(HouseError):
            services.read(bad)


@story
async def test_a_known_name_that_leads_into_the_own_network_is_not_followed() -> None:
    heard: list[Any] = []
    server = await asyncio.start_server(lambda *given: heard.append(given), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    for host in ("127.0.0.1", "localhost"):
        there = Endpoint(host, port, f"http://{host}:{port}", "/", named=False)
        with pytest.raises(UnreachableError):
            await PushServices().post(there, {}, b"")
    assert heard == []
    server.close()


@story
async def test_a_service_that_does_not_answer_well_is_left_in_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One that says nothing, one that never ends its head, and one that speaks another language."""
    monkeypatch.setattr(push_services, "PATIENCE", 1.0)
    endless = b"HTTP/1.1 201 Created\r\n" + b"x: y\r\n" * 20_000
    answers = [b"", endless, b"220 mail.example.org\r\n"]
    left: list[object] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answers[len(left)])
        with suppress(OSError):
            await reader.read()
        left.append(writer.get_extra_info("peername"))
        writer.transport.abort()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    there = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    services = PushServices([there])
    for count in range(1, len(answers) + 1):
        with pytest.raises(UnreachableError):
            await services.post(services.read(f"{there}/x"), {}, b"")
        await until(lambda count=count: len(left) == count)  # type: ignore[misc]
    server.close()


@story
async def test_a_service_is_reached_over_tls_and_only_with_a_good_certificate(
    tmp_path: Path,
) -> None:
    heard: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await reader.readuntil(b"\r\n\r\n"))
        heard.append(await reader.readexactly(4))
        writer.write(b"HTTP/1.1 201 Created\r\nlocation: /m/1\r\n\r\n")
        writer.close()

    one, other = (a_certificate(tmp_path / name, name) for name in ("localhost", "example.org"))
    for certificate, good in ((one, True), (other, False)):
        mine = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        mine.load_cert_chain(certificate)
        server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=mine)
        there = f"https://localhost:{server.sockets[0].getsockname()[1]}"
        strict = PushServices([there])
        with pytest.raises(UnreachableError):
            await strict.post(strict.read(f"{there}/x?y"), {"ttl": "1"}, b"word")
        assert heard == []
        trusting = PushServices([there], ssl.create_default_context(cafile=str(certificate)))
        post = trusting.post(trusting.read(f"{there}/x?y"), {"ttl": "1"}, b"word")
        if good:
            assert (await post).taken
            head, body = heard
            assert head.startswith(b"POST /x?y HTTP/1.1\r\n") and body == b"word"
            assert b"ttl: 1\r\n" in head.lower() and there[8:].encode() in head
            heard.clear()
        else:
            with pytest.raises(UnreachableError):
                await post
        server.close()


def a_certificate(path: Path, name: str) -> Path:
    """A key, and a certificate for a name that it has signed itself."""
    own = ec.generate_private_key(ec.SECP256R1())
    who = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(who, who, own.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(own, hashes.SHA256())
    )
    key = own.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    path.write_bytes(key + made.public_bytes(Encoding.PEM))
    return path


# --- what is told --------------------------------------------------------------------------------


@pytest.fixture
def service() -> Iterator[PushService]:
    with a_push_service() as service:
        yield service


@asynccontextmanager
async def telling(folder: Path, service: PushService, time: Time) -> AsyncIterator[House]:
    """A house that sends its messages to a service, when it is told to."""
    service.settings(folder)
    async with a_house(folder, time, push=read_push(folder)) as house:
        yield house


async def an_account(house: House, name: str) -> tuple[Person, str]:
    """Somebody with an account, and the token of a session."""
    return await house.accounts.register(None, name, PASSWORD)


async def switch_on(
    house: House, person: Person, token: str, given: dict[str, str], language: str = "en"
) -> None:
    await house.pushes.switch_on(person, token, **given, language=language)


async def a_game(house: House, one: Person, two: Person) -> str:
    game, links = await house.create(Agreement.make("corridor", clock=BY_DAYS), [ME, LINK], one)
    await house.join(links[1], two)
    return game


@story
async def test_news_are_gathered_sealed_and_lead_to_the_position(
    tmp_path: Path, service: PushService
) -> None:
    time = Time()
    async with telling(tmp_path, service, time) as house:
        one, _ = await an_account(house, "Anna")
        two, token = await an_account(house, "Béla")
        phone = await asyncio.wrap_future(house.store.people.create_token(two.id))
        await switch_on(house, two, token, service.device("desk"), "ru")
        games = [await a_game(house, one, two) for _ in range(3)]
        await switch_on(house, two, phone, service.device("phone"))
        for game in games[:2]:
            await (await house.host(game)).turn(asked(one), ["e2"])
        await (await house.host(games[0])).turn(asked(two), ["e8"])
        await house.pushes.tick()
        assert service.posts == [], "it is gathered"
        time.now += 2 * MINUTE
        await house.pushes.tick()
        (post,) = [one for one in service.posts if one.path == "/push/phone"]
        assert post.told == {
            "title": "trine",
            "body": "Corridor, against Anna: it is your turn. 1 day 23 hours left.",
            "to": f"/game/{games[1]}",
            "tag": f"/game/{games[1]}",
            "language": "en",
        }, "he has played in the other"
        (other,) = [one for one in service.posts if one.path == "/push/desk"]
        assert other.told["language"] == "ru" and "Anna" in other.told["body"]
        assert post.headers["content-encoding"] == "aes128gcm"
        assert (post.headers["ttl"], post.headers["urgency"]) == ("86400", "normal")
        signed = [
            check_signature(x.headers["authorization"], service.origin, time.now)
            for x in (post, other)
        ]
        assert signed == [house.pushes.key] * 2
        await (await house.host(games[2])).turn(asked(one), ["e2"])
        await (await house.host(games[0])).turn(asked(one), ["e3"])
        for _ in range(4):
            time.now += MINUTE
            await house.pushes.tick()
        assert len(service.posts) == 2, "no device is told more often than each five minutes"
        time.now += 2 * MINUTE
        await house.pushes.tick()
        (post,) = [one for one in service.posts[2:] if one.path == "/push/phone"]
        assert post.told["title"] == "2 of your games" and post.told["to"] == "/next"
        assert post.told["body"].count("it is your turn") == 2
        time.now += HOUR
        await house.pushes.tick()
        assert len(service.posts) == 4


@story
async def test_a_reminder_and_the_end_are_told(tmp_path: Path, service: PushService) -> None:
    time = Time()
    async with telling(tmp_path, service, time) as house:
        one, _ = await an_account(house, "Anna")
        two, token = await an_account(house, "Béla")
        await switch_on(house, two, token, service.device())
        game = await a_game(house, one, two)
        await (await house.host(game)).turn(asked(one), ["e2"])
        while time.now < 1_800_000_000 + 3 * DAY:
            time.now += HOUR
            await house.correspondence.tick()
            await house.pushes.tick()
        told = [post.told["body"] for post in service.posts]
        assert [words.split(": ")[1].split(".")[0] for words in told] == [
            "it is your turn",
            "your time runs short",
            "the game is over",
        ]


@story
async def test_a_challenge_is_told_at_once_where_it_cannot_wait(
    tmp_path: Path, service: PushService
) -> None:
    time = Time()
    async with telling(tmp_path, service, time) as house:
        one, _ = await an_account(house, "Anna")
        two, token = await an_account(house, "Béla")
        await switch_on(house, two, token, service.device())
        account = await house.accounts.of(two)
        assert account
        live = Agreement.make("corridor", clock="5+5")
        await house.challenges.open(one, account, live)
        await house.pushes.tick()
        (post,) = service.posts
        assert post.told["body"] == "Corridor: Anna invites you to a game. 10 minutes left."
        assert (post.told["to"], post.headers["ttl"]) == ("/lobby", "600")
        slow = await house.challenges.open(one, account, Agreement.make("tzaar", clock=BY_DAYS))
        time.now += 4 * MINUTE
        await house.pushes.tick()
        await house.challenges.refuse(slow.id, one)
        time.now += HOUR
        await house.pushes.tick()
        assert len(service.posts) == 1, "it was withdrawn"


@story
async def test_players_of_a_tournament_who_are_elsewhere_are_told_that_a_game_begins(
    tmp_path: Path, service: PushService
) -> None:
    time = Time()
    async with telling(tmp_path, service, time) as house:
        some = await people(house, 2)
        name = await joined(house, Plan(Format.ROUND_ROBIN), some, starts_at=time.now + 60)
        for person in some:
            token = await asyncio.wrap_future(house.store.people.create_token(person.id))
            await switch_on(house, person, token, service.device(person.name.replace(" ", "")))
        await house.tournaments.enter(Page(), name, some[0].id)
        time.now += 61
        await house.tournaments.director.tick()
        (host,) = await running(house, name)
        await house.pushes.tick()
        (post,) = service.posts
        assert post.path == "/push/Playerb", "who has the page open sees it"
        assert post.told["to"] == f"/game/{host.id}" and post.headers["urgency"] == "high"


class Page:
    """The page of a tournament."""

    def changed(self) -> None:
        """Nothing."""

    def lead(self, game: str) -> None:
        """Nothing."""


# --- what goes wrong -----------------------------------------------------------------------------


@asynccontextmanager
async def waiting(
    folder: Path, service: PushService, time: Time
) -> AsyncIterator[tuple[House, Person, list[Any]]]:
    """A house with a message that is due; what it reports."""
    async with telling(folder, service, time) as house:
        faults: list[Any] = []
        house.report = lambda words, error=None, **about: faults.append(about)  # type: ignore[misc]
        one, _ = await an_account(house, "Anna")
        two, token = await an_account(house, "Béla")
        await switch_on(house, two, token, service.device())
        await (await house.host(await a_game(house, one, two))).turn(asked(one), ["e2"])
        time.now += HOUR
        yield house, two, faults


def due(house: House) -> list[float]:
    return [one.at for one in house.store.due_of(PUSH, 4e9, 10)]


@story
async def test_a_device_that_is_gone_is_forgotten(tmp_path: Path, service: PushService) -> None:
    for number, status in enumerate((404, 410)):
        async with waiting(tmp_path / str(number), service, Time()) as (house, person, faults):
            service.answering = Answering(status)
            await house.pushes.tick()
            assert await house.pushes.of(person) == [] and due(house) == [] and not faults


@story
async def test_what_could_not_be_sent_is_sent_later_over_a_restart(
    tmp_path: Path, service: PushService
) -> None:
    time = Time()
    async with waiting(tmp_path, service, time) as (house, person, faults):
        waits = []
        for answering in (
            Answering(503),
            Answering(500),
            Answering(429, {"retry-after": "7200"}),
            Answering(307, {"location": f"{service.origin}/push/one"}),
        ):
            service.answering = answering
            await house.pushes.tick()
            await house.pushes.tick()
            (at,) = due(house)
            waits.append(round(at - time.now))
            time.now = at
        assert waits == [60, 120, 7200, 480]
        assert service.asked == 4, "a redirect was followed, or something was tried twice"
        assert [one["tries"] for one in faults] == [1, 2, 3, 4]
        assert all(one["host"] == service.origin.split("/")[2] for one in faults), (
            "a secret is told"
        )
        before = house.pushes.key
    service.answering = Answering()
    async with a_house(tmp_path, time, push=read_push(tmp_path)) as house:
        await until(lambda: service.posts)
        (post,) = service.posts
        assert check_signature(post.headers["authorization"], service.origin, time.now) == before
        await until(lambda: due(house) == [])
        (device,) = await house.pushes.of(person)
        assert device.tries == 0


@story
async def test_what_cannot_be_sent_at_all_is_given_up_some_day(
    tmp_path: Path, service: PushService
) -> None:
    time = Time()
    async with waiting(tmp_path, service, time) as (house, person, faults):
        service.answering = Answering(403)
        while due(house):
            (time.now,) = due(house)
            await house.pushes.tick()
        assert service.asked == len(faults) == push.TRIES
        assert len(await house.pushes.of(person)) == 1, "it may be told the next thing"
        found = house.store.read(
            lambda connection: notices.notices_of(
                connection, person.id, devices.device_id(f"{service.origin}/push/one")
            )
        )
        assert found == []


@story
async def test_a_service_that_is_no_longer_known_is_sent_nothing(
    tmp_path: Path, service: PushService
) -> None:
    time = Time()
    async with waiting(tmp_path, service, time) as (house, person, _):
        pass
    (tmp_path / "push.toml").write_text('contact = "mailto:host@example.org"')
    async with a_house(tmp_path, time, push=read_push(tmp_path)) as house:
        house.report = lambda *given, **about: None  # type: ignore[misc]
        await until(lambda: due(house) == [])
        assert service.asked == 0 and await house.pushes.of(person) == []


# --- whose devices -------------------------------------------------------------------------------


@story
async def test_a_device_is_told_of_one_session_and_ends_with_it(
    tmp_path: Path, service: PushService
) -> None:
    async with telling(tmp_path, service, Time()) as house:
        anna, first = await an_account(house, "Anna")
        bela, other = await an_account(house, "Béla")
        guest, token = await house.welcome("Somebody")
        given = service.device()
        for who, session, wrong in [
            (guest, token, given),
            (anna, "x" * 43, given),
            (bela, first, given),
            (anna, first, {**given, "key": encode(b"\4" * 65)}),
            (anna, first, {**given, "secret": encode(b"short")}),
            (anna, first, {**given, "key": "é"}),
            (anna, first, {**given, "endpoint": "http://127.0.0.1:1/x"}),
        ]:
            with pytest.raises((HouseError, StoreError, MalformedError)):
                await switch_on(house, who, session, wrong)
        await switch_on(house, anna, first, service.device("old"))
        await switch_on(house, anna, first, given)
        (device,) = await house.pushes.of(anna)
        assert device.endpoint == given["endpoint"], "the browser has another endpoint now"
        assert not await house.pushes.switch_off(bela, device.id)
        await switch_on(house, bela, other, given)
        assert await house.pushes.of(anna) == [], "another has logged in on this browser"
        await house.accounts.log_out(other)
        assert await house.pushes.of(bela) == []
        await switch_on(house, anna, first, given)
        new = await house.accounts.change_password(anna, PASSWORD, "eight loud camels")
        assert await house.pushes.of(anna) == []
        await switch_on(house, anna, new, given)
        assert b'"endpoint"' in await told_by(house, anna)
        assert await house.pushes.switch_off(anna, device.id)
        assert not await house.pushes.switch_off(anna, device.id)
        await switch_on(house, anna, new, given)
        await house.accounts.delete(anna, "eight loud camels")
        for table in ("device", "notice", "due"):
            rows = house.store.read(partial(all_of, table=table))
            assert not any(anna.id in row or device.id in row for row in rows), table


def all_of(connection: Any, table: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in connection.exec_driver_sql(f"SELECT * FROM {table}")]


async def told_by(house: House, person: Person) -> bytes:
    """What somebody is given of the own data."""
    import io
    import zipfile

    with zipfile.ZipFile(io.BytesIO(await house.accounts.export(person))) as files:
        return files.read("about-you.json")


@story
async def test_nobody_has_any_number_of_devices(tmp_path: Path, service: PushService) -> None:
    async with telling(tmp_path, service, Time()) as house:
        anna, token = await an_account(house, "Anna")
        for number in range(devices.MOST):
            token = await asyncio.wrap_future(house.store.people.create_token(anna.id))
            await switch_on(house, anna, token, service.device(str(number)))
        more = await asyncio.wrap_future(house.store.people.create_token(anna.id))
        with pytest.raises(TooManyError):
            await switch_on(house, anna, more, service.device("more"))
        await switch_on(house, anna, token, service.device("again"))


@story
async def test_a_house_without_the_means_sends_nothing(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        anna, token = await an_account(house, "Anna")
        assert house.pushes.key == ""
        with pytest.raises(HouseError, match="sends no notices"):
            await house.pushes.switch_on(anna, token, "https://web.push.apple.com/x", "", "", "en")


def test_keys_that_are_none() -> None:
    good = Receiver()
    check_keys(good.key, good.secret)
    for key, secret in [
        ("", ""),
        (good.key, ""),
        ("A" * 87, good.secret),
        (good.key[:-2], good.secret),
    ]:
        with pytest.raises(MalformedError):
            check_keys(key, secret)


# --- several processes ---------------------------------------------------------------------------


@pytest.fixture
def url(postgres_server: Server) -> Iterator[str]:
    with postgres_server.database() as url:
        yield url


@story
async def test_one_process_sends_and_another_when_it_is_gone(
    url: str, tmp_path: Path, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    lasting(monkeypatch, 2.0)
    monkeypatch.setattr(leases, "BEAT", 0.2)
    monkeypatch.setattr(push, "LOOKS", 0.1)
    monkeypatch.setitem(notices.APART, PUSH, 0.0)
    service.settings(tmp_path)
    means = read_push(tmp_path)
    async with houses(url, 2, push=means) as (a, b):
        one, _ = await an_account(a, "Anna")
        two, token = await an_account(b, "Béla")
        await switch_on(b, two, token, service.device())
        account = await a.accounts.of(two)
        assert account
        for count, game in enumerate(("corridor", "tzaar"), 1):
            await b.challenges.open(one, account, Agreement.make(game, clock="5+5"))
            await until(lambda count=count: len(service.posts) == count)  # type: ignore[misc]
            home = a.store.homes.of_duty(push.DUTY)
            assert home
            if count == 1:
                first = home.name
                await die(a if first == "a" else b)
        assert home and home.name != first
        await asyncio.sleep(0.3)
        assert service.asked == 2, "something was told twice"
        await a.accounts.log_out(token)
        assert await b.pushes.of(two) == [], "a session has ended in another process"
