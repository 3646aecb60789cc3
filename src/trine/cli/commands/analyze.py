"""`trine analyze`: the best lines of a position, and the terms of its evaluation."""

import json
import sys
from typing import Any

import click

from trine.cli.commands import options, speech
from trine.cli.commands.places import play_from_arguments, turns_before
from trine.cli.commands.progress import open_search_bot, stderr_runner
from trine.cli.commands.speech import option, say, tell
from trine.cli.terminal.thinking import TELL_NOW, InterruptibleRunner
from trine.core.clock import Limits
from trine.core.errors import IllegalError, TrineError
from trine.core.play import Play, written_actions
from trine.core.text.sentence import Text, ctext, ntext, number, text
from trine.engine.analysis import Analysis, analyze
from trine.engine.players.assessment import info_text, line_text, value_text
from trine.engine.players.chances import chance
from trine.engine.search.info import Info
from trine.games import open_heuristics, open_kernel

DEFAULT_TIME = 3.0  # seconds; the default time of an analysis, for all lines together


@speech.command(
    "analyze",
    text(
        "Find the best lines of the last position in FILE, a record in any known "
        "format, or of a position, given as text in place of FILE. Ctrl-C stops the "
        "search and shows its results so far."
    ),
)
@click.argument("file", metavar="[FILE|POSITION]", required=False)
@options.game_option
@options.turn_option
@option(
    "--position", metavar="TEXT", meaning=text("A position; FILE is then the name of its game.")
)
@options.from_option
@options.rules_option
@option("--lines", type=click.IntRange(1, 100), default=1, meaning=text("How many best lines."))
@option(
    "--time",
    "seconds",
    metavar="SECONDS",
    type=options.SECONDS,
    meaning=text("Time for all lines together; 3 seconds if no other limit is given."),
)
@options.depth_option
@option(
    "--nodes",
    type=click.IntRange(1),
    meaning=text("Number of positions to search, for all lines together."),
)
@options.hash_option
@option("--trace", is_flag=True, meaning=text("Also show the terms of the position's evaluation."))
@options.json_option
def command(
    file: str | None,
    game_number: int,
    turn: str | None,
    position: str | None,
    form: str | None,
    rules: str | None,
    lines: int,
    seconds: float | None,
    depth: int | None,
    nodes: int | None,
    hash_mb: int,
    trace: bool,
    as_json: bool,
) -> None:
    play, _, wrong = play_from_arguments(file, position, game_number, form or "", rules or "")
    _go_to(play, turn, wrong)
    if seconds is None and depth is None and nodes is None:
        seconds = DEFAULT_TIME
    limits = Limits(depth, nodes, hard=seconds)
    thinking = stderr_runner()
    analysis = _analyze(play, limits, lines, thinking, hash_mb)
    terms = _term_data(play) if trace else None
    if as_json:
        click.echo(json.dumps(analysis.as_data(terms), ensure_ascii=False))
    else:
        analysis.show()
        if terms is not None:
            _show_terms(play, terms)
    if thinking.interrupted:
        sys.exit(130)
    if wrong:
        raise wrong  # after the analysis of the position before the error


def _go_to(play: Play, turn: str | None, wrong: TrineError | None) -> None:
    """Take a play back to the position before a turn, if given; the play must not be over there.

    ``wrong`` is the error that ends the record early, if any; it is raised if the play is over.
    """
    if turn:
        turns = len(turns_before(play, turn))
        while play.open_actions:
            play.undo()
        while len(play.turns) > turns:
            play.take_back()
    # A game that a player resigned or lost on time can still be analyzed.
    play.outcome = play.position.outcome(play.history)
    if play.outcome and wrong:
        raise wrong
    if play.outcome and play.turns:
        raise IllegalError(
            "the play is over: {reason}; --turn {last} takes the position before its last turn",
            reason=play.outcome.reason.text,
            last=play.room.tag(play.turns[-1].before),
        )
    play.check_goes_on()


