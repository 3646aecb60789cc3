"""The views of an analysis, as data for the page."""

from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import quote

from markupsafe import Markup
from starlette.requests import HTTPConnection

from trine.core.contract.checked import CheckedLine
from trine.core.contract.choices import named_actions
from trine.core.contract.position import Action, Position, Seat
from trine.core.contract.room import Room
from trine.core.play import changed_cells, describe, ended, names, next_step
from trine.core.scene.composing import carry_keys
from trine.core.scene.scene import Scene
from trine.core.text.language import Language, name_in, open_language
from trine.core.text.sentence import NOTHING, Text, ntext, text, typed, verbatim
from trine.core.work.cpu_account import in_thread
from trine.engine.archive.explored import Explored, ExploredTurn, GameRef
from trine.engine.players.review import ReviewedTurn
from trine.engine.players.stand_in import STAND_IN_NOTE, strategy_of
from trine.house.analysis import messages
from trine.house.analysis.review_report import MAX_COSTLY, Costly, report, scene_after
from trine.house.analysis.reviews import GameReview
from trine.house.analysis.study import Study
from trine.house.games.live.live_game import display_name, written_name
from trine.house.games.storage.tables import SeatRow
from trine.house.games.view.scenes import Seen
from trine.house.web.assets import shape
from trine.house.web.pages import Pages
from trine.play.draw.board_theme import WOOD
from trine.play.record.variations import GameNode
from trine.play.session.seats import BOT, bot_display_name

NOT_MARKED: Final[Mapping[str, frozenset[str]]] = {}
PICTURE: Final = Markup('<img src="{}" alt="{}" width="{}" height="{}" loading="lazy">')


def scene_at(
    study: Study,
    node: GameNode,
    draft: CheckedLine | None,
    seat: int,
    marks: Mapping[str, frozenset[str]] = NOT_MARKED,
) -> Scene:
    room, position, keys = node.start.room, node.position, study.keys(node)
    last: frozenset[str] = frozenset()
    if draft:
        last = changed_cells(room, draft.start, draft.actions)
        for step in draft.steps:
            keys = carry_keys(room, step.before, step.action, keys)
        position = draft.end
    elif node.turn:
        last = changed_cells(room, node.turn.before, node.turn.actions)
    scene: Scene = room.view.scene(position, seat=seat, last=last, marks=marks, keys=keys)
    return scene


def node_message(
    study: Study, node: GameNode, draft: CheckedLine | None, seat: int, seen: Seen | None
) -> messages.At:
    room, play = node.start.room, study.play(node)
    position = draft.end if draft else play.position
    outcome, mover = study.outcome(node), position.seats[position.mover].name
    begun, made = (draft.start, draft.actions) if draft else (position, ())
    if not draft and node.turn:
        begun, made = node.turn.before, node.turn.actions
    coach = NOTHING if outcome else next_step(room, begun, made, position)
    return messages.At(
        node=study.number(node),
        place=study.place(node),
        view=scene_at(study, node, draft, seat, seen.marks if seen else NOT_MARKED).view,
        choices=study.choices(node, draft),
        handles=() if play.outcome else room.view.handles(position),
        draft=[str(action) for action in draft] if draft else [],
        turn=play.turn_tag,
        mover=play.mover,
        status=[] if position.in_setup else room.view.status(position),
        setup=sorted(room.rules.setup_words) if position.in_setup else [],
        note=_note(node),
        result=ended(room, position, names(position.seats), outcome) if outcome else NOTHING,
        told=NOTHING if outcome else text("{name} to move. {coach}", name=mover, coach=coach),
        over=play.outcome is not None,
        insight=seen.sentences if seen else [],
    )


def tree_message(study: Study, *, own: bool) -> messages.Tree:
    fault = study.fault or NOTHING
    rows = [
        (
            study.number(node),
            study.number(node.previous),
            node.tag,
            node.notation,
            _note(node),
            int(node.played),
        )
        for node in study.root.tree()
        if node.previous
    ]
    return messages.Tree(study.version, own, rows, study.saved, fault)


def _note(node: GameNode) -> str:
    """Return a person's note on a turn; `stand_in_text` tells of a stand-in's turns once."""
    return "" if node.note.startswith(STAND_IN_NOTE) else node.note


def stand_in_text(study: Study) -> Text | None:
    """Return a sentence if a stand-in played turns of the main line."""
    if all(_note(node) == node.note for node in study.root.line()):
        return None
    name = strategy_of(study.root.start.room)
    return text("The computer followed the strategy {name} in this game.", name=typed(name))


def paints(room: Room, position: Position) -> list[dict[str, str]]:
    """Return the colours of the seats, for the bar of chances."""
    players = room.view.scene(position).board.players
    found = [WOOD.paint(player.role) for player in players]
    return [{"body": paint.body, "ink": paint.ink, "light": paint.light} for paint in found]


