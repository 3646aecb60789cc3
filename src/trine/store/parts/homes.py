"""The part of the interface of the store that is about the processes in which games are at home."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future

from trine.store import homes
from trine.store.access import Access
from trine.store.bulletin import Bulletin, News
from trine.store.homes import LEASE, Home, Taken


class HomeStore(Access):
    """The homes of a store: leases, games that move from one to another, duties, news."""

    @property
    def shared(self) -> bool:
        """Whether several processes may play games of this store at once."""
        return self._database.shared

    def renew(
        self, home: str, address: str, alive_at: float, *, late: bool = False
    ) -> Future[bool]:
        """Renew the leases of a process; the result is whether it held them until now.

        Args: ``late`` is whether it is new, or was stopped; if no process was at work for a while
        until now, that is noted.
        """
        return self.write(homes.renew, home, address, alive_at, LEASE, late=late)

    def leave(self, home: str, alive_at: float) -> Future[None]:
        """End the leases of a process, which closes."""
        return self.write(homes.leave, home, alive_at)

    def take(self, game: str, home: str, *, held: bool = False) -> Future[Taken]:
        """Give a game a new home; the former one cannot append.

        The future raises a `HeldError` if another process holds it, unless it is to be taken from
        one that does. Of a store that is not shared whoever asks is meant.
        """
        return self.write(homes.take, game, home, held=held or not self.shared)

    def adopt(self, home: str, limit: int) -> Future[list[Taken]]:
        """Give games whose clocks run a new home, where the former one is gone; some at once."""
        return self.write(homes.adopt, home, limit)

    def take_duty(self, duty: str, home: str) -> Future[None]:
        """Have a process do something for all; the future raises a `HeldError` if another does."""
        return self.write(homes.take_duty, duty, home)

    def has_orphans(self) -> bool:
        """Return whether a home is over whose games were not all taken since."""
        return self.read(homes.has_orphans)

    def epochs_of(self, games: Sequence[str], home: str) -> dict[str, int]:
        """Return the epochs of those among some games that are at home in a process."""
        return self.read(homes.epochs_of, games, home)

    def bulletin(
        self, home: str, heard: Callable[[str, News], None], missed: Callable[[], None]
    ) -> Bulletin | None:
        """Listen to the other processes of a shared store; None of one that is not shared."""
        return Bulletin(self._database, home, heard, missed) if self.shared else None

    def at_work(self) -> list[Home]:
        """Return the processes that are at work now."""
        return self.read(homes.homes)

    def of_game(self, game: str) -> Home | None:
        """Return the home of a game, whether it still holds it or not; None if not known."""
        return self.read(homes.home_of, game)

    def of_duty(self, duty: str) -> Home | None:
        """Return the process that does something for all, or did; None if there was none."""
        return self.read(homes.home_of_duty, duty)
