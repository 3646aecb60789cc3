"""The catalogues of all languages are complete and follow the source."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def test_every_sentence_is_translated_and_every_catalogue_up_to_date() -> None:
    checked = subprocess.run(
        [sys.executable, "scripts/catalogue.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
