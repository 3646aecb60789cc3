"""The reports of a running and a finished match, in the format of fastchess.

Scripts parse these lines in English; people read the words in their language, but the names of
figures are never translated. Source: fastchess, ``output_fastchess.hpp``.
"""

import math
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Final

from trine.core.contract.position import Reason
from trine.core.play import describe, names
from trine.core.text.sentence import UNTRANSLATED, Text, ctext, join, number, text, verbatim
from trine.engine.arena.contest import Forfeited
from trine.engine.arena.elo import TWO_SIDED_95, EloEstimate, Sprt, Tally
from trine.engine.arena.match import Match, Played, budget_text
from trine.engine.arena.schedule import Fixture
from trine.engine.arena.standings import Standings, challenge_of
from trine.play.record.replay import stated_outcome
from trine.play.tournament import challenge
from trine.play.tournament.challenge import PrizeVerdict, handicaps_text
from trine.play.tournament.tournament import DRAW

SEPARATOR = "-" * 50
_HEADS: Final = (
    ctext("column", "Rank"),
    ctext("column", "Name"),
    ctext("column", "Games"),
    ctext("column", "Score"),
    ctext("column", "Draw"),
)
_FORFEITS: Final = text("Forfeits: {losers}")
_ON_TIME: Final = text("Lost on time: {losers}")
CONFIDENT: Final = 0.95  # a report calls a player stronger from this likelihood on; the usual value
MODEL_UNITS: Final = {"normalized": "nElo", "logistic": "Elo"}
"""By model of a test, the unit of its margins."""


def started(match: Match, fixture: Fixture, games: int) -> Text:
    return text(
        "Started game {number} of {games} ({players})",
        number=fixture.number,
        games=games,
        players=_meeting(match, fixture),
    )


def finished(match: Match, played: Played) -> Text:
    """Return the line about a finished game, with its result by seats."""
    outcome = stated_outcome(match.seats, played.record)
    seats = range(len(match.seats))
    if outcome.winner is not None:
        result = "-".join("1" if seat == outcome.winner else "0" for seat in seats)
    else:
        result = "-".join(f"1/{len(seats)}" for _ in seats)
    how = describe(names(match.seats), outcome)
    fixture = played.fixture
    return text(
        "Finished game {number} ({players}): {result} {how}",
        number=fixture.number,
        players=_meeting(match, fixture),
        result=result,
        how=join([verbatim("{"), how, verbatim("}")], ""),
    )


def forfeited(lost: Forfeited) -> Text:
    return text("{player} forfeits: {problem}", player=lost.name, problem=lost.message)


def _meeting(match: Match, fixture: Fixture) -> Text:
    lineup = [verbatim(match.entrants[player].name) for player in fixture.lineup]
    return reduce(lambda one, other: text("{one} vs {other}", one=one, other=other), lineup)


def results(match: Match, standings: Standings, say: Callable[[Text], str] = str) -> str:
    """Return the standings of a match: full statistics for two players, else a table."""
    lines = [SEPARATOR]
    if len(match.entrants) == 2:
        one, other = match.entrants
        head = text(
            "Results of {one} vs {other} ({conditions}):",
            one=one.name,
            other=other.name,
            conditions=conditions(match),
        )
        lines.append(say(head))
        lines += statistics(standings.tally(0), say)
        if standings.test:
            lines.append(say(llr_line(standings.test, standings.tested)))
    else:
        lines += table(match, standings, say)
    lines += losses(match, standings, say)
    return "\n".join([*lines, SEPARATOR])


def conditions(match: Match) -> Text:
    limits = dict.fromkeys(one.limits for one in match.entrants)
    return text(
        "{budgets}, {hash}MB, {openings}",
        budgets=join([budget_text(one, match.control) for one in limits], " - "),
        hash=match.hash_mb,
        openings=match.openings.title,
    )


def statistics(tally: Tally, say: Callable[[Text], str] = str) -> list[str]:
    r"""Return the statistics of a match of pairs.

    >>> print("\n".join(statistics(Tally(67, 278, 55, (1, 42, 106, 46, 5), 95))[:2]))
    Elo: 10.43 +/- 17.99, nElo: 19.76 +/- 34.05
    LOS: 87.23 %, DrawRatio: 53.00 %, PairsRatio: 1.19
    """
    strength = EloEstimate.of(tally)
    pairs, games = tally.pairs, tally.games
    better, worse = pairs[3] + pairs[4], pairs[0] + pairs[1]
    share = 100 * _ratio(tally.points, games)
    lines = [
        _figures(
            "Elo: {elo} +/- {error}, nElo: {nelo} +/- {nelo_error}",
            elo=strength.elo,
            error=strength.elo_error,
            nelo=strength.nelo,
            nelo_error=strength.nelo_error,
        ),
        _figures(
            "LOS: {los} %, DrawRatio: {draws} %, PairsRatio: {ratio}",
            los=100 * strength.superiority,
            draws=100 * _ratio(pairs[2], sum(pairs)),
            ratio=_ratio(better, worse),
        ),
        text(
            "Games: {games}, Wins: {wins}, Losses: {losses}, Draws: {draws}, "
            "Points: {points} ({share} %)",
            games=games,
            wins=tally.wins,
            losses=tally.losses,
            draws=tally.draws,
            points=number(f"{tally.points:.1f}"),
            share=number(figure(share)),
        ),
        _figures(
            f"Ptnml(0-2): {list(pairs)}, WL/DD Ratio: {{ratio}}",
            ratio=_ratio(tally.split_pairs, tally.drawn_pairs),
        ),
    ]
    return list(map(say, lines))


