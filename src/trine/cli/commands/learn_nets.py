"""Nets that learn, after compiling: the pipeline with its progress, and the state of a folder."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from html import escape
from itertools import count
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from trine.cli.commands.speech import say, tell
from trine.core.text.sentence import Text, ctext, number, text
from trine.core.work.workplace import Workplace
from trine.engine.arena.elo import EloEstimate
from trine.engine.arena.sprt import Sprt
from trine.engine.arena.tally import Tally
from trine.engine.learn.campaign import Campaign, CampaignFolder, check_new
from trine.engine.learn.pipeline import GenerationStep, Judge, MatchSoFar, Pipeline, StoppedError
from trine.engine.learn.sources.external import PositionKind, read_others
from trine.engine.learn.sources.recorded_games import RecordedGames
from trine.engine.search.nets import NO_NET, fit_for_search, read_net
from trine.games import open_heuristics
from trine.play.record.text_files import open_to_write

WIDTH: Final = 640
HEIGHT: Final = 220
EDGE: Final = 48
COLOURS: Final = ("#2a6f97", "#bc4b51", "#5b8e7d", "#8d5fa8", "#c98b2b")

STYLE: Final = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
figure { margin: 2rem 0; overflow-x: auto; }
figcaption { font-weight: 600; }
svg { width: 100%; height: auto; }
svg text { font-size: 12px; fill: currentColor; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
td, th { padding: 0.2rem 0.8rem 0.2rem 0; text-align: right; }
"""

Points = Sequence[tuple[float, float]]


def page_of(campaign: Campaign, known: Sequence[dict[str, Any]]) -> str:
    """Return the page of a campaign."""
    title = escape(f"{campaign.game}/{campaign.rules}")
    trained = [one for one in known if one["training"]]
    losses = [
        (
            say(text("generation {number}", number=one["number"])),
            [(epoch["number"], epoch["held_out"]) for epoch in one["training"]["epochs"]],
        )
        for one in trained
    ]
    figures = [
        _figure(text("Loss on positions held out, by epoch"), losses),
        _figure(text("Elo against the first champion, by generation"), [("", elo_of(known))]),
    ]
    return (
        f'<!doctype html>\n<html><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}</style></head>\n<body>\n<h1>{title}</h1>\n{_table(known)}\n"
        + "\n".join(figures)
        + "\n</body></html>\n"
    )


def elo_of(known: Sequence[dict[str, Any]]) -> list[tuple[float, float]]:
    """Return the Elo of the champion after each generation, by the second stages of the gates."""
    total, points = 0.0, [(0.0, 0.0)]
    for one in known:
        gate = one["gate"]
        if gate is None:
            break
        if gate["promoted"]:
            total += float(gate["stages"][1]["elo"])
        points.append((float(one["number"]), total))
    return points


def _table(known: Sequence[dict[str, Any]]) -> str:
    """Return the gates as a table."""
    heads = (text("generation"), text("nodes"), text("games"), text("Elo"), text("promoted"))
    rows = [
        (
            say(number(one["number"])),
            " : ".join(say(number(nodes)) for nodes in stage["nodes"]),
            say(number(stage["games"])),
            f"{say(number(stage['elo'], 1, signed=True))} ± {say(number(stage['error'], 1))}",
            say(text("yes") if one["gate"]["promoted"] else text("no")),
        )
        for one in known
        if one["gate"]
        for stage in one["gate"]["stages"]
    ]
    head = "".join(f"<th>{escape(say(cell))}</th>" for cell in heads)
    body = "\n".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><tr>{head}</tr>\n{body}</table>"


def _figure(title: Text, curves: Sequence[tuple[str, Points]]) -> str:
    """Return a figure with curves."""
    words = escape(say(title))
    drawn = [(name, points) for name, points in curves if points]
    if not drawn:
        return ""
    every = [point for _, points in drawn for point in points]
    (left, right), (low, high) = (_span([point[axis] for point in every]) for axis in range(2))

    def place(x: float, y: float) -> str:
        across = EDGE + (x - left) / (right - left) * (WIDTH - 2 * EDGE)
        up = HEIGHT - EDGE / 2 - (y - low) / (high - low) * (HEIGHT - EDGE)
        return f"{across:.1f},{up:.1f}"

    lines = []
    for index, (name, points) in enumerate(drawn):
        colour = COLOURS[index % len(COLOURS)]
        path = " ".join(place(x, y) for x, y in points)
        lines.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2">'
            f"<title>{escape(name)}</title></polyline>"
        )
        for x, y in points:
            across, up = place(x, y).split(",")
            lines.append(f'<circle cx="{across}" cy="{up}" r="3" fill="{colour}"/>')
    marks = [
        f'<text x="4" y="{up:.0f}">{value:.4g}</text>'
        for value, up in ((low, HEIGHT - EDGE / 2), (high, EDGE / 2))
    ] + [
        f'<text x="{across:.0f}" y="{HEIGHT - 6}">{value:.4g}</text>'
        for value, across in ((left, EDGE), (right, WIDTH - EDGE))
    ]
    return (
        f'<figure><figcaption>{words}</figcaption><svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{words}">{"".join(lines)}{"".join(marks)}</svg></figure>'
    )


def _span(values: Sequence[float]) -> tuple[float, float]:
    """Return the least and the greatest value, apart."""
    low, high = min(values), max(values)
    return (low, high) if high > low else (low - 1, high + 1)


KINDS: Final = {
    "games": text("self-play"),
    "training": text("training"),
    "gate": text("gate"),
}
"""A description of each step."""


