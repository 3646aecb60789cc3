"""Arimaa: four rule sets. The game definition."""

from types import MappingProxyType

from trine.core.contract.handbook import Document, Handbook
from trine.core.contract.room import Room, RoomView, Rules
from trine.core.text.sentence import text
from trine.games.arimaa import diagrams, formats, notation, position, referee, starts, symmetries
from trine.games.arimaa.board import SEATS
from trine.games.arimaa.knowledge import strategy
from trine.games.arimaa.rules import END, RULE_SETS
from trine.games.arimaa.view import board, effects, insight, pointing

ROOM = Room(
    name="arimaa",
    title="Arimaa",
    rule_sets=RULE_SETS,
    default_rules="official",
    seats=SEATS,
    rules=Rules.of(
        starts,
        notation,
        position,
        symmetries,
        referee,
        formats,
        parse_position=diagrams.read_position,
        format_position=diagrams.write_position,
        interpret=starts.interpret,
        setup_words=MappingProxyType(
            {
                **{f"setup {name}": words for name, words in starts.SETUP_NAMES.items()},
                "setup RANKS": text("two ranks of eight letters, such as RRRDDRRR/RHCMECHR"),
            }
        ),
        whole_setups=True,
        end=END,
        passed=position.Position.passed,
    ),
    view=RoomView.of(board, insight, effects, pointing),
    handbook=Handbook.of(
        notation,
        effects,
        strategy,
        package=__name__,
        sketch=lambda words, rules: words.format(diagram=diagrams.DIAGRAM),
        documents=(
            Document("fr", "classic", piece_set="animals"),
            Document("hu", "diagonal", piece_set="animals"),
            Document("ru", "ejection", piece_set="animals"),
        ),
    ),
)
