"""A house as its host sets it: its name, whom it lets in, and its languages."""

import re
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from house.houses import PASSWORD
from house.web.clients import Client
from house.web.served import Served
from trine.cli.commands.house import command
from trine.core.errors import MalformedError
from trine.house.house_settings import HouseSettings, read_section
from waiting import wait_until

CLUB = """
[house]
name = "Café Corridor"
welcome = "Come in & play."
legal = "https://example.org/about"
guests = false
sign_up = "invitation"
languages = ["hu", "en"]
access_log = "access.log"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("house")
    (folder / "house.toml").write_text(CLUB, encoding="utf-8")
    return folder


OWN_HOUSE: dict[str, int] = {}


def house(*words: str) -> str:
    ran = CliRunner().invoke(command, [*words], catch_exceptions=False)
    assert ran.exit_code == 0, ran.output
    return ran.output


def test_its_pages_bear_its_name_and_words_in_its_languages(one: Client) -> None:
    page = one.get("/", Accept_Language="fr, en;q=0.8").text
    assert '<html lang="en"' in page and "Café Corridor</title>" in page
    assert "Come in &amp; play." in page and 'href="https://example.org/about"' in page
    assert '<html lang="hu"' in one.get("/", Accept_Language="ru").text
    assert "/language/hu" in page and "/language/fr" not in page
    assert one.get("/language/fr").status == 404
    assert "Café Corridor" in one.get("/manifest.webmanifest").text


@pytest.mark.in_file
def test_only_people_to_whom_the_host_gave_an_account_play(served: Served, folder: Path) -> None:
    eve = Client(served.address)
    assert "/account/register" not in eve.get("/account").text
    form = {"game": "corridor", "with": "screen"}
    page = eve.ask("POST", "/new", form, Accept_Language="en")
    assert page.status == 400 and "you need an account" in page.text
    assert eve.post("/account/register", name="Eve", password=PASSWORD).status == 400
    link = house("account", "Anna", "--data", str(folder)).split()[0]
    anna = Client(served.address)
    assert anna.post("/account/login", name="Anna", password="").status == 400
    path = link.removeprefix("http://localhost:8040")
    assert anna.ask("POST", path, {"password": PASSWORD}).status == 200
    assert anna.post("/account/login", name="Anna", password=PASSWORD).status == 303
    assert anna.ask("POST", "/new", form).status == 303


def test_requests_are_logged_without_queries_and_tokens_also_once_the_file_was_moved(
    served: Served, folder: Path
) -> None:
    log, token = folder / "access.log", "x" * 43
    line = re.compile(
        r"127\.0\.0\.1 - - \[\d\d/\w{3}/\d{4}(:\d\d){3} [+-]\d{4}\] "
        r'"(?P<asked>GET \S+) HTTP/1\.1" (?P<status>\d{3}) \d+ "(?P<from>.*)" "(?P<agent>.*)"\n'
    )

    def logged(path: str, **headers: str) -> dict[str, str]:
        before = log.read_text().count("\n") if log.exists() else 0
        Client(served.address).get(path, **headers)
        wait_until(lambda: log.exists() and log.read_text().count("\n") > before)
        found = line.fullmatch(log.read_text().splitlines(keepends=True)[-1])
        assert found
        return found.groupdict()

    evil = {"User_Agent": 'a "b" \\', "Referer": f"http://localhost/join/{token}?secret"}
    first = logged(f"/letters/reset/{token}?password=secret", **evil)
    assert (first["asked"], first["status"]) == ("GET /letters/reset/*", "200")
    assert first["from"] == "http://localhost/" and first["agent"] == 'a \\"b\\" ' + "\\" * 2
    assert logged("/account?secret=1")["asked"] == "GET /account"
    assert logged("/account", Referer="http://[")["from"] == "-", "a malformed one"
    log.rename(folder / "access.log.1")
    assert logged("/nothing")["status"] == "404"
    assert (
        log.read_text().count("\n") == 1 and "secret" not in (folder / "access.log.1").read_text()
    )


def test_the_settings_are_shown_as_the_file_has_them_with_their_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "house.toml").write_text('[mail]\nserver = "m"\nsender = "a@b.org"\n')
    monkeypatch.setenv("TRINE_MAIL_ADDRESS", "https://b.org")
    monkeypatch.setenv("TRINE_MAIL_PASSWORD", "secret")
    monkeypatch.setenv("TRINE_HOUSE_LANGUAGES", "ru hu")
    shown = house("settings", "--data", str(tmp_path))
    assert 'server = "m"  # house.toml' in shown and "port = 587  # usual" in shown
    assert "# TRINE_MAIL_ADDRESS" in shown and "secret" not in shown
    read = tomllib.loads(shown)
    assert read["house"]["languages"] == ["ru", "hu"] and read["house"]["guests"] is True
    assert "[push]  # not in use" in shown
    beside = house("settings", "--data", str(tmp_path), "--database", "postgresql://nowhere/trine")
    assert beside == shown
    monkeypatch.setenv("TRINE_DATABASE", "postgresql://nowhere/trine")
    assert house("settings", "--data", str(tmp_path)) == shown


def test_settings_that_are_wrong_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "house.toml"
    for wrong, told in [
        ("[house", "cannot be read"),
        ("[garden]", r"'garden'; expected the sections \[house\]"),
        ("[house]\nsign_up = 'closed'", "expected open, invitation"),
        ("[house]\nlanguages = ['de']", "en, fr, hu, ru"),
        ("[house]\nguests = 1", "wrong type"),
        ("[house]\nquotas = true", "wrong type"),
        ("[house]\nquotas = 0", "at least 1"),
        ("[house]\nlegal = 'about.html'", "https://example.org"),
    ]:
        file.write_text(wrong)
        with pytest.raises(MalformedError, match=told):
            read_section(tmp_path, "house", HouseSettings)
    file.unlink()
    monkeypatch.setenv("TRINE_HOUSE_QUOTAS", "many")
    with pytest.raises(MalformedError, match="TRINE_HOUSE_QUOTAS"):
        read_section(tmp_path, "house", HouseSettings)
    monkeypatch.delenv("TRINE_HOUSE_QUOTAS")
    (tmp_path / "mail.toml").write_text('server = "m"')
    with pytest.raises(MalformedError, match=r"below \[mail\] into house\.toml"):
        read_section(tmp_path, "house", HouseSettings)
