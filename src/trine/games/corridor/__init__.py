"""Corridor and Quoridor: four rule sets. The game definition."""

from types import MappingProxyType

from trine.core.contract import Document, Handbook, Room, RoomView, Rules
from trine.core.text.sentence import text
from trine.games.corridor import diagrams, notation, starts, symmetries, typed
from trine.games.corridor.board import SEATS
from trine.games.corridor.formats import FORMATS
from trine.games.corridor.formats.objects import words_of_moves
from trine.games.corridor.knowledge.solved import solved
from trine.games.corridor.knowledge.strategy import pathfinder, wall_builder
from trine.games.corridor.position import Position, unsearched
from trine.games.corridor.rules import RULE_SETS
from trine.games.corridor.view import (
    effects,
    goals,
    insight,
    panel,
    picks,
    refusals,
    scene,
    text_board,
)
from trine.games.corridor.view.editor import EDITOR

ROOM = Room(
    name="corridor",
    title="Corridor",
    rule_sets=RULE_SETS,
    default_rules="quoridor",
    seats=SEATS,
    rules=Rules(
        start=starts.start,
        start_tags=starts.start_tags,
        parse_position=lambda words, rules: diagrams.parse_position(
            words, RULE_SETS[rules] if rules else None
        ),
        format_position=diagrams.format_position,
        read_action=notation.read_action,
        interpret=typed.interpret,
        options=starts.OPTIONS,
        settle=starts.settle,
        turns_of_one=True,
        passed=Position.passed,
        symmetries=symmetries.symmetries,
        unsearched=unsearched,
        solved=solved,
        formats=FORMATS,
        words_of_moves=words_of_moves,
    ),
    view=RoomView(
        text_board=text_board.text_board,
        piece_sets=text_board.PIECE_SETS,
        draw=scene.draw,
        insight=insight.insight,
        status=panel.status,
        heading=panel.heading,
        coach=panel.coach,
        movements=picks.movements,
        effects=effects.effects,
        cause=panel.cause,
        picks=picks.picks,
        handles=picks.handles,
        gestures=picks.gestures,
        refusal=refusals.refusal,
        editor=EDITOR,
    ),
    handbook=Handbook(
        package=__name__,
        sketch=diagrams.sketch,
        goals=goals.GOALS,
        happenings=goals.HAPPENINGS,
        words=typed.WORDS,
        documents=(
            Document("ru", "corridor", {"Drawn": "caught"}),
            Document("ru", "great-wall", {"Drawn": "caught"}),
        ),
        themes=effects.THEMES,
        strategists=MappingProxyType({"pathfinder": pathfinder, "wall-builder": wall_builder}),
        advice=MappingProxyType(
            {
                "pathfinder": text(
                    "the Russian document: go while your way is the shorter one, "
                    "build while it is not"
                ),
                "wall-builder": text("the Russian document: build a wall behind your back"),
            }
        ),
    ),
)
