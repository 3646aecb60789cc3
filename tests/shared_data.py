"""Vectors and records made by others. They lie beside the checkout, where somebody has them."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parent.parent.parent / "shared"


def shared_file(path: Path) -> Path:
    """A file that others made; the test is skipped, saying so, where it is absent."""
    if not path.exists():
        pytest.skip(f"{path} is absent; it is data of others and not part of the project")
    return path
