"""Random plays of Corridor, to test properties on."""

import random

from hypothesis import strategies as st

from trine.games.corridor.position import Position
from trine.games.corridor.rules import RULE_SETS, Wall


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """A position of any rule set, size and number of players, from a random play rich in walls."""
    rules = RULE_SETS[draw(st.sampled_from(sorted(RULE_SETS)))]
    size = draw(st.integers(3, 9))
    players = draw(st.sampled_from(rules.players))
    dice = random.Random(draw(st.integers(0, 10**9)))
    position = Position.first(rules, size, players)
    for _ in range(draw(st.integers(0, 60))):
        if not (after := random_turn(position, dice)):
            break
        position = after
    return position


def random_turn(position: Position, dice: random.Random) -> Position | None:
    actions = position.legal_actions()
    if not actions:
        return None
    walls = [action for action in actions if isinstance(action, Wall)]
    if walls and dice.random() < 0.7:
        return position.play(dice.choice(walls))
    return position.play(dice.choice(actions))
