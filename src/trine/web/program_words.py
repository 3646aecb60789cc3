"""The sentences of the pages about challenges and about programs that play."""

from __future__ import annotations

from typing import Final

from trine.core.text import Text, text

CHALLENGES: Final[dict[str, Text]] = {
    "accept": text("Accept"),
    "any_side": text("any side"),
    "casual": text("casual"),
    "challenge": text("Challenge"),
    "challenge_line": text("The game begins as soon as {name} accepts."),
    "challenges": text("Challenges"),
    "clock": text("Clock"),
    "decline": text("Decline"),
    "expires": text(
        "A challenge stands for ten minutes; without a clock, or with days for a turn, for a week."
    ),
    "from": text("from {name}"),
    "game": text("Game"),
    "need_account": text("To challenge somebody you need an account."),
    "program": text("bot"),
    "program_line": text("a program plays under this name"),
    "rated": text("rated"),
    "rules": text("Rule set"),
    "side": text("Your side"),
    "to": text("to {name}"),
    "waits": text("waits for an answer"),
    "withdraw": text("Withdraw"),
}
"""The sentences of challenges."""

PROGRAMS: Final[dict[str, Text]] = {
    "account": text("Account"),
    "allows": text("It may"),
    "become": text("Make this the account of a program"),
    "become_line": text(
        "Programs play under accounts of their own, which say so everywhere. Only an account that "
        "has never played can become one, and it stays one."
    ),
    "become_sure": text("Yes, a program plays under this name"),
    "bot": text("A program plays under this account."),
    "copy_line": text("Copy the token now: it is shown only this once."),
    "created": text("since {date}"),
    "name": text("A name for it"),
    "new": text("Make a token"),
    "none": text("There are no tokens."),
    "play_line": text("To let a program play, make this the account of a program first."),
    "program_line": text(
        "With a token a program acts in your name. Whoever has it can do what it allows, so keep "
        "it as you keep a password."
    ),
    "programs": text("Programs"),
    "revoke": text("Revoke"),
    "token": text("The new token"),
    "tokens": text("Tokens"),
    "how": text("How programs speak with the house"),
}
"""The sentences of tokens, and of accounts of programs."""
