"""Accounts: from guest to account, names that look alike, passwords, leaving."""

import asyncio
import io
import json
import threading
import time
import zipfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

import pytest
from argon2 import PasswordHasher
from sqlalchemy import select

from house.authenticator import Device
from house.houses import (
    PASSWORD,
    OpenHouse,
    a_house,
    asked,
    exported,
    first_turn,
    quick_passwords,
    two_at_a_board,
    until,
)
from house.test_passkeys import HERE
from trine.core.clock import DAY
from trine.core.contract.position import Seat
from trine.core.errors import MalformedError, TrineError
from trine.core.text.language import LANGUAGES, open_language
from trine.house.app import House
from trine.house.games.live.commands import condition, resign, turn
from trine.house.games.storage import own_games
from trine.house.games.storage.records import record_text
from trine.house.people.accounts import CredentialsError
from trine.house.people.credentials import CredentialsChangedError, create_token
from trine.house.people.names import (
    OFFICE_WORDS,
    PLAYER_WORDS,
    WHOLE_NAMES,
    account_name,
    fold,
    guest_name,
)
from trine.house.people.passkeys import PasskeyPurpose
from trine.house.people.passwords import MAX_CONCURRENT, MAX_WAITING, Passwords
from trine.house.people.tables import SESSION, PersonKind, read_account, read_person
from trine.house.refusals import HouseError, OverloadedError
from trine.house.store.store_errors import NameTakenError
from trine.play.session.state import Entry
from waiting import PATIENCE


async def test_a_guest_keeps_the_running_game_as_an_account(house: House) -> None:
    host, one, _ = await two_at_a_board(house)
    token = await house.store.commit(create_token, one.id, house.store.now(), DAY)
    person, new = await house.accounts.register(one, "Anna Adler", PASSWORD, token)
    assert (person.id, person.kind) == (one.id, PersonKind.ACCOUNT)
    assert await house.accounts.person_of(token) is None, "the token of before is still good"
    assert await house.accounts.person_of(new) == person
    seat = min(host.snapshot.seats_of(person.id))
    assert host.game and host.game.play.mover == seat
    await host.do(turn, asked(person), first_turn(host.game.play))
    with pytest.raises(HouseError, match="an account already"):
        await house.accounts.register(person, "Anna Second", PASSWORD)


@pytest.mark.usefixtures("place")
async def test_names_that_look_alike_are_refused(house: House) -> None:
    await house.accounts.register(None, "Anna Ida", PASSWORD)
    for name in ("anna ida", "ANNA  IDA", "Аппа", "annaida", "Anna-lda", "Ａnna Ida", "Änna Ida"):
        if fold(name) != fold("Anna Ida"):
            continue
        with pytest.raises(NameTakenError):
            await house.accounts.register(None, name, PASSWORD)
    with pytest.raises(NameTakenError):
        await house.accounts.welcome("anna 1da")
    guest, _ = await house.accounts.welcome("Somebody")
    with pytest.raises(NameTakenError):
        await house.accounts.rename(guest, "ANNA-lDA")


@pytest.mark.parametrize(
    "name",
    ["Аnna", "bot", "b0t", "Level 3", "Guest 12", "TRINE", "tr1ne", "a", "...", "a\u202eb", "x<b>y",
     "deleted", "a" * 25, "Anna\n", "\u2800\u2800", "bot:3", "\u115f\u1160", "Computer 5", "gép",
     "The Admin", "admin1", "modérateur", "Deleted user", "удалено", "Törölt fiók", "Vendég 12",
     "Гость", "3. szint", "1evel 3", "Модератор2", "tulajdonos", "effacé"],
)  # fmt: skip
def test_names_that_an_account_cannot_have(name: str) -> None:
    if name == "Anna\n":
        assert account_name(name) == "Anna"
        return
    with pytest.raises(MalformedError):
        account_name(name)


@pytest.mark.parametrize(
    "name", ["Anna", "Béla Bartók", "Иван", "O'Neill", "名前太郎", "名前たろう", "x_1", "Guestave"]
)
def test_names_that_an_account_can_have(name: str) -> None:
    assert account_name(name) == name


@pytest.mark.parametrize("code", LANGUAGES)
def test_words_of_the_house_are_no_names_in_any_language(code: str) -> None:
    for word in (*PLAYER_WORDS, *OFFICE_WORDS, *WHOLE_NAMES):
        for form in open_language(code).spellings(word):
            for allowed in (account_name, guest_name):
                with pytest.raises(MalformedError):
                    allowed(form.title())


@pytest.mark.parametrize(
    ("one", "other"),
    [("paypal", "раураl"), ("Ida", "lda"), ("Rose", "R0se"), ("Morn", "Mom"), ("A B", "a.b"),
     ("café", "cafe"), ("ΑΒΕ", "ABE")],
)  # fmt: skip
def test_what_looks_alike_is_folded_alike(one: str, other: str) -> None:
    assert fold(one) == fold(other)


