"""Settings of a house in a file of its folder."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields
from pathlib import Path
from typing import Any, Final, TypeVar

from trine.core.errors import MalformedError
from trine.core.text.words import quoted

Settings = TypeVar("Settings")
_TYPES: Final = {"str": str, "int": int, "tuple[str, ...]": list}
"""The types of TOML, by the types of fields."""


def read_file(path: Path, make: Callable[[Mapping[str, Any]], Settings]) -> Settings | None:
    """Return the settings that ``make`` makes of the values in a file; None without a file.

    Raises:
        MalformedError: something in the file is wrong.
    """
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise MalformedError(
            "{path} cannot be read: {problem}", path=str(path), problem=str(error)
        ) from error
    try:
        return make(given)
    except MalformedError as error:
        raise MalformedError("{path}: {problem}", path=str(path), problem=error.text) from error


def check_settings(given: Mapping[str, Any], kind: Any) -> None:
    """Check that values of a file fit the fields of a data class."""
    known = {one.name: one for one in fields(kind)}
    for name, value in given.items():
        if name not in known:
            raise MalformedError("there is no setting {given}", given=quoted(name))
        if not _fits(known[name], value):
            raise MalformedError("{given} is of the wrong type", given=quoted(name))
    for name, one in known.items():
        if one.default is MISSING and not given.get(name):
            raise MalformedError("{given} is missing", given=quoted(name))


def _fits(field: Field[Any], value: Any) -> bool:
    if not isinstance(value, _TYPES[str(field.type)]):
        return False
    return not isinstance(value, list) or all(isinstance(one, str) for one in value)
