"""Commands on kernels: `trine perft` and `bench` count, `warm` compiles.

Perft counts sequences of actions, to check the rules and measure the speed.
"""

import json
import time
from pathlib import Path
from typing import Any

import click

from trine.cli.commands import options, speech
from trine.cli.commands.places import position_text
from trine.cli.commands.progress import bars, compile_thinking, open_kernel_with_progress
from trine.cli.commands.speech import option, say, tell, usage_error, usage_errors
from trine.core.contract.position import Position
from trine.core.contract.room import Room
from trine.core.errors import FileError
from trine.core.text.sentence import Text, number, text, typed
from trine.games import ROOMS, one_rule_set, open_room, parse_game, start_position


@speech.command(
    "perft",
    text(
        "Count the legal sequences of actions of a given length, from the beginning of a game "
        "or from a position. GAME is {games}, or GAME/RULES.",
        games=", ".join(ROOMS),
    ),
)
@click.argument("game_name", metavar="GAME")
@options.rules_option
@options.start_options()
@option(
    "--depth",
    type=click.IntRange(1, 64),
    meaning=text("How many actions; not needed with --turns."),
)
@options.position_option
@option("--split", is_flag=True, meaning=text("Also count by first action."))
@option(
    "--turns",
    is_flag=True,
    meaning=text("Count the distinct positions after a whole turn instead."),
)
@option(
    "--every-leaf",
    is_flag=True,
    meaning=text("Play the last actions too, instead of only counting them."),
)
@option("--threads", type=click.IntRange(1, 256), default=1, meaning=text("Threads."))
@options.json_option
def command(
    game_name: str,
    rules: str | None,
    depth: int | None,
    position: str,
    split: bool,
    turns: bool,
    every_leaf: bool,
    threads: int,
    as_json: bool,
    **tags: str | None,
) -> None:
    with usage_errors():
        room, rules_in_name = parse_game(game_name)
        start_tags = {tag: value for tag, value in tags.items() if value is not None}
        options.check_starts_once(position, start_tags)
        rule_set = one_rule_set(room, rules_in_name, rules or "")
        start = start_position(room, rule_set, start_tags, position_text(position))
    if turns:
        if split or (depth or 1) > 1:
            raise usage_error(
                text("--turns counts one whole turn; it has no --split, and its depth is 1")
            )
        nodes, seconds = _count_turns(room, start)
        counts: dict[Any, int] = {}
    elif depth is None:
        raise usage_error(text("how many actions? --depth says it"))
    else:
        counts, seconds = _count(room, start, depth, threads, in_bulk=not every_leaf)
        nodes = sum(counts.values())
    if as_json:
        data: dict[str, Any] = {
            "game": f"{room.name}/{start.rules.name}",
            "position": room.rules.format_position(start),
            "depth": depth or 1,
            "nodes": nodes,
            "seconds": round(seconds, 6),
            "nodes_per_second": round(nodes / seconds) if seconds else 0,
        }
        if split:
            data["split"] = {str(action): count for action, count in counts.items()}
        click.echo(json.dumps(data))
        return
    if split:
        for action, count in counts.items():
            click.echo(f"{action!s:<8} {say(number(count)):>16}")
    tell(speed_line(nodes, seconds))


def speed_line(nodes: int, seconds: float) -> Text:
    return text(
        "nodes {nodes}   seconds {seconds}   nodes per second {speed}",
        nodes=number(nodes),
        seconds=number(seconds, 3),
        speed=number(round(nodes / seconds)) if seconds else "-",
    )


def _count_turns(room: Room, start: Position) -> tuple[int, float]:
    """Return the number of positions after a whole turn, and the seconds that counting took."""
    kernel = open_kernel_with_progress(room.name)
    from trine.engine.search.perft import count_turns  # imports Numba

    began = time.perf_counter()
    with usage_errors():
        count = count_turns(room, kernel, start)
    return count, time.perf_counter() - began


def _count(
    room: Room, start: Position, depth: int, threads: int, *, in_bulk: bool
) -> tuple[dict[Any, int], float]:
    """Return the counts by first action, and the time in seconds; a bar shows the progress."""
    with usage_errors():
        room.check_search(start)
    kernel = open_kernel_with_progress(room.name)
    from trine.engine.search.perft import count_sequences, open_loop  # imports Numba

    open_loop(kernel, in_bulk=in_bulk)  # so that the measured time excludes compiling
    began = time.perf_counter()
    with bars() as bar:
        task = bar.add_task("")

        def done(counted: int, parts: int) -> None:
            bar.update(task, completed=counted, total=parts)

        counts = count_sequences(kernel, start, depth, threads=threads, in_bulk=in_bulk, done=done)
    return counts, time.perf_counter() - began


@speech.command(
    "bench",
    text(
        "Count the nodes of fixed positions at fixed depths, and print the line for commits "
        "that touch a kernel."
    ),
)
def bench() -> None:
    for name in ROOMS:
        compile_thinking(name, every=True)
    from trine.engine.search.bench import signature  # imports Numba

    began = time.perf_counter()
    counts = {name: signature(open_room(name)) for name in ROOMS}
    seconds = time.perf_counter() - began
    tell(speed_line(sum(counts.values()), seconds), err=True)
    click.echo("Bench: " + " ".join(f"{name} {count}" for name, count in counts.items()))


@speech.command(
    "warm",
    text("Compile the fast code of GAME, or of all games, ahead of time; it happens only once."),
)
@click.argument("game_name", metavar="[GAME]", required=False)
@speech.option(
    "--from",
    "file",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    meaning=text(
        "Take compiled code, which is run unchecked, from FILE; scripts/kernels writes such files."
    ),
)
def warm(game_name: str | None, file: Path | None) -> None:
    from trine.core.compiled import jit, packed  # imports Numba, which takes a second

    if not jit.can_be_written(jit.cache_root()):
        raise FileError(
            "compiled code cannot be stored: no file can be created in {folder}",
            folder=jit.cache_root(),
        )
    if file:
        packed.install(file)
    else:
        try:
            packed.install_bundled()
        except FileError as error:
            tell(error, err=True)
    for name in (game_name,) if game_name else ROOMS:
        with usage_errors():
            title = open_room(name).title
        began = time.monotonic()
        compile_thinking(name, every=True)
        seconds = number(time.monotonic() - began, 1)
        tell(text("{game}: ready after {seconds} s", game=typed(title), seconds=seconds))
