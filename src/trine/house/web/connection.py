"""The connection of a socket: the times of the last bytes and of the client's last reading."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

EXTENSION: Final = "trine.connection"
"""The ASGI extension that provides the connection of a socket."""


@dataclass
class Connection:
    """The state of a client's connection, updated when bytes arrive, however late they are handled.

    Units: seconds by the monotonic clock.
    """

    heard_at: float = field(default_factory=time.monotonic)
    """The time when the last bytes of the client arrived."""
    blocked_at: float | None = None
    """The time since when the client has too many unread bytes; None if it reads."""

    arrivals: deque[float] = field(default_factory=deque)
    """The arrival times of the messages that were not read yet."""
    on_message: Callable[[], None] | None = None
    """Called when a message has arrived, which may be read much later."""

    def add_message(self) -> None:
        self.arrivals.append(self.heard_at)
        if self.on_message:
            self.on_message()

    @classmethod
    def of(cls, scope: Mapping[str, Any]) -> Connection:
        """Return the connection of a socket; a new one if the server provides none."""
        known = scope.get("extensions", {}).get(EXTENSION)
        return known if isinstance(known, cls) else cls()
