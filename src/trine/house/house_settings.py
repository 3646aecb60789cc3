"""The settings of a house, by section, read from a file in its folder and from the environment.

For example, the environment variable ``TRINE_MAIL_PASSWORD`` sets ``password`` in ``[mail]``.
"""

import os
import tomllib
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any, Final, TypeVar, get_type_hints

import msgspec

from trine.core.errors import MalformedError
from trine.core.text.language import LANGUAGES
from trine.core.text.sentence import quoted

Settings = TypeVar("Settings")
FILE: Final = "house.toml"
SECTIONS: Final = ("house", "keep", "mail", "push", "backup")


@dataclass(frozen=True)
class HouseSettings:
    """The settings of ``[house]``: its name and address, who may join, and limits."""

    name: str = "trine"
    welcome: str = ""  # the text on its first page
    address: str = ""
    """The URL of the house for people, such as ``https://example.org``; links begin with it."""
    legal: str = ""  # the URL of a page about its host, linked on each page
    guests: bool = True  # whether people can play without an account
    sign_up: str = "open"
    """``open``, or ``invitation``: only the host creates accounts, with ``trine house account``."""
    languages: tuple[str, ...] = tuple(LANGUAGES)
    """The languages of pages, by code; the first is for visitors who ask for none of them."""
    quotas: int = 1
    """The factor that multiplies the quotas of each person and of each network address."""
    access_log: str = ""
    """A log with a line for each request: a path relative to the house's folder; empty for none."""

    def __post_init__(self) -> None:
        if self.sign_up not in ("open", "invitation"):
            raise MalformedError(
                "sign_up is {given}; expected {choices}",
                given=quoted(self.sign_up),
                choices="open, invitation",
            )
        if not self.languages or not {*self.languages} <= {*LANGUAGES}:
            raise MalformedError("languages are among {choices}", choices=", ".join(LANGUAGES))
        if self.legal and not self.legal.startswith(("https://", "http://", "/")):
            raise MalformedError("legal is an address such as https://example.org")
        if self.address and not self.address.startswith(("https://", "http://")):
            raise MalformedError("address is an address such as https://example.org")
        if self.quotas < 1:
            raise MalformedError("quotas is at least 1")


@dataclass(frozen=True)
class BackupSettings:
    """The backups that ``trine house backup`` makes when no file is named."""

    folder: str  # the folder of the backups, on another disk or copied to another machine
    keep: int = 14  # number of backups kept; older ones are deleted

    def __post_init__(self) -> None:
        if self.keep < 1:
            raise MalformedError("keep is at least 1")

    def files(self) -> list[Path]:
        """Return the backups, the oldest first by the date in their names."""
        made = Path(self.folder).glob("house-*")
        return sorted(one for one in made if one.suffix in (".db", ".dump"))


@dataclass(frozen=True, slots=True)
class GivenSetting:
    """A setting that is not the default, and its source: a file or an environment variable."""

    value: Any
    source: str


def read_section(folder: Path, section: str, kind: type[Settings]) -> Settings | None:
    """Return the settings of a section; None if its required settings are missing."""
    given = given_in(folder, section, kind)
    needed = [one.name for one in fields(kind) if one.default is MISSING]  # type: ignore[arg-type]
    if needed and not any(one.source == FILE or name in needed for name, one in given.items()):
        return None  # a password that is only in the environment may be meant for another program
    try:
        for name in needed:
            if name not in given or not given[name].value:
                raise MalformedError("{given} is missing", given=quoted(name))
        return kind(**{name: one.value for name, one in given.items()})
    except MalformedError as error:
        raise _in_section(section, error) from error


def given_in(folder: Path, section: str, kind: type) -> dict[str, GivenSetting]:
    """Return by name the settings of a section in the settings file and the environment.

    Raises:
        MalformedError: the file cannot be read, or a value is not of its type.
    """
    types, found = get_type_hints(kind), dict[str, GivenSetting]()
    for name, value in _file(folder).get(section, {}).items():
        if name not in types:
            error = MalformedError("there is no setting {given}", given=quoted(name))
            raise _in_section(section, error)
        try:
            found[name] = GivenSetting(_read(value, types[name], name), FILE)
        except MalformedError as error:
            raise _in_section(section, error) from None
    for name, wanted in types.items():
        variable = f"TRINE_{section}_{name}".upper()
        if words := os.environ.get(variable):
            given = words if isinstance(wanted, type) else words.split()
            value = _read(given, wanted, variable, strict=False)
            found[name] = GivenSetting(value, variable)
    return found


def _read(value: Any, wanted: Any, name: str, *, strict: bool = True) -> Any:
    try:
        return msgspec.convert(value, wanted, strict=strict)
    except msgspec.ValidationError:
        raise MalformedError("{given} is of the wrong type", given=quoted(name)) from None


def _file(folder: Path) -> dict[str, dict[str, Any]]:
    path = folder / FILE
    for section in SECTIONS:
        if (former := folder / f"{section}.toml").exists() and former != path:
            raise MalformedError(
                "{path} is no longer read; put its lines below [{section}] into {file}",
                path=str(former),
                section=section,
                file=FILE,
            )
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise MalformedError(
            "{path} cannot be read: {problem}", path=str(path), problem=str(error)
        ) from error
    for section, values in given.items():
        if section not in SECTIONS or not isinstance(values, dict):
            raise MalformedError(
                "{path} has {given}; expected the sections {choices}",
                path=str(path),
                given=quoted(section),
                choices=", ".join(f"[{one}]" for one in SECTIONS),
            )
    return given


def _in_section(section: str, error: MalformedError) -> MalformedError:
    return MalformedError("{path}: {problem}", path=f"{FILE} [{section}]", problem=error.text)
