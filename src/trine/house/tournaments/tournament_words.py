"""The names of formats, stages, tie-breaks and beginnings, and the state of a tournament."""

from __future__ import annotations

from typing import Final

from trine.core.text.sentence import Text, ctext, text
from trine.house.tournaments.tables import TournamentStage
from trine.play.tournament.challenge import Verdict, pieces_told
from trine.play.tournament.plan import Format, Plan
from trine.play.tournament.ranking import TieBreak

FORMATS: Final[dict[Format, Text]] = {
    Format.SWISS: text("Swiss"),
    Format.ROUND_ROBIN: text("all against all"),
    Format.KNOCKOUT: text("knock-out"),
    Format.ARENA: text("arena"),
    Format.CHALLENGE: ctext("tournament", "Challenge"),
}
FORMAT_LINES: Final[dict[Format, Text]] = {
    Format.SWISS: text("Some rounds, in each of which those meet who have won equally often."),
    Format.ROUND_ROBIN: text("Everybody meets everybody."),
    Format.KNOCKOUT: text("The winner of each match goes on, the loser is out."),
    Format.ARENA: text("For a time whoever is free is paired again at once; wins in a row count."),
    Format.CHALLENGE: text("A challenger against people who defend their game, with a condition."),
}
STAGES: Final[dict[TournamentStage, Text]] = {
    TournamentStage.OPEN: text("open to join"),
    TournamentStage.RUNNING: text("running"),
    TournamentStage.OVER: text("finished"),
    TournamentStage.CANCELLED: text("cancelled"),
}
TIE_BREAKS: Final[dict[TieBreak, tuple[Text, Text]]] = {
    TieBreak.BUCHHOLZ_CUT_1: (
        text("Buchholz−1"),
        text("the points of all opponents, without those of the weakest"),
    ),
    TieBreak.BUCHHOLZ: (text("Buchholz"), text("the points of all opponents")),
    TieBreak.SONNEBORN_BERGER: (
        text("Sonneborn-Berger"),
        text("the points of opponents one has beaten, and half of those one has drawn with"),
    ),
    TieBreak.DIRECT: (text("Direct"), text("the points against those with equal points")),
    TieBreak.WINS: (text("Wins"), text("the games won at the board")),
    TieBreak.GAMES: (text("Games"), text("fewer games for the same points")),
    TieBreak.ROUND: (text("Round"), text("the round that one has come to")),
}
"""The name of each tie-break, with its meaning."""
STARTS: Final[dict[str, Text]] = {
    "": text("when I begin it"),
    "5": text("in 5 minutes"),
    "15": text("in a quarter of an hour"),
    "30": text("in half an hour"),
    "60": text("in an hour"),
    "180": text("in 3 hours"),
    "1440": text("in a day"),
    "2880": text("in two days"),
    "10080": text("in a week"),
}
"""The choices for the beginning of a tournament, by minutes from now."""
VERDICTS: Final[dict[Verdict, Text]] = {
    Verdict.OPEN: text("It is not decided yet."),
    Verdict.MET: text("The challenger has met the condition."),
    Verdict.FAILED: text("The challenger has not met the condition: the defenders have won."),
}

EVERY_DEFENDER: Final = text("Every defender")


def condition(plan: Plan) -> Text:
    return text(
        "The challenger must win {wins} of {games} games against each defender.",
        wins=plan.wins,
        games=plan.games,
    )


def against(name: str, wins: int, left: int) -> Text:
    """Return the standing of the challenger against a defender."""
    return text("Against {name}: {wins} won, {left} to play", name=name, wins=wins, left=left)


def leaves_out(name: str, pieces: str) -> Text:
    """Return the handicap that a defender gives in a game."""
    return text("{name} leaves out: {pieces}", name=name, pieces=pieces_told(pieces))


def length(plan: Plan) -> Text:
    name = FORMATS[plan.format]
    if plan.format is Format.SWISS:
        return text("{format}, {count} rounds", format=name, count=plan.rounds)
    if plan.format is Format.ARENA:
        return text("{format}, {count} minutes", format=name, count=plan.minutes)
    if plan.games > 1:
        return text("{format}, {count} games each", format=name, count=plan.games)
    return name
