"""Why a turn is good, in words."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from trine.core.clock import Limits
from trine.core.contract.heuristics import Aspect, Heuristics, Term
from trine.core.contract.score import WIN, Score
from trine.core.play import Play
from trine.core.text.sentence import ntext, verbatim
from trine.engine.players import explanation
from trine.engine.players.assessment import TURNS_SHOWN, turns_of
from trine.engine.players.bot import Bot
from trine.engine.players.explanation import MAX_REASONS, advice, reasons, threats, weigh
from trine.engine.players.player import Decision
from trine.engine.search.alphabeta import AlphaBeta
from trine.engine.search.info import Info
from trine.engine.search.nets import NO_NET
from trine.games import ROOMS, new_play, open_heuristics, open_kernel

THREATENED = "open ...../.Y..../...Z2T../......../....*..../.....z../......./.y..../t3.... white 1"
"""White can take Black's only Tzaar, on f6."""


COUNTED = ntext("steps, by {count}", "steps, by {count}", 1)


def heuristics_of(
    game: str, weights: dict[str, float], counts: Any, **aspects: Aspect
) -> Heuristics:
    """A mind whose evaluation counts what a test says: ``counts(row, player)`` gives the values.

    Terms are aspects of their own if nothing else is said.
    """
    terms = tuple(
        Term(name, verbatim(name), aspects.get(name, Aspect(name, verbatim(name))), weight=weight)
        for name, weight in weights.items()
    )

    def evaluate(row: Any, player: int, weights: Any, values: Any) -> int:
        values[:] = counts(row, player)
        return round(float(values @ weights[: len(values)]))

    def nothing(*arguments: Any) -> Any:
        raise AssertionError("not asked")

    looked_up = np.array([*weights.values(), 99.0], np.float32)  # more stands behind the weights
    return Heuristics(terms, looked_up, evaluate, nothing, nothing, nothing, nothing, 0, nothing)


def told(play: Play, heuristics: Heuristics, line: str, points: int = 0) -> list[str]:
    actions = play.interpret(line).actions
    info = Info(len(actions), Score(points), actions, 1, 0.1)
    kernel = open_kernel(play.room.name)
    return list(map(str, reasons(play.room, kernel, heuristics, play.position, info)))


def pawn_steps(row: Any, player: int) -> list[float]:
    """The lead of a player on the way to the goal, by the referee."""
    position = open_kernel("corridor").to_position(row)
    far = [distance or 0 for distance in position.distances()]
    return [far[player] - far[1 - player], 0.0]


def test_the_evaluation_is_the_sum_of_its_terms() -> None:
    for game in ("tzaar", "corridor"):
        kernel, heuristics, play = open_kernel(game), open_heuristics(game), new_play(game)
        row = np.zeros(kernel.words, np.uint64)
        for _ in range(4):
            play.act(play.legal_actions()[0])
            kernel.to_row(play.position, row)
            values = np.zeros(len(heuristics.terms), np.float32)
            points = heuristics.evaluate(row, play.mover, heuristics.weights, values)
            weighed = weigh(kernel, heuristics, play.position, play.mover)
            terms, net = weighed[: len(heuristics.terms)], weighed[len(heuristics.terms) :]
            assert [one.term for one in terms] == list(heuristics.terms)
            assert sum(one.points for one in terms) == pytest.approx(points, abs=1)
            assert all(one.term is explanation.NET_TERM for one in net)


def test_the_terms_of_arimaa_and_its_net_make_up_the_evaluation() -> None:
    """What the net adds for one player it takes away from the other."""
    kernel, heuristics = open_kernel("arimaa"), open_heuristics("arimaa")
    board = "rrrrrrrr/d1cemchd/1h6/3E4/8/2H5/D1C1MCHD/RRRRRRRR"
    values, added = np.zeros(len(heuristics.terms), np.float32), list[float]()
    position = new_play("arimaa", f"9g {board}").position
    row = kernel.row_of(position)
    for player in (0, 1):
        points = heuristics.evaluate(row, player, heuristics.weights, values)
        *terms, net = weigh(kernel, heuristics, position, player)
        assert net.term is explanation.NET_TERM
        assert sum(one.points for one in terms) == pytest.approx(points, abs=1)
        added.append(net.points)
    assert added[0] == -added[1] != 0


