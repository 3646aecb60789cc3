"""Browsers in which people log in: who is told of a new one, and where a ban holds."""

import pytest
from starlette.requests import Request
from starlette.responses import Response

from house.houses import PASSWORD, Time, members
from house.test_farming import win
from trine.core.clock import DAY
from trine.core.errors import TrineError
from trine.house.app import House
from trine.house.games.live.agreement import Agreement
from trine.house.people import browsers
from trine.house.people.sanctions import BAN, MUTE
from trine.house.store.secrets import token_hash


@pytest.mark.parametrize(
    ("agent", "told"),
    [
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
            "Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0",
            "Edge, Windows",
        ),
        (
            "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) "
            "Chrome/141.0.0.0 Mobile Safari/537.36",
            "Chrome, Android",
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 "
            "(KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
            "Safari, iPhone",
        ),
        ("<b>Firefox</b>", "Firefox"),
        ("", ""),
    ],
)
def test_a_browser_is_told_by_its_name_and_system(agent: str, told: str) -> None:
    assert browsers.describe_agent(agent) == told


async def log_in(house: House, time: Time, browser: str, name: str = "Anna") -> str:
    time.now += 60
    _, token = await house.accounts.log_in(name, PASSWORD)
    await house.store.commit(browsers.note_browser, token_hash(token), browser, "Firefox", time())
    return token


async def alarmed(house: House, token: str) -> float | None:
    person = await house.accounts.person_of(token)
    assert person
    return person.login_alert_at


async def test_the_owner_is_told_of_a_new_browser_by_those_before(house: House, time: Time) -> None:
    (anna,) = await members(house, "Anna")
    desk = await log_in(house, time, "desk")
    assert await alarmed(house, desk) is None, "the first one is nobody else's"
    assert await alarmed(house, await log_in(house, time, "desk")) is None
    theirs = await log_in(house, time, "stranger")
    at = time()
    assert await alarmed(house, desk) == at and await alarmed(house, theirs) is None
    await house.accounts.know_browsers(theirs)
    assert await alarmed(house, desk) == at, "the stranger has silenced it"
    assert await alarmed(house, await log_in(house, time, "stranger")) is None
    again = await log_in(house, time, "desk")
    assert await alarmed(house, again) == at, "who had logged out is told later"
    await house.accounts.know_browsers(again)
    for token in (desk, again, await log_in(house, time, "stranger")):
        assert await alarmed(house, token) is None
    await log_in(house, time, "thief")
    assert await alarmed(house, again) == time()
    await house.accounts.end_others(anna, again)
    assert await house.accounts.person_of(desk) is None
    assert await alarmed(house, again) is None
    await log_in(house, time, "thief")
    assert await alarmed(house, again) == time(), "the thief is a stranger again"
    time.now += browsers.BROWSER_LIFETIME + 1
    await log_in(house, time, "phone")
    assert await alarmed(house, await log_in(house, time, "desk")) is None


async def test_a_ban_holds_for_browsers_and_for_a_day_for_addresses(
    house: House, time: Time
) -> None:
    mary, anna, _ = await members(house, "Mary", "Anna", "Bela")
    await log_in(house, time, "desk")
    await house.linked_accounts.keep(anna.id, "8.8.8.8")
    await house.ban_enforcement.check_newcomer("desk", "8.8.8.8")
    await house.moderation.sanction(mary, anna.id, BAN, "week", "cheat")
    for browser, address in (("desk", "9.9.9.9"), ("", "8.8.8.8"), ("other", "8.8.8.8")):
        with pytest.raises(TrineError):
            await house.ban_enforcement.check_newcomer(browser, address)
    with pytest.raises(TrineError):
        await house.ban_enforcement.check_browser("desk")
    await house.ban_enforcement.check_browser("other")
    await house.ban_enforcement.check_newcomer("other", "9.9.9.9")
    time.now += browsers.ADDRESS_LIFETIME + 1
    await house.ban_enforcement.check_newcomer("other", "8.8.8.8")
    with pytest.raises(TrineError):
        await house.ban_enforcement.check_browser("desk")
    time.now += 6 * DAY
    await house.ban_enforcement.check_newcomer("desk", "8.8.8.8")


async def test_a_muted_guest_who_logs_out_stays_muted_in_the_browser(house: House) -> None:
    (mary,) = await members(house, "Mary")
    welcome, bans = house.accounts.welcome, house.ban_enforcement
    guest, token = await welcome("")
    request = Request({"type": "http", "headers": [], "scheme": "http", "path": "/"})
    await bans.bind(request, response := Response(), guest, token)
    assert "set-cookie" not in response.headers, "a guest who is not muted leaves no trace"
    await house.moderation.sanction(mary, guest.id, MUTE, "week", "abuse")
    await bans.bind(request, response, guest, token)
    await house.accounts.log_out(token)
    secret = response.headers["set-cookie"].split(";")[0].partition("=")[2]
    again, _ = await welcome("", "", token_hash(secret))
    assert house.sanctions.is_muted(again.id)


async def test_a_sanction_holds_for_guests_in_the_same_browser(house: House, time: Time) -> None:
    mary, anna, _ = await members(house, "Mary", "Anna", "Bela")
    await log_in(house, time, "desk")
    welcome = house.accounts.welcome
    await house.moderation.sanction(mary, anna.id, MUTE, "week", "abuse")
    with pytest.raises(TrineError, match="nothing that you write"):
        await welcome("Rude Name", "", "desk")
    guest, _ = await welcome("", "", "desk")
    assert house.sanctions.is_muted(guest.id)
    with pytest.raises(TrineError, match="nothing that you write"):
        await house.accounts.rename(guest, "Rude Name")
    other, _ = await welcome("Kind Name", "", "other")
    assert not house.sanctions.is_muted(other.id)
    mute = house.sanctions.holds(anna.id, MUTE)
    assert mute
    await house.moderation.lift(mary, mute.id)
    for one in (anna, guest):
        assert not house.sanctions.is_muted(one.id)
    await house.sanctions.refresh()
    assert not house.sanctions.is_muted(guest.id)
    await house.moderation.sanction(mary, anna.id, BAN, "week", "abuse")
    with pytest.raises(TrineError, match="used in this browser"):
        await welcome("", "", "desk")


async def test_accounts_of_one_browser_are_seen_to_be(house: House, time: Time) -> None:
    anna, bela, cili = await members(house, "Anna", "Bela", "Cili")
    for name in ("Anna", "Bela"):
        await log_in(house, time, "desk", name)
    await log_in(house, time, "phone", "Cili")
    read = house.store.read
    assert read(browsers.share_browser, [anna.id, bela.id])
    assert not read(browsers.share_browser, [anna.id, cili.id])
    seek = Agreement.make("corridor", clock="5+3", rated=True)
    await house.lobby.open("a", anna, seek)
    with pytest.raises(TrineError, match="one browser"):
        await house.lobby.take("a", bela)
    assert await house.lobby.take("a", cili)
    for loser in (bela, cili):
        await win(house, anna, loser)
    (climber,) = await house.farming.climbers(1)
    assert {other.name: other.near for other in climber.against} == {"Bela": True, "Cili": False}
    await house.accounts.delete(anna, PASSWORD)
    assert not read(browsers.share_browser, [anna.id, bela.id])