def _figures(template: str, **values: float) -> Text:
    """Return a line of figures with untranslated names."""
    figures = {
        name: number(figure(value, 1 if name == "percent" else 2)) for name, value in values.items()
    }
    return Text(template, figures, context=UNTRANSLATED)


def figure(value: float, digits: int = 2) -> str:
    """Format a number for a report; a dash if it is not finite, as with too few games.

    >>> figure(10.429), figure(float("nan")), figure(float("inf"))
    ('10.43', '-', '-')
    """
    return f"{value:.{digits}f}" if math.isfinite(value) else "-"


def llr_line(test: Sprt, tally: Tally) -> Text:
    """Return the line about the progress of a test.

    >>> str(llr_line(Sprt(0, 10), Tally(pairs=(1, 42, 106, 46, 5))))
    'LLR: 0.49 (16.7%) (-2.94, 2.94) [0.00, 10.00]'
    """
    ratio = test.llr(tally)
    return _figures(
        "LLR: {ratio} ({percent}%) ({lower}, {upper}) [{elo0}, {elo1}]",
        ratio=ratio,
        percent=100 * test.fraction(ratio),
        lower=test.lower,
        upper=test.upper,
        elo0=test.elo0,
        elo1=test.elo1,
    )


def verdict(standings: Standings) -> Text:
    assert standings.test and standings.verdict
    test = standings.test
    margins = _figures("[{elo0}, {elo1}]", elo0=test.elo0, elo1=test.elo1)
    return text(
        "SPRT ({margins}) completed - {verdict} was accepted",
        margins=margins,
        verdict=standings.verdict,
    )


def conclusion(match: Match, standings: Standings) -> Text:
    one, other = (entrant.name for entrant in match.entrants)
    if (test := standings.test) is None:
        superiority = sureness(standings.tally(0))
        if max(superiority, 1 - superiority) < CONFIDENT:
            return text("it is not shown yet who is stronger")
        stronger, weaker = (one, other) if superiority > 0.5 else (other, one)
        return text(
            "{stronger} is stronger than {weaker}: {percent} % sure",
            stronger=stronger,
            weaker=weaker,
            percent=min(99, math.floor(100 * max(superiority, 1 - superiority))),
        )
    if not standings.verdict:
        return text("nothing is decided yet: the test needs more games")
    accepts_h1 = standings.verdict == "H1"
    margin = test.elo1 if accepts_h1 else test.elo0
    values = {
        "one": one,
        "other": other,
        "margin": number(int(margin) if margin == int(margin) else margin),
        "unit": MODEL_UNITS[test.model],
    }
    if accepts_h1:
        return text(
            "H1 is accepted: {one} is better than {other} by {margin} {unit} or more", **values
        )
    return text("H0 is accepted: {one} is better than {other} by {margin} {unit} at most", **values)


def sureness(tally: Tally) -> float:
    """Return the likelihood that a player is the stronger one, valid even after few pairs.

    The likelihood of superiority assumes normally distributed results: for a few pairs, all won, it
    is as high as for many. But equal players win n of n pairs with probability 1/2ⁿ, which bounds
    the result here.

    >>> sureness(Tally(pairs=(0, 0, 0, 0, 1))), sureness(Tally(pairs=(0, 0, 0, 0, 5)))
    (0.5, 0.96875)
    """
    decided = sum(tally.pairs) - tally.pairs[2]
    if not decided:
        return 0.5
    chance = 0.5**decided
    return min(max(EloEstimate.of(tally).superiority, chance), 1 - chance)


