"""The web house: games, people, ratings, tournaments and more, one package per subject.

`trine.house.app` wires the packages together, `trine.house.web` has what their pages and sockets
share, and `trine.house.site` lists the routes.

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

if not all(find_spec(library) for library in LIBRARIES):
    raise TrineError(
        "this needs the libraries of a house; install them with: {command}",
        command=how_to_install("house"),
    )
