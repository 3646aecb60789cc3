"""Passkeys in a real browser, with a device that the browser plays; and over HTTP without one."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookies import SimpleCookie

from playwright.sync_api import Page

from house.authenticator import Device
from house.houses import PASSWORD
from house.web.browsing import check, fits, follow
from house.web.clients import Client
from house.web.served import Served

OWN_HOUSE = {"address_credits": 20_000}


@contextmanager
def a_device(page: Page) -> Iterator[None]:
    """A device that has passkeys, and whose owner is always there."""
    told = page.context.new_cdp_session(page)
    told.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    device = told.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    yield
    told.send("WebAuthn.removeVirtualAuthenticator", device)
    told.detach()


def log_out(page: Page) -> None:
    page.evaluate(
        """async () => {
            sessionStorage.setItem("draft", "mine");
            await (await caches.open("pages")).put("/mine", new Response("mine"));
        }"""
    )
    page.click("form[action='/account/logout'] button")
    page.wait_for_url("**/")
    assert page.evaluate("sessionStorage.getItem('draft')") is None
    page.wait_for_function("async () => !(await caches.match('/mine'))")


def test_an_account_is_created_and_entered_by_a_passkey(served: Served, phone: Page) -> None:
    account = f"{served.address}account"
    with a_device(phone):
        phone.goto(account)
        fits(phone)
        create = phone.locator("form[data-passkey=create]")
        phone.locator("details", has=create).locator("summary").click()
        create.locator("input").fill("Anna")
        create.locator("button").click()
        phone.wait_for_url("**/lobby")
        phone.goto(account)
        assert phone.locator("h1").text_content() == "Anna"
        assert phone.locator("input[name=now]").count() == 0, "a password that there is not"
        assert phone.locator("form[action='/account/unpasskey']").count() == 0, "the last one"
        fits(phone)
        log_out(phone)
        phone.goto(account)
        phone.click("form[data-passkey=log_in] button")
        phone.wait_for_url("**/lobby")
        phone.goto(account)
        form = phone.locator("form[action='/account/password']")
        form.locator("input[name=password]").fill(PASSWORD)
        with phone.expect_navigation():  # the device is asked in between
            form.locator("button").click()
        assert form.locator("input[name=now]").count() == 1
        assert phone.locator("#passkeys li").count() == 1
        follow(phone, "form[action='/account/unpasskey'] button")
        assert phone.locator("#passkeys li").count() == 0
        phone.click("#passkeys summary")
        form = phone.locator("form[data-passkey=add]")
        form.locator("input[name=name]").fill("This phone")
        form.locator("input[name=password]").fill("a wrong one")
        form.locator("button").click()
        form.locator(".refused").wait_for()
        form.locator("input[name=password]").fill(PASSWORD)
        with phone.expect_navigation():
            form.locator("button").click()
        assert "This phone" in (phone.locator("#passkeys li").text_content() or "")
        check(phone)


def test_passkeys_over_http(served: Served) -> None:
    """The secret is a cookie of the browser that has asked; others cannot bring its answer."""
    origin = served.address.rstrip("/")
    device, anna, eve = Device(origin), Client(served.address), Client(served.address)

    def begin(client: Client, purpose: str, **form: str) -> tuple[str, str]:
        client.cookie = ""
        page = client.ask("POST", "/account/passkey/begin", {"for": purpose, **form})
        assert page.status == 200, page.text
        (cookie,) = SimpleCookie(page.headers["set-cookie"]).values()
        assert cookie["httponly"] and cookie["samesite"] == "strict" and cookie["max-age"] == "120"
        return client.cookie, page.text

    cookie, options = begin(anna, "create", name="Dora")
    assert json.loads(options)["rp"] == {"id": "localhost", "name": "trine"}
    answer = {"answer": device.register(options)}
    for thief in ("", f"{cookie}; trine={'x' * 43}"):
        eve.cookie = thief
        assert eve.ask("POST", "/account/passkey/finish", answer).status == 400
    made = anna.ask("POST", "/account/passkey/finish", answer)
    assert made.status == 200 and json.loads(made.text) == {"to": "/lobby"}
    assert "<h1>Dora</h1>" in anna.get("/account").text
    cookie, options = begin(eve, "log_in")
    answer = {"answer": device.sign(options)}
    for other in ("https://evil.example", "null", ""):
        assert eve.ask("POST", "/account/passkey/finish", answer, Origin=other).status == 403
    assert eve.ask("POST", "/account/passkey/finish", answer).status == 200
    again = Client(served.address, cookie)
    assert again.ask("POST", "/account/passkey/finish", answer).status == 400
    huge = {"answer": "[" * 20_000}
    assert again.ask("POST", "/account/passkey/finish", huge).status == 413
    assert again.ask("POST", "/account/passkey/begin", {"for": "all"}).status == 400


def test_a_house_without_a_name_says_that_it_has_no_passkeys(served: Served) -> None:
    there = Client(served.address.replace("localhost", "127.0.0.1"))
    page = there.get("/account").text
    assert "passkeys.js" not in page and "data-passkey" not in page
    asked = there.ask("POST", "/account/passkey/begin", {"for": "log_in"})
    assert asked.status == 400 and "HTTPS" in asked.text
    there.post("/account/register", name="Berta", password=PASSWORD)
    assert "reached by a name and HTTPS" in there.get("/account").text
