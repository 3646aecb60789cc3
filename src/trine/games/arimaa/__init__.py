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
from trine.games.arimaa.view import board, effects, goals, insight, panel, picks, refusals

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
        text_board=board.text_board,
        piece_sets=board.PIECE_SETS,
        draw=board.draw,
        insight=insight.insight,
        status=panel.status,
        heading=panel.heading,
        coach=panel.coach,
        movements=picks.movements,
        falls=picks.falls,
        effects=effects.effects,
        reading=reasons.reading,
        cause=panel.cause,
        picks=picks.picks,
        handles=picks.handles,
        gestures=picks.gestures,
        refusal=refusals.refusal,
        editor=board.EDITOR,
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
