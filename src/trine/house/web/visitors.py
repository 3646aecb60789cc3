"""The visitor of a request: secrets, language and preferences."""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Final

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from trine.core.text.language import LANGUAGES
from trine.games import ROOMS, open_room
from trine.play.draw.board_theme import THEMES

TOKEN, LANGUAGE = "trine", "language"
SECURE: Final = ("https", "wss")
COLOUR_SCHEMES: Final = ("light", "dark")
YEAR: Final = 365 * 86_400


@dataclass(frozen=True)
class Preferences:
    """The preferences of a visitor, stored in the browser."""

    look: str = ""  # ``light`` or ``dark``; empty for the device's setting
    board: str = ""  # name of a board theme; empty for the default
    pieces: str = ""  # name of a piece set; empty if the pieces are shown as drawings


NO_TASTE: Final = Preferences()


def cookie_of(connection: HTTPConnection, name: str) -> str:
    """Return the name of the cookie for a secret.

    Over HTTPS the name has a prefix, so that no other host, and no page without HTTPS, can set it.
    """
    return f"__Host-{name}" if connection.url.scheme in SECURE else name


def secret_of(connection: HTTPConnection, name: str = TOKEN) -> str:
    return connection.cookies.get(cookie_of(connection, name), "")


def keep_secret(
    request: Request, response: Response, secret: str, max_age: int, name: str = TOKEN
) -> None:
    """Set a secret as a cookie; ``max_age`` is in seconds."""
    response.set_cookie(
        cookie_of(request, name),
        secret,
        max_age=max_age,
        httponly=True,
        samesite="lax" if name == TOKEN else "strict",
        secure=request.url.scheme in SECURE,
    )


def preferences_of(connection: HTTPConnection) -> Preferences:
    cookies = connection.cookies

    def known(name: str, choices: Container[str]) -> str:
        return given if (given := cookies.get(name, "")) in choices else ""

    sets = {name for game in ROOMS for name in open_room(game).view.piece_sets}
    return Preferences(known("look", COLOUR_SCHEMES), known("board", THEMES), known("pieces", sets))


def asked_for(request: Request) -> str:
    """Return the language that the URL requests."""
    code = request.query_params.get("language", "en")
    return code if code in LANGUAGES else "en"


def language_of(connection: HTTPConnection, spoken: Sequence[str]) -> str:
    """Return the chosen language, or else the browser's first preferred language that we have."""
    chosen = connection.cookies.get(LANGUAGE, "")
    if chosen in spoken:
        return chosen
    for wish in connection.headers.get("accept-language", "").split(","):
        code = wish.split(";")[0].strip().lower()[:2]
        if code in spoken:
            return code
    return spoken[0]
