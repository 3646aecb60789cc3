"""The views of an analysis, as data for the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from trine.core.checked import CheckedLine
from trine.core.choices import named_actions
from trine.core.doors import Room
from trine.core.keys import carry_keys
from trine.core.language import Language
from trine.core.position import Position
from trine.core.scene import Scene
from trine.core.text import Text, text
from trine.core.wording import changed_cells, describe, names
from trine.draw.theme import WOOD
from trine.engine.review import Grade
from trine.engine.review_words import accuracy_text, share
from trine.house.analyst import Line, Thought
from trine.house.reviews import GameReview
from trine.house.study import Study
from trine.record.variations import GameNode
from trine.web.review_curve import curve_svg, legend_items

Say = Callable[[Text], str]
TOLD: Final = 6
"""The number of costly turns that are told."""


def scene_at(
    study: Study, node: GameNode, draft: CheckedLine | None, seat: int, *, insight: bool = False
) -> Scene:
    """The scene of a node, behind a draft."""
    room, position, keys = node.start.room, node.position, study.keys(node)
    last: frozenset[str] = frozenset()
    if draft:
        last = changed_cells(room, draft.start, draft.actions)
        for step in draft.steps:
            keys = carry_keys(room, step.before, step.action, keys)
        position = draft.end
    elif node.turn:
        last = changed_cells(room, node.turn.before, node.turn.actions)
    marks: Mapping[str, frozenset[str]] = {}
    if insight and not study.play(node).outcome:
        marks = room.insight(position).marks()
    scene: Scene = room.scene(position, seat=seat, last=last, marks=marks, keys=keys)
    return scene


def node_data(
    study: Study,
    node: GameNode,
    draft: CheckedLine | None,
    language: Language,
    seat: int,
    *,
    insight: bool,
) -> dict[str, Any]:
    """The view of a node on the page."""
    room, play = node.start.room, study.play(node)
    position = draft.end if draft else play.position
    scene = scene_at(study, node, draft, seat, insight=insight)
    data: dict[str, Any] = {
        "t": "at",
        "node": study.number(node),
        "place": study.place(node),
        "view": scene.as_data(language.say),
        "choices": [one.as_data(language.say) for one in study.choices(node, draft)],
        "draft": [str(action) for action in draft] if draft else [],
        "turn": play.turn_tag,
        "mover": play.mover,
        "status": [language.say(told) for told in room.status(position)],
        "setup": sorted(room.setup_words) if position.in_setup else [],
        "note": node.note,
        "result": "",
        "over": play.outcome is not None,
    }
    if outcome := study.outcome(node):
        data["result"] = language.say(describe(names(position.seats), outcome))
    else:
        mover = position.seats[position.mover].name
        data["told"] = language.say(text("{name} to move", name=mover))
    if insight and not play.outcome:
        data["insight"] = [language.say(told) for told in room.insight(position).sentences()]
    return data


def tree_data(study: Study, *, own: bool) -> dict[str, Any]:
    """The tree: each turn with its number, that of the one before it, and what it is."""
    nodes = []
    for node in study.nodes():
        if node.previous:
            nodes.append(
                [
                    study.number(node),
                    study.number(node.previous),
                    node.tag,
                    node.notation,
                    node.note,
                    int(node.played),
                ]
            )
    return {"t": "tree", "version": study.version, "own": own, "nodes": nodes}


def thought_data(
    thought: Thought, room: Room, position: Position, language: Language
) -> dict[str, Any]:
    """The findings of the computer about a position."""
    return {
        "lines": [_line(line, language.say) for line in thought.lines],
        "paths": _paths(thought, room, position),
        "depth": thought.depth,
        "told": [language.say(reason) for reason in thought.told],
        "chances": [
            {"name": language.say(seat.name), "share": share(chance)}
            for seat, chance in zip(position.seats, thought.chances, strict=False)
        ],
    }


def _paths(thought: Thought, room: Room, position: Position) -> list[list[str]]:
    """The picks of the first turn of the best line, for arrows; none in a setup, which is long."""
    if position.in_setup or not thought.lines or not thought.lines[0].turns:
        return []
    steps = named_actions(position, thought.lines[0].turns[0].ids)
    paths = [list(room.picks(before, action)) for before, action in steps]
    return [path for path in paths if not path[0].startswith("#")]


def _line(line: Line, say: Say) -> dict[str, Any]:
    turns = [{"tag": one.tag, "words": one.words, "ids": list(one.ids)} for one in line.turns]
    return {"score": say(line.score) if line.score.template else "", "turns": turns}


def paints(room: Room, position: Position) -> list[dict[str, str]]:
    """The colours of the seats, for the bar of chances."""
    players = room.scene(position).board.players
    found = [WOOD.paint(player.role) for player in players]
    return [{"body": paint.body, "ink": paint.ink, "light": paint.light} for paint in found]


def review_data(found: GameReview, study: Study, language: Language) -> dict[str, Any]:
    """A review with its curve and the turns that cost most."""
    review, say = found.review, language.say
    players = [
        {
            "name": say(seat.name),
            "accuracy": say(accuracy_text(review, player)),
            "counts": [review.count(player, grade) for grade in Grade],
        }
        for player, seat in enumerate(review.play.position.seats)
    ]
    return {
        "t": "reviewed",
        "curve": curve_svg(review, say),
        "legend": [{"mark": mark, "words": say(words)} for mark, words in legend_items(review)],
        "grades": [say(grade.plural) for grade in Grade],
        "players": players,
        "worst": [
            _costly(found, turn.index, language)
            for turn in review.worst(TOLD)
            if turn.index in found.verdicts
        ],
    }


def _costly(found: GameReview, index: int, language: Language) -> dict[str, Any]:
    told, say = found.verdicts[index], language.say
    return {
        "index": index,
        "headline": say(told.headline),
        "better": say(told.better),
        "because": [say(reason) for reason in told.because],
        "answer": say(told.answer),
        "harm": [say(reason) for reason in told.harm],
        "ids": list(found.better.get(index, ())),
    }


def edit_data(
    room: Room, position: Position, refusal: Text | None, language: Language, seat: int
) -> dict[str, Any]:
    """The view of a position that is being set up."""
    assert room.editor
    scene = room.scene(position, seat=seat)
    pieces = {piece.cell for piece in scene.pieces if piece.role == "piece" and piece.cell}
    walls = {wall.id for wall in scene.walls if wall.id}
    return {
        "t": "edit",
        "view": scene.as_data(language.say),
        "parts": [part.as_data(language.say) for part in room.editor.parts(position)],
        "settings": [one.as_data(language.say) for one in room.editor.settings(position)],
        "standing": sorted(pieces | walls),
        "refusal": language.say(refusal) if refusal else "",
    }


def title_of(study: Study, language: Language) -> str:
    """The name of an analysis: the players of its game, or the game."""
    room, tags = study.root.start.room, study.record.tags
    called = [tags.get(seat.tag, "") for seat in study.root.position.seats]
    if all(called):
        return " – ".join(called)
    return language.say(text("{game}, {rules}", game=room.title, rules=tags.get("Rules", "")))


def turns_text(nodes: Sequence[GameNode]) -> list[dict[str, str]]:
    """Turns as a page without script lists them."""
    return [{"tag": node.tag, "words": node.notation, "note": node.note} for node in nodes]
