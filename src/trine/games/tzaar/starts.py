"""Starts: a full board, random or fixed, or an empty board to be filled.

**The random start, exactly.** Sixty pieces are laid out in the order of the points: White's 15
Totts, 9 Tzarras, 6 Tzaars, then Black's in the same order. Then, for i from 59 down to 1, the piece
on point i changes places with the one on point ⌊(i + 1) · r⌋, where r is the next random number
from 0 to 1 of the Mersenne Twister with the seed: ``random.Random(seed).random()``, which Python
promises to keep the same. All arrangements are equally likely.
"""

import re
import secrets
from collections.abc import Mapping
from random import Random
from typing import Final

from trine.core.contract.checked import CheckedLine, Checker
from trine.core.contract.position import NO_HISTORY, History, Options
from trine.core.contract.room import StartOption
from trine.core.errors import IllegalError, MalformedError
from trine.core.text.sentence import Text, ctext, join, quoted, text, typed
from trine.games.tzaar.board import ARMY, EMPTY, KINDS, PIECES, POINTS
from trine.games.tzaar.diagrams import format_position
from trine.games.tzaar.notation import read_actions
from trine.games.tzaar.position import Position
from trine.games.tzaar.rules import RULE_SETS, Placement

FIXED_START: Final = "".join(
    (
        "ttttT",
        "TyyyYT",
        "TYzzZYT",
        "TYZtTZYT",
        "TYZTtzyt",
        "tyztTzyt",
        "tyzZZyt",
        "tyYYYt",
        "tTTTT",
    )
)
"""The named start of the rule book, "if you do not like to begin with a random start", one line a
column. Rings round the centre, of 6 Totts, 12 Tzaars, 18 Tzarras, 24 Totts. Source: official."""

SETUPS: Final[Mapping[str, Text]] = {
    "random": ctext("setup", "a full board, at random"),
    "fixed": ctext("setup", "the fixed start of the rule book"),
    "placement": ctext("setup", "an empty board, which the players fill by turns"),
}


def _ask_setup(rules: str, agreed: Options) -> tuple[Text, str] | None:
    """Ask for the setup, unless a seed has implied it."""
    if "Seed" in agreed:
        return None
    return text("setup: {names}", names=join([typed(name) for name in SETUPS])), "random"


OPTIONS: Final = (
    StartOption(
        "Setup",
        "SETUP",
        text("TZAAR: random, fixed or placement."),
        text("Start"),
        _ask_setup,
        lambda rules: tuple(SETUPS.items()),
        pictured=True,
    ),
    StartOption(
        "Seed",
        "NUMBER",
        text("TZAAR: the number that a random start comes from."),
        text("Number of the random start, to get it again"),
    ),
)


def settle(rules: str, options: Options) -> Options:
    """Return the options of a new game, with a seed chosen for a random start."""
    setup = _setup(options, "random")
    if setup != "random":
        return {"Setup": setup}
    seed = parse_seed(options["Seed"]) if "Seed" in options else secrets.randbelow(10**10)
    return {"Setup": setup, "Seed": str(seed)}


def start(rules: str, options: Options) -> Position:
    """Return the position at the start of a play; by default the fixed start.

    >>> start("official", {"Setup": "random", "Seed": "7"}).tops[:10]
    'TytYTTzZZZ'
    """
    setup = _setup(options, "fixed")
    if setup == "placement":
        return Position.before_placement(RULE_SETS[rules])
    if setup == "fixed":
        return Position.filled(RULE_SETS[rules], FIXED_START)
    if "Seed" not in options:
        raise MalformedError("a random start without the tag Seed cannot be made again")
    return Position.filled(RULE_SETS[rules], random_board(parse_seed(options["Seed"])))


def start_tags(position: Position) -> dict[str, str]:
    if position == Position.filled(position.rules, FIXED_START):
        return {}
    if position == Position.before_placement(position.rules):
        return {"Setup": "placement"}
    return {"Start": format_position(position)}


def _setup(options: Options, usual: str) -> str:
    """Return the setup that the options name or imply, or the default."""
    setup = options.get("Setup", "random" if "Seed" in options else usual)
    if setup not in SETUPS:
        raise MalformedError(
            "{given} is no setup of TZAAR; expected {known}",
            given=quoted(setup),
            known=", ".join(SETUPS),
        )
    if "Seed" in options and setup != "random":
        raise IllegalError(
            "a seed is for a random start; the setup is {given}", given=quoted(setup)
        )
    return setup


def parse_seed(word: str) -> int:
    """Read a seed: up to ten digits."""
    if not re.fullmatch("[0-9]{1,10}", word):
        raise MalformedError("{given} is not a seed; expected up to ten digits", given=quoted(word))
    return int(word)


# --- random starts -------------------------------------------------------------------------------


def random_board(seed: int) -> str:
    rng = Random(seed)
    pieces = [*"".join(piece * ARMY[piece.upper()] for army in PIECES for piece in army)]
    for last in reversed(POINTS[1:]):
        other = _below(last + 1, rng)
        pieces[last], pieces[other] = pieces[other], pieces[last]
    return "".join(pieces)


def _below(limit: int, rng: Random) -> int:
    """Return a random number from 0 to one less than a limit."""
    return int(limit * rng.random())


def random_placement(position: Position, rng: Random) -> Placement:
    """Return a random placement: any piece in hand, on any empty point.

    If every placement is random, all arrangements are equally likely.
    """
    hand = "".join(
        kind * count for kind, count in zip(KINDS, position.hand(position.mover), strict=True)
    )
    empty = [point for point in POINTS if position.tops[point] == EMPTY]
    return Placement(hand[_below(len(hand), rng)], empty[_below(len(empty), rng)])


SETUP_WORDS: Final[Mapping[str, Text]] = {
    "random": text("place a piece at random"),
    "fill": text("place all remaining pieces at random, for both sides"),
}
"""The words of `interpret`, besides actions, during the placement."""
WORDS_BY_CONSENT: Final = frozenset({"fill"})


def interpret(position: Position, line: str, history: History = NO_HISTORY) -> CheckedLine:
    """Read what a person types: ``random``, ``fill``, or what `read_actions` reads.

    >>> len(interpret(start("official", {"Setup": "placement"}), "fill 7"))
    60
    """
    words = line.lower().split()
    if not words or words[0] not in SETUP_WORDS:
        return read_actions(position, line, history)
    if len(words) > 2:
        raise MalformedError(
            "{word} takes one number at most, not {given}", word=words[0], given=quoted(line)
        )
    if not position.in_setup:
        raise IllegalError("nothing is placed any more; stacks are moved now")
    rng = Random(parse_seed(words[1]) if len(words) == 2 else None)
    checker = Checker(position, history)
    checker.play_unchecked(random_placement(position, rng))
    while words[0] == "fill" and checker.position.in_setup and not checker.outcome:
        checker.play_unchecked(random_placement(checker.position, rng))
    return checker.line()
