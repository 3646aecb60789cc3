"""The tree for three and four players."""

import pytest

from trine.core.clock import Limits
from trine.core.contract.position import Reason
from trine.engine.search.tree import TreeSearch
from trine.games import new_play, open_kernel


@pytest.fixture(scope="module")
def search() -> TreeSearch:
    return TreeSearch("corridor", hash_mb=4)


@pytest.mark.parametrize(
    ("rules", "players"), [("quoridor", 2), ("quoridor", 4), ("great-wall", 3), ("great-wall", 4)]
)
def test_it_finds_legal_lines_the_most_visited_first(
    search: TreeSearch, rules: str, players: int
) -> None:
    play = new_play(f"corridor/{rules}", players=players)
    lines = search.search(play, Limits(nodes=400), lines=3)
    assert [info.rank for info in lines] == [1, 2, 3]
    for info in lines:
        ahead = play.copy()
        ahead.follow(ahead.check(info.pv))
    assert len({info.pv[0] for info in lines}) == 3


def test_the_same_search_finds_the_same(search: TreeSearch) -> None:
    play = new_play("corridor", players=4)
    first, second = (search.search(play, Limits(nodes=1_000))[0] for _ in range(2))
    assert (first.pv, first.score, first.nodes) == (second.pv, second.score, second.nodes)


@pytest.mark.parametrize("nodes", [1, 63, 64, 65, 128, 640])
def test_a_limit_of_nodes_is_kept_exactly(search: TreeSearch, nodes: int) -> None:
    assert search.search(new_play("corridor", players=4), Limits(nodes=nodes))[0].nodes == nodes


def test_who_can_win_at_once_does(search: TreeSearch) -> None:
    play = new_play("corridor", "quoridor 9 4 e8,b5,a2,h5 - 0,0,0,0 1")
    best = search.search(play, Limits(nodes=200))[0]
    assert str(best.pv[0]) in {"d9", "e9", "f9"}
    assert best.chances[0] > 0.9


def test_a_full_tree_is_visited_until_the_limit() -> None:
    small = TreeSearch("corridor", hash_mb=0.1)
    play = new_play("corridor/great-wall", players=3)
    assert small.search(play, Limits(nodes=200))[0].pv
    full = small.size
    info = small.search(play, Limits(nodes=20_000))[0]
    assert info.pv
    assert small.size < 2 * full + 1_000  # there is no room for more


def test_enough_time_is_enough(search: TreeSearch) -> None:
    info = search.search(new_play("corridor", players=4), Limits(soft=0.2, hard=600))[0]
    assert info.seconds < 60  # on a machine that is busy, too


def test_who_has_left_has_no_chance(search: TreeSearch) -> None:
    play = new_play("corridor", players=4)
    play.leave(Reason.RESIGNATION)
    search.search(play, Limits(nodes=300))
    chances = search.tree.means[0]
    assert chances[0] == 0
    assert abs(chances.sum() - 1) < 0.01
    assert chances[1:].min() > 0


def test_short_sight_overlooks_actions(search: TreeSearch) -> None:
    play = new_play("corridor", players=4)
    all_seen = search.search(play, Limits(nodes=1_000), lines=200)
    some_seen = search.search(play, Limits(nodes=1_000), lines=200, overlook_rate=512)
    assert len(some_seen) < 0.7 * len(all_seen)


def test_a_limit_of_depth_ends_the_search_with_a_line_as_deep() -> None:
    search = TreeSearch("corridor", hash_mb=4)
    play = new_play("corridor", players=4)
    for depth in (1, 3, 5):
        assert search.search(play, Limits(depth=depth))[0].depth >= depth
    full = TreeSearch("corridor", hash_mb=0.1)
    assert full.search(play, Limits(depth=90))[0].pv  # no room for so deep a line


def test_below_the_root_a_position_that_stands_for_the_third_time_is_a_draw(
    search: TreeSearch,
) -> None:
    play = new_play("corridor/quoridor", players=4)
    play.enter("e2 b5 e8 h5 e1 a5 e9 i5")
    play.enter("e2 b5 e8 h5 e1 a5 e9")
    search.search(play, Limits(nodes=20_000))
    tree = search.tree
    first, total = int(tree.first[0]), int(tree.children[0])
    numbers = tree.action[first : first + total].tolist()
    kernel = open_kernel("corridor")
    (number,) = [n for n in numbers if str(kernel.action_of(play.position, n)) == "i5"]
    node = first + numbers.index(number)
    assert tree.visits[node] > 0
    assert tree.means[node] == pytest.approx([1 / 4] * 4)
