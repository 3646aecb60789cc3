"""`python -m trine`: the command line."""

import os
import signal


def main() -> None:
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        # Exit on Ctrl-C without a traceback of the imports, until `run` handles it.
        signal.signal(signal.SIGINT, lambda *interrupt: os._exit(130))
    from trine.cli.commands import run

    run()


if __name__ == "__main__":
    main()
