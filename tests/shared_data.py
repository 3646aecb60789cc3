"""Test vectors and records by other authors, in an optional folder next to the checkout."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parent.parent.parent / "shared"


def shared_file(path: Path) -> Path:
    """Return a file by another author; if it is absent, skip the test with a reason."""
    if not path.exists():
        pytest.skip(f"{path} is absent; it is data of others and not part of the project")
    return path
