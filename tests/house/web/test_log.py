"""The log of a house, one JSON object a line whoever writes it, and the figures of its process."""

import asyncio
import json
import subprocess
import sys
from tempfile import TemporaryDirectory
from urllib.request import urlopen

import pytest

from trine.house.server import _serve_metrics, listen
from trine.house.web.metrics import Metrics
from waiting import PATIENCE

WRITING = """
import logging, structlog, warnings
from trine.house.background import log_plainly
log_plainly()
structlog.get_logger().info("a game ended", game="abc")
logging.getLogger("a.library").warning("%s byes", 2)
warnings.warn("a warning")
try:
    1 / 0
except ZeroDivisionError:
    logging.getLogger("a.library").exception("it failed")
"""


def test_libraries_write_into_the_log_as_the_house_does() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WRITING], capture_output=True, text=True, check=True
    )
    ours, theirs, warning, fault = (json.loads(line) for line in done.stderr.splitlines())
    assert (ours["event"], ours["level"], ours["game"]) == ("a game ended", "info", "abc")
    assert (theirs["event"], theirs["level"]) == ("2 byes", "warning")
    assert "a warning" in warning["event"] and warning["level"] == "warning"
    assert "ZeroDivisionError" in fault["exception"] and fault["timestamp"] > theirs["timestamp"]


def test_who_cannot_serve_is_told_in_plain_words() -> None:
    with listen("127.0.0.1", 0) as taken, TemporaryDirectory() as folder:
        taken.listen()
        words = ["serve", "--port", str(taken.getsockname()[1]), "--data", folder, "--no-open"]
        done = subprocess.run(
            [sys.executable, "-m", "trine", *words], capture_output=True, text=True
        )
    assert done.returncode and "{" not in done.stderr


async def test_the_figures_are_told_on_a_port_of_their_own_until_the_house_closes() -> None:
    with listen("127.0.0.1", 0) as free:
        port = free.getsockname()[1]
    metrics = Metrics()
    metrics.add_gauge("games", "Games in memory", lambda: 7)

    def look() -> str:
        with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE) as answer:
            told: bytes = answer.read()
        return told.decode()

    serving = asyncio.create_task(_serve_metrics(metrics, port))
    await asyncio.sleep(0)
    assert "trine_games 7.0" in await asyncio.to_thread(look)
    serving.cancel()
    await asyncio.wait({serving})
    with pytest.raises(OSError, match="refused"):
        await asyncio.to_thread(look)
