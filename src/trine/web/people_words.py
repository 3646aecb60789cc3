"""The sentences of the pages of people, and of the lobby."""

from __future__ import annotations

from typing import Final

from trine.core.text import Text, text

PEOPLE: Final[dict[str, Text]] = {
    "account": text("Account"),
    "again": text("New password"),
    "against": text("Opponent"),
    "email": text("E-mail"),
    "email_line": text(
        "Only for a new password when yours is forgotten, and to tell you what waits for you. "
        "Nobody else sees it."
    ),
    "email_sent": text("A letter is under way. Open the link in it to confirm the address."),
    "email_set": text("Keep this address"),
    "email_drop": text("Forget the address"),
    "email_wanted": text(
        "Write to me when a turn waits, somebody invites me, or a game by correspondence is over"
    ),
    "email_save": text("Save"),
    "forgot": text("Forgotten the password?"),
    "forgot_line": text(
        "If there is an account of that name or address, and its address is confirmed, "
        "a letter comes with a link that is good for an hour."
    ),
    "forgot_name": text("Name or e-mail"),
    "forgot_send": text("Send the letter"),
    "forgot_sent": text("If there is such an account, a letter is under way."),
    "confirm_title": text("Confirm your e-mail address"),
    "confirm_button": text("This is my address"),
    "confirmed": text("Your address is confirmed."),
    "stop_title": text("No more letters about games"),
    "stop_button": text("Write no more"),
    "stopped": text("Nothing more will be written to you about games."),
    "reset_title": text("A new password"),
    "reset_done": text("Your password is changed; log in with it."),
    "bad_link": text("This link is no longer good; ask for a new one."),
    "all_games": text("All games"),
    "all_sides": text("any side"),
    "begin_account": text("Create an account"),
    "begin_line": text(
        "With an account you are known everywhere, and your games can be rated. "
        "The games that you have played as a guest stay yours."
    ),
    "browsers": text("Where you are logged in"),
    "casual": text("casual"),
    "change": text("Change"),
    "clock": text("Clock"),
    "computer_line": text("Play the computer meanwhile"),
    "date": text("Date"),
    "delete": text("Delete the account"),
    "delete_line": text(
        "Your name goes, your analyses go, and running games are given up. Games that were played "
        "stay, without your name. This cannot be undone."
    ),
    "drawn": text("drawn"),
    "end": text("Log out there"),
    "end_others": text("Log out everywhere else"),
    "data": text("Your data"),
    "export": text("All that the house keeps of you, with the records of your games."),
    "free": text("{count} more wanted"),
    "game": text("Game"),
    "here": text("this browser"),
    "last_games": text("Last games"),
    "link_line": text("Send a link to a friend"),
    "live": text("Games to watch"),
    "lobby": text("Lobby"),
    "lobby_line": text("Whoever is here can take an open seat; the game begins at once."),
    "log_in": text("Log in"),
    "log_out": text("Log out"),
    "lost": text("lost"),
    "lost_line": text("The connection is lost; trying again …"),
    "member": text("here since {date}"),
    "mine": text("Your games"),
    "name": text("Name"),
    "need_account": text("Rated games need an account."),
    "no_games": text("No rated game has been played yet."),
    "no_live": text("Nobody is playing just now where you could watch."),
    "no_seeks": text("No seat is open just now. Open one: whoever comes by can take it."),
    "now": text("Password now"),
    "open_seats": text("Open seats"),
    "open_seek": text("Open a seat"),
    "passkey": text("Passkey"),
    "passkeys": text("Passkeys"),
    "passkey_add": text("Add a passkey"),
    "passkey_begin": text("Create an account with a passkey"),
    "passkey_begin_line": text("Or without a password: this device then opens the account."),
    "passkey_called": text("What to call it"),
    "passkey_drop": text("Remove"),
    "passkey_failed": text("The passkey was not used. Try again, or use the password."),
    "passkey_line": text(
        "A passkey is kept by your phone or computer and opened by finger, face or PIN. Nobody can "
        "guess it, or have you type it into a page that only looks like this one."
    ),
    "passkey_log_in": text("Log in with a passkey"),
    "passkey_made": text("since {date}"),
    "passkey_nowhere": text(
        "Passkeys are for houses that are reached by a name and HTTPS; this page was not."
    ),
    "passkey_sure": text("You will be asked for your passkey."),
    "passkey_unable": text("This browser knows no passkeys."),
    "passkey_used": text("last used {date}"),
    "password": text("Password"),
    "password_set": text("Set a password"),
    "password_line": text("8 characters or more; several words are easy to remember."),
    "profile": text("Your page for others"),
    "programs": text("Programs"),
    "provisional": text("? means that a rating is not sure yet."),
    "rated": text("rated"),
    "rating": text("Rating"),
    "ratings": text("Ratings"),
    "result": text("Result"),
    "rules": text("Rule set"),
    "side": text("Side"),
    "take": text("Play"),
    "too_often": text("Too many attempts; wait a quarter of an hour, then try again."),
    "waiting": text("Your seat is open as long as this page is."),
    "withdraw": text("Close the seat"),
    "won": text("won"),
    "your_turn": text("your turn"),
}

SPEEDS: Final[dict[str, Text]] = {
    "bullet": text("bullet"),
    "blitz": text("blitz"),
    "rapid": text("rapid"),
    "slow": text("slow"),
    "correspondence": text("correspondence"),
}
"""The names of speeds."""
