"""Progress bars on the error stream, at a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeElapsedColumn,
)


@contextmanager
def bars(*columns: ProgressColumn) -> Iterator[Progress]:
    """Show progress bars within the block, by default with description, count and elapsed time."""
    default_columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    console, hidden = Console(stderr=True), not sys.stderr.isatty()
    with Progress(
        *columns or default_columns, console=console, transient=True, disable=hidden
    ) as progress:
        yield progress
