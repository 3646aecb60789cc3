"""Setups: typed, named, random; and handicap starts, without some pieces of a side."""

import math
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from trine.core.contract.checked import CheckedLine, Checker
from trine.core.contract.position import NO_HISTORY, History, Options
from trine.core.contract.room import StartOption
from trine.core.errors import IllegalError, MalformedError
from trine.core.text.sentence import Text, ctext, join, quoted, text, typed
from trine.games.arimaa.board import (
    ARMY,
    HOME_RANKS,
    KIND_NAMES,
    KINDS,
    PIECES,
    SEATS,
    SIDE_NAMES,
    SIDES,
)
from trine.games.arimaa.diagrams import write_position
from trine.games.arimaa.notation import read_actions
from trine.games.arimaa.position import Position
from trine.games.arimaa.referee import FULL_HAND
from trine.games.arimaa.rules import COMPETITION, RULE_SETS, Action, Placement, RuleSet

NAMED_SETUPS: Final[Mapping[str, str]] = {
    "99of9": "RRRDDRRR/RHCMECHR",
    "99of9-dogs": "RRRCCRRR/RHDMEDHR",
    "rabbits-behind": "RRRRRRRR/DHCMECHD",
    "wikibooks": "RRRDDRRR/RHCEMCHR",
}
"""The well-known setups: back rank, front rank, from a to h, for either side.

Source: the three most played setups of the archive (counts in the README of arimaa-utils), the
first two of the family named after Toby Hudson, 99of9; the setup diagram of the Wikibook.
"""

SETUP_NAMES: Final[Mapping[str, Text]] = {
    "99of9": ctext("setup", "cats in front, dogs behind; the most played"),
    "99of9-dogs": ctext("setup", "dogs in front, cats behind"),
    "rabbits-behind": ctext("setup", "all rabbits on the back rank"),
    "wikibooks": ctext("setup", "elephant and camel changed over"),
    "random": ctext("setup", "a random arrangement"),
}


NO_HANDICAP: Final = "none"  # the handicap that leaves nothing out, as a person types it


def _ask_handicap(rules: str, agreed: Options) -> tuple[Text, str]:
    example = join([typed("gold"), typed("camel")], ":")
    question = text(
        "handicap: the pieces that a side leaves out, such as {example}", example=example
    )
    return question, NO_HANDICAP


def _handicaps(rules: str) -> Sequence[tuple[str, Text]]:
    """Return the handicaps: none, then each single piece, the smallest first."""
    one_piece = [
        (
            f"{SEATS[side].tag.lower()}:{KIND_NAMES[kind].template}",
            text("{side} plays without {piece}", side=SIDE_NAMES[side], piece=KIND_NAMES[kind]),
        )
        for side in SIDES
        for kind in reversed(KINDS)
    ]
    return [("", text("both have all pieces")), *one_piece]


def _competition(rules: str) -> Sequence[tuple[str, Text]]:
    """Return the rules for sides without rabbits: the usual one, and that for competitions."""
    if rules != COMPETITION.name:
        return ()
    return (
        ("no", text("a side without rabbits plays on")),
        ("yes", text("the side that takes it wins, as in competitions")),
    )


OPTIONS: Final = (
    StartOption(
        "Handicap",
        "PIECES",
        text("Arimaa: pieces left out, such as gold:camel,dog."),
        text("Handicap"),
        _ask_handicap,
        _handicaps,
    ),
    StartOption(
        "Competition",
        "yes",
        text("Arimaa, classic: yes if the taker of the eighth rabbit wins, as in competitions."),
        text("The eighth rabbit"),
        choices=_competition,
        vary=lambda position, given: _vary(position, given),
    ),
)


def start(rules: str, options: Options) -> Position:
    """Return the empty board at the start of a play, with a handicap if one is given."""
    own = COMPETITION if _is_competition(rules, options) else RULE_SETS[rules]
    return start_position(own, options.get("Handicap", ""))


def _vary(position: Position, given: str) -> Position:
    """Return a position by the rule for competitions, if a value of the option asks for it."""
    if not _is_competition(position.rules.name, {"Competition": given}):
        return position
    return replace(position, rules=COMPETITION)