async def test_logging_in_needs_the_password_and_makes_a_new_token(house: House) -> None:
    person, _ = await house.accounts.register(None, "Anna", PASSWORD)
    _, planted = await house.accounts.welcome()
    found, token = await house.accounts.log_in("ANNA", PASSWORD, planted)
    assert found == person and token != planted
    assert await house.accounts.person_of(planted) is None
    for name, password in (("Anna", "four quiet cats"), ("Nobody", PASSWORD), ("", "")):
        with pytest.raises(CredentialsError):
            await house.accounts.log_in(name, password)
    with pytest.raises(MalformedError):
        await house.accounts.register(None, "Bela", "short")
    with pytest.raises(MalformedError):
        await house.accounts.register(None, "Bela", "aaaaaaaaaa")
    with pytest.raises(HouseError):
        await house.accounts.register(None, "Bela Bartok", "belabartok")


async def test_passwords_that_everybody_tries_are_refused_and_others_compared_whole(
    house: House,
) -> None:
    for common in ("password1", "12345678", "QWERTYUIOP", "trustno1"):
        with pytest.raises(MalformedError, match=r"common|simple"):
            await house.accounts.register(None, "Anna", common)
    long = "four quiet rabbits " * 7
    with pytest.raises(MalformedError, match="8 to 128"):
        await house.accounts.register(None, "Anna", long)
    await house.accounts.register(None, "Anna", long[:128])
    for guess in (long, long[:127], long[:128].upper()):
        with pytest.raises(CredentialsError):
            await house.accounts.log_in("Anna", guess)
    assert await house.accounts.log_in("Anna", long[:128])


async def test_an_unknown_name_takes_as_long_as_a_wrong_password(open_house: OpenHouse) -> None:
    slow = Passwords(PasswordHasher(time_cost=4, memory_cost=4096, parallelism=1))
    house = await open_house(passwords=slow)
    await house.accounts.register(None, "Anna", PASSWORD)

    async def seconds(name: str) -> float:
        began = time.process_time()
        with pytest.raises(CredentialsError):
            await house.accounts.log_in(name, "four quiet cats")
        return time.process_time() - began

    await seconds("Nobody")  # the hash that stands for nobody's is made
    # One right after the other, whatever else the machine does meanwhile.
    ratios = [await seconds("Anna") / await seconds("Nobody") for _ in range(9)]
    assert 0.4 < median(ratios) < 2.5, ratios


