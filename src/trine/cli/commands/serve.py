"""`trine serve` runs a house, the web server; `trine site` writes static pages."""

import os
import sys
import webbrowser
from pathlib import Path
from typing import Any

import click

from trine.cli.commands import speech
from trine.cli.commands.house_place import default_folder, where_options
from trine.cli.commands.places import record_of_file
from trine.cli.commands.speech import option, say, tell, usage_error
from trine.core.errors import FileError, system_words
from trine.core.text.sentence import text
from trine.engine.archive.parts import check_installed
from trine.play.record.replay import replay


@speech.command(
    "serve",
    text(
        "Serve the house to browsers: play the computer, a friend by a link, or at "
        "one screen. Ctrl-C closes it; games continue when you start it again."
    ),
)
@option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    meaning=text("Address to listen at; 0.0.0.0 lets other machines in."),
)
@click.option("--port", type=click.IntRange(0, 65535), default=8040, show_default=True)
@where_options
@option(
    "--node",
    metavar="HOST:PORT",
    default="",
    meaning=text(
        "The address at which the proxy reaches this process, if several share a database."
    ),
)
@option(
    "--open/--no-open",
    "open_page",
    default=None,
    meaning=text("Open the page in a browser; if not given, where there is a display."),
)
@option(
    "--origin",
    "origins",
    multiple=True,
    metavar="URL",
    meaning=text("Another address of the house, as https://example.org behind a proxy."),
)
@option(
    "--metrics-port",
    type=click.IntRange(0, 65535),
    meaning=text("Serve metrics for Prometheus on this port, to this machine only."),
)
@option("--workers", type=click.IntRange(1, 256), meaning=text("Processes that think for bots."))
@option(
    "--share-address",
    is_flag=True,
    meaning=text(
        "Serve a club behind one network address: its people meet in rated games, and a hundred "
        "can sign up in an hour."
    ),
)
@option(
    "--archive",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    meaning=text(
        "Archive whose turns the analysis board shows; finished games of the house that "
        "everybody may watch are added each day."
    ),
)
def command(
    data: Path | None, open_page: bool | None, archive: Path | None, **settings: Any
) -> None:
    from trine.house.server import ServeSettings, serve  # imports many libraries

    if archive:
        check_installed()
    folder = data or default_folder()
    wants_page = has_display() if open_page is None else open_page

    def on_open(address: str) -> None:
        tell(text("the house is open at {address}; Ctrl-C closes it", address=address))
        if wants_page:
            webbrowser.open(address)

    token = os.environ.get("TRINE_METRICS_TOKEN", "")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        serve(ServeSettings(folder, metrics_token=token, archive=archive, **settings), on_open)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        reason = f"{place}{say(system_words(error))}"
        raise FileError("the house cannot be opened: {reason}", reason=reason) from None
    except KeyboardInterrupt:
        pass
    tell(text("the house is closed"))


def has_display() -> bool:
    if sys.platform in ("win32", "darwin"):
        return "SSH_CONNECTION" not in os.environ
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


@speech.command(
    "site",
    text(
        "Write to DIR what can be learned and tried without a server: lessons, puzzles, rules, and "
        "the game in each FILE to replay. Open DIR/index.html, or put DIR on any host."
    ),
)
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.argument("files", metavar="[FILE]...", nargs=-1)
def site(folder: Path, files: tuple[str, ...]) -> None:
    from trine.house.static_site import static_pages  # imports many libraries

    if folder.exists() and any(folder.iterdir()):
        raise usage_error(text("{folder} is not empty", folder=folder))
    records = [(Path(file).stem, record_of_file(file, 1)) for file in files]
    games = [static_pages.ReplayedGame(name, replay(record)) for name, record in records]
    try:
        static_pages.write_site(folder, games)
    except OSError as error:
        raise FileError("{file}: {problem}", file=folder, problem=system_words(error)) from None
