"""`python -m trine`: the command line."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line."""
    if sys.argv[1:] == ["--version"]:
        # The one command that needs nothing: no library is imported for it.
        from trine import __version__

        print(f"trine {__version__}")
        return
    from trine.commands import run

    run()


if __name__ == "__main__":
    main()
