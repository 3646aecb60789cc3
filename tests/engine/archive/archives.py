"""Archives for tests, and games by chance for them."""

import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from trine.core.contract.record import Record, format_record
from trine.core.play import Play
from trine.engine.archive.archive_writer import ArchiveWriter
from trine.games import new_play
from trine.play.record.replay import record_of


def random_play(game: str, seed: int, most: int = 200, **options: Any) -> Play:
    play, rng = new_play(game, **options), random.Random(f"{game} {seed}")
    while not play.outcome and (len(play.turns) < most or play.open_actions):
        play.act(rng.choice(play.legal_actions()))
    return play


def write_games(file: Path, records: Iterable[Record]) -> Path:
    file.write_text("\n".join(format_record(record) for record in records), encoding="utf-8")
    return file


def random_records(game: str, count: int, **options: Any) -> list[Record]:
    names = ("Anna", "Béla", "Claire", "Dmitri")
    found = []
    for seed in range(count):
        play = random_play(game, seed, **options)
        tags = {
            seat.tag: names[(seed + at) % len(names)] for at, seat in enumerate(play.position.seats)
        }
        rated = {f"{tag}Rating": str(1500 + 10 * seed) for tag in tags}
        date = {"Date": f"{2020 + seed % 3}-01-01", "Event": f"{seed}"}
        record = record_of(play, {**tags, **rated, **date})
        for number, turn in enumerate(record.turns[::3]):
            turn.comments.append(f"0:{(seed + number) % 60:02}.5, 5:00 left")
        found.append(record)
    return found


def add(folder: Path, records: Iterable[Record]) -> int:
    with ArchiveWriter.open(folder) as writer:
        return sum(writer.add(record) for record in records)
