"""What scripts write follows the source: the catalogues of all languages, and the reference."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.mark.parametrize("script", ["scripts/catalogue.py", "scripts/reference.py"])
def test_what_is_written_is_up_to_date(script: str) -> None:
    checked = subprocess.run(
        [sys.executable, script, "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.nightly
def test_the_site_of_the_documentation_is_built_without_a_broken_link() -> None:
    built = subprocess.run(["scripts/docs"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