def test_what_a_net_adds_is_a_term_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel, heuristics, play = open_kernel("tzaar"), open_heuristics("tzaar"), new_play("tzaar")
    monkeypatch.setattr(explanation, "default_net", lambda game, position: game)
    monkeypatch.setattr(explanation, "points_added", lambda *given: 30 if given[-1] else -30)
    for player in range(2):
        *terms, net = weigh(kernel, heuristics, play.position, player)
        assert [one.term for one in terms] == list(heuristics.terms)
        assert (net.term.name, net.points) == ("net", 30 if player else -30)


STEPS = {"steps": -50.0, "idle": 10.0}
RACE = "steps to the goal then: South 7, North 8"
NEARER = "e2 a1h e3 a2h"
"""Two walls cost nothing, and South is two steps nearer."""


@pytest.mark.parametrize(
    ("weight", "size", "line", "points", "expected"),
    [
        pytest.param(-50.0, 9, NEARER, 0, [RACE, "later better for South: steps"], id="nearer"),
        pytest.param(-50.0, 9, "e2 e8", 0, [RACE], id="as before"),
        pytest.param(-4.0, 9, NEARER, 0, [RACE], id="a small change"),
        pytest.param(-50.0, 9, "e2", 0, [RACE, "then better for South: steps"], id="one turn"),
        pytest.param(-50.0, 3, "b2 a3 b3", WIN - 3, [], id="a win"),
        pytest.param(
            *(-50.0, 3, "a1 b2 a2 b1", -WIN + 4),
            ["every turn loses; none was found that holds out longer"],
            id="a loss",
        ),
    ],
)
def test_what_gets_better_is_told_behind_what_is_exact(
    weight: float, size: int, line: str, points: int, expected: list[str]
) -> None:
    heuristics = heuristics_of("corridor", {**STEPS, "steps": weight}, pawn_steps)
    assert told(new_play("corridor", size=size), heuristics, line, points) == expected


def test_what_people_count_is_told_with_its_number() -> None:
    heuristics = heuristics_of("corridor", STEPS, pawn_steps)
    counted = Aspect("steps", verbatim("steps"), COUNTED)
    terms = (replace(heuristics.terms[0], aspect=counted, is_count=True), heuristics.terms[1])
    found = told(new_play("corridor"), replace(heuristics, terms=terms), NEARER)
    assert found[1] == "later better for South: steps, by 2"


def test_a_count_that_speaks_against_it_silences_an_aspect() -> None:
    """Else the race would be told as better for who has farther to go."""
    one = Aspect("race", verbatim("race"), COUNTED)

    def counts(row: Any, player: int) -> list[float]:
        steps = pawn_steps(row, player)[0]
        return [-steps, steps]

    heuristics = heuristics_of(
        "corridor", {"count": -20.0, "feeling": -90.0}, counts, count=one, feeling=one
    )
    assert told(new_play("corridor"), heuristics, NEARER)[1:] == ["later better for South: race"]
    terms = (replace(heuristics.terms[0], is_count=True), heuristics.terms[1])
    assert told(new_play("corridor"), replace(heuristics, terms=terms), NEARER)[1:] == []


def test_terms_without_an_aspect_are_not_told() -> None:
    heuristics = heuristics_of("corridor", STEPS, pawn_steps)
    terms = tuple(replace(term, aspect=None) for term in heuristics.terms)
    assert len(told(new_play("corridor"), replace(heuristics, terms=terms), NEARER)) == 1


