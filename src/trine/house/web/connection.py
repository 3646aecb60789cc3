"""The connection under a socket: when bytes of the client came, and since when it reads none."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

EXTENSION: Final = "trine.connection"
"""The name of the ASGI extension that has the connection of a socket."""


@dataclass
class Connection:
    """What is known of the client where its bytes arrive, however late they are handled.

    Units: seconds by the monotonic clock.
    """

    heard_at: float = field(default_factory=time.monotonic)
    """The moment of the last bytes from the client."""
    blocked_at: float | None = None
    """Since when the client has left too much unread; None if it has not."""

    arrivals: deque[float] = field(default_factory=deque)
    """Of each message that is not read yet, the moment at which it came."""
    on_message: Callable[[], None] | None = None
    """Called when a message has come, which may be read much later."""

    def add_message(self) -> None:
        """Note that a message has come."""
        self.arrivals.append(self.heard_at)
        if self.on_message:
            self.on_message()

    @classmethod
    def of(cls, scope: Mapping[str, Any]) -> Connection:
        """Return the connection of a socket; a new one where the server knows none."""
        known = scope.get("extensions", {}).get(EXTENSION)
        return known if isinstance(known, cls) else cls()
