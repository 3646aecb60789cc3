"""`python -m trine`: the command line."""

from __future__ import annotations

import os
import signal


def main() -> None:
    """Run the command line."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        # Until `run` can, with no traceback from amid the imports.
        signal.signal(signal.SIGINT, lambda *interrupt: os._exit(130))
    from trine.cli.commands import run

    run()


if __name__ == "__main__":
    main()
