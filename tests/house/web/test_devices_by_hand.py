"""News on a device: switched on in a real browser, sent by the house, shown by the worker; and over HTTP."""

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Worker

from house.houses import PASSWORD
from house.push_service import PushService, a_push_service, check_signature
from house.web.browsing import PHONE, WHOLE, a_page, check, fits, follow, launched
from house.web.clients import Client
from house.web.served import Served, a_server
from house.web.test_people_by_hand import register
from trine.house.notify.routes import MAX_CHANGES
from waiting import wait_until

THERE = "/account/devices/on"
STAND_IN = """given => {
    // There is no push service for browsers in a test; the page and the worker are real.
    const made = () => ({
        toJSON: () => ({endpoint: given.endpoint, keys: {p256dh: given.key, auth: given.secret}}),
        unsubscribe: async () => { localStorage.removeItem("made"); return true; },
    });
    PushManager.prototype.getSubscription = async () => localStorage.getItem("made") ? made() : null;
    PushManager.prototype.subscribe = async ({applicationServerKey: key, userVisibleOnly}) => {
        if (!userVisibleOnly || key.length !== 65) throw new Error("asked for in a wrong way");
        localStorage.setItem("made", "1");
        return made();
    };
}"""

pytestmark = pytest.mark.in_file
"""Several processes need a key for devices that somebody gives them; one makes its own."""


@pytest.fixture(scope="module")
def telling(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, PushService]]:
    folder = tmp_path_factory.mktemp("house")
    with a_push_service() as service:
        service.settings(folder)
        with a_server(folder, address_credits=20_000) as served:
            yield served, service


SHOWN = """async () => {
    const registration = await navigator.serviceWorker.getRegistration("/news/");
    for (let tries = 0; tries < 100; tries++) {
        const found = await registration.getNotifications();
        if (found.length) return found.map(({title, body, tag, lang, data}) => ({title, body, tag, lang, data}));
        await new Promise(done => setTimeout(done, 50));
    }
    return [];
}"""
"""What is shown to the owner of a device within five seconds."""


def push_to(page: Page, told: dict[str, Any]) -> list[dict[str, Any]]:
    """Hand a message to the worker, as a push service would: what is shown then."""
    session = page.context.new_cdp_session(page)
    known: list[dict[str, Any]] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: known.extend(event["registrations"]),
    )
    session.send("ServiceWorker.enable")
    while not (
        names := {one["registrationId"] for one in known if one["scopeURL"].endswith("/news/")}
    ):
        page.evaluate("1")  # what the browser has said meanwhile is heard
    (name,) = names
    origin = page.evaluate("location.origin")
    push = {"origin": origin, "registrationId": name, "data": json.dumps(told)}
    shown: list[dict[str, Any]] = []
    for _ in range(4):
        # A worker that is just being stopped loses it; a push service would try again, too.
        session.send("ServiceWorker.deliverPushMessage", push)
        shown = page.evaluate(SHOWN)
        if shown:
            break
    session.detach()
    return shown


def worker_of(page: Page) -> Worker:
    (worker,) = [one for one in page.context.service_workers if "/news/" in one.url]
    return worker


def move(page: Page, given: dict[str, str]) -> None:
    """Have the push service reach the device at another address from now on."""
    worker_of(page).evaluate(
        """async ({endpoint, key: p256dh, secret: auth}) => {
            const event = new Event("pushsubscriptionchange");
            event.newSubscription = {toJSON: () => ({endpoint, keys: {p256dh, auth}})};
            const done = new Promise(done => { event.waitUntil = done; });
            dispatchEvent(event);
            await done;
        }""",
        given,
    )


def tap(page: Page) -> str:
    """Tap on what is shown: the address that is opened."""
    opened: str = worker_of(page).evaluate(
        """async () => {
            const [notification] = await registration.getNotifications();
            const opened = new Promise(done => { clients.openWindow = async to => done(to); });
            const event = new NotificationEvent("notificationclick", {notification});
            event.waitUntil = () => {};
            dispatchEvent(event);
            return opened;
        }"""
    )
    return opened


