"""Jobs that tests give to pools, and a leader that can be killed."""

import os
import sys
import time
from functools import partial
from pathlib import Path

from trine.core.work.pool import WorkerPool


class Begun:
    """The note that `begin` has left in this process."""

    word = ""


def begin_with(word: str) -> None:
    Begun.word = word


def word_of_process() -> tuple[int, str]:
    return os.getpid(), Begun.word


def work(folder: Path, name: str, seconds: float) -> str:
    """Leave the number of the process in a file, and work for a while."""
    (folder / f"{name}.new").write_text(str(os.getpid()))
    (folder / f"{name}.new").rename(folder / name)
    time.sleep(seconds)
    return name


def part_slowly(folder: Path) -> None:
    time.sleep(0.2)
    (folder / f"parted-{os.getpid()}").touch()


def fail_to_part() -> None:
    raise OSError("already gone")


def die() -> None:
    os._exit(9)


def lead(folder: Path, seconds: float) -> None:
    """Lead a pool of two in a process of its own; Ctrl-C is heard, and the jobs are waited for."""
    pool = WorkerPool(2, on_exit=partial(part_slowly, folder))
    heard = False
    try:
        futures = [pool.submit(partial(work, folder, name, seconds)) for name in ("one", "two")]
        (folder / "submitted").touch()
        time.sleep(600)
    except KeyboardInterrupt:
        heard = True
    print(heard, *(future.result() for future in futures))
    pool.close()


if __name__ == "__main__":
    lead(Path(sys.argv[1]), float(sys.argv[2]))