async def written_report(
    pages: Pages, study: Study, found: GameReview, code: str, seat: int, *, own: bool
) -> str:
    """Return a study's report as HTML from a seat; with ``own``, better turns can be played."""
    *_, last = [study.root, *study.root.line()]
    result = describe(names(last.position.seats), study.outcome(last))
    say = open_language(code).say
    named = [(study.record.tags.get(seat.tag, ""), seat) for seat in last.position.seats]
    display_name = [
        "" if name in ("", str(seat.name)) else say(written_name(name, seat))
        for name, seat in named
    ]

    def costly(turn: ReviewedTurn) -> Costly:
        judged = found.judged[turn.index]
        ids = judged.better_turn
        assert judged.verdict
        better = [action for _, action in named_actions(turn.turn.before, ids)]
        asked = "".join(f"&a={quote(one)}" for one in ids)
        return Costly(
            turn.index + 1,
            judged.verdict,
            drawn(turn, turn.turn.actions, f"at={turn.index + 1}"),
            drawn(turn, better, f"at={turn.index}{asked}"),
            ids if own else (),
        )

    def drawn(turn: ReviewedTurn, actions: Sequence[Action], which: str) -> Markup:
        """Return the tag of a picture, loaded lazily."""
        scene = scene_after(found.review.play.room, turn, actions)
        size, place = shape(scene.board), f"/analysis/{study.id}/picture.svg?{which}&seat={seat}"
        return PICTURE.format(place, say(scene.alt), size["across"], size["down"])

    def write() -> str:
        values = report(found.review, say, result, display_name, MAX_COSTLY, costly)
        return pages.write("review_report.html", code, **values)

    return await in_thread(write)


def seat_asked(request: HTTPConnection, study: Study) -> int:
    """Return the requested seat to view the board from; the first by default."""
    asked, seats = request.query_params.get("seat", ""), len(study.root.position.seats)
    return int(asked) if asked in map(str, range(seats)) else 0


def editing_message(
    room: Room, position: Position, refusal: Text | None, seat: int
) -> messages.Editing:
    assert room.view.editor
    scene = room.view.scene(position, seat=seat)
    pieces = {piece.cell for piece in scene.pieces if piece.role == "piece" and piece.cell}
    walls = {wall.id for wall in scene.walls if wall.id}
    return messages.Editing(
        scene.view,
        room.view.editor.parts(position),
        room.view.editor.settings(position),
        sorted(pieces | walls),
        refusal or NOTHING,
    )


def title_of(study: Study, language: Language) -> str:
    """Return the title of an analysis: the players of its game, or the game and its rule set."""
    room, tags = study.root.start.room, study.record.tags
    names = [(tags.get(seat.tag, ""), seat) for seat in study.root.position.seats]
    if all(name for name, _ in names):
        return " – ".join(language.say(written_name(*one)) for one in names)
    return f"{name_in(language, room.title)}, {name_in(language, tags.get('Rules', ''))}"


def turns_text(nodes: Sequence[GameNode]) -> list[dict[str, str]]:
    return [{"tag": node.tag, "words": node.notation, "note": _note(node)} for node in nodes]


Players = Mapping[str, Sequence[SeatRow]]
"""The seats of games of this house, by the games' sources in the archive."""


def explored_message(
    number: int, node: GameNode, found: Explored, players: Players
) -> messages.Explored:
    if not found.games:
        return messages.Explored(number, text("No game of the archive came here."))
    summary = ntext("Played from here {count} time", "Played from here {count} times", found.games)
    left = found.different - len(found.turns)
    return messages.Explored(
        number,
        summary,
        [_turn(turn, players, node.position.seats) for turn in found.turns],
        ntext("and {count} other turn", "and {count} other turns", left) if left else NOTHING,
        pictured=node.start.room.sets_up_whole(node.position),
    )


def _turn(turn: ExploredTurn, players: Players, seats: Sequence[Seat]) -> messages.ExploredTurn:
    return messages.ExploredTurn(
        turn.words,
        [str(action) for action in turn.actions],
        turn.games,
        None if turn.score is None else round(100 * turn.score),
        None if turn.rating is None else round(turn.rating),
        [_game(one, players, seats) for one in turn.top_games if any(one.players)],
    )


def _game(game: GameRef, players: Players, seats: Sequence[Seat]) -> messages.ExploredGame:
    rows = players.get(game.source)
    if rows:
        names = [display_name(row, seat) for row, seat in zip(rows, seats, strict=True)]
    else:
        names = [
            bot_display_name(name) if name.startswith(BOT) else verbatim(name or "?")
            for name in game.players
        ]
    return messages.ExploredGame(
        [(name, rating or 0) for name, rating in zip(names, game.ratings, strict=True)],
        game.date[:4],
        game.source if rows else "",
    )