def table(match: Match, standings: Standings, say: Callable[[Text], str] = str) -> list[str]:
    """Return a table of players, the best first; in games of two with Elo against all others."""
    rows = []

    def said(value: float, digits: int = 2) -> str:
        return say(number(figure(value, digits)))

    for player, one in enumerate(match.entrants):
        points, games = standings.score(player)
        row = [one.name, str(games), said(100 * _ratio(points, games), 1) + "%"]
        if len(match.seats) == 2:
            tally = standings.tally(player)
            strength = EloEstimate.of(tally)
            row[1:1] = [
                said(strength.elo),
                said(strength.elo_error),
                said(strength.nelo),
                said(strength.nelo_error),
            ]
            row += [
                said(100 * _ratio(tally.pairs[2], sum(tally.pairs)), 1) + "%",
                str(list(tally.pairs)),
            ]
        else:
            share = _ratio(points, games)
            error = TWO_SIDED_95 * math.sqrt(_ratio(share * (1 - share), games))
            row.append(said(100 * error, 1) + "%")
        rows.append((-_ratio(points, games), row))
    ranked = [[str(rank), *row] for rank, (_, row) in enumerate(sorted(rows, key=_by_score), 1)]
    rank, name, games_head, score, draw = map(say, _HEADS)
    head = (
        [rank, name, "Elo", "+/-", "nElo", "+/-", games_head, score, draw, "Ptnml(0-2)"]
        if len(match.seats) == 2
        else [rank, name, games_head, score, "+/-"]
    )
    return columns([head, *ranked])


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as aligned lines: the second column, of names, to the left, others right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if place == 1 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _by_score(row: tuple[float, list[str]]) -> tuple[bool, float]:
    """Return a sort key; players without games come last."""
    return row[0] != row[0], row[0]


def losses(match: Match, standings: Standings, say: Callable[[Text], str] = str) -> list[str]:
    """Return lines about games lost by forfeit or on time, if any."""
    lines = []
    for template, reason in ((_FORFEITS, Reason.FORFEIT), (_ON_TIME, Reason.TIME)):
        counts = {
            one.name: standings.lost_by(player, reason) for player, one in enumerate(match.entrants)
        }
        if any(counts.values()):
            losers = ", ".join(f"{n} ({name})" for name, n in counts.items() if n)
            lines.append(say(Text(template.template, {"losers": losers})))
    return lines


def _ratio(part: float, whole: float) -> float:
    """Return a ratio as C does: division by 0 gives infinity, and 0/0 gives NaN."""
    if whole:
        return part / whole
    return float("inf") if part else float("nan")


_CHALLENGE_HEADS: Final = (
    ctext("column", "No"),
    ctext("column", "Defender"),
    ctext("column", "Games"),
    ctext("column", "Won"),
    ctext("column", "Drawn"),
    ctext("column", "Lost"),
    ctext("column", "Left"),
)


def challenge_results(match: Match, standings: Standings, say: Callable[[Text], str] = str) -> str:
    assert match.plan
    names = [one.name for one in match.entrants]
    value = challenge_of(match.plan, names, standings)
    rows = [[say(head) for head in _CHALLENGE_HEADS]]
    for one in value.participants[1:]:
        games = value.between(challenge.CHALLENGER, one.number)
        won = challenge.wins(value, one.number)
        drawn = sum(game.score(challenge.CHALLENGER) == DRAW for game in games)
        left = challenge.left(value, one.number)
        figures = (len(games), won, drawn, len(games) - won - drawn, left)
        rows.append([str(one.number - 1), one.name, *map(str, figures)])
    head = text(
        "Challenge of {name}: {wins} of {games} games against each ({conditions}):",
        name=names[0],
        wins=match.plan.wins,
        games=match.plan.games,
        conditions=conditions(match),
    )
    left_out = list(map(say, handicap_texts(match)))
    return "\n".join(
        [SEPARATOR, say(head), *columns(rows), *left_out, *losses(match, standings, say), SEPARATOR]
    )


def handicap_texts(match: Match) -> list[Text]:
    """Return the pieces that each defender with handicaps leaves out, game by game."""
    assert match.plan
    games, texts = range(match.plan.games), []
    for defender, one in enumerate(match.entrants[1:]):
        given = [challenge.handicap_in_game(match.plan, defender, game) for game in games]
        if any(given):
            texts.append(handicaps_text(one.name, given))
    return texts


def challenge_conclusion(match: Match, standings: Standings) -> Text:
    assert match.plan
    names = [one.name for one in match.entrants]
    verdict = challenge.verdict(challenge_of(match.plan, names, standings))
    values = {"name": names[0], "wins": match.plan.wins, "games": match.plan.games}
    if verdict is PrizeVerdict.MET:
        return text(
            "{name} has met the condition: to win {wins} of {games} games against each defender",
            **values,
        )
    if verdict is PrizeVerdict.FAILED:
        return text(
            "{name} has not met the condition: to win {wins} of {games} games against each "
            "defender",
            **values,
        )
    return text("nothing is decided yet: the Challenge needs more games")
