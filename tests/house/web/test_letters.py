"""Letters, from the forms of a house through a mail server to their links."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from house.houses import PASSWORD
from house.web.clients import Client
from house.web.postbox import NOBODY, Postbox, a_postbox
from house.web.served import Served, a_server
from trine.core.errors import MalformedError
from trine.house.notify.mail import read_settings
from waiting import wait_until

NEW = "eight loud camels"
ADDRESS = "https://house.example.org"


@pytest.fixture(scope="module")
def postbox() -> Iterator[Postbox]:
    with a_postbox() as postbox:
        yield postbox


@pytest.fixture(scope="module")
def served(folder: Path, postbox: Postbox) -> Iterator[Served]:
    postbox.settings(folder, ADDRESS)
    with a_server(folder, address_credits=1_000_000) as served:
        yield served


def an_account(served: Served, name: str) -> Client:
    client = Client(served.address)
    assert client.post("/account/register", name=name, password=PASSWORD).status == 303
    return client


def link_in(letter: object) -> str:
    found = re.search(rf"{ADDRESS}(/letters/\S+)", letter.get_content())  # type: ignore[attr-defined]
    assert found, letter
    return found[1]


def give_address(client: Client, postbox: Postbox, email: str) -> str:
    before = len(postbox.letters)
    page = client.post("/account/email", email=email, password=PASSWORD)
    assert page.status == 303, page.text
    return link_in(postbox.letter(before + 1))


def test_an_address_is_kept_when_its_owner_has_confirmed_it(
    served: Served, postbox: Postbox
) -> None:
    anna = an_account(served, "Anna")
    link = give_address(anna, postbox, "Anna@Example.org")
    assert postbox.letters[-1]["To"] == "Anna@example.org"
    assert "anna@example.org" not in anna.get("/account").text.lower()
    stranger = Client(served.address)
    assert stranger.get(link).status == 200  # a program that looks for dangers
    assert "anna@example.org" not in anna.get("/account").text.lower()
    assert stranger.ask("POST", link, {}, Origin="https://evil.example").status == 403
    assert stranger.ask("POST", link, {}).status == 200
    assert "Anna@example.org" in anna.get("/account").text
    assert stranger.ask("POST", link, {}).status == 404, "a link that is good twice"
    assert anna.post("/account/forget").status == 303
    assert "Anna@example.org" not in anna.get("/account").text


def test_an_address_needs_the_password_and_must_be_one(served: Served, postbox: Postbox) -> None:
    count = len(postbox.letters)
    bela = an_account(served, "Bela")
    wrong = [
        ("bela@example.org", "five quiet rabbits"),
        ("bela", PASSWORD),
        ("bela@example.org\nBcc: eve@example.org", PASSWORD),
        ("bela@example.org,eve@example.org", PASSWORD),
        (NOBODY, PASSWORD),
    ]
    for email, password in wrong:
        page = bela.post("/account/email", email=email, password=password)
        assert page.status == 400 and "refused" in page.text, email
    assert bela.post("/account/email", email="b@x.org", password=PASSWORD).status == 429
    assert Client(served.address).post("/account/email", email="b@x.org").status == 403
    assert len(postbox.letters) == count


def test_a_forgotten_password_is_replaced_by_a_link_that_is_good_once(
    served: Served, postbox: Postbox
) -> None:
    clara = an_account(served, "Clara")
    confirm = give_address(clara, postbox, "clara@example.org")
    assert clara.ask("POST", confirm, {}).status == 200
    count, stranger = len(postbox.letters), Client(served.address)
    for name in ("nobody of this name", "Clara", "none@example.org", "CLARA@example.org"):
        page = stranger.post("/account/forgot", name=name)
        assert page.status == 200 and "on its way" in page.text
    first, second = (link_in(postbox.letter(count + n)) for n in (1, 2))
    assert len(postbox.letters) == count + 2
    assert (
        stranger.ask("POST", confirm.replace("confirm", "reset"), {"password": NEW}).status == 404
    )
    assert stranger.ask("POST", first, {"password": NEW}).status == 404, "a later one replaces it"
    assert stranger.ask("POST", second, {"password": "short"}).status == 400
    assert clara.get("/account").text.count("Clara"), "she is logged in still"
    assert stranger.ask("POST", second, {"password": NEW}).status == 200
    assert stranger.ask("POST", second, {"password": NEW}).status == 404
    assert "Clara" not in clara.get("/account").text, "a browser stayed logged in"
    assert stranger.post("/account/login", name="Clara", password=PASSWORD).status == 400
    assert stranger.post("/account/login", name="Clara", password=NEW).status == 303


def test_strangers_who_try_passwords_do_not_lock_out_an_owner(
    served: Served, postbox: Postbox
) -> None:
    petra = an_account(served, "Petra")
    assert petra.ask("POST", give_address(petra, postbox, "petra@example.org"), {}).status == 200
    assert petra.post("/account/logout").status == 303
    count = len(postbox.letters)
    statuses = [
        Client(served.address, source=f"127.0.1.{number}")
        .post("/account/login", name="Petra", password="guess")
        .status
        for number in range(1, 251)  # an attempt comes back every four seconds
    ]
    assert statuses[:200] == [400] * 200 and 429 in statuses
    owner = Client(served.address, source="127.0.2.1")
    assert petra.post("/account/login", name="Petra", password=PASSWORD).status == 303
    letter = postbox.letter(count + 1)
    assert (
        letter["To"] == "petra@example.org" and "Many passwords were tried" in letter.get_content()
    )
    assert owner.ask("POST", link_in(letter), {"password": NEW}).status == 200
    assert owner.post("/account/login", name="Petra", password=NEW).status == 303
    assert len(postbox.letters) == count + 1, "one is enough"


@pytest.mark.faults("an address does not exist")
def test_the_owner_of_an_address_that_rests_is_told_and_asked_again(
    served: Served, postbox: Postbox
) -> None:
    olga = an_account(served, "Olga")
    assert olga.ask("POST", give_address(olga, postbox, "olga@example.org"), {}).status == 200
    assert "no such mailbox" not in olga.get("/account").text
    postbox.gone.add("olga@example.org")
    stranger = Client(served.address)
    assert stranger.post("/account/forgot", name="Olga").status == 200
    wait_until(lambda: "no such mailbox" in olga.get("/account").text)
    page = olga.get("/account").text
    assert 'action="/account/email"' in page and 'value="olga@example.org"' in page
    postbox.gone.discard("olga@example.org")
    assert olga.ask("POST", give_address(olga, postbox, "olga@example.org"), {}).status == 200
    assert "no such mailbox" not in olga.get("/account").text


def test_nobody_is_flooded_with_letters(served: Served, postbox: Postbox) -> None:
    dora = an_account(served, "Dora")
    confirm = give_address(dora, postbox, "dora@example.org")
    assert dora.ask("POST", confirm, {}).status == 200
    count, stranger = len(postbox.letters), Client(served.address, source="127.0.0.2")
    for _ in range(5):
        assert stranger.post("/account/forgot", name="Dora").status == 200
    postbox.letter(count + 3)
    statuses = {stranger.post("/account/forgot", name=f"x{n}").status for n in range(20)}
    assert statuses == {200, 429}
    assert len(postbox.letters) == count + 3


def test_a_house_without_mail_says_so_nowhere(shared_house: Served) -> None:
    emma = an_account(shared_house, "Emma Letterless")
    assert 'id="email"' not in emma.get("/account").text
    assert emma.post("/account/email", email="e@x.org", password=PASSWORD).status == 400


def test_settings_that_are_wrong_are_named(tmp_path: Path) -> None:
    assert read_settings(tmp_path) is None
    right = 'server="s"\nsender="a@b.org"\naddress="https://b.org"\n'
    for wrong, told in [
        ("server=", "cannot be read"),
        ('server="s"', "sender"),
        (f'{right}colour="red"', "colour"),
        (f'{right}port="25"', "port"),
        (f'{right}security="some"', "starttls"),
        (right.replace("a@b.org", "a"), "e-mail"),
        (right.replace("https:", "ftp:"), "https://example.org"),
    ]:
        (tmp_path / "house.toml").write_text(f"[mail]\n{wrong}")
        with pytest.raises(MalformedError, match=told):
            read_settings(tmp_path)
    (tmp_path / "house.toml").write_text(f"[mail]\n{right}")
    settings = read_settings(tmp_path)
    assert settings and (settings.port, settings.security) == (587, "starttls")
