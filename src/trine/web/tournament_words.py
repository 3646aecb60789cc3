"""The sentences of the pages of tournaments."""

from __future__ import annotations

from typing import Final

from trine.core.text import Text, ctext, text
from trine.store.tournament_rows import TournamentStage
from trine.tournament.challenge import Verdict
from trine.tournament.plan import Format, Plan
from trine.tournament.ranking import TieBreak

TOURNAMENT: Final[dict[str, Text]] = {
    "add_bot": text("Let it take part"),
    "arena_line": text("Keep this page open: whoever is here and free gets the next game."),
    "at_once": text("all games at once, as suits days for a turn"),
    "begin": text("Begin now"),
    "begins": text("It begins"),
    "begins_by_hand": text("It begins when {name} begins it."),
    "between": text("Games between the same two"),
    "bracket": text("Bracket"),
    "bye": text("rests"),
    "by": text("by {name}"),
    "cancel": text("Cancel it"),
    "cancelled": text("This tournament was cancelled."),
    "challenger": text("The challenger"),
    "clock": text("Clock"),
    "computer": text("Computer"),
    "count": text("{count} take part."),
    "create": text("Create the tournament"),
    "defender": text("Defender"),
    "finished": text("Finished"),
    "forfeit": text("not played"),
    "format": text("Format"),
    "full": text("{count} of {most} take part."),
    "game_of": text("Round {round} of {name}"),
    "handicaps": text(
        "What a defender leaves out, game by game: {example}", example="camel; horse; dog"
    ),
    "hand": text("when I begin it"),
    "is_on": text("being played"),
    "join": text("Take part"),
    "joined": text("You take part."),
    "leave": text("Do not take part"),
    "listed": text("Show it to everybody; else those can join who have the link"),
    "lost_line": text("The connection is lost; trying again …"),
    "me": text("I"),
    "minutes": text("Minutes"),
    "mine": text("Your tournaments"),
    "most": text("At most so many take part"),
    "name": text("Name of the tournament"),
    "need_account": text("To create a tournament you need an account."),
    "need_account_join": text("In a rated tournament those take part who have an account."),
    "new": text("Create a tournament"),
    "no_open": text("No tournament is open just now."),
    "nobody": text("Nobody takes part yet."),
    "open": text("Open to join"),
    "participants": text("Participants"),
    "place": text("Place"),
    "player": text("Player"),
    "points": text("Points"),
    "remove": text("Remove"),
    "rest": text("{name} rests"),
    "result": text("Result"),
    "round": text("Round {number}"),
    "round_of": text("Round {number} of {count}"),
    "rounds": text("Rounds"),
    "running": text("Running"),
    "share": text("The link of this page can be sent to others."),
    "standings": text("Standings"),
    "starts": text("Beginning"),
    "to_come": text("to come"),
    "tournament": text("Tournament"),
    "tournaments": text("Tournaments"),
    "tournaments_line": text("Games that the house pairs: join one, or create your own."),
    "until": text("New games begin until"),
    "winner": text("Won by {name}"),
    "wins": text("Games that the challenger must win against each"),
    "withdraw": ctext("tournament", "Withdraw"),
    "withdrawn": text("withdrawn"),
    "your_game": text("To your game"),
}

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
"""The name of each tie-break, and what it counts."""
STARTS: Final[dict[str, Text]] = {
    "": TOURNAMENT["hand"],
    "5": text("in 5 minutes"),
    "15": text("in a quarter of an hour"),
    "30": text("in half an hour"),
    "60": text("in an hour"),
    "180": text("in 3 hours"),
    "1440": text("in a day"),
    "2880": text("in two days"),
    "10080": text("in a week"),
}
"""When a tournament begins, by minutes from now."""
VERDICTS: Final[dict[Verdict, Text]] = {
    Verdict.OPEN: text("It is not decided yet."),
    Verdict.MET: text("The challenger has met the condition."),
    Verdict.FAILED: text("The challenger has not met the condition: the defenders have won."),
}


def condition(plan: Plan) -> Text:
    """The condition of the prize."""
    return text(
        "The challenger must win {wins} of {games} games against each defender.",
        wins=plan.wins,
        games=plan.games,
    )


def against(name: str, wins: int, left: int) -> Text:
    """The standing of the challenger against a defender."""
    return text("Against {name}: {wins} won, {left} to play", name=name, wins=wins, left=left)


def leaves_out(name: str, pieces: str) -> Text:
    """The handicap that a defender gives in a game."""
    return text("{name} leaves out: {pieces}", name=name, pieces=pieces)


def length(plan: Plan) -> Text:
    """The format, and how long it is."""
    name = FORMATS[plan.format]
    if plan.format is Format.SWISS:
        return text("{format}, {count} rounds", format=name, count=plan.rounds)
    if plan.format is Format.ARENA:
        return text("{format}, {count} minutes", format=name, count=plan.minutes)
    if plan.games > 1:
        return text("{format}, {count} games each", format=name, count=plan.games)
    return name
