"""The name by which the program calls itself when it tells a person what to type."""

import os
from pathlib import Path

import pytest

from capturing import captured
from playing import HOUSE, environment
from trine.cli.terminal.screen import COMMAND_VARIABLE, program_command


def test_without_a_script_it_is_trine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(COMMAND_VARIABLE, raising=False)
    assert program_command() == "trine"


def test_a_script_is_called_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "my games" / "trine"
    script.parent.mkdir()
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", os.defpath)
    for given, told in (("./trine", "./trine"), (str(script), f"'{script}'")):
        monkeypatch.setenv(COMMAND_VARIABLE, given)
        assert program_command() == told
    monkeypatch.setenv("PATH", str(script.parent))
    assert program_command() == "trine"


@pytest.mark.skipif(not (HOUSE / ".venv/bin/python").exists(), reason="no checkout that is set up")
def test_what_the_script_of_a_checkout_says_can_be_typed(tmp_path: Path) -> None:
    def sh(command: str, lines: str) -> str:
        return captured(
            "sh",
            "-c",
            command,
            cwd=HOUSE,
            env=environment(tmp_path / "home"),
            lines=lines,
            check=True,
        ).stdout

    told = sh("./trine play arimaa", "setup 99of9\nquit\n").splitlines()[-1]
    command = told.removeprefix("the game is saved; to continue, run: ")
    assert command.startswith("./trine resume ")
    assert "so far" not in sh(command, "quit\n")
    assert told in sh(command, "quit\n")
