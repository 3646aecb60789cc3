"""Running the learning pipeline with progress bars, and showing the state of its folder."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any, Final

from rich.console import Console

from trine.cli.commands.progress import bars
from trine.cli.commands.speech import say, tell
from trine.core.errors import IllegalError
from trine.core.text.sentence import Text, ctext, number, text
from trine.core.work.workers import Backend
from trine.engine.arena.opening_book import read_positions
from trine.engine.learn.campaign import Campaign, CampaignFolder, check_new
from trine.engine.learn.pipeline import GenerationStep, Pipeline
from trine.engine.learn.recorded_games import RecordedGames
from trine.engine.search.nets import NO_NET, fit_for_search, read_net
from trine.games import open_heuristics, open_kernel, open_room, start_position

KINDS: Final = {"games": text("self-play"), "training": text("training"), "gate": text("gate")}
"""The name of each step of the pipeline, for people."""


def begin(
    path: Path,
    campaign: Campaign,
    records: Sequence[Path],
    champion: Path | None,
    openings: Path | None,
) -> CampaignFolder:
    """Create the folder of a campaign, with labels from records, openings and a first champion."""
    check_new(path)  # before reading files, which may take long
    net, inputs = read_net(champion) if champion else None, open_heuristics(campaign.game).net
    # A net that does not fit raises an error.
    seen = fit_for_search(net, inputs) if net and inputs else NO_NET
    if openings:
        campaign = replace(campaign, beginnings=tuple(_beginnings(openings, campaign)))
    recorded = RecordedGames(campaign.selfplay(1), seen, campaign.td_lambda)
    console, read = Console(stderr=True), []
    with console.status("") as status:
        for file in records:
            title, games = say(text("reading {file}", file=str(file))), count(1)

            def on_record(accepted: bool, title: str = title, games: Iterator[int] = games) -> None:
                status.update(f"{title}: {say(number(next(games)))}")

            status.update(title)
            read.append(recorded.read(file, on_record))
    campaign = replace(campaign, players=tuple(sorted(recorded.players.items())))
    return CampaignFolder.begin(path, campaign, read, net)


def _beginnings(openings: Path, campaign: Campaign) -> Iterator[str]:
    room, kernel = open_room(campaign.game), open_kernel(campaign.game)
    start = start_position(room, campaign.rules, dict(campaign.options))
    for position in read_positions(openings, room.name, campaign.rules):
        if kernel.actions(position) != kernel.actions(start):
            raise IllegalError("its board differs from that of the games").at(str(openings))
        yield room.rules.format_position(position)


def work(folder: CampaignFolder, backend: Backend) -> None:
    """Run a campaign to its end, or until Ctrl-C."""
    try:
        with _bars(folder.campaign) as on_step:
            Pipeline(folder, backend, on_step).run()
    except KeyboardInterrupt:
        tell(text("finished work is stored in {folder}", folder=str(folder.path)))
        sys.exit(130)
    show_status(folder)


@contextmanager
def _bars(campaign: Campaign) -> Iterator[Any]:
    """Show a progress bar for the current step, at a terminal only."""
    with bars() as bar:
        task = bar.add_task("", total=None)
        last: tuple[int, str] | None = None

        def on_step(step: GenerationStep) -> None:
            nonlocal last
            if (step.generation, step.kind) != last:
                last = step.generation, step.kind
                bar.reset(task, total=step.total, description=say(_title(step, campaign)))
            bar.update(task, completed=step.done)

        yield on_step


def _title(step: GenerationStep, campaign: Campaign) -> Text:
    return text(
        "generation {number} of {all}, {kind}",
        number=step.generation,
        all=campaign.generations,
        kind=KINDS[step.kind],
    )


STEPS: Final = ("games", "training", "speed", "gate")
"""The names of the files with the results of a generation's steps."""


def show_status(folder: CampaignFolder) -> None:
    campaign, generations = folder.campaign, state_of(folder)
    tell(
        text(
            "{game}/{rules}: {done} of {all} generations",
            game=campaign.game,
            rules=campaign.rules,
            done=sum(generation["gate"] is not None for generation in generations),
            all=campaign.generations,
        )
    )
    for generation in generations:
        for line in _generation_lines(generation):
            tell(line)
    if folder.is_worked_on:
        tell(text("a process is training here now"))


def state_of(folder: CampaignFolder) -> list[dict[str, Any]]:
    """Return the data of each generation that has begun."""
    return [
        {
            "number": generation.number,
            "jobs": generation.games.begun(),
            "of": folder.campaign.jobs,
            **{name: generation.data(name) for name in STEPS},
        }
        for generation in folder.begun()
    ]


def _generation_lines(generation: dict[str, Any]) -> Iterator[Text]:
    yield text("generation {number}:", number=generation["number"])
    if games := generation["games"]:
        yield text(
            "  {positions} positions of {games} games, {second} a second of a core, {bytes} bytes",
            positions=number(games["positions"]),
            games=number(games["games"]),
            second=number(round(games["positions"] / max(games["seconds"], 0.1))),
            bytes=number(games["bytes"]),
        )
    elif generation["of"]:
        yield text(
            "  {done} of {all} jobs of self-play", done=generation["jobs"], all=generation["of"]
        )
    if training := generation["training"]:
        yield text(
            "  {positions} positions, {seconds} s of training; loss on others {before}, with the "
            "net {after}",
            positions=number(training["positions"]),
            seconds=number(training["seconds"], 1),
            before=number(training["before"], 4),
            after=number(training["after"], 4),
        )
    if gate := generation["gate"]:
        for stage in gate["stages"]:
            yield _stage_text(stage)
        yield text("  promoted") if gate["promoted"] else text("  not promoted")


VERDICTS: Final = {
    "H1": ctext("gate", "passed"),
    "H0": ctext("gate", "not passed"),
    "": ctext("gate", "undecided"),
}


def _stage_text(stage: dict[str, Any]) -> Text:
    new, old = stage["nodes"]
    return text(
        "  {new} nodes against {old}: {games} games, Elo {elo} ± {error}, {verdict}",
        new=number(new),
        old=number(old),
        games=number(stage["games"]),
        elo=number(stage["elo"], 1, signed=True),
        error=number(stage["error"], 1),
        verdict=VERDICTS[stage["verdict"]],
    )
