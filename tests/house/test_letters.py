"""What people are told of their games: gathered, not what they know already, and no more often."""

import re
from email.message import EmailMessage
from smtplib import SMTPDataError, SMTPRecipientsRefused
from threading import Event
from typing import Any

import pytest

from house.houses import (
    PASSWORD,
    Heard,
    OpenHouse,
    Time,
    asked,
    do_due,
    guests,
    members,
    two_at_a_board,
    until,
)
from trine.core.clock import DAY, HOUR, MINUTE
from trine.house.app import House
from trine.house.games.live import task_scheduler
from trine.house.games.live.agreement import LINK, ME, Agreement
from trine.house.games.live.commands import answer, offer, turn
from trine.house.games.live.game_actor import GameActor
from trine.house.notify import notices
from trine.house.notify import tables as addresses
from trine.house.notify.mail import Mail
from trine.house.people.tables import Person
from trine.house.store.scheduled_tasks import tasks_due

BY_DAYS = "2d/0/0"


class Box:
    def __init__(self) -> None:
        self.letters: list[EmailMessage] = []
        self.error: Exception | None = None

    def send(self, message: EmailMessage) -> None:
        if self.error:
            raise self.error
        self.letters.append(message)


def mail(box: Box) -> Mail:
    return Mail("house@example.org", "https://house.example.org/", box.send)


@pytest.fixture
def box() -> Box:
    return Box()


@pytest.fixture
def options(box: Box) -> dict[str, Any]:
    return {"mail": mail(box)}


def with_address(house: House, person: Person, language: str = "en") -> None:
    email = f"{person.id}@example.org"
    house.store.write(
        lambda connection: addresses.set_address(connection, person.id, email, language)
    ).result(60)


async def with_a_turn(
    house: House, clock: str = BY_DAYS, language: str = "en"
) -> tuple[GameActor, Person, Person]:
    """A game in which it is the turn of the second player, who has an address."""
    host, one, two = await two_at_a_board(house, clock=clock)
    with_address(house, two, language)
    await host.do(turn, asked(one), ["e2"])
    return host, one, two


def wanted(house: House, person: Person) -> bool:
    found = house.store.read(addresses.address_of, person.id)
    return bool(found and found.wanted)


def rests(house: House, person: Person) -> bool:
    found = house.store.read(addresses.address_of, person.id)
    return bool(found and found.suspended_at is not None)


def queue(house: House) -> list[Any]:
    return list(house.store.read(tasks_due, notices.EMAIL, 9e9))


async def test_letters_are_gathered_and_lead_to_the_games(house: House, box: Box) -> None:
    games = []
    one, two = await guests(house, "Anna", "Béla")
    with_address(house, two)
    for _ in range(3):
        games.append(await a_game(house, one, two))
    for game in games:
        await (await house.games.actor(game)).do(turn, asked(one), ["e2"])
    await (await house.games.actor(games[0])).do(turn, asked(two), ["e8"])
    await house.task_scheduler.tick()
    assert box.letters == [], "it is gathered"
    await do_due(house, after=6 * MINUTE)
    (letter,) = box.letters
    told = letter.get_content()
    assert letter["To"] == f"{two.id}@example.org"
    assert "2 pieces of news" in letter["Subject"]
    assert set(re.findall(r"/game/(\w+)", told)) == set(games[1:]), "he has played in one"
    assert "against Anna: it is your turn. 1 day 23 hours left." in told
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    await (await house.games.actor(games[0])).do(turn, asked(one), ["e3"])
    for _ in range(3):
        await do_due(house, after=6 * MINUTE)
    assert len(box.letters) == 1, "nobody is written to more often than each half hour"
    await do_due(house, after=13 * MINUTE)
    assert len(box.letters) == 2 and games[0] in box.letters[1].get_content()
    await do_due(house, after=HOUR)
    assert len(box.letters) == 2