async def test_hashes_of_before_are_renewed_when_somebody_logs_in(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        person, _ = await house.accounts.register(None, "Anna", PASSWORD)
    stronger = Passwords(PasswordHasher(time_cost=2, memory_cost=16, parallelism=1))
    async with a_house(tmp_path, passwords=stronger) as house:
        await house.accounts.log_in("Anna", PASSWORD)
        account = house.store.read(read_account, person.id)
        assert account and not stronger.is_old(account.password)
        await house.accounts.log_in("Anna", PASSWORD)


async def test_passwords_are_worked_on_a_few_at_a_time_beside_the_loop() -> None:
    passwords = quick_passwords()
    import threading

    running, most, lock, gate = 0, 0, threading.Lock(), threading.Event()

    def work() -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        assert gate.wait(PATIENCE)
        with lock:
            running -= 1

    tasks = [asyncio.create_task(passwords._do(work)) for _ in range(MAX_WAITING)]
    await asyncio.sleep(0)
    with pytest.raises(OverloadedError):
        await passwords.is_right(None, "one more")
    await until(lambda: most == MAX_CONCURRENT)
    gate.set()
    await asyncio.gather(*tasks)
    assert most == MAX_CONCURRENT
    passwords.close()


async def test_a_changed_password_ends_all_other_browsers(house: House) -> None:
    person, one = await house.accounts.register(None, "Anna", PASSWORD)
    _, two = await house.accounts.log_in("Anna", PASSWORD)
    assert await house.accounts.person_of(one) and await house.accounts.person_of(two)
    with pytest.raises(HouseError):
        await house.accounts.change_password(person, "wrong words", "eight loud camels")
    new, _ = await house.accounts.change_password(person, PASSWORD, "eight loud camels")
    assert [await house.accounts.person_of(token) for token in (one, two, new)] == [
        None,
        None,
        person,
    ]
    with pytest.raises(CredentialsError):
        await house.accounts.log_in("Anna", PASSWORD)


async def test_all_own_data_and_no_others_can_be_had(house: House) -> None:
    host, one, two = await two_at_a_board(house)
    person, _ = await house.accounts.register(one, "Anna", PASSWORD)
    study = await house.studies.create(person, '[Game "corridor"]\n')
    await host.do(condition, asked(two), [["e2"], ["d3h"]])
    with zipfile.ZipFile(io.BytesIO(await exported(house, person))) as files:
        names = set(files.namelist())
        told = files.read("about-you.json").decode()
    assert names == {"about-you.json", f"games/{host.id}.trine", f"analyses/{study}.trine"}
    about = json.loads(told)
    (game,) = about["games"]
    assert (game["id"], game["terms"]) == (host.id, host.agreement.as_data())
    assert (game["seats"], game["conditions"]) == ([0], [])
    assert two.id not in told and "argon2" not in told and "d3h" not in told


async def test_many_exports_hold_up_nobody_who_asks_to_be_recognised(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest, token = await house.accounts.welcome()
    games = [(await two_at_a_board(house))[0:2] for _ in range(2)]
    go_on, begun = threading.Event(), list[str]()

    def wait(entries: Sequence[Entry], seats: Sequence[Seat]) -> str:
        begun.append("a game")
        assert go_on.wait(PATIENCE)
        return record_text(entries, seats)

    monkeypatch.setattr(own_games, "record_text", wait)
    exports = [
        asyncio.create_task(exported(house, person)) for _ in range(10) for _, person in games
    ]
    await until(lambda: begun)
    assert await house.accounts.person_of(token) == guest
    assert begun == ["a game"], "one at a time"
    go_on.set()
    for packed in await asyncio.gather(*exports):
        assert len(zipfile.ZipFile(io.BytesIO(packed)).namelist()) == 2


async def test_a_deleted_account_leaves_its_games_without_a_name(
    tmp_path: Path, open_house: OpenHouse
) -> None:
    records = tmp_path / "games"
    house = await open_house(records=records)
    over, one, two = await two_at_a_board(house)
    person, token = await house.accounts.register(one, "Anna Adler", PASSWORD)
    await over.do(resign, asked(two))
    await house.task_scheduler.tick()
    assert "Anna" in (records / f"{over.id}.trine").read_text()
    running, _, _ = await two_at_a_board(house)
    links = await house.games.create(running.agreement, ["me", "link"], person)
    await house.games.join(links[1][1], two)
    third = await house.games.actor(links[0])
    assert third.game
    await third.do(turn, asked(person), first_turn(third.game.play))
    with pytest.raises(HouseError):
        await house.accounts.delete(person, "wrong words")
    await house.accounts.delete(person, PASSWORD)
    assert third.snapshot.state and third.snapshot.state.outcome
    assert third.snapshot.state.outcome.winner == 1
    assert await house.accounts.person_of(token) is None
    await until(lambda: third.snapshot.seats[0].name == "deleted")
    await house.task_scheduler.tick()
    assert "Anna" not in (records / f"{over.id}.trine").read_text()
    assert "Béla" in (records / f"{over.id}.trine").read_text()
    assert all("Anna" not in str(entry.data) for entry in third.game.entries)
    house = await open_house()
    again = await house.games.actor(over.id)
    assert [seat.name for seat in again.game.seats] == ["deleted", "Béla"]
    assert "Anna" not in str(again.game.entries[0].data)
    for name in ("Anna Adler", "deleted"):
        with pytest.raises(TrineError):
            await house.accounts.register(None, name, PASSWORD)


async def test_sessions_that_have_expired_are_removed(open_house: OpenHouse) -> None:
    def count(house: House) -> int:
        kept = house.store.read(lambda connection: connection.execute(select(SESSION.c.hash)).all())
        return len(kept)

    house = await open_house()
    person, _ = await house.accounts.welcome("Anna")
    long_ago = house.store.now() - 200 * DAY
    await house.store.commit(create_token, person.id, long_ago, DAY)
    house = await open_house()
    await until(lambda: count(house) == 1)


@pytest.mark.usefixtures("place")
async def test_of_many_who_register_one_name_at_once_one_has_it_and_nobody_is_left(
    house: House,
) -> None:
    made = await asyncio.gather(
        *(house.accounts.register(None, "Anna", PASSWORD) for _ in range(8)), return_exceptions=True
    )
    (there,) = [one for one in made if isinstance(one, tuple)]
    assert sum(isinstance(one, NameTakenError) for one in made) == 7
    people = await house.store.fetch(
        lambda connection: connection.exec_driver_sql("SELECT id FROM person").all()
    )
    assert [row[0] for row in people] == [there[0].id]


@pytest.mark.usefixtures("place")
async def test_a_passkey_account_that_cannot_be_made_leaves_nothing(house: House) -> None:
    guest, session = await house.accounts.welcome("Anna")
    device = Device(HERE.origin, b"of a guest")
    secret, options = await house.passkeys.begin(
        PasskeyPurpose.CREATE, HERE, guest, session, name="Anna Adler"
    )
    await house.accounts.log_out(session)
    with pytest.raises(CredentialsChangedError):
        await house.passkeys.finish(secret, session, HERE, device.register(options))
    kept = await house.store.fetch(read_person, guest.id)
    assert kept == guest and not await house.passkeys.of(guest)
