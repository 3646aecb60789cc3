"""What scripts write follows the source: the catalogues of all languages, and the reference."""

import sys
from pathlib import Path

import pytest

from capturing import captured

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.mark.parametrize("script", ["scripts/catalogue.py", "scripts/reference.py"])
def test_what_is_written_is_up_to_date(script: str) -> None:
    checked = captured(sys.executable, script, "--check", cwd=ROOT)
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.nightly
def test_the_site_of_the_documentation_is_built_without_a_broken_link() -> None:
    built = captured("scripts/docs", cwd=ROOT)
    assert built.returncode == 0, built.stdout + built.stderr