async def test_a_mail_server_that_hangs_holds_up_no_game(
    open_house: OpenHouse, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(task_scheduler, "POLL_INTERVAL", 0.02)
    hangs, goes_on, sent = Event(), Event(), Event()

    def hang(message: EmailMessage) -> None:
        hangs.set()
        goes_on.wait(60)
        sent.set()

    stuck = Mail("house@example.org", "https://house.example.org/", hang)
    house = await open_house(mail=stuck)
    one, two = await guests(house, "Anna", "Béla")
    with_address(house, two)
    host = await house.games.actor(await a_game(house, one, two))
    await host.do(turn, asked(one), ["e2"])
    time.now += HOUR
    await until(hangs.is_set)
    time.now += 2 * DAY
    await until(lambda: host.game.over)
    assert not sent.is_set()
    goes_on.set()


async def a_game(house: House, one: Person, two: Person) -> str:
    agreement = Agreement.make("corridor", clock=BY_DAYS)
    game, links = await house.games.create(agreement, [ME, LINK], one)
    await house.games.join(links[1], two)
    return game


async def test_an_offer_is_told_until_it_is_answered(house: House, box: Box) -> None:
    first, one, two = await two_at_a_board(house, clock=BY_DAYS, takebacks=True)
    for person in (one, two):
        with_address(house, person)

    async def told() -> list[str]:
        """The news of the letters of an hour, without the links."""
        box.letters.clear()
        await do_due(house, after=HOUR)
        lines = [line for x in box.letters for line in x.get_content().splitlines()]
        return [line.split(": ")[1] for line in lines if line.startswith("Corridor, against")]

    async def do(command: Any, asked: Any, *given: Any, **named: Any) -> None:
        """Do something in the game, which may have left memory within the hour."""
        await (await house.games.actor(first.id)).do(command, asked, *given, **named)

    await do(turn, asked(one), ["e2"])
    await told()
    await do(offer, asked(one), "draw")
    assert await told() == ["a draw is offered to you."]
    await do(offer, asked(one), "pause")
    assert await told() == ["an offer waits for your answer."], "and not the draw again"
    await do(answer, asked(two), "draw", agrees=False)
    await do(answer, asked(two), "pause", agrees=False)
    await do(offer, asked(one), "takeback")
    assert await told() == ["you are asked to let a turn be taken back."]
    await do(answer, asked(two), "takeback", agrees=True)
    assert await told() == ["it is your turn. 1 day 23 hours left."], "Anna's again"
    await do(turn, asked(one), ["e2"])
    await told()
    await do(offer, asked(one), "pause")
    await do(answer, asked(two), "pause", agrees=False)
    await do(offer, asked(one), "takeback")
    await do(turn, asked(two), ["e8"])  # which is an answer, too
    assert await told() == ["it is your turn. 1 day 23 hours left."]


async def test_whoever_was_away_when_a_game_began_is_told(
    house: House, time: Time, box: Box
) -> None:
    one, two = await guests(house, "Anna", "Béla")
    for person in (one, two):
        with_address(house, person)
    agreement = Agreement.make("corridor", clock=BY_DAYS)
    game, links = await house.games.create(agreement, [LINK, ME], one)
    time.now += DAY
    await house.games.join(links[0], two)
    await do_due(house, after=HOUR)
    (letter,) = box.letters
    assert letter["To"] == f"{one.id}@example.org"
    assert "against Béla: the game has begun." in letter.get_content()
    assert game in letter.get_content()


async def test_whoever_forgets_is_reminded_and_told_of_the_end(
    house: House, time: Time, box: Box
) -> None:
    host, one, two = await two_at_a_board(house, clock=BY_DAYS)
    for person in (one, two):
        with_address(house, person, "ru" if person is one else "en")
    await host.do(turn, asked(one), ["e2"])
    while time.now < 1_800_000_000 + 3 * DAY:
        await do_due(house, after=HOUR)
    told = [(letter["To"].split("@")[0], letter.get_content()) for letter in box.letters]
    assert [name for name, _ in told[:2]] == [two.id, two.id] and len(told) == 4
    assert "it is your turn" in told[0][1]
    assert "your time runs short. 11 hours" in told[1][1]
    assert {name for name, _ in told[2:]} == {one.id, two.id}
    assert all(host.id in content for _, content in told)


async def test_an_invitation_that_can_wait_for_a_letter_is_told(house: House, box: Box) -> None:
    one, two = await members(house, "Anna", "Béla")
    account = await house.accounts.of(two)
    assert account
    with_address(house, two)
    for clock in ("5+5", BY_DAYS):
        await house.challenges.open(one, account, Agreement.make("corridor", clock=clock))
    await do_due(house, after=6 * MINUTE)
    (letter,) = box.letters
    told = letter.get_content()
    assert "Corridor: Anna invites you to a game. 6 days 23 hours left." in told
    assert told.count("invites you") == 1 and "https://house.example.org/lobby" in told


async def test_a_letter_that_could_not_be_sent_is_sent_later(
    open_house: OpenHouse, box: Box
) -> None:
    heard = Heard()
    house = await open_house(report=heard)
    await with_a_turn(house)
    box.error = ConnectionRefusedError()
    await do_due(house, after=HOUR)
    await house.task_scheduler.tick()
    assert heard.words == ["what is due could not be seen to"]
    box.error = None
    house = await open_house(mail=mail(box))
    await do_due(house, after=HOUR)
    assert len(box.letters) == 1


async def test_a_letter_that_is_refused_for_a_day_is_given_up(
    open_house: OpenHouse, box: Box
) -> None:
    house = await open_house(report=Heard())
    host, one, two = await with_a_turn(house, clock="5d/0/0")
    box.error = SMTPRecipientsRefused({two.id: (550, b"5.7.1 go away")})
    for _ in range(23):
        await do_due(house, after=HOUR)
        assert queue(house)
    for _ in range(3):
        await do_due(house, after=HOUR)
    assert queue(house) == [] and wanted(house, two) and not rests(house, two)
    assert house.emails.mail and house.emails.mail.failed == 24
    box.error = None
    host = await house.games.actor(host.id)  # it may have left memory
    await host.do(turn, asked(two), ["e8"])
    await host.do(turn, asked(one), ["e3"])
    await do_due(house, after=HOUR)
    assert len(box.letters) == 1, "the next one is sent"


async def test_an_address_without_a_mailbox_rests_until_a_letter_arrives(
    open_house: OpenHouse, box: Box
) -> None:
    heard = Heard()
    house = await open_house(report=heard)
    host, one, two = await with_a_turn(house)
    box.error = SMTPRecipientsRefused({two.id: (550, b"5.1.1 nobody")})
    await do_due(house, after=HOUR)
    assert heard.words == ["an address does not exist"] and wanted(house, two)
    assert rests(house, two) and queue(house) == []
    await host.do(turn, asked(two), ["e8"])
    await host.do(turn, asked(one), ["e3"])
    assert queue(house) == [], "what rests is told nothing"
    box.error = None
    house.emails.ask_reset(f"{two.id}@example.org")
    await until(lambda: box.letters and not rests(house, two))


async def test_a_refusal_that_is_not_about_the_mailbox_costs_no_address(
    open_house: OpenHouse, box: Box
) -> None:
    house = await open_house(report=Heard())
    _host, _one, two = await with_a_turn(house)
    for error in (
        SMTPRecipientsRefused({two.id: (554, b"5.7.1 you are on a block list")}),
        SMTPRecipientsRefused({two.id: (554, b"you are on a block list")}),
        SMTPRecipientsRefused({two.id: (550, b"5.7.1 see 5.1.1 of our rules")}),
        SMTPRecipientsRefused({two.id: (552, b"5.2.2 the mailbox is full")}),
        SMTPRecipientsRefused({two.id: (450, b"4.2.1 not now")}),
        SMTPDataError(554, b"5.7.1 this looks like spam"),
    ):
        box.error = error
        await do_due(house, after=HOUR)
        assert wanted(house, two) and not rests(house, two), error
    box.error = None
    await do_due(house, after=HOUR)
    assert len(box.letters) == 1


async def test_headers_that_machines_read_are_sent_as_they_are(
    open_house: OpenHouse, box: Box
) -> None:
    places = "a-very-long-name-of-a-house-of-games.and-of-its-department.example.org"
    carrier = Mail(f"house@{places}", f"https://{places}/games", box.send)
    house = await open_house(mail=carrier)
    _host, _one, two = await with_a_turn(house, language="ru")
    await do_due(house, after=HOUR)
    head = box.letters[0].as_bytes().decode("ascii").split("\n\n")[0]
    stop = rf"List-Unsubscribe: <https://{places}/games/letters/stop/\S{{43}}>"
    assert [line for line in head.splitlines() if re.fullmatch(stop, line)]
    assert "\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\n" in head
    unfolded = head.replace("\n ", " ").replace(":  ", ": ")
    lines = dict(re.findall(r"^([A-Za-z-]+): (.*)$", unfolded, re.MULTILINE))
    assert re.fullmatch(rf"<\S+@{places}>", lines["Message-ID"])
    assert lines["From"] == f"house@{places}" and lines["To"] == f"{two.id}@example.org"


async def test_one_click_ends_the_letters_and_nothing_else(house: House, box: Box) -> None:
    host, one, two = await with_a_turn(house)
    await do_due(house, after=HOUR)
    leave = box.letters[0]["List-Unsubscribe"].strip("<>").rpartition("/")[2]
    assert not await house.emails.stop("x" * 43)
    assert not await house.emails.confirm(leave) and not await house.emails.may_reset(leave)
    assert wanted(house, two)
    assert await house.emails.stop(leave)
    assert not wanted(house, two)
    await host.do(turn, asked(two), ["e8"])
    await host.do(turn, asked(one), ["e3"])
    await do_due(house, after=HOUR)
    assert len(box.letters) == 1


async def test_links_grow_old(house: House, time: Time, box: Box) -> None:
    person, _ = await house.accounts.register(None, "Anna", PASSWORD)
    with_address(house, person)
    house.emails.ask_reset("Anna")
    await until(lambda: box.letters)
    found = re.search(r"/letters/reset/(\S+)", box.letters[0].get_content())
    assert found
    time.now += HOUR - 1
    assert await house.emails.may_reset(found[1])
    stored = str(house.store.read(lambda c: c.exec_driver_sql("SELECT * FROM email_link").all()))
    assert found[1] not in stored, "the token itself is stored"
    time.now += 2
    assert not await house.emails.may_reset(found[1])


async def test_no_link_outlives_the_password_or_the_address(house: House, box: Box) -> None:
    old = PASSWORD

    async def link() -> str:
        await until(lambda: box.letters)
        found = re.search(r"/letters/\w+/(\S+)", box.letters.pop().get_content())
        assert found
        return found[1]

    person, _ = await house.accounts.register(None, "Anna", old)
    with_address(house, person)
    house.emails.ask_reset("Anna")
    reset = await link()
    await house.emails.ask_address(person, "new@example.org", old, "en")
    assert await house.emails.confirm(await link())
    assert not await house.emails.may_reset(reset), "it was sent to the former address"
    house.emails.ask_reset("Anna")
    reset = await link()
    await house.emails.ask_address(person, "eve@example.org", old, "en")
    confirm = await link()
    await house.accounts.change_password(person, old, "five loud elephants")
    assert not await house.emails.may_reset(reset)
    assert not await house.emails.confirm(confirm), "who knew the password gets the account"
