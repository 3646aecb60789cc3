"""The work of processes in which the store is to be hurt."""

import json
import os
import resource
import threading
import time
from pathlib import Path

from house.store.stores import PATIENCE, create, turn, written
from trine.house.games.storage.events import Append, append_events
from trine.house.store.store import Store
from trine.house.store.store_errors import UnusableError
from trine.house.tables import SCHEMA

WRITERS = 6
LONGEST_FILE = 400_000


def write_until_killed(place: str, notes: Path, run: int) -> None:
    """Play several games at once; note what is acknowledged, which outlives the process."""
    sink = os.open(notes, os.O_CREAT | os.O_APPEND | os.O_WRONLY)
    store = Store.open(place, SCHEMA)

    def write(writer: int) -> None:
        game = create(store)
        seq = 1
        while True:
            words = [f"{run}.{writer}.{seq + offset}" for offset in range(1 + seq % 3)]
            last = written(
                store, append_events, Append(game.id, 1, seq, [turn(word) for word in words])
            )
            assert last == seq + len(words) - 1
            line = json.dumps([[game.id, seq + at, word] for at, word in enumerate(words)])
            os.write(sink, f"{line}\n".encode())
            seq += len(words)

    for writer in range(WRITERS):
        threading.Thread(target=write, args=(writer,), daemon=True).start()
    time.sleep(PATIENCE)


def write_until_full(path: Path, notes: Path) -> None:
    """Write on a disk that takes no file longer than 400 kB."""
    with Store.open(path, SCHEMA) as store:
        game = create(store)
        resource.setrlimit(resource.RLIMIT_FSIZE, (LONGEST_FILE, LONGEST_FILE))
        seq, lines = 1, []
        try:
            while True:
                futures = [
                    store.write(append_events, Append(game.id, 1, seq + more, [turn("x" * 1_000)]))
                    for more in range(5)
                ]
                for future in futures:
                    lines.append(f"{game.id} {future.result(PATIENCE)}")
                seq += 5
        except UnusableError as error:
            lines.append(str(error))
        assert all(future.done() for future in futures)
    notes.write_text("\n".join(lines))
