"""The settings of notifications on devices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from trine.core.errors import MalformedError
from trine.core.text.sentence import text
from trine.core.text.words import quoted
from trine.core.work.extras import how_to_install
from trine.house.letters.mail import parse_email
from trine.house.letters.push_messages import HouseKey
from trine.house.letters.push_services import PushServices, read_origin
from trine.house.letters.settings import check_settings, read_file
from trine.house.people.seal import missing

FILE: Final = "push.toml"
"""The name of the settings file in the folder of a house."""
KEY: Final = "push.pem"
"""The name of the file with the key of the house, in the same folder."""


@dataclass(frozen=True)
class PushSettings:
    """The settings of messages to devices."""

    contact: str
    """A contact for push services: ``mailto:`` an address, or a page."""
    services: tuple[str, ...] = ()
    """The origins of further push services, beside those of the known browsers."""


@dataclass(frozen=True)
class Push:
    """The means to send messages to devices."""

    key: HouseKey
    contact: str
    services: PushServices


def read_push(folder: Path, *, shared: bool = False, used: bool = False) -> Push | None:
    """Return the means in the folder of a house; None where no messages are sent.

    Args: ``shared`` says that other processes send messages of the same house, for which they need
    the same key, and ``used`` that devices know it; then none is made.

    Raises:
        MalformedError: something in the folder is wrong, or a library is not there.
    """
    settings = read_file(folder / FILE, _settings)
    if not settings:
        return None
    if not (find_spec("cryptography") and find_spec("jwt")):
        raise MalformedError(
            text(
                "{path} needs more libraries; install them with: {command}",
                path=FILE,
                command=how_to_install("push"),
            )
        )
    if (shared or used) and not (folder / KEY).exists():
        raise MalformedError(missing(folder / KEY))
    key = HouseKey.load(folder / KEY, make=not (shared or used))
    return Push(key, settings.contact, PushServices(settings.services))


def _settings(given: Mapping[str, Any]) -> PushSettings:
    check_settings(given, PushSettings)
    services = tuple(read_origin(one) for one in given.get("services", ()))
    settings = PushSettings(given["contact"], services)
    scheme, _, rest = settings.contact.partition(":")
    if scheme == "mailto":
        parse_email(rest)
    elif not settings.contact.startswith("https://"):
        raise MalformedError(
            text(
                "contact is {given}; expected mailto:host@example.org or an address with https",
                given=quoted(settings.contact),
            )
        )
    return settings