def judge_of(campaign: Campaign) -> Judge:
    """Return the sequential test of a campaign's gate."""
    test = Sprt(*campaign.elo)

    def judge(pairs: Sequence[tuple[int, int]]) -> MatchSoFar:
        tally = Tally()
        for first, second in pairs:
            tally = tally.after_pair(first, second)
        if not pairs:
            return MatchSoFar("", 0.0, 0.0)
        strength = EloEstimate.of(tally)
        return MatchSoFar(test.verdict(tally) or "", strength.elo, strength.elo_error)

    return judge


def begin(
    path: Path,
    campaign: Campaign,
    labels: Sequence[Path],
    records: Sequence[Path],
    champion: Path | None,
) -> CampaignFolder:
    """Make the folder of a campaign, with the positions of some files, and the first champion.

    Raises:
        TrineError: a file cannot be read, or the folder cannot be made.
    """
    check_new(path)  # before files are read that may be long
    net, inputs = read_net(champion) if champion else None, open_heuristics(campaign.game).net
    seen = fit_for_search(net, inputs) if net and inputs else NO_NET  # refused if it does not fit
    kind = PositionKind(campaign.game, campaign.rules, campaign.options)
    recorded = RecordedGames(campaign.selfplay(1), seen, campaign.decay)
    console, read = Console(stderr=True), []
    with console.status("") as shown:

        def counting(file: Path) -> Callable[[int], None]:
            title = say(text("reading {file}", file=str(file)))
            shown.update(title)
            return lambda done: shown.update(f"{title}: {say(number(done))}")

        read += [read_others(file, kind, counting(file)) for file in labels]
        for file in records:
            told, games = counting(file), count(1)
            read.append(recorded.read(file, 0, partial(_next_told, told, games)))
    campaign = replace(campaign, players=tuple(sorted(recorded.players.items())))
    return CampaignFolder.begin(path, campaign, read, net)


def _next_told(told: Callable[[int], None], games: Iterator[int], taken: bool) -> None:
    told(next(games))


def work(folder: CampaignFolder, workplace: Workplace) -> None:
    """Work on a campaign to its end, until it is asked to stop, or until Ctrl-C."""
    try:
        with _bars(folder.campaign) as told:
            Pipeline(folder, judge_of(folder.campaign), workplace, told).run()
    except StoppedError:
        tell(text("stopped; what was done is kept in {folder}", folder=str(folder.path)))
    except KeyboardInterrupt:
        tell(text("what was done is kept in {folder}", folder=str(folder.path)))
        sys.exit(130)
    show_status(folder, None)


@contextmanager
def _bars(campaign: Campaign) -> Iterator[Any]:
    """Show a bar for the step that is being done, at a terminal only."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    hidden = not sys.stderr.isatty()
    console = Console(stderr=True)
    with Progress(
        *columns, TimeElapsedColumn(), console=console, transient=True, disable=hidden
    ) as bar:
        task = bar.add_task("", total=None)
        last: tuple[int, str] | None = None

        def told(step: GenerationStep) -> None:
            nonlocal last
            if (step.generation, step.kind) != last:
                last = step.generation, step.kind
                bar.reset(task, total=step.total, description=say(_title(step, campaign)))
            bar.update(task, completed=step.done)

        yield told


def _title(step: GenerationStep, campaign: Campaign) -> Text:
    return text(
        "generation {number} of {all}, {kind}",
        number=step.generation,
        all=campaign.generations,
        kind=KINDS[step.kind],
    )


STEPS: Final = ("games", "training", "speed", "gate")
"""The results of a generation's steps, by the names of its files."""


# --- the state -----------------------------------------------------------------------------------


def show_status(folder: CampaignFolder, html: Path | None) -> None:
    """Print the state of a folder, and write its page."""
    campaign, known = folder.campaign, state_of(folder)
    tell(
        text(
            "{game}/{rules}: {done} of {all} generations",
            game=campaign.game,
            rules=campaign.rules,
            done=sum(one["gate"] is not None for one in known),
            all=campaign.generations,
        )
    )
    for one in known:
        for line in _told(one):
            tell(line)
    if folder.is_worked_on:
        tell(text("a process is learning here now"))
    if html:
        with open_to_write(html) as stream:
            stream.write(page_of(campaign, known))


def state_of(folder: CampaignFolder) -> list[dict[str, Any]]:
    """Return what is known of each generation that was begun."""
    return [
        {
            "number": generation.number,
            "jobs": generation.games.begun(),
            "of": folder.campaign.jobs,
            **{name: generation.data(name) for name in STEPS},
        }
        for generation in folder.begun()
    ]


def _told(one: dict[str, Any]) -> Iterator[Text]:
    """Yield lines about a generation."""
    yield text("generation {number}:", number=one["number"])
    if games := one["games"]:
        yield text(
            "  {positions} positions of {games} games, {second} a second of a core, {bytes} bytes",
            positions=number(games["positions"]),
            games=number(games["games"]),
            second=number(round(games["positions"] / max(games["seconds"], 0.1))),
            bytes=number(games["bytes"]),
        )
    elif one["of"]:
        yield text("  {done} of {all} jobs of self-play", done=one["jobs"], all=one["of"])
    if training := one["training"]:
        yield text(
            "  {positions} positions, {seconds} s of training; loss on others {before}, with the "
            "net {after}",
            positions=number(training["positions"]),
            seconds=number(training["seconds"], 1),
            before=number(training["before"], 4),
            after=number(training["after"], 4),
        )
    if gate := one["gate"]:
        for stage in gate["stages"]:
            yield _stage_told(stage)
        yield text("  promoted") if gate["promoted"] else text("  not promoted")


VERDICTS: Final = {
    "H1": ctext("gate", "passed"),
    "H0": ctext("gate", "not passed"),
    "": ctext("gate", "undecided"),
}


def _stage_told(stage: dict[str, Any]) -> Text:
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
