"""The sentences of the search."""

from __future__ import annotations

from typing import Final

from trine.core.text import Text, text

SEARCH: Final[dict[str, Text]] = {
    "against": text("Against"),
    "any": text("any"),
    "casual": text("casual"),
    "change": text("Search otherwise"),
    "drawn": text("drawn"),
    "empty": text("No game was found."),
    "find": text("Search"),
    "further": text("Look further back"),
    "game": text("Game"),
    "games": text("Games"),
    "games_line": text("Games that everybody may watch, and all of your own. The newest is first."),
    "kind": text("Rated or casual"),
    "live": text("on a clock"),
    "lost": text("lost"),
    "mine": text("Only my own games"),
    "more": text("More names"),
    "name": text("Name, or its beginning"),
    "nobody": text("Nobody here is called so."),
    "over": text("over"),
    "pace": text("Pace"),
    "people": text("People"),
    "people_line": text("Everybody who has an account; names that look alike are found too."),
    "player": text("Player"),
    "players": text("Number of players"),
    "rated": text("rated"),
    "result": text("Result"),
    "result_line": text("Won and lost are said of the player, or else of the side that began."),
    "rules": text("Rule set"),
    "running": text("being played"),
    "search": text("Search"),
    "since": text("From"),
    "slow": text("by correspondence"),
    "until": text("To"),
    "where": text("Games, or people"),
    "winner": text("{name} won"),
    "won": text("won"),
}
"""The sentences of the pages on which games and people are searched."""
