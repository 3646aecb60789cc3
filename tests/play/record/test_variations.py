"""Records as trees: stepping through what was played, and variations in comments."""

from random import Random

import pytest

from playing import DUEL, records_in
from trine.core.contract.position import Action
from trine.core.contract.record import Record, format_record
from trine.core.errors import TrineError
from trine.core.play import Play, written_actions
from trine.games import new_play
from trine.play.record.replay import record_of, replay
from trine.play.record.variations import GameNode, tree_of, written_tree

GAMES = {
    "arimaa": DUEL,
    "tzaar/open": "",
    "corridor/great-wall": "",
    "corridor/quoridor": "quoridor 5 4 c1,a3,c5,e3 - 5,5,5,5 1",
}
GAME = f"""\
[Game "arimaa"]
[Start "{DUEL}"]
[Gold "Anna"]

2g Ra2n {{0:12}} {{a remark}} {{or 2g Ed4w, 2s ec5n (or 2s he5n), 3g Ra2n}} {{or 2g Ra2e}}
2s he5n {{or so}}
3g takeback
2s he5e
3g {{or 3g Ed4n}}
"""


def random_turn(play: Play, rng: Random) -> str:
    ahead, actions, count = play.copy(), list[Action](), len(play.turns)
    while len(ahead.turns) == count:
        legal = ahead.legal_actions()
        action = ahead.room.rules.end if ahead.room.rules.end in legal else rng.choice(legal)
        ahead.act(action)
        actions.append(action)
    return written_actions(play.room, play.position, actions)


def grow(root: GameNode, rng: Random, turns: int) -> None:
    """Play, and think of other turns on the way."""
    nodes = [root]
    for _ in range(turns):
        node = rng.choice([nodes[-1], nodes[-1], *nodes])
        if node.play().outcome:
            continue
        played = node is nodes[-1] and node.next is None and rng.random() < 0.7
        played = played and node.played
        new = node.add(random_turn(node.play(), rng), played=played)
        nodes.insert(len(nodes) if played else 0, new)


def shape(node: GameNode) -> object:
    """All of a tree that must survive on paper."""
    return str(node), node.played, node.comments, [shape(one) for one in node.variations]


def told(shape: object) -> str:
    """A shape without the difference between brackets, which a note in a variation cannot have."""
    return str(shape).translate(str.maketrans("[]{}", "()()"))


def every(node: GameNode) -> list[GameNode]:
    return [node, *(one for other in node.variations for one in every(other))]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(6))
def test_trees_come_back_from_paper(game: str, seed: int) -> None:
    start = Record(record_of(new_play(game, position=GAMES[game])).tags)
    root = tree_of(start)
    rng = Random(seed)
    grow(root, rng, 30)
    for node in every(root)[1:]:
        if rng.random() < 0.3:
            node.note = rng.choice(("good, (but late)", "or 2g not so", "0:12", "a [b] {c}"))
    for _ in range(4):
        rng.choice(every(root)[1:]).promote()
    rng.choice(every(root)[1:]).remove()
    written = written_tree(root, start)
    (read,) = records_in(format_record(written))
    assert told(shape(tree_of(read))) == told(shape(root))
    # Whoever knows nothing of variations reads what was played.
    played = [root, *root.line()][-1].play()
    assert [turn.actions for turn in replay(read).turns] == [turn.actions for turn in played.turns]
    assert any(len(node.variations) > 1 for node in [root, *root.line()])


def test_a_record_is_stepped_through() -> None:
    (record,) = records_in(GAME)
    root = tree_of(record)
    assert [str(node) for node in root.line()] == ["2g Ra2n", "2s he5e"]
    assert (root.tag, root.previous, root.notation) == ("", None, "")
    first = root.next
    assert first is not None
    assert first.comments == ["0:12", "a remark"]
    assert first.previous is root
    assert first.position == first.play().position
    assert [str(node) for node in root.variations] == ["2g Ra2n", "2g Ed4w", "2g Ra2e"]
    thought = root.variations[1]
    assert [str(node) for node in thought.line()] == ["2s ec5n", "3g Ra2n"]
    assert [str(node) for node in thought.variations] == ["2s ec5n", "2s he5n"]
    last = [*root.line()][-1]
    assert last.next is None
    assert [str(node) for node in last.variations] == ["3g Ed4n"]
    assert last.variations[0].play().turn_tag == "3s"


def test_what_is_written_again_loses_nothing_but_what_was_taken_back() -> None:
    (record,) = records_in(GAME)
    written = format_record(written_tree(tree_of(record), record))
    kept = [line for line in GAME.splitlines() if "takeback" not in line and "or so" not in line]
    assert written.splitlines() == kept


@pytest.mark.parametrize(
    "comment",
    [
        "or 2g",
        "or 2g Ra2s",
        "or 2s ra7s",
        "or 2g Ra2n,",
        "or 2g Ra2n (or 2g Ra2e",
        "or 2g Ra2n (2g Ra2e)",
        "or 2g Ra2n) 2s he5e",
    ],
)
def test_a_variation_that_is_not_legal_is_named_and_hurts_no_play(comment: str) -> None:
    (record,) = records_in(f'[Game "arimaa"]\n[Start "{DUEL}"]\n\n2g Ra2n {{{comment}}}\n')
    assert len(replay(record).turns) == 1
    with pytest.raises(TrineError) as refused:
        tree_of(record)
    assert "game.txt:4" in str(refused.value)


def test_only_whole_turns_are_added_and_one_was_played() -> None:
    root = tree_of(record_of(new_play("arimaa", position=DUEL)))
    with pytest.raises(TrineError, match="not one whole turn"):
        root.add("Ra2n end ra7s")
    with pytest.raises(TrineError):
        root.add("Ra2s")
    root.add("Ra2n", played=True)
    with pytest.raises(TrineError, match="2g Ra2n was played here already"):
        root.add("Ra2e", played=True)
    with pytest.raises(TrineError, match="was not played"):
        root.add("Ra2e").add("he5e", played=True)


def test_variations_inside_each_other_end_somewhere() -> None:
    deep = "or 2g Ra2n " + "(or 2g Ra2e " * 5000 + ")" * 5000
    (record,) = records_in(f'[Game "arimaa"]\n[Start "{DUEL}"]\n\n2g Ra2n {{{deep}}}\n')
    with pytest.raises(TrineError, match="inside each other"):
        tree_of(record)


def test_what_is_promoted_in_a_game_is_what_was_played() -> None:
    (record,) = records_in(GAME)
    root = tree_of(record)
    thought = root.variations[1]
    thought.promote()
    assert [str(node) for node in root.line()] == ["2g Ed4w", "2s ec5n", "3g Ra2n"]
    assert [str(node) for node in root.variations] == ["2g Ed4w", "2g Ra2n", "2g Ra2e"]
    assert [str(node) for node in root.variations[1].line()] == ["2s he5e", "3g Ed4n"]
    root.variations[0].remove()
    assert root.next is None and [node.played for node in root.variations] == [False, False]
