from pathlib import Path

import pytest

from trine.core.work.extras import how_to_install


def test_whoever_has_pip_is_told_of_pip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    assert how_to_install("push") == "pip install '.[push]'"


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
