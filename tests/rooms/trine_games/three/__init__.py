"""Three in a row: the smallest game that has every door. The plaque of the room."""

from trine.core.contract import Room
from trine.core.contract.oneword import format_action
from trine_games.three.board import SEATS
from trine_games.three.diagrams import format_position, parse_position
from trine_games.three.notation import interpret, read_action
from trine_games.three.rules import RULE_SETS
from trine_games.three.starts import settle, start, start_tags
from trine_games.three.symmetries import symmetries
from trine_games.three.view.insight import Insight, effects
from trine_games.three.view.lessons import lessons
from trine_games.three.view.rulebook import rulebook
from trine_games.three.view.scene import picks, scene
from trine_games.three.view.text_board import (
    PIECE_SETS,
    changed_cells,
    group_actions,
    status,
    text_board,
)

ROOM = Room(
    name="three",
    title="Three in a row",
    rule_sets=RULE_SETS,
    default_rules="plain",
    seats=SEATS,
    settle=settle,
    start=start,
    start_tags=start_tags,
    parse_position=parse_position,
    format_position=format_position,
    read_action=read_action,
    format_action=format_action,
    interpret=interpret,
    changed_cells=changed_cells,
    insight=Insight,
    effects=effects,
    text_board=text_board,
    piece_sets=PIECE_SETS,
    status=status,
    scene=scene,
    picks=picks,
    group_actions=group_actions,
    rulebook=rulebook,
    lessons=lessons,
    symmetries=symmetries,
    turns_of_one=True,
)
