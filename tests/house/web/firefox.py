"""Firefox as Debian has it, spoken to in WebDriver BiDi: Playwright drives only a Firefox of its own."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect


class Firefox:
    def __init__(self, line: ClientConnection) -> None:
        self._line, self._asked = line, 0
        self._ask("session.new", capabilities={})
        self._page = self._ask("browsingContext.getTree")["contexts"][0]["context"]

    def _ask(self, method: str, **params: Any) -> Any:
        self._asked += 1
        self._line.send(json.dumps({"id": self._asked, "method": method, "params": params}))
        while True:
            heard = json.loads(self._line.recv())
            if heard.get("id") == self._asked:
                assert heard["type"] == "success", heard
                return heard["result"]

    def go(self, address: str) -> None:
        self._ask("browsingContext.navigate", context=self._page, url=address, wait="complete")

    def point(self, x: float, y: float) -> None:
        """Click with the mouse at a point of the window."""
        at = {"type": "pointerMove", "x": round(x), "y": round(y)}
        press = [{"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp")]
        mouse = {"type": "pointer", "id": "mouse", "actions": [at, *press]}
        self._ask("input.performActions", context=self._page, actions=[mouse])

    def look(self, expression: str) -> Any:
        """Return what an expression of JavaScript is, and what a promise of it becomes, as JSON."""
        written = f"(async () => JSON.stringify(await ({expression})))()"
        found = self._ask(
            "script.evaluate", expression=written, target={"context": self._page}, awaitPromise=True
        )
        assert found["type"] == "success", found
        return json.loads(found["result"].get("value", "null"))


@contextmanager
def firefox(profile: Path) -> Iterator[Firefox]:
    """A Firefox with an empty profile; the test is skipped where there is none."""
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if program is None:
        pytest.skip("firefox is absent; apt-get install firefox-esr brings it")
    profile.mkdir()
    command = [program, "--headless", "--no-remote", "--profile", str(profile)]
    process = subprocess.Popen(
        [*command, "--remote-debugging-port", "0"], stderr=subprocess.PIPE, text=True
    )
    assert process.stderr
    try:
        said = (re.search(r"BiDi listening on (ws://\S+)", line) for line in process.stderr)
        with connect(next(found[1] for found in said if found) + "/session", max_size=None) as line:
            yield Firefox(line)
    finally:
        process.kill()
        process.wait()
        process.stderr.close()
