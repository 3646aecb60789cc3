"""Elo, normalized Elo, likelihood of superiority, log-likelihood ratios: against published values.

Sources: the tests of fastchess (MIT), ``app/tests/elo_test.cpp`` and ``sprt_test.cpp``; those of
racetrack (``sprt_tests.rs``), whose values come from OpenBench; and reports of whole matches that
authors of engines have published as fastchess printed them.
"""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trine.core.errors import MalformedError
from trine.engine.arena.elo import (
    DRAWN,
    LOST,
    MODELS,
    WON,
    EloEstimate,
    Spread,
    Sprt,
    Tally,
    elo_of_score,
    expected_score,
    likeliest_with_mean,
    likeliest_with_t,
)
from trine.engine.arena.report import llr_line, statistics

Pairs = tuple[int, int, int, int, int]
PAIRS = st.tuples(*[st.integers(0, 3000)] * 5)


@pytest.mark.parametrize(
    ("pairs", "elo", "elo_error", "nelo", "nelo_error"),
    [
        ((34, 54, 63, 64, 75), 55.58, 27.65, 57.94, 28.28),
        ((332, 433, 498, 333, 334), -8.64, 10.33, -9.17, 10.96),
        ((7895, 8757, 5685, 568, 9999), -21.04, 2.95, -19.01, 2.65),
    ],
)
def test_pairs_agree_with_fastchess(
    pairs: Pairs, elo: float, elo_error: float, nelo: float, nelo_error: float
) -> None:
    strength = EloEstimate.of(Tally(pairs=pairs))
    found = (strength.elo, strength.elo_error, strength.nelo, strength.nelo_error)
    assert found == pytest.approx((elo, elo_error, nelo, nelo_error), abs=0.005)


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "model", "llr"),
    [
        ((36027, 68692, 36433), 0, 2, "normalized", 0.92),
        ((10650, 20431, 10871), -1.75, 0.25, "normalized", 2.30),
        ((0, 0, 4250), 0, 10, "normalized", 120.56),
        ((21184, 40708, 21404), 0.5, 2.5, "logistic", -1.57),
        ((57030, 106593, 57433), 0, 2, "logistic", -2.59),
        ((365, 16618, 36229, 16974, 390), 0, 2, "normalized", 2.25),
        ((127, 4883, 10712, 5150, 104), -1.75, 0.25, "normalized", 3.01),
        ((223, 9863, 21279, 10037, 246), 0.5, 2.5, "logistic", -3.07),
        ((871, 26175, 55983, 26678, 821), 0, 2, "logistic", -4.98),
    ],
)
def test_ratios_agree_with_fastchess(
    counts: tuple[int, ...], elo0: float, elo1: float, model: str, llr: float
) -> None:
    # fastchess itself stops its rounds early, at a ten-thousandth.
    wanted = pytest.approx(llr, abs=0.01, rel=2e-4)
    assert Sprt(elo0, elo1, model=model).llr_of(counts) == wanted


@pytest.mark.parametrize(
    ("pairs", "elo0", "elo1", "llr"),
    [
        ((440, 2910, 5170, 2888, 455), 0.0, 5.0, -2.27),
        ((142, 620, 1122, 699, 188), 0.0, 5.0, 2.99),
        ((349, 1561, 3340, 1604, 359), -5.0, 0.0, 2.90),
        ((98, 382, 674, 369, 71), -5.0, 0.0, -1.11),
    ],
)
def test_ratios_agree_with_openbench(pairs: Pairs, elo0: float, elo1: float, llr: float) -> None:
    assert Sprt(elo0, elo1).llr(Tally(pairs=pairs)) == pytest.approx(llr, abs=0.01)


