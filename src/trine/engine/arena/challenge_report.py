"""The report of a Challenge: how the challenger stands against each defender, and the verdict."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from trine.core.text.sentence import Text, ctext, text
from trine.engine.arena.challenge_match import challenge_of
from trine.engine.arena.match import Match
from trine.engine.arena.report import RULE, columns, conditions, losses
from trine.engine.arena.standings import Standings
from trine.play.tournament import challenge
from trine.play.tournament.challenge import PrizeVerdict, leaves_out_by_game
from trine.play.tournament.pairing import DRAW

HEADS: Final = (
    ctext("column", "No"),
    ctext("column", "Defender"),
    ctext("column", "Games"),
    ctext("column", "Won"),
    ctext("column", "Drawn"),
    ctext("column", "Lost"),
    ctext("column", "Left"),
)


def results(match: Match, standings: Standings, say: Callable[[Text], str] = str) -> str:
    assert match.plan
    names = [one.name for one in match.entrants]
    value = challenge_of(match.plan, names, standings)
    rows = [[say(head) for head in HEADS]]
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
    left_out = [say(told) for told in handicaps_told(match)]
    return "\n".join(
        [RULE, say(head), *columns(rows), *left_out, *losses(match, standings, say), RULE]
    )


def handicaps_told(match: Match) -> list[Text]:
    """Return what each defender leaves out, game by game; nothing for one who gives no handicap."""
    assert match.plan
    games, told = range(match.plan.games), []
    for defender, one in enumerate(match.entrants[1:]):
        given = [challenge.given_by(match.plan, defender, game) for game in games]
        if any(given):
            told.append(leaves_out_by_game(one.name, given))
    return told


def finding(match: Match, standings: Standings) -> Text:
    assert match.plan
    names = [one.name for one in match.entrants]
    verdict = challenge.verdict(challenge_of(match.plan, names, standings))
    told = {"name": names[0], "wins": match.plan.wins, "games": match.plan.games}
    if verdict is PrizeVerdict.MET:
        return text(
            "{name} has met the condition: to win {wins} of {games} games against each defender",
            **told,
        )
    if verdict is PrizeVerdict.FAILED:
        return text(
            "{name} has not met the condition: to win {wins} of {games} games against each "
            "defender",
            **told,
        )
    return text("nothing is decided yet: the Challenge needs more games")
