"""The sentences about devices on which people are told news."""

from __future__ import annotations

from typing import Final

from trine.core.text import Text, text

DEVICES: Final[dict[str, Text]] = {
    "title": text("Notifications"),
    "line": text(
        "Be told on this device what waits for you, also while the page is closed: your turn by "
        "correspondence, time that runs short, an invitation, a game of a tournament that begins."
    ),
    "on": text("Switch on for this device"),
    "off": text("Switch off"),
    "here": text("this browser"),
    "since": text("since {date}"),
    "through": text("through {owner}"),
    "denied": text("The browser does not allow it. Its settings for this page can change that."),
    "failed": text("It could not be switched on. Try again later."),
    "unable": text(
        "This browser cannot show notifications here. On an iPhone or iPad, add the page to the "
        "home screen first, and open it from there."
    ),
}