def _is_competition(rules: str, options: Options) -> bool:
    given = options.get("Competition", "no")
    if given not in ("yes", "no"):
        raise MalformedError("answer yes or no, not {given}", given=quoted(given))
    if given == "yes" and rules != COMPETITION.name:
        raise IllegalError(
            "only {rules} has a rule of its own for competitions", rules=COMPETITION.name
        )
    return given == "yes"


def settle(rules: str, options: Options) -> Options:
    """Return the options in their canonical form, without default values.

    >>> settle("official", {"Handicap": "gold:M,D"})
    {'Handicap': 'gold:camel,dog'}
    >>> settle("classic", {"Competition": "yes"}), settle("classic", {"Competition": "no"})
    ({'Competition': 'yes'}, {})
    """
    return start_tags(start(rules, options))


def start_position(rules: RuleSet, handicap: str = "") -> Position:
    """Return the empty board before the setups, without the pieces that a handicap leaves out.

    Raises:
        MalformedError: the handicap cannot be read.
        IllegalError: the handicap takes more than a side has, or all its rabbits.

    >>> start_position(RULE_SETS["official"], "gold:camel,dog").hands[0]
    'EHHDCCRRRRRRRR'
    """
    left_out = parse_handicap(handicap)
    hands = []
    for side in SIDES:
        hand = FULL_HAND
        for kind in left_out[side]:
            if kind not in hand:
                raise IllegalError(
                    "the handicap {given} takes more than {side} has: {limit} of {piece}",
                    given=quoted(handicap),
                    side=SIDE_NAMES[side],
                    limit=ARMY[kind],
                    piece=KIND_NAMES[kind],
                )
            hand = hand.replace(kind, "", 1)
        if "R" not in hand:
            raise IllegalError("a handicap leaves at least one rabbit")
        hands.append(hand if side == 0 else hand.lower())
    return Position.before_setup(rules, (hands[0], hands[1]))


def parse_handicap(handicap: str) -> tuple[str, str]:
    """Read a handicap such as ``gold:camel,dog silver:R``: the kinds that each side leaves out.

    >>> parse_handicap("gold:camel,dog")
    ('MD', '')
    """
    kinds_by_side = {"gold": "", "silver": ""}
    wanted = handicap.strip().lower()
    for part in re.split(r"[ ;]+", wanted) if wanted not in ("", NO_HANDICAP) else []:
        side, colon, pieces = part.partition(":")
        kinds = [_KIND_BY_WORD.get(word) for word in pieces.split(",")]
        if side not in kinds_by_side or not colon or None in kinds:
            raise MalformedError(
                "{given} is not a handicap; expected one like gold:camel,dog or silver:rabbit",
                given=quoted(handicap),
            )
        kinds_by_side[side] += "".join(filter(None, kinds))
    return kinds_by_side["gold"], kinds_by_side["silver"]


def start_tags(start: Position) -> dict[str, str]:
    """Return the tags of a record that begins here: non-default options, or the position.

    >>> start_tags(start_position(RULE_SETS["official"], "gold:M,D"))
    {'Handicap': 'gold:camel,dog'}
    """
    if not start.hands:
        return {"Start": write_position(start)}
    left_out = []
    for side, hand in enumerate(start.hands):
        missing = [
            KIND_NAMES[kind].template
            for kind in KINDS
            for _ in range(ARMY[kind] - hand.upper().count(kind))
        ]
        if missing:
            left_out.append(f"{SEATS[side].tag.lower()}:{','.join(missing)}")
    tags = {"Handicap": " ".join(left_out)} if left_out else {}
    return tags | ({"Competition": "yes"} if start.rules.is_competition else {})


_KIND_BY_WORD: Final[Mapping[str, str]] = {
    word: kind
    for kind, name in KIND_NAMES.items()
    for word in (name.template, name.template + "s", kind.lower())
}


def count_setups(position: Position) -> int:
    """Return the number of setups that the player to move can make.

    >>> count_setups(Position.before_setup(RULE_SETS["official"]))
    64864800
    """
    hand = _hand(position)
    setups = math.comb(len(HOME_RANKS[position.mover]), len(hand)) * math.factorial(len(hand))
    for kind in set(hand):
        setups //= math.factorial(hand.count(kind))
    return setups


def random_setup(position: Position, seed: int | None = None) -> list[Action]:
    """Place the hand of the player to move at random; each arrangement is equally likely.

    A seed gives the same setup on every machine.
    """
    hand = _hand(position)
    squares = [square for square in HOME_RANKS[position.mover] if position.board[square] == "."]
    random.Random(seed).shuffle(squares)
    # Sorted, so that records list squares from a1 to h2 and from a7 to h8.
    placed = sorted(zip(squares, hand, strict=False))
    return [Placement(piece, square) for square, piece in placed]