def test_news_are_switched_on_sent_shown_and_lead_to_the_page(
    telling: tuple[Served, PushService], browser: Browser
) -> None:
    served, service = telling
    with (
        launched(browser.browser_type, WHOLE) as whole,
        a_page(whole, PHONE, permissions=["notifications"], service_workers="allow") as page,
    ):
        page.add_init_script(f"({STAND_IN})({json.dumps(service.device('phone'))})")
        register(page, served, "Béla Berg")
        page.goto(f"{served.address}account")
        fits(page)
        follow(page, "#devices form[data-can] button")
        assert "this browser" in (page.locator("#devices li").text_content() or "")
        assert page.locator("#devices form[data-can]").is_hidden()
        check(page)
        move(page, service.device("phone-again"))
        anna = Client(served.address)
        assert anna.post("/account/register", name="Anna", password=PASSWORD).status == 303
        asked = anna.post("/challenge/B%C3%A9la%20Berg", game="corridor", clock="5+5")
        assert asked.status == 303, asked.text
        wait_until(lambda: service.posts)
        (post,) = service.posts
        assert post.path == "/push/phone-again"
        check_signature(post.headers["authorization"], service.origin, time.time())
        (shown,) = push_to(page, post.told)
        assert "Anna invites you" in shown["body"] and shown["lang"] == "en"
        there = tap(page)
        assert there == f"{served.address}lobby"
        page.goto(there)
        assert page.locator("li.challenge").count() == 1
        page.goto(f"{served.address}account")
        follow(page, "#devices li button")
        page.locator("#devices form[data-can]").wait_for()
        assert page.locator("#devices li").count() == 0
        assert page.evaluate("localStorage.getItem('made')") is None
        page.evaluate(
            "navigator.serviceWorker.getRegistration('/news/').then(one => one.unregister())"
        )


def test_devices_over_http(telling: tuple[Served, PushService]) -> None:
    served, service = telling
    clara, eve = Client(served.address), Client(served.address)
    given = service.device("clara")
    assert clara.post(THERE.removesuffix("x"), **given).status == 403, "a stranger"
    assert clara.post("/account/register", name="Clara", password=PASSWORD).status == 303
    assert eve.post("/account/register", name="Eve", password=PASSWORD).status == 303
    for other in ("https://evil.example", "null", ""):
        assert clara.ask("POST", THERE, given, Origin=other).status == 403
    for wrong in (
        {},
        {**given, "endpoint": "http://169.254.169.254/latest"},
        {**given, "endpoint": f"{served.address}account"},
        {**given, "endpoint": "https://localhost:5432/"},
        {**given, "key": "short"},
    ):
        answer = clara.post(THERE, **wrong)
        assert answer.status == 400 and json.loads(answer.text)["why"], wrong
    assert clara.post(THERE, **{**given, "endpoint": "x" * 5000}).status == 413
    assert clara.post(THERE, **given).status == 200
    page = clara.get("/account").text
    assert "data-here" in page and given["endpoint"] not in page and given["secret"] not in page
    (name,) = {part.split('"')[0] for part in page.split('name="device" value="')[1:]}
    assert eve.post("/account/devices/off", device=name).status == 303
    assert name in clara.get("/account").text, "another has switched it off"
    assert clara.post("/account/devices/off", device=name).status == 303
    assert name not in clara.get("/account").text
    statuses = [eve.post(THERE, **given).status for _ in range(MAX_CHANGES + 2)]
    assert statuses.count(200) >= MAX_CHANGES and statuses[-1] == 429
    worker = Client(served.address).get("/news/worker.js")
    assert worker.status == 200 and "STAMP" in worker.text


def test_a_house_without_the_means_offers_nothing(served: Served) -> None:
    dora = Client(served.address)
    assert dora.post("/account/register", name="Dora Deviceless", password=PASSWORD).status == 303
    page = dora.get("/account").text
    assert 'id="devices"' not in page and "devices.js" not in page
    assert dora.post(THERE, endpoint="https://web.push.apple.com/x").status == 400
