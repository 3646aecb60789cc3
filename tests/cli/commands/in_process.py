"""Commands that run in the process of the tests."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from trine.cli.commands import run


@dataclass
class Done:
    stdout: str
    stderr: str


class House:
    """A folder in which a command runs in this process, since a new one takes time to get ready."""

    def __init__(
        self,
        command: str,
        folder: Path,
        patch: pytest.MonkeyPatch,
        capture: pytest.CaptureFixture[str],
    ) -> None:
        self.command, self.folder = command, folder
        self._patch, self._capture = patch, capture

    def write(self, name: str, content: str) -> None:
        (self.folder / name).write_text(content)

    def run(self, *arguments: str, status: int = 0) -> Done:
        self._patch.chdir(self.folder)
        self._patch.setattr(sys, "argv", ["trine", self.command, *arguments])
        with pytest.raises(SystemExit) as done:
            run()
        shown = self._capture.readouterr()
        assert int(done.value.code or 0) == status, shown
        return Done(shown.out, shown.err)

    def data(self, *arguments: str) -> dict[str, Any]:
        done = self.run(*arguments, "--json")
        assert done.stderr == ""
        data: dict[str, Any] = json.loads(done.stdout)
        return data
