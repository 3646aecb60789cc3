"""News on devices: gathered, not what people know already, and sent later where that is needed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from house.houses import PASSWORD, Heard, OpenHouse, Time, asked, do_due, exported, until
from house.push_service import Answering, PushService, a_push_service, check_signature
from house.test_homes import die, houses, lasting
from postgres import Server
from trine.core.clock import HOUR, MINUTE
from trine.core.errors import MalformedError
from trine.house.app import House
from trine.house.games.live import task_scheduler
from trine.house.games.live.agreement import LINK, ME, Agreement
from trine.house.games.live.commands import turn
from trine.house.notify import notices, push
from trine.house.notify import tables as devices
from trine.house.notify.push import encode, read_push
from trine.house.notify.tables import PUSH
from trine.house.people.credentials import create_token
from trine.house.people.encryption import Encryption
from trine.house.people.tables import Person
from trine.house.processes import lease as leases
from trine.house.processes.tables import leader_of
from trine.house.refusals import HouseError
from trine.house.store.scheduled_tasks import tasks_due
from trine.house.store.store_errors import StoreError, TooManyError

BY_DAYS = "2d/0/0"
HOUSE = Encryption(b"k" * 32)


# --- what is told --------------------------------------------------------------------------------


@pytest.fixture
def service() -> Iterator[PushService]:
    with a_push_service() as service:
        yield service


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def options(tmp_path: Path, service: PushService, heard: Heard) -> dict[str, Any]:
    """A house that sends its messages to the service, when it is told to."""
    service.settings(tmp_path)
    return {"push": read_push(tmp_path, HOUSE), "report": heard}


async def an_account(house: House, name: str) -> tuple[Person, str]:
    return await house.accounts.register(None, name, PASSWORD)


async def switch_on(
    house: House, person: Person, token: str, given: dict[str, str], language: str = "en"
) -> None:
    await house.push_notifications.switch_on(person, token, **given, language=language)


async def two_people(house: House, service: PushService) -> tuple[Person, Person]:
    """Two people with accounts, of whom the second is told news on a device."""
    one, _ = await an_account(house, "Anna")
    two, token = await an_account(house, "Béla")
    await switch_on(house, two, token, service.device())
    return one, two


async def a_game(house: House, one: Person, two: Person) -> str:
    game, links = await house.games.create(
        Agreement.make("corridor", clock=BY_DAYS), [ME, LINK], one
    )
    await house.games.join(links[1], two)
    return game


async def test_news_are_gathered_encrypted_and_lead_to_the_position(
    house: House, time: Time, service: PushService
) -> None:
    one, _ = await an_account(house, "Anna")
    two, token = await an_account(house, "Béla")
    phone = await house.store.commit(create_token, two.id, house.store.now(), HOUR)
    await switch_on(house, two, token, service.device("desk"), "ru")
    games = [await a_game(house, one, two) for _ in range(3)]
    await switch_on(house, two, phone, service.device("phone"))
    for game in games[:2]:
        await (await house.games.actor(game)).do(turn, asked(one), ["e2"])
    await (await house.games.actor(games[0])).do(turn, asked(two), ["e8"])
    await house.task_scheduler.tick()
    assert service.posts == [], "it is gathered"
    await do_due(house, after=2 * MINUTE)
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
        check_signature(x.headers["authorization"], service.origin, time.now) for x in (post, other)
    ]
    assert signed == [house.push_notifications.key] * 2
    await (await house.games.actor(games[2])).do(turn, asked(one), ["e2"])
    await (await house.games.actor(games[0])).do(turn, asked(one), ["e3"])
    for _ in range(4):
        await do_due(house, after=MINUTE)
    assert len(service.posts) == 2, "no device is told more often than each five minutes"
    await do_due(house, after=2 * MINUTE)
    (post,) = [one for one in service.posts[2:] if one.path == "/push/phone"]
    assert post.told["title"] == "2 pieces of news" and post.told["to"] == "/next"
    assert post.told["body"].count("it is your turn") == 2
    await do_due(house, after=HOUR)
    assert len(service.posts) == 4


async def test_a_challenge_is_told_at_once_where_it_cannot_wait(
    house: House, service: PushService
) -> None:
    one, two = await two_people(house, service)
    account = await house.accounts.of(two)
    assert account
    live = Agreement.make("corridor", clock="5+5")
    await house.challenges.open(one, account, live)
    await house.task_scheduler.tick()
    (post,) = service.posts
    assert post.told["body"] == "Corridor: Anna invites you to a game. 10 minutes left."
    assert (post.told["to"], post.headers["ttl"]) == ("/lobby", "600")
    slow = await house.challenges.open(one, account, Agreement.make("tzaar", clock=BY_DAYS))
    await do_due(house, after=4 * MINUTE)
    await house.challenges.refuse(slow.id, one)
    await do_due(house, after=HOUR)
    assert len(service.posts) == 1, "it was withdrawn"


# --- what goes wrong -----------------------------------------------------------------------------


async def waiting(house: House, service: PushService, time: Time) -> Person:
    """Have a message due; return its recipient."""
    one, two = await two_people(house, service)
    await (await house.games.actor(await a_game(house, one, two))).do(turn, asked(one), ["e2"])
    time.now += HOUR
    return two


def due(house: House) -> list[float]:
    return [one.at for one in house.store.read(tasks_due, PUSH, 4e9, 10)]


@pytest.mark.parametrize("status", [404, 410])
async def test_a_device_that_is_gone_is_forgotten(
    house: House, time: Time, service: PushService, heard: Heard, status: int
) -> None:
    person = await waiting(house, service, time)
    service.answering = Answering(status)
    await house.task_scheduler.tick()
    assert await house.push_notifications.of(person) == [] and due(house) == []
    assert not heard.words


async def test_what_could_not_be_sent_is_sent_later_over_a_restart(
    house: House, open_house: OpenHouse, time: Time, service: PushService, heard: Heard
) -> None:
    await waiting(house, service, time)
    waits = []
    for answering in (
        Answering(503),
        Answering(429, {"retry-after": "120"}),
        Answering(307, {"location": f"{service.origin}/push/one"}),
    ):
        service.answering = answering
        await house.task_scheduler.tick()
        (at,) = due(house)
        waits.append(round(at - time.now))
        time.now = at
    assert waits == [600, 600, 600]
    assert service.asked == 3, "a redirect was followed"
    assert [one["kind"] for one in heard.about] == [PUSH] * 3
    assert "/push/" not in str(heard.about), "a secret is told"
    before = house.push_notifications.key
    service.answering = Answering()
    house = await open_house()
    await until(lambda: service.posts)
    (post,) = service.posts
    assert check_signature(post.headers["authorization"], service.origin, time.now) == before
    await until(lambda: due(house) == [])


async def test_a_fault_with_one_device_keeps_no_other_from_its_news(
    house: House, time: Time, service: PushService, heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    await waiting(house, service, time)

    async def failing(self: Any, *given: Any) -> Any:
        raise TypeError("a fault")

    monkeypatch.setattr(type(house.push_notifications), "_post", failing)
    await house.task_scheduler.tick()
    assert len(heard.about) == len(due(house)) == 1, "it is tried again"


async def test_what_cannot_be_sent_at_all_is_given_up_some_day(
    house: House, time: Time, service: PushService, heard: Heard
) -> None:
    person = await waiting(house, service, time)
    service.answering = Answering(403)
    begun = time.now
    while due(house):
        (time.now,) = due(house)
        await house.task_scheduler.tick()
    assert service.asked == len(heard.about) > 20 and time.now - begun <= push.NOTICE_TTL
    assert len(await house.push_notifications.of(person)) == 1, "it may be told the next thing"
    found = house.store.read(
        lambda connection: notices.notices_of(
            connection, person.id, devices.device_id(f"{service.origin}/push/one")
        )
    )
    assert found == []


async def test_a_service_that_is_no_longer_known_is_sent_nothing(
    house: House, open_house: OpenHouse, time: Time, service: PushService, tmp_path: Path
) -> None:
    person = await waiting(house, service, time)
    (tmp_path / "house.toml").write_text('[push]\ncontact = "mailto:host@example.org"')
    house = await open_house(push=read_push(tmp_path, HOUSE))
    await until(lambda: due(house) == [])
    assert service.asked == 0 and await house.push_notifications.of(person) == []


# --- whose devices -------------------------------------------------------------------------------


async def test_a_device_is_told_of_one_session_and_ends_with_it(
    house: House, service: PushService
) -> None:
    anna, first = await an_account(house, "Anna")
    bela, other = await an_account(house, "Béla")
    guest, token = await house.accounts.welcome("Somebody")
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
    (device,) = await house.push_notifications.of(anna)
    assert device.endpoint == given["endpoint"], "the browser has another endpoint now"
    assert not await house.push_notifications.switch_off(bela, device.id)
    await switch_on(house, bela, other, given)
    assert await house.push_notifications.of(anna) == [], "another has logged in on this browser"
    await house.accounts.log_out(other)
    assert await house.push_notifications.of(bela) == []
    await switch_on(house, anna, first, given)
    new, _ = await house.accounts.change_password(anna, PASSWORD, "eight loud camels")
    assert await house.push_notifications.of(anna) == []
    await switch_on(house, anna, new, given)
    assert b'"endpoint"' in await told_by(house, anna)
    assert await house.push_notifications.switch_off(anna, device.id)
    assert not await house.push_notifications.switch_off(anna, device.id)
    await switch_on(house, anna, new, given)
    await house.accounts.delete(anna, "eight loud camels")
    for table in ("device", "notice", "scheduled_task"):
        rows = house.store.read(all_of, table=table)
        assert not any(anna.id in row or device.id in row for row in rows), table


def all_of(connection: Any, table: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in connection.exec_driver_sql(f"SELECT * FROM {table}")]


async def told_by(house: House, person: Person) -> bytes:
    import io
    import zipfile

    with zipfile.ZipFile(io.BytesIO(await exported(house, person))) as files:
        return files.read("about-you.json")


async def test_nobody_has_any_number_of_devices(house: House, service: PushService) -> None:
    anna, token = await an_account(house, "Anna")
    for number in range(devices.MAX_DEVICES):
        token = await house.store.commit(create_token, anna.id, house.store.now(), HOUR)
        await switch_on(house, anna, token, service.device(str(number)))
    more = await house.store.commit(create_token, anna.id, house.store.now(), HOUR)
    with pytest.raises(TooManyError):
        await switch_on(house, anna, more, service.device("more"))
    await switch_on(house, anna, token, service.device("again"))


async def test_a_house_without_the_means_sends_nothing(open_house: OpenHouse) -> None:
    house = await open_house(push=None)
    anna, token = await an_account(house, "Anna")
    assert house.push_notifications.key == ""
    with pytest.raises(HouseError, match="sends no notifications"):
        await house.push_notifications.switch_on(
            anna, token, "https://web.push.apple.com/x", "", "", "en"
        )


# --- several processes ---------------------------------------------------------------------------


@pytest.fixture
def url(postgres_server: Server) -> Iterator[str]:
    with postgres_server.database() as url:
        yield url


async def test_one_process_sends_and_another_when_it_is_gone(
    url: str, tmp_path: Path, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    lasting(monkeypatch, 5.0)
    monkeypatch.setattr(leases, "RENEW_INTERVAL", 0.2)
    monkeypatch.setattr(task_scheduler, "POLL_INTERVAL", 0.1)
    monkeypatch.setitem(notices.SEND_INTERVAL, PUSH, 0.0)
    service.settings(tmp_path)
    means = read_push(tmp_path, HOUSE)
    async with houses(url, 2, push=means) as (a, b):
        one, _ = await an_account(a, "Anna")
        two, token = await an_account(b, "Béla")
        await switch_on(b, two, token, service.device())
        account, (device,) = await a.accounts.of(two), await b.push_notifications.of(two)
        assert account
        for count, game in enumerate(("corridor", "tzaar", "arimaa"), 1):
            await b.challenges.open(one, account, Agreement.make(game, clock="5+5"))
            await until(lambda count=count: len(service.posts) >= count)  # type: ignore[misc]
            # A process that dies before it has stored that it sent has the next one send again.
            await until(lambda: not a.store.read(notices.notices_of, two.id, device.id))
            home = a.store.read(leader_of, task_scheduler.LEADER)
            assert home
            if count == 1:
                first = home.name
                await die(a if first == "a" else b)
        assert home and home.name != first
        assert service.asked == 3, "something was told twice"  # it would have been before the third
        await a.accounts.log_out(token)
        assert await b.push_notifications.of(two) == [], "a session has ended in another process"
