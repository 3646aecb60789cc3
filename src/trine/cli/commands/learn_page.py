"""The page of `trine learn status --html`: curves of a campaign, in one file without scripts."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any, Final

from trine.cli.commands.speech import say
from trine.core.text.sentence import Text, number, text
from trine.engine.learn.campaign import Campaign

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
