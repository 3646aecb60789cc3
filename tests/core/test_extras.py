import json
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import SimpleNamespace

import pytest

from trine.core.work.extras import how_to_install

GIT = {"url": "https://x.test/trine", "vcs_info": {"vcs": "git", "commit_id": "c0ffee"}}


@pytest.mark.parametrize(
    ("origin", "told"),
    [
        (None, "'trine[push]'"),
        ({"url": "file:///d/t.whl", "archive_info": {}}, "'trine[push] @ file:///d/t.whl'"),
        (GIT, "'trine[push] @ git+https://x.test/trine@c0ffee'"),
    ],
)
def test_whoever_has_pip_is_told_of_pip_and_of_where_the_program_came_from(
    origin: object, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    written = None if origin is None else json.dumps(origin)
    found = SimpleNamespace(read_text=lambda name: written)
    monkeypatch.setattr("trine.core.work.extras.distribution", lambda name: found)
    assert how_to_install("push") == f"pip install {told}"


def test_a_program_that_was_never_installed_is_told_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def absent(name: str) -> None:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("sys.prefix", str(tmp_path))
    monkeypatch.setattr("trine.core.work.extras.distribution", absent)
    assert how_to_install("push") == "pip install 'trine[push]'"


def test_a_checkout_that_has_set_itself_up_tells_of_its_script(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house, elsewhere = tmp_path / "my games", tmp_path / "elsewhere"
    (house / ".venv").mkdir(parents=True)
    (house / ".venv" / "setup.lock").touch()
    elsewhere.mkdir()
    monkeypatch.setattr("sys.prefix", str(house / ".venv"))
    monkeypatch.chdir(elsewhere)
    assert how_to_install("tune") == f"'{house}/scripts/extras'"
    monkeypatch.chdir(house)
    assert how_to_install("tune") == "scripts/extras"
    assert (Path(__file__).resolve().parents[2] / "scripts" / "extras").exists()
