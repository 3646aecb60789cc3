"""The sentences of the pages; what the referee says stands where the rules are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from trine.core.language import open_language
from trine.core.seat import Seat
from trine.core.text import Text, text, verbatim
from trine.house.search import GameFound
from trine.session.seats import BOT
from trine.store.seat_rows import SeatKind, SeatRow

ABORTED: Final = text("The game was broken off before its first turn.")
LEVELS: Final = (
    text("plays almost anything, and overlooks most of what you do"),
    text("sees one turn ahead, and misses more than half"),
    text("sees a capture when it is there, and often not"),
    text("knows what it wants, and overlooks your best answers"),
    text("looks ahead, and misses about every third idea"),
    text("plays soundly, and misses something now and then"),
    text("makes few mistakes"),
    text("overlooks next to nothing"),
    text("plays with care, and takes about a second for it"),
    text("plays as well as it can"),
)
"""A description of each level of the computer, from the first."""


def called(row: SeatRow, seat: Seat) -> Text:
    """Return the name of a player on the page."""
    if row.kind is SeatKind.FREE:
        return text("waiting for a player")
    if row.kind is SeatKind.BOT:
        return bot_called(row.name)
    return verbatim(row.name) if row.name else seat.name


def names_of(found: GameFound) -> Sequence[Text]:
    """The names of the players of a game that was found."""
    board = found.agreement.terms().start.seats
    return [called(row, seat) for row, seat in zip(found.seats, board, strict=True)]


def of_program(name: str) -> Text:
    """The name of an account under which a program plays."""
    return text("{name} (bot)", name=name)


def bot_called(bot: str) -> Text:
    """Return the name of a bot, such as ``bot:3``, on the page."""
    name = bot.removeprefix(BOT)
    if name.isdecimal():
        return text("computer, level {level}", level=name)
    return text("computer, {name}", name=name)


DRAWINGS: Final = text("drawings")
LOOKS: Final = {
    "": text("as the device is set"),
    "light": text("light"),
    "dark": text("dark"),
}
"""The ways in which pages look, by the name that the browser remembers."""
BOARDS: Final = {
    "": text("wood"),
    "paper": text("paper"),
}
"""The themes of boards; the usual one has no name here."""
GAMES: Final = {
    "arimaa": text("Animals that push and pull; a rabbit must reach the other side."),
    "tzaar": text("Stacks that capture on lines; keep all three kinds alive."),
    "corridor": text("A race across the board, with walls in the way."),
}
"""A line about each game that has one."""
CLOCKS: Final = {
    "": text("no clock"),
    "1+5": text("very quick: 1 minute, and 5 seconds a turn"),
    "3+2": text("quick: 3 minutes, and 2 seconds a turn"),
    "5+5": text("lively: 5 minutes, and 5 seconds a turn"),
    "10+10": text("calm: 10 minutes, and 10 seconds a turn"),
    "15+15": text("thoughtful: 15 minutes, and 15 seconds a turn"),
    "30+20": text("slow: 30 minutes, and 20 seconds a turn"),
}
"""Clocks to choose from, by their notation."""
DAYS: Final = (1, 2, 3, 5, 7, 10, 14)
"""The days for a turn, of which one is chosen for a game by correspondence."""
VACATIONS: Final = (0, 3, 7, 14, 30)
"""The days of vacation of each player in such a game."""


MATCH_CLOCK: Final = {"0:30/5/100/5": text("as in matches: 30 seconds a turn, and a reserve")}

PAGE: Final[dict[str, Text]] = {
    "abort": text("Break off"),
    "against_computer": text("Against the computer"),
    "against_friend": text("With a friend, by a link"),
    "one_screen": text("At one screen"),
    "accept": text("Accept"),
    "board": text("Board"),
    "plan": text("If …, then …"),
    "plan_title": text("Conditional turns"),
    "plan_if": text("If {name} plays …"),
    "plan_then": text("… then you play …"),
    "plan_more": text("… and if {name} then plays …"),
    "plan_keep": text("Keep it"),
    "plan_kept": text("Kept. If it comes so, your answer is played at once."),
    "plan_leave": text("Leave"),
    "plan_drop": text("Remove"),
    "plan_line": text("Only you see them."),
    "by_days": text("By correspondence"),
    "vacation": text("Vacation of each player"),
    "vacation_used": text("vacation"),
    "next_own": text("Next game"),
    "your_games": text("Your games"),
    "offline": text("There is no connection"),
    "offline_line": text(
        "Rules, lessons and finished games that you have looked at can be read all the same."
    ),
    "try_again": text("Try again"),
    "to_analysis": text("Analyse a position"),
    "to_learn": text("Learn a game"),
    "play_computer": text("Play the computer"),
    "send_link": text("Send a link to a friend"),
    "show_line": text("Two computer players, slowly: tap to look closer"),
    "with_people": text("With people"),
    "choose_seats": text("Who sits where"),
    "friend": text("a friend, by a link"),
    "me": text("I"),
    "more_choices": text("Rules, clock, seats"),
    "position": text("A position to begin from, as text"),
    "start_picture": text("The board at the start"),
    "strategy": text("the strategy “{name}”"),
    "with_these": text("Play so"),
    "copy_turn": text("Copy a link to this turn"),
    "keep_setup": text("Keep it"),
    "lobby": text("Lobby"),
    "log_in": text("Log in"),
    "look": text("Colours"),
    "own_setups": text("Your own"),
    "pieces": text("Pieces"),
    "search": text("Search"),
    "search_line": text("Search games and people"),
    "settings": text("Sound, board, pieces"),
    "setup_name": text("A name for this setup"),
    "sound": text("Sound"),
    "warming": text("The computer makes itself ready. It does so once, for about half a minute."),
    "agree_sent": text("You have asked; the others must agree."),
    "all_turns": text("All turns"),
    "asks_draw": text("{name} offers a draw."),
    "asks_pause": text("{name} asks for a pause."),
    "asks_takeback": text("{name} wants to take a turn back."),
    "asks_other": text("{name} asks: {what}"),
    "back": text("Back to the game"),
    "cancel": text("No, go on"),
    "change_name": text("Change"),
    "claim": text("Claim the win"),
    "claim_draw": text("Claim a draw"),
    "clock": text("Clock"),
    "clock_none": text("no clock"),
    "clock_own": text("other, such as 10+5"),
    "colour_mine": text("I play"),
    "anchor": text("Rating"),
    "anchor_line": text("The number behind a level is the rating for which it stands."),
    "any": text("any side"),
    "copy_link": text("Copy the link"),
    "copied": text("Copied."),
    "decline": text("Decline"),
    "draw": text("Offer a draw"),
    "end_turn": text("Submit"),
    "error": text("That cannot be done"),
    "first": text("First position"),
    "flip": text("Turn the board"),
    "game": text("Game"),
    "games_running": text("Games to watch"),
    "guest": text("You play as {name}."),
    "hint": text("Hint"),
    "home": text("Home"),
    "home_line": text("Three games of pure thought. Choose one and play."),
    "insight": text("Insight"),
    "invite_line": text(
        "Send this link to whom you want to play; the game begins when it is used."
    ),
    "join": text("Take the seat"),
    "join_line": text("You are invited to a game of {game}."),
    "language": text("Language"),
    "last": text("Newest position"),
    "left": text("has left"),
    "level": text("Level {level}"),
    "lost_line": text("The connection is lost; trying again …"),
    "menu": text("More"),
    "name": text("Your name"),
    "new_game": text("New game"),
    "next": text("One turn forward"),
    "no_games": text("Nobody is playing where you could watch. Play the computer, or send a link."),
    "no_script": text("To play, the page needs JavaScript. The game can be read without it."),
    "not_found": text("There is nothing here"),
    "opponent": text("You play"),
    "pause": text("Ask for a pause"),
    "paused": text("The game is paused."),
    "picture": text("Picture (SVG)"),
    "play": text("Play"),
    "places": text("The house"),
    "learn": text("Learn"),
    "previous": text("One turn back"),
    "program": text("bot"),
    "rated_level": text("Rated, against one level"),
    "rated_line": text(
        "On a clock, from the usual start, without hints. Your rating moves; that of the level "
        "does not."
    ),
    "reconnecting": text("reconnecting"),
    "record": text("Record"),
    "rematch": text("Play again"),
    "rematch_waits": text("You want to play again; the other is asked."),
    "rematch_wanted": text("The other wants to play again."),
    "reset": text("Reset"),
    "resign": text("Resign"),
    "resign_sure": text("Give the game up?"),
    "resume": text("Go on"),
    "rules": text("Rules"),
    "rule_set": text("Rule set"),
    "side": text("Side"),
    "sit": text("Who sits where"),
    "setup_words": text("Set up"),
    "still_board": text("The board as it stands"),
    "takeback": text("Take back"),
    "to_move": text("{name} to move"),
    "tournament_round": text("Round {round} of {name}"),
    "tournaments": text("Tournaments"),
    "to_next": text("To the next game"),
    "to_tournament": text("To the tournament"),
    "to_review": text("Review"),
    "undo": text("Undo"),
    "waiting": text("Waiting for a player"),
    "waking_line": text("The house was closed; time goes on when the players are back."),
    "watch": text("Watch"),
    "listed": text("Everybody may watch"),
    "you_move": text("Your turn"),
    "yes_resign": text("Yes, resign"),
    "players": text("Players"),
    "size": text("Size of the board"),
    "usual": text("usual"),
    "seed_line": text("Setup"),
}
"""The sentences of the pages, by the name under which templates and scripts know them."""

PLACES: Final = {
    "/new": "play",
    "/lobby": "lobby",
    "/learn": "learn",
    "/analysis": "analysis",
}
"""The parts of the house to which each page leads, by the names of their sentences."""

SCRIPT: Final = (
    *("accept", "agree_sent", "asks_draw", "asks_other", "asks_pause", "asks_takeback"),
    *("claim", "claim_draw", "copied", "decline", "end_turn", "left", "lost_line", "own_setups"),
    *("plan_drop", "plan_if", "plan_keep", "plan_kept", "plan_more", "plan_then"),
    *("paused", "program", "reconnecting", "rematch_waits", "rematch_wanted", "resign", "to_move"),
    *("to_next", "vacation_used", "waiting", "waking_line", "warming", "yes_resign", "you_move"),
)
"""The sentences that the script of a game says by itself."""


def colon(topic: str, code: str) -> str:
    r"""A topic before what is said of it, with the colon that its language has.

    >>> colon("Arimaa", "en"), colon("Arimaa", "fr")
    ('Arimaa:', 'Arimaa\xa0:')
    """
    return open_language(code).say(text("{topic}: {words}", topic=topic, words="")).rstrip()


def said(sentences: Mapping[str, Text], code: str) -> dict[str, str]:
    """Sentences in a language."""
    language = open_language(code)
    return {name: language.say(sentence) for name, sentence in sentences.items()}
