"""Measures an archive: the speed of adding, the size, and the speed of queries.

    .venv/bin/python benchmarks/archive.py FOLDER [--games 2000] [--total 1000000]

Random games of Arimaa, with some setups more frequent than others, are written to a file, added,
and multiplied to the total without being played: copies of a game share its first turns, and get
other keys for later positions, so that the files are as large and as mixed as with real games.
Figures go to standard output.
"""

import argparse
import resource
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random

from trine.core.contract.position import Position
from trine.core.contract.record import Record, format_record
from trine.core.play import Play
from trine.engine.archive.archive_writer import ArchiveWriter, write
from trine.engine.archive.explorer import explore
from trine.engine.archive.parts import ArchivePart, by_kind
from trine.engine.archive.queries import Archive, GameFilter, table
from trine.engine.selfplay.game import PlayerSettings, SelfPlay
from trine.games import open_room
from trine.play.record.formats import read_file
from trine.play.record.replay import record_of, replay
from trine.play.record.statistics import By

SETUPS = 200
PLAYERS = 500
YEARS = range(2004, 2027)
TURNS = 77
"""The most turns of a game, its setups included: about as many as in games of people."""
QUICK_NODES = 8
HASH_MB = 0.25
SHARED_TURNS = 4
"""The number of first turns that copies of a game share."""
ROOM = open_room("arimaa")


def skewed_number(rng: Random, count: int) -> int:
    """Return a random number below a count; smaller ones are likelier."""
    return min(count - 1, int(rng.paretovariate(0.8)) - 1)


def games(count: int) -> Iterator[Record]:
    """Yield quick games of the engine."""
    rng, quick = Random(1), PlayerSettings(nodes=QUICK_NODES)
    memory = SelfPlay(begun(rng), hash_mb=[HASH_MB])
    for _ in range(count):
        play = begun(rng)
        memory.follow(play, memory.play(play, (quick, quick), turn_limit=TURNS))
        yield record(play, rng)


def begun(rng: Random) -> Play:
    play = Play(ROOM, ROOM.rules.start("official", {}))
    for _ in range(2):
        play.enter(f"setup random {skewed_number(rng, SETUPS)}")
        play.enter("end")
    return play


def record(play: Play, rng: Random) -> Record:
    names = [skewed_number(rng, PLAYERS) for _ in range(2)]
    while play.open_actions:
        play.undo()
    tags = {"Gold": f"player {names[0]}", "Silver": f"player {names[1]}"}
    tags |= {f"{tag}Rating": str(2500 - 2 * name) for tag, name in zip(tags, names, strict=True)}
    tags["Date"] = f"{rng.choice(YEARS)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
    written = record_of(play, tags)
    if not play.outcome:
        written.tags |= {"Result": rng.choice(("Gold", "Silver")), "Reason": "resignation"}
    return written


def multiply(archive: Archive, times: int) -> None:
    """Multiply the games of each part by ``times``."""
    for kind, (part, *others) in by_kind(archive.folder.parts()).items():
        assert not others, kind
        made = ArchivePart(*kind, part.last + 1, part.last + 1)
        unfinished = archive.folder.unfinished(made)
        turns, one = unfinished
        count = f"(select count(*) from {table(archive.folder.games(part))})"
        copies = f"(select unnest(range(1, {times})) as copy)"
        number = f"(game + copy * {count})::uinteger as game"
        changed = ", ".join(
            f"if(number >= {least}, hash({name}, copy), {name}) as {name}"
            for name, least in (("key", SHARED_TURNS), ("after", SHARED_TURNS - 1))
        )
        select = f"select * exclude (copy) replace ({number}, {changed})"
        rows = f"from {table(archive.folder.turns(part))}, {copies}"
        write(archive.database, f"{select} {rows} order by key, game", turns)
        select = f"select * exclude (copy) replace ({number}, hash(id, copy) as id)"
        rows = f"from {table(archive.folder.games(part))}, {copies}"
        write(archive.database, f"{select} {rows} order by game", one)
        archive.folder.put(made, unfinished)


def report(name: str, value: object) -> None:
    print(f"{name:58} {value}", flush=True)


def size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*.parquet"))


def peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def answers(ask: Callable[[], object]) -> str:
    """Return the wall time of an answer and its CPU time on all cores, as text."""
    times, cpu = [], []
    for _ in range(11):
        began, used = time.perf_counter(), time.process_time()
        ask()
        times.append(1000 * (time.perf_counter() - began))
        cpu.append(1000 * (time.process_time() - used))
    least, median = min(times), statistics.median(times)
    return f"{least:.0f} to {median:.0f} ms, {statistics.median(cpu):.0f} ms of a core"


def positions(file: Path) -> dict[str, Position]:
    """Return positions to look up, by name."""
    play = replay(next(read_file(file)[1]))
    return {
        "the start: setups": play.start,
        "after Gold's setup": play.turns[1].before,
        "after both setups": play.turns[2].before,
        "after turn 3s": play.turns[6].before,
        "after turn 20s": play.turns[40].before,
        "a position that never stood": ROOM.rules.parse_position(
            "2g 8/8/3H4/3e4/8/8/8/R7", "official"
        ),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--total", type=int, default=1_000_000)
    asked = parser.parse_args()
    folder: Path = asked.folder
    folder.mkdir(parents=True)
    file = folder / "games.trine"
    file.write_text("\n".join(map(format_record, games(asked.games))), "utf-8")
    with ArchiveWriter.open(folder / "warm") as writer:
        writer.add(next(read_file(file)[1]))
    cpu, turns = time.process_time(), 0
    for written in read_file(file)[1]:
        turns += len(written.turns)
    read = time.process_time() - cpu
    report("turns a game", f"{turns / asked.games:.0f}")
    report("reading the file, games a second", f"{asked.games / read:.0f}")
    began, cpu = time.perf_counter(), time.process_time()
    with ArchiveWriter.open(folder / "archive") as writer:
        added = sum(map(writer.add, read_file(file)[1]))
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    report("added", f"{added} games in {seconds:.1f} s, {cpu:.1f} s of a core")
    report("memory at the most, MiB", peak())
    report("games a second and core (aim 1,000)", f"{added / cpu:.0f}")
    archive = Archive(folder / "archive")
    began = time.perf_counter()
    multiply(archive, asked.total // asked.games)
    parts = archive.folder.parts()
    count = f"select count(*) from {table(*map(archive.folder.games, parts))}"
    (many,) = archive.database.execute(count).fetchone()
    report("games, multiplied", f"{many:,} in {time.perf_counter() - began:.0f} s")
    report("bytes a game", f"{size(folder / 'archive') / many:.0f}")
    for name, position in positions(file).items():
        found = explore(archive, ROOM, position)
        took = answers(partial(explore, archive, ROOM, position))
        report(f"explore {name}: {found.games:,} games", took)
    report("stats by rules", answers(lambda: archive.figures(By.RULES)))
    report(
        "find a player's wins",
        answers(lambda: list(archive.find(GameFilter(player="player 300")))),
    )
    report("memory at the most, MiB, the multiplying included", peak())


if __name__ == "__main__":
    main()
