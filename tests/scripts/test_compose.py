"""`compose.yaml`, as far as it can be tried without a container: its form, and its backups."""

import os
import re
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest
import yaml  # type: ignore[import-untyped]
from sqlalchemy import make_url

from capturing import captured
from playing import HOUSE
from postgres import Server, program
from trine.house.house_settings import BackupSettings, HouseSettings, read_section

FILE: Final = HOUSE / "compose.yaml"
GIVEN: Final = {"TRINE_PASSWORD": "secret", "TRINE_ORIGIN": "https://example.org"}


def composed() -> dict[str, Any]:
    def fill(found: re.Match[str]) -> str:
        name, usual = found[1], found[2]
        if usual == ":?":
            return GIVEN[name]
        return os.environ.get(name, "") or usual.removeprefix(":-")

    words = re.sub(r"(?<!\$)\$\{(\w+)(:\?|:-[^}]*)\}", fill, FILE.read_text(encoding="utf-8"))
    filled: dict[str, Any] = yaml.safe_load(words.replace("$$", "$"))
    return filled


def test_every_service_has_bounds_and_comes_back() -> None:
    services = composed()["services"]
    assert sorted(services) == ["backup", "database", "house"]
    for name, service in services.items():
        assert re.fullmatch(r"\d+[gm]", service["mem_limit"]), name
        assert service["restart"] == "unless-stopped", name
        mounted = {one.split(":")[0] for one in service["volumes"]}
        assert mounted <= {*composed()["volumes"]}, name
    assert services["backup"]["image"] == services["database"]["image"]


def test_the_house_reads_its_settings_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in composed()["services"]["house"]["environment"].items():
        monkeypatch.setenv(name, value)
    house = read_section(tmp_path, "house", HouseSettings)
    backup = read_section(tmp_path, "backup", BackupSettings)
    assert house and house.address == "https://example.org"
    assert backup and backup.folder == "/backups"


def backed_up(folder: Path, url: str) -> subprocess.CompletedProcess[str]:
    """Run the service of backups once, with a folder in the place of its volume."""
    service, parsed = composed()["services"]["backup"], make_url(url)
    tools, found = folder / "tools", program("pg_dump")
    assert found
    tools.mkdir(exist_ok=True)
    (tools / "sleep").write_text("#!/bin/sh\nexit 9\n")
    (tools / "sleep").chmod(0o755)
    (script,) = service["command"]
    given = {
        "PGHOST": str(parsed.query["host"]),
        "PGUSER": "trine",
        "PGDATABASE": parsed.database or "",
        "PATH": f"{tools}:{found.parent}:{os.environ['PATH']}",
    }
    words = [*service["entrypoint"], script.replace("/backups", str(folder))]
    return captured(*words, env=given)


def test_backups_of_the_database_are_in_order_and_rotate(
    tmp_path: Path, postgres_server: Server
) -> None:
    old = [tmp_path / f"house-2020-01-{day:02}-030000.dump" for day in range(1, 16)]
    for file in (*old, tmp_path / "house-2020-02-01-030000.dump.part", tmp_path / "other"):
        file.touch()
    with postgres_server.database() as url:
        done = backed_up(tmp_path, url)
        assert done.returncode == 9 and done.stderr == "", "the pause is all that ends it"
    kept = BackupSettings(str(tmp_path)).files()
    assert len(kept) == 14 and kept[0] == old[2] and kept[-1] not in old
    assert not list(tmp_path.glob("*.part")) and (tmp_path / "other").exists()
    found = program("pg_restore")
    listed = captured(str(found), "-l", str(kept[-1]))
    assert "TABLE DATA public game " in listed.stdout
    failed = backed_up(tmp_path, postgres_server.url_of("missing"))
    assert "the backup failed" in failed.stderr and failed.returncode == 9
    assert BackupSettings(str(tmp_path)).files() == kept, "nothing is lost for a failed one"