MATCHES = [
    (  # pz-tt-cutoff vs pz-qs-mvv (8+0.08, 1t, 16MB, 8moves_v3.pgn)
        Tally(253, 180, 161, (19, 52, 94, 82, 50), 23),
        Sprt(0, 10),
        """\
Elo: 54.25 +/- 22.98, nElo: 67.15 +/- 27.94
LOS: 100.00 %, DrawRatio: 31.65 %, PairsRatio: 1.86
Games: 594, Wins: 253, Losses: 161, Draws: 180, Points: 343.0 (57.74 %)
Ptnml(0-2): [19, 52, 94, 82, 50], WL/DD Ratio: 3.09
LLR: 2.95 (100.1%) (-2.94, 2.94) [0.00, 10.00]""",
    ),
    (  # eschec vs eschec_pawn_masks (15+0.1, NULL, NULL, 2moves.pgn)
        Tally(67, 278, 55, (1, 42, 106, 46, 5), 95),
        Sprt(0, 10),
        """\
Elo: 10.43 +/- 17.99, nElo: 19.76 +/- 34.05
LOS: 87.23 %, DrawRatio: 53.00 %, PairsRatio: 1.19
Games: 400, Wins: 67, Losses: 55, Draws: 278, Points: 206.0 (51.50 %)
Ptnml(0-2): [1, 42, 106, 46, 5], WL/DD Ratio: 0.12
LLR: 0.49 (16.7%) (-2.94, 2.94) [0.00, 10.00]""",
    ),
    (  # base vs test (10+0.1, NULL, NULL, openings.epd)
        Tally(3, 9, 4, (0, 3, 3, 2, 0), 2),
        Sprt(0, 10, model="logistic"),
        """\
Elo: -21.74 +/- 96.80, nElo: -39.34 +/- 170.24
LOS: 32.53 %, DrawRatio: 37.50 %, PairsRatio: 0.67
Games: 16, Wins: 3, Losses: 4, Draws: 9, Points: 7.5 (46.88 %)
Ptnml(0-2): [0, 3, 3, 2, 0], WL/DD Ratio: 0.50
LLR: -0.11 (-3.8%) (-2.94, 2.94) [0.00, 10.00]""",
    ),
    (  # Artemis-dev vs Artemis-master (8+0.08, NULL, 64MB, noob_4moves.epd)
        Tally(435, 131, 328, (61, 47, 167, 68, 104), 8),
        Sprt(0, 10, alpha=0.05, beta=0.1),
        """\
Elo: 41.78 +/- 21.18, nElo: 45.42 +/- 22.77
LOS: 100.00 %, DrawRatio: 37.36 %, PairsRatio: 1.59
Games: 894, Wins: 435, Losses: 328, Draws: 131, Points: 500.5 (55.98 %)
Ptnml(0-2): [61, 47, 167, 68, 104], WL/DD Ratio: 19.88
LLR: 2.94 (101.6%) (-2.25, 2.89) [0.00, 10.00]""",
    ),
    (  # Artemis vs Random (10+0.1, NULL, 64MB, noob_4moves.epd); C++ writes -nan where we write nan
        Tally(148, 0, 0, (0, 0, 0, 0, 74), 0),
        Sprt(0, 10),
        """\
Elo: inf +/- nan, nElo: inf +/- nan
LOS: 100.00 %, DrawRatio: 0.00 %, PairsRatio: inf
Games: 148, Wins: 148, Losses: 0, Draws: 0, Points: 148.0 (100.00 %)
Ptnml(0-2): [0, 0, 0, 0, 74], WL/DD Ratio: nan
LLR: 2.95 (100.2%) (-2.94, 2.94) [0.00, 10.00]""",
    ),
]


@pytest.mark.parametrize(("tally", "test", "report"), MATCHES)
def test_whole_reports_agree_with_published_ones(tally: Tally, test: Sprt, report: str) -> None:
    """Figures that are not finite have a dash with us, since they tell a reader nothing."""
    said = "\n".join([*statistics(tally), str(llr_line(test, tally))])
    assert said == re.sub(r"\b(inf|nan)\b", "-", report)


def mirrored(tally: Tally) -> Tally:
    one, two, three, four, five = tally.pairs
    pairs = (five, four, three, two, one)
    return Tally(tally.losses, tally.draws, tally.wins, pairs, tally.drawn_pairs)


@given(PAIRS)
def test_a_mirrored_match_has_the_opposite_strength(pairs: Pairs) -> None:
    tally = Tally(pairs=pairs)
    one, other = EloEstimate.of(tally), EloEstimate.of(mirrored(tally))
    for value, opposite in ((one.elo, other.elo), (one.nelo, other.nelo)):
        assert value == pytest.approx(-opposite, nan_ok=True, abs=1e-6)
    if sum(pairs):
        assert one.superiority + other.superiority == pytest.approx(1)


@given(PAIRS)
def test_swapped_hypotheses_of_a_mirrored_match_swap_their_roles(pairs: Pairs) -> None:
    tally = Tally(pairs=pairs)
    for model in ("normalized", "logistic"):
        ratio = Sprt(-1, 4, model=model).llr(tally)
        assert ratio == pytest.approx(-Sprt(-4, 1, model=model).llr(mirrored(tally)), abs=1e-4)


@given(st.tuples(*[st.integers(1, 500)] * 5), st.floats(0.3, 0.7))
def test_the_likeliest_distribution_has_the_wished_mean_and_is_likeliest(
    counts: Pairs, mean: float
) -> None:
    scores = [0, 0.25, 0.5, 0.75, 1]
    shares = [count / sum(counts) for count in counts]
    found = likeliest_with_mean(scores, shares, mean)
    assert sum(found) == pytest.approx(1)
    assert sum(map(float.__mul__, found, map(float, scores))) == pytest.approx(mean)
    # Moving a little along what keeps sum and mean makes the results less likely.
    for change in ((1, -2, 1, 0, 0), (0, 1, -2, 1, 0), (0, 0, 1, -2, 1)):
        for step in (1e-4, -1e-4):
            moved = [p + step * min(found) * d for p, d in zip(found, change, strict=True)]
            assert _likelihood(shares, moved) <= _likelihood(shares, found) + 1e-15


