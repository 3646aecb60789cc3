"""What a person's export has: the columns that it names, and nothing that comes later."""

from __future__ import annotations

import ast
import io
import json
import zipfile
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import pytest

from house.houses import PASSWORD, exported
from trine.house.app import House
from trine.house.people import tables


async def test_a_new_column_is_in_no_export_by_itself(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    @dataclass(frozen=True)
    class Later:
        """An account with a column of a later version."""

        person: str
        role: None = None
        since: float = 0.0
        recovery: str = "a secret"

    anna, _ = await house.accounts.register(None, "Anna", PASSWORD)
    monkeypatch.setattr(tables, "read_account", lambda _, person: Later(person))
    with zipfile.ZipFile(io.BytesIO(await exported(house, anna))) as files:
        about = json.loads(files.read("about-you.json"))
    assert about["account"] == {"role": None, "since": 0.0}


def test_exports_name_the_columns_that_they_have() -> None:
    folder = Path(str(resources.files("trine.house")))
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith(("tell_", "_tell_game")):
                assert "asdict" not in ast.unparse(node), f"{path}: {node.name}"
