"""`trine house worker`: thinking for the bots of a house in another process, or elsewhere."""

from __future__ import annotations

import signal

import click

from trine.commands.house_place import Place, place_options
from trine.commands.speech import lang_option, say
from trine.core.errors import TrineError
from trine.core.text import text


@click.command(
    "worker",
    help=say(
        text(
            "Think for the bots of a house in PostgreSQL, whose processes hand over what they "
            "have no time for. Ctrl-C ends it at any moment."
        )
    ),
)
@click.option(
    "--workers", type=click.IntRange(1, 256), help=say(text("Processes that think for bots."))
)
@lang_option
@place_options
def worker(place: Place, workers: int | None) -> None:
    """Take jobs."""
    from trine.house.helper import Helper
    from trine.store.store import Store

    if place.folder:
        raise TrineError(
            text("only a house in PostgreSQL has workers elsewhere; name it by --database URL")
        )

    def report(words: str, error: BaseException) -> None:
        click.echo(f"{words}: {error}", err=True)

    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with Store.open(place.database) as store:
        helper = Helper(store, workers, report)
        try:
            helper.warm()
            click.echo(say(text("ready to think; Ctrl-C ends it")))
            helper.run()
        except KeyboardInterrupt:
            pass
        finally:
            helper.close()
