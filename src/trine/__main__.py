"""`python -m trine`: the command line."""

from __future__ import annotations

import os
import signal
import sys


def main() -> None:
    """Run the command line."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        # Until `run` can, with no traceback from amid the imports.
        signal.signal(signal.SIGINT, lambda *interrupt: os._exit(130))
    if sys.argv[1:] == ["--version"]:
        # The one command that needs nothing: no library is imported for it.
        from trine import __version__

        print(f"trine {__version__}")
        return
    from trine.cli.commands import run

    run()


if __name__ == "__main__":
    main()
