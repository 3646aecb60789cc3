"""Arimaa: four rule sets. The plaque of the room."""

from types import MappingProxyType

from trine.core.doors import Room
from trine.core.text import text
from trine.games.arimaa.board import SIDE_LETTERS, SIDE_NAMES, SIDE_TAGS
from trine.games.arimaa.diagrams import format_position, parse_position
from trine.games.arimaa.exchange import FORMATS
from trine.games.arimaa.insight import insight
from trine.games.arimaa.notation import format_action, read_action
from trine.games.arimaa.render import (
    PIECE_SETS,
    changed_cells,
    group_actions,
    score_winner,
    status,
    text_board,
)
from trine.games.arimaa.rulebook import rulebook
from trine.games.arimaa.rules import END, RULE_SETS
from trine.games.arimaa.scene import scene
from trine.games.arimaa.setups import SETUP_NAMES, interpret, start_position, start_tags
from trine.games.arimaa.turns import legal_turns, turn_results

ROOM = Room(
    name="arimaa",
    title="Arimaa",
    rule_sets=RULE_SETS,
    default_rules="official",
    player_names=SIDE_NAMES,
    player_tags=SIDE_TAGS,
    player_letters=SIDE_LETTERS,
    player_letters_read=MappingProxyType({"g": 0, "w": 0, "s": 1, "b": 1}),
    start=lambda rules, handicap="": start_position(RULE_SETS[rules], handicap),
    start_tags=start_tags,
    parse_position=lambda words, rules: parse_position(words, RULE_SETS[rules]),
    format_position=lambda position: format_position(position, "fen"),
    legal_turns=legal_turns,
    turn_results=turn_results,
    read_action=read_action,
    format_action=format_action,
    interpret=interpret,
    end=END,
    changed_cells=changed_cells,
    insight=insight,
    text_board=text_board,
    piece_sets=PIECE_SETS,
    status=status,
    scene=scene,
    group_actions=group_actions,
    prompt_words=MappingProxyType(
        {
            **{f"setup {name}": words for name, words in SETUP_NAMES.items()},
            "setup RANKS": text("two ranks of eight letters, such as RRRDDRRR/RHCMECHR"),
        }
    ),
    rulebook=rulebook,
    formats=FORMATS,
    score_winner=score_winner,
)