def arranged_setup(position: Position, back: str, front: str) -> list[Action]:
    """Place two ranks of letters, the back rank first; a dot stays empty."""
    if len(back) != 8 or len(front) != 8 or set(back + front) - set(KINDS + "."):
        raise MalformedError(
            "{given} is not a setup; expected two ranks of eight letters, the back rank first, "
            "such as {example}",
            given=quoted(f"{back}/{front}"),
            example=NAMED_SETUPS["99of9"],
        )
    ranks = (back, front) if position.mover == 0 else (front, back)
    return [
        Placement(kind if position.mover == 0 else kind.lower(), square)
        for square, kind in zip(HOME_RANKS[position.mover], "".join(ranks), strict=True)
        if kind != "."
    ]


def arranged(position: Position, back: str, front: str) -> list[Action]:
    """Place all pieces in hand as close as possible to two ranks of letters.

    >>> start = Position.before_setup(RULE_SETS["official"])
    >>> [str(action) for action in arranged(start, "RRRDDRRR", "RHCMECHR")[10:14]]
    ['Cc2', 'Md2', 'Ee2', 'Cf2']
    """
    assert position.hands is not None
    ranks = back + front if position.mover == 0 else (front + back).lower()
    hand = list(position.hands[position.mover])
    placed: dict[int, str] = {}
    squares = HOME_RANKS[position.mover]
    free = [square for square in squares if position.board[square] == "."]
    for square in free:
        wanted = ranks[square - squares[0]]
        if wanted in hand:
            placed[square] = wanted
            hand.remove(wanted)
    for square in free:
        if hand and square not in placed:
            placed[square] = hand.pop()
    return [Placement(placed[square], square) for square in sorted(placed)]


def read_setup(position: Position, words: Sequence[str]) -> list[Action]:
    """Read the words after ``setup``: a name, ``random [SEED]``, or two ranks of letters.

    >>> start = Position.before_setup(RULE_SETS["official"])
    >>> str(read_setup(start, ["99of9"])[3])
    'Dd1'
    """
    name = words[0].lower() if words else ""
    if name == "random" and len(words) <= 2:
        return random_setup(position, _seed(words[1]) if len(words) == 2 else None)
    _hand(position)  # raises if there is nothing left to place
    if name in NAMED_SETUPS and len(words) == 1:
        return arranged(position, *NAMED_SETUPS[name].split("/"))
    ranks = [rank for word in words for rank in word.upper().split("/") if rank]
    if len(ranks) == 2 and all(len(rank) == 8 for rank in ranks):
        return arranged_setup(position, ranks[0], ranks[1])
    known = {"names": join([typed(name) for name in SETUP_NAMES]), "example": NAMED_SETUPS["99of9"]}
    if not words:
        raise MalformedError(
            "which setup? {names}, or two ranks of letters such as {example}", **known
        )
    raise MalformedError(
        "no setup {given}; expected {names}, two ranks of letters such as {example}, or "
        "placements such as Ra1 Rb1",
        given=quoted(" ".join(words)),
        **known,
    )


def _seed(word: str) -> int:
    if not re.fullmatch("[0-9]{1,18}", word):
        raise MalformedError("{given} is not a seed; expected a number", given=quoted(word))
    return int(word)


def _hand(position: Position) -> str:
    if not position.hands:
        raise IllegalError("the setup is over; pieces are moved now")
    if position.turn_open:
        raise IllegalError("pieces are placed already; take them back first with undo all")
    hand = position.hands[position.mover]
    assert set(hand) <= set(PIECES[position.mover]), hand
    return hand


def interpret(position: Position, line: str, history: History = NO_HISTORY) -> CheckedLine:
    """Read what a person types: ``setup …``, or actions as `read_actions` reads them."""
    first, _, rest = line.strip().partition(" ")
    if first.lower() != "setup":
        return read_actions(position, line, history)
    if any(re.fullmatch("[A-Za-z][a-hA-H][1-8]", word) for word in rest.split()):
        return read_actions(position, rest, history)
    checker = Checker(position, history)
    for action in read_setup(position, rest.split()):
        checker.play(action)
    return checker.line()
