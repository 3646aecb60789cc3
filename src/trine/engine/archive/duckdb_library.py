"""DuckDB, which writes the Parquet files of an archive and answers questions about them.

DuckDB runs in this process and stores nothing: each task opens a database in memory.
"""

from __future__ import annotations

import atexit
import gc
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from trine.core.errors import TrineError
from trine.core.work.extras import how_to_install


def check_installed() -> None:
    """Check that DuckDB is installed, without loading it; raises `TrineError`."""
    if find_spec("duckdb") is None:
        raise TrineError(
            "an archive needs one more library; install it with: {command}",
            command=how_to_install("archive"),
        )


def open_database(spill: Path) -> Any:
    """Open an empty database, which may use the folder ``spill``; raises `TrineError`."""
    check_installed()
    # Install nothing from the network; keep the order of rows only for "order by".
    settings = {
        "autoinstall_known_extensions": "false",
        "preserve_insertion_order": "false",
        "temp_directory": str(spill),
    }
    return _library().connect(config=settings)


@cache
def _library() -> Any:
    """Import DuckDB, once."""
    import duckdb

    atexit.register(gc.unfreeze)  # DuckDB would report frozen objects at the end as leaks
    return duckdb