class _AnalysisReport(Analysis):
    def show(self) -> None:
        play, position = self.play, self.play.position
        mover = position.seats[position.mover].name
        tell(text("{turn}: {player} to move", turn=play.turn_tag, player=mover))
        if self.opening:
            turn = written_actions(play.room, position, self.opening)
            tell(text("not searched; a sound opening: {turn}", turn=turn))
            return
        if not (first := self.found[0]).solved:
            tell(
                text(
                    "depth {depth}, {nodes} positions in {seconds} s",
                    depth=first.depth,
                    nodes=number(first.nodes),
                    seconds=number(first.seconds, 1),
                )
            )
        scores = [say(value_text(play.room, position, info)) for info in self.found]
        width = max(map(len, scores))
        for info, score in zip(self.found, scores, strict=True):
            line = line_text(play.room, position, info.pv)
            click.echo(f"{info.rank:>3}  {score:<{width}}  {line}")

    def as_data(self, terms: list[dict[str, Any]] | None) -> dict[str, Any]:
        play, position = self.play, self.play.position
        data: dict[str, Any] = {
            "game": f"{play.room.name}/{position.rules.name}",
            "position": play.room.rules.format_position(position),
            "turn": play.turn_tag,
            "player": position.seats[position.mover].tag,
            "lines": [self._line_data(info) for info in self.found],
        }
        if self.opening:
            data["opening"] = list(map(str, self.opening))
        if terms is not None:
            data["trace"] = terms
        return data

    def _line_data(self, info: Info) -> dict[str, Any]:
        room, position = self.play.room, self.play.position
        return {
            "rank": info.rank,
            "points": info.score.points,
            "chance": round(chance(room, position, info.score), 4),
            "decided_in": info.score.decided_in,
            "solved": info.solved,
            "depth": info.depth,
            "nodes": info.nodes,
            "seconds": round(info.seconds, 3),
            "actions": list(map(str, info.pv)),
            "turns": line_text(room, position, info.pv).split(", "),
        }


def _analyze(
    play: Play, limits: Limits, lines: int, thinking: InterruptibleRunner, hash_mb: int
) -> _AnalysisReport:
    bot = open_search_bot(play, hash_mb)

    def describe(info: Info) -> Text:
        return info_text(play.room, play.position, info)

    analysis = thinking.run(
        lambda on_progress, stop: analyze(bot, play, limits, lines, on_progress, stop),
        text("thinking"),
        describe,
        key_hint=TELL_NOW,
    )
    return _AnalysisReport(play, analysis.found, analysis.opening)


def _term_data(play: Play) -> list[dict[str, Any]]:
    from trine.engine.players.explanation import weigh

    name = play.room.name
    return [
        {
            "name": weighed.term.name,
            "text": say(weighed.term.text),
            "value": round(weighed.value, 4) + 0.0,  # not -0.0
            "weight": round(weighed.weight, 4),
            "points": round(weighed.points, 2) + 0.0,
        }
        for weighed in weigh(open_kernel(name), open_heuristics(name), play.position, play.mover)
    ]


def _show_terms(play: Play, terms: list[dict[str, Any]]) -> None:
    """Show a table of the nonzero terms of the evaluation, and the number of the others."""
    player = play.position.seats[play.mover].name
    points = number(round(sum(term["points"] for term in terms)), signed=True)
    tell(
        text(
            "the position itself, without a search: {points} points for {player}",
            points=points,
            player=player,
        )
    )
    columns = (
        ctext("evaluation", "term"),
        ctext("evaluation", "value"),
        ctext("evaluation", "weight"),
        ctext("evaluation", "points"),
    )
    heads = list(map(say, columns))
    counting = [term for term in terms if term["value"] and term["weight"]]
    name_width = max(map(len, (heads[0], *(term["name"] for term in counting))))
    meaning = say(text("what it counts"))
    click.echo(
        f"  {heads[0]:<{name_width}}  {heads[1]:>8}  {heads[2]:>8}  {heads[3]:>8}  {meaning}"
    )
    for term in counting:
        value, weight = number(term["value"], 2), number(term["weight"], 2)
        cells = map(say, (value, weight, number(term["points"], 1, signed=True)))
        row = "  ".join(f"{cell:>8}" for cell in cells)
        click.echo(f"  {term['name']:<{name_width}}  {row}  {term['text']}")
    if silent := len(terms) - len(counting):
        tell(ntext("{count} term counts nothing here", "{count} terms count nothing here", silent))
