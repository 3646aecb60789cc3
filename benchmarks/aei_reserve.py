"""Runs an AEI engine that plays instantly without a reserve, so that it uses its time for a turn.

Sharp keeps five seconds back for lag, and with one second a turn has nothing left to think with:

    ./trine match bot:10 "engine:python benchmarks/aei_reserve.py sharp aei" --time 1s --margin 1
"""

import subprocess
import sys
from threading import Thread
from typing import Final

TIMES: Final = {"tcmove": 1, "tcreserve": 9, "greserve": 9, "sreserve": 9, "moveused": 0}
"""Units: seconds; told before each turn in place of what the match says."""


def main() -> None:
    piped = subprocess.PIPE
    with subprocess.Popen(sys.argv[1:], stdin=piped, stdout=piped, text=True) as engine:
        assert engine.stdin
        Thread(target=_pass_on, args=(engine,), daemon=True).start()
        for line in sys.stdin:
            match line.split():
                case ["setoption", "name", name, *_] if name in TIMES:
                    continue
                case ["stop"]:  # at one second; its own clock ends a turn a little later
                    continue
                case ["go"]:
                    for name, value in TIMES.items():
                        engine.stdin.write(f"setoption name {name} value {value}\n")
            engine.stdin.write(line)
            engine.stdin.flush()


def _pass_on(engine: "subprocess.Popen[str]") -> None:
    assert engine.stdout
    for line in engine.stdout:
        print(line, end="", flush=True)


if __name__ == "__main__":
    main()