def test_a_bot_gives_reasons_by_its_own_weights() -> None:
    board = "2rr4/r1rrhcrr/1dhcEed1/1M3r2/1D2m3/2H2H2/R1RRRRRR/2C1D1C1"
    play, usual = new_play("arimaa", f"9g {board}"), open_heuristics("arimaa")
    none = Bot("arimaa", hash_mb=1, weights=np.zeros_like(usual.weights), net=NO_NET)
    info = AlphaBeta("arimaa", hash_mb=1).search(play, Limits(depth=2))[0]
    decision = Decision(info.pv[:1], info)
    with_reasons = advice(play, decision, Bot("arimaa", hash_mb=1))
    assert len(with_reasons) > len(advice(play, decision, none)), "nothing weighs anything there"


def test_what_matters_most_comes_first_and_three_are_enough() -> None:
    weights = {"a": -20.0, "b": -50.0, "c": 30.0, "d": -40.0}

    def counts(row: Any, player: int) -> list[float]:
        steps = pawn_steps(row, player)[0]
        return [steps, steps, -steps, steps]

    found = told(new_play("corridor"), heuristics_of("corridor", weights, counts), "e2 a1h")
    assert found[1:] == ["later better for South: b", "later better for South: d"]
    assert len(found) == MAX_REASONS


def test_reasons_look_no_further_than_the_line_that_is_shown() -> None:
    heuristics, play = heuristics_of("corridor", STEPS, pawn_steps), new_play("corridor")
    assert turns_of(play.position, play.interpret(NEARER))[TURNS_SHOWN:] == []
    longer = told(play, heuristics, f"{NEARER} e2 a3h e1 a4h")
    assert longer == told(play, heuristics, NEARER)
    assert len(longer) == 2


def test_what_the_turn_brings_about_is_not_told_again_as_an_aspect() -> None:
    way = Aspect("way", verbatim("way"))  # as the effects of Corridor call it
    heuristics = heuristics_of("corridor", STEPS, pawn_steps, steps=way)
    assert told(new_play("corridor"), heuristics, "e2 a1h") == [RACE]


def test_two_exact_reasons_are_enough() -> None:
    heuristics = heuristics_of("corridor", STEPS, pawn_steps)
    play = new_play("corridor", position="quoridor 9 2 e1,e7 - 10,10 1")
    found = told(play, heuristics, "e6h a1h e2 a2h")
    assert [reason.partition(" ")[0] for reason in found] == ["makes", "makes"]


def test_threats_are_those_that_the_insight_names() -> None:
    play = new_play("tzaar", position=THREATENED)
    found = threats(play.room, play.position)
    assert {player: set(one) for player, one in found.items()} == {0: {("extinction", "Z")}}
    assert "White can win: c4xf6" in str(found[0]["extinction", "Z"])
    assert threats(new_play("corridor").room, new_play("corridor").position) == {}


def told_in_arimaa(position: str, turn: str) -> list[str]:
    heuristics = heuristics_of("arimaa", {"none": 1.0}, lambda row, player: [0.0])
    return told(new_play("arimaa", position=position), heuristics, turn)


@pytest.mark.parametrize(
    ("position", "turn", "begins"),
    [
        ("2g 7r/8/8/6E1/2d5/8/8/7R", "Eg5wwww end", "then: Gold can capture Silver's dog on c4: "),
        (
            "2g 7r/8/8/8/8/E7/2D5/2e4R",
            "Ea3e end",
            "prevents: Silver can capture Gold's dog on c2: ",
        ),
    ],
)
def test_a_threat_that_is_made_or_met_is_told(position: str, turn: str, begins: str) -> None:
    *_, reason = told_in_arimaa(position, turn)
    assert reason.startswith(begins)


def test_what_can_be_caught_where_it_has_gone_too_is_not_told_as_met() -> None:
    reasons = told_in_arimaa("2g 8/r7/8/3e4/2D5/8/8/7R", "Dc4e end")
    assert not any(reason.startswith("prevents") for reason in reasons)


@pytest.mark.parametrize("name", ROOMS)
def test_aspects_are_known_by_one_name_each(name: str) -> None:
    aspects = {term.aspect for term in open_heuristics(name).terms if term.aspect}
    assert len({aspect.name for aspect in aspects}) == len(aspects) > 3
    for term in open_heuristics(name).terms:
        assert not term.is_count or (term.aspect and term.aspect.counted)
