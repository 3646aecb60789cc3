"""The house: many games at once, with people, ratings, tournaments and all else, by subject.

Each subject has a folder; `trine.house.app` wires them, and `trine.house.web` is the frame of their
pages and sockets, which `trine.house.site` lists.

Raises:
    TrineError: the libraries of the extra ``house`` are not installed.
"""

from importlib.util import find_spec
from typing import Final

from trine.core.errors import TrineError
from trine.core.work.extras import how_to_install

LIBRARIES: Final = (
    "alembic",
    "argon2",
    "caissify_pairings",
    "h11",
    "jinja2",
    "markupsafe",
    "networkx",
    "prometheus_client",
    "segno",
    "sqlalchemy",
    "starlette",
    "structlog",
    "uvicorn",
    "websockets",
    "zxcvbn",
)
"""The libraries of the extra ``house``."""

if not all(find_spec(library) for library in LIBRARIES):
    raise TrineError(
        "this needs the libraries of a house; install them with: {command}",
        command=how_to_install("house"),
    )
