"""Arimaa: four rule sets. The game definition."""

from types import MappingProxyType

from trine.core.contract import Document, Handbook, Room, RoomView, Rules
from trine.core.text.sentence import text
from trine.games.arimaa import diagrams, notation, position, reasons, starts, symmetries, typed
from trine.games.arimaa.board import SEATS
from trine.games.arimaa.formats import FORMATS
from trine.games.arimaa.knowledge.strategy import trapper
from trine.games.arimaa.referee import score_winner
from trine.games.arimaa.rules import END, RULE_SETS
from trine.games.arimaa.view import effects, goals, insight, picks, refusals, scene, text_board
from trine.games.arimaa.view.editor import EDITOR

ROOM = Room(
    name="arimaa",
    title="Arimaa",
    rule_sets=RULE_SETS,
    default_rules="official",
    seats=SEATS,
    rules=Rules(
        start=starts.start,
        start_tags=starts.start_tags,
        parse_position=diagrams.read_position,
        format_position=diagrams.write_position,
        read_action=notation.read_action,
        interpret=typed.interpret,
        options=starts.OPTIONS,
        settle=starts.settle,
        setup_words=MappingProxyType(
            {
                **{f"setup {name}": words for name, words in starts.SETUP_NAMES.items()},
                "setup RANKS": text("two ranks of eight letters, such as RRRDDRRR/RHCMECHR"),
            }
        ),
        whole_setups=True,
        count_setups=starts.count_setups,
        end=END,
        legal_turns=position.legal_turns,
        passed=position.Position.passed,
        turn_results=position.turn_results,
        turns_towards=position.turns_towards,
        symmetries=symmetries.symmetries,
        score_winner=score_winner,
        format_action=notation.format_action,
        formats=FORMATS,
    ),
    view=RoomView(
        text_board=text_board.text_board,
        piece_sets=text_board.PIECE_SETS,
        scene=scene.scene,
        insight=insight.insight,
        status=text_board.status,
        group_actions=text_board.group_actions,
        coach=text_board.coach,
        changed_cells=text_board.changed_cells,
        movements=picks.movements,
        falls=picks.falls,
        effects=effects.effects,
        reading=reasons.reading,
        cause=text_board.cause,
        picks=picks.picks,
        handles=picks.handles,
        gestures=picks.gestures,
        refusal=refusals.refusal,
        editor=EDITOR,
    ),
    handbook=Handbook(
        package=__name__,
        sketch=lambda words, rules: words.format(diagram=diagrams.DIAGRAM),
        goals=goals.GOALS,
        happenings=goals.HAPPENINGS,
        words=typed.WORDS,
        documents=(
            Document("fr", "classic", piece_set="animals"),
            Document("hu", "diagonal", piece_set="animals"),
            Document("ru", "ejection", piece_set="animals"),
        ),
        themes=effects.THEMES,
        strategists={"trapper": trapper},
        advice={
            "trapper": text(
                "the Russian document: hold the traps, freeze, go from friend to friend, "
                "rabbits behind"
            )
        },
    ),
)