@given(st.tuples(*[st.integers(1, 500)] * 5), st.floats(-6, 6))
def test_the_likeliest_distribution_has_the_wished_t_value(counts: Pairs, target: float) -> None:
    scores = [0, 0.25, 0.5, 0.75, 1]
    found = likeliest_with_t(scores, [count / sum(counts) for count in counts], target)
    mean = sum(map(float.__mul__, found, map(float, scores)))
    variance = sum(p * (score - mean) ** 2 for p, score in zip(found, scores, strict=True))
    assert sum(found) == pytest.approx(1)
    assert (mean - 0.5) / math.sqrt(variance) == pytest.approx(target, abs=1e-6)


@pytest.mark.parametrize("counts", [(1, 1, 1), (5, 900, 50), (900, 1, 5), (0.001, 20, 0.001)])
@pytest.mark.parametrize("target", [0.05, 0.9, 0.95, 1.15, 2.0, 5.8, -0.3, -0.95, -2.0])
def test_of_three_results_the_distribution_is_the_likeliest_that_has_the_t_value(
    counts: tuple[float, ...], target: float
) -> None:
    shares = [count / sum(counts) for count in counts]
    found = likeliest_with_t([0, 0.5, 1], shares, target)
    # What a t-value leaves open is one number, by how much wins exceed losses: with it the games
    # that are not drawn are known. All of them are tried.
    part = target**2 / (1 + target**2)
    best = -math.inf
    for step in range(1, 20_000):
        beyond = part + (math.sqrt(part) - part) * step / 20_000
        decided = beyond**2 / part
        weaker, stronger = (decided - beyond) / 2, (decided + beyond) / 2
        model = [weaker, 1 - decided, stronger]
        best = max(best, _likelihood(shares, model if target > 0 else model[::-1]))
    assert _likelihood(shares, found) == pytest.approx(best, abs=1e-5)
    assert _likelihood(shares, found) >= best - 1e-12


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("elo1", [230, 240, 400, 1000, 2000])
def test_far_margins_can_be_tested(elo1: float, model: str) -> None:
    test = Sprt(0, elo1, model=model)
    for pairs in ((0, 0, 1, 0, 0), (9, 0, 0, 0, 0), (0, 0, 0, 0, 9), (1, 2, 3, 4, 5)):
        tally = Tally(4, 3, 5, pairs)
        ratio = test.llr(tally)
        assert math.isfinite(ratio)
        assert ratio == pytest.approx(-Sprt(-elo1, 0, model=model).llr(mirrored(tally)), abs=1e-4)
    alike, better = Tally(pairs=(0, 0, 400, 0, 0)), Tally(pairs=(0, 0, 1, 1, 98))
    assert test.verdict(alike) == "H0"
    assert test.verdict(better) == "H1"


def _likelihood(shares: list[float], model: list[float]) -> float:
    return sum(share * math.log(p) for share, p in zip(shares, model, strict=True))


def test_a_test_errs_no_more_often_than_it_may() -> None:
    from random import Random

    chance, test, accepted, runs = Random(1), Sprt(0, 60, model="logistic"), 0, 100
    for _ in range(runs):  # two players who are alike: H0 is true
        tally = Tally()
        while not (verdict := test.verdict(tally)):
            first, second = (chance.choice((LOST, DRAWN, WON)) for _ in range(2))
            tally = tally.after_pair(first, second)
        accepted += verdict == "H1"
    # More than 13 of 100 come about in one of two thousand runs with other seeds.
    assert 0 < accepted <= 13


def test_scores_and_elo_are_inverse() -> None:
    for elo in (-800, -3.5, 0, 12, 400):
        assert elo_of_score(expected_score(elo)) == pytest.approx(elo)


def test_nothing_played_says_nothing() -> None:
    assert math.isnan(EloEstimate.of(Tally()).elo)
    assert Spread.of((0, 0, 0)).count == 0
    assert Sprt(0, 5).llr(Tally()) == 0
    assert Sprt(0, 5).verdict(Tally()) is None


def test_an_even_match_has_no_sign() -> None:
    assert statistics(Tally(1, 0, 1, (0, 0, 1, 0, 0)))[0].startswith("Elo: 0.00 ")


@pytest.mark.parametrize(
    ("elo0", "elo1", "alpha", "beta", "model"),
    [
        (5, 5, 0.05, 0.05, "normalized"),
        (0, 5, 0, 0.05, "normalized"),
        (0, 5, 0.5, 0.5, "normalized"),
        (0, 5, 0.05, 0.05, "chess"),
        (0, 2001, 0.05, 0.05, "normalized"),
        (-1e9, 0, 0.05, 0.05, "logistic"),
        (-math.inf, 0, 0.05, 0.05, "normalized"),
        (0, math.nan, 0.05, 0.05, "normalized"),
    ],
)
def test_a_test_that_makes_no_sense_is_refused(
    elo0: float, elo1: float, alpha: float, beta: float, model: str
) -> None:
    with pytest.raises(MalformedError):
        Sprt(elo0, elo1, alpha, beta, model)
