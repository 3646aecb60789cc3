"""The Challenges of 2004 to 2008, as the French document tells them."""

from trine.play.tournament.past_challenges import HISTORY, PLEDGES, prize


def test_the_sums_are_those_that_the_document_tells() -> None:
    by_year: dict[int, list[int]] = {}
    for one in HISTORY:
        lost, games = by_year.setdefault(one.year, [0, 0])
        by_year[one.year] = [lost + one.lost, games + one.games]
    # "En 2007 le programme perdit huit des neuf parties."
    assert by_year == {2004: [0, 8], 2005: [1, 8], 2006: [1, 9], 2007: [1, 9]}
    assert [prize(year) for year in PLEDGES] == [10_000, 10_000, 17_500, 17_100, 17_000]
    assert all(len(one.handicaps) in (0, one.games) for one in HISTORY)
