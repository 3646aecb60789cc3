"""The log of a house: one JSON object a line, whoever writes it."""

from __future__ import annotations

import json
import subprocess
import sys

WRITING = """
import logging, structlog
from trine.web.server import log_plainly
log_plainly()
structlog.get_logger().info("a game ended", game="abc")
logging.getLogger("a.library").warning("%s byes", 2)
try:
    1 / 0
except ZeroDivisionError:
    logging.getLogger("a.library").exception("it failed")
"""


def test_libraries_write_into_the_log_as_the_house_does() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WRITING], capture_output=True, text=True, check=True
    )
    ours, theirs, fault = (json.loads(line) for line in done.stderr.splitlines())
    assert (ours["event"], ours["level"], ours["game"]) == ("a game ended", "info", "abc")
    assert (theirs["event"], theirs["level"]) == ("2 byes", "warning")
    assert "ZeroDivisionError" in fault["exception"] and fault["timestamp"] > theirs["timestamp"]
