"""Arimaa: four rule sets. The game definition."""

from types import MappingProxyType

from trine.core.contract import Book, Document, Room, RoomView, Rules
from trine.core.text.sentence import text
from trine.games.arimaa.board import SEATS
from trine.games.arimaa.diagrams import read_position, write_position
from trine.games.arimaa.formats import FORMATS
from trine.games.arimaa.knowledge.strategy import trapper
from trine.games.arimaa.notation import format_action, read_action
from trine.games.arimaa.position import legal_turns, turn_results
from trine.games.arimaa.reasons import about, reading
from trine.games.arimaa.referee import score_winner
from trine.games.arimaa.rules import END, RULE_SETS
from trine.games.arimaa.starts import OPTIONS, SETUP_NAMES, count_setups, settle, start, start_tags
from trine.games.arimaa.symmetries import symmetries
from trine.games.arimaa.typed import WORDS, interpret
from trine.games.arimaa.view.editor import EDITOR
from trine.games.arimaa.view.effects import THEMES, effects
from trine.games.arimaa.view.first_games import FIRST_GAMES
from trine.games.arimaa.view.insight import insight
from trine.games.arimaa.view.lessons import LESSONS
from trine.games.arimaa.view.picks import gestures, handles, movements, picks
from trine.games.arimaa.view.rulebook import CLAUSES
from trine.games.arimaa.view.scene import scene
from trine.games.arimaa.view.text_board import (
    PIECE_SETS,
    cause,
    changed_cells,
    coach,
    group_actions,
    status,
    text_board,
)

ROOM = Room(
    name="arimaa",
    title="Arimaa",
    rule_sets=RULE_SETS,
    default_rules="official",
    seats=SEATS,
    rules=Rules(
        start=start,
        start_tags=start_tags,
        parse_position=read_position,
        format_position=write_position,
        read_action=read_action,
        interpret=interpret,
        options=OPTIONS,
        settle=settle,
        setup_words=MappingProxyType(
            {
                **{f"setup {name}": words for name, words in SETUP_NAMES.items()},
                "setup RANKS": text("two ranks of eight letters, such as RRRDDRRR/RHCMECHR"),
            }
        ),
        whole_setups=True,
        count_setups=count_setups,
        end=END,
        legal_turns=legal_turns,
        turn_results=turn_results,
        symmetries=symmetries,
        score_winner=score_winner,
        format_action=format_action,
        formats=FORMATS,
    ),
    view=RoomView(
        text_board=text_board,
        piece_sets=PIECE_SETS,
        scene=scene,
        insight=insight,
        status=status,
        group_actions=group_actions,
        coach=coach,
        about=about,
        changed_cells=changed_cells,
        movements=movements,
        effects=effects,
        reading=reading,
        cause=cause,
        picks=picks,
        handles=handles,
        gestures=gestures,
        editor=EDITOR,
    ),
    book=Book(
        clauses=CLAUSES,
        course=LESSONS,
        first_games=FIRST_GAMES,
        words=WORDS,
        documents=(
            Document("fr", "classic", piece_set="animals"),
            Document("hu", "diagonal", piece_set="animals"),
            Document("ru", "ejection", piece_set="animals"),
        ),
        themes=THEMES,
        strategists={"trapper": trapper},
        advice={
            "trapper": text(
                "the Russian document: hold the traps, freeze, go from friend to friend, "
                "rabbits behind"
            )
        },
    ),
)
