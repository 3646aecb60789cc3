"""What a form offers, what the rule book says, and what the referee takes are the same.

For every option of every rule set of the house.
"""

import re

import pytest

from trine.core.contract.room import StartOption
from trine.core.errors import IllegalError, TrineError
from trine.games import BUNDLED_GAMES, open_room

OPTIONS = [
    (f"{game}/{rules}", option.tag)
    for game in BUNDLED_GAMES
    for rules in open_room(game).rule_sets
    for option in open_room(game).rules.options
]
SAID = {
    "Players": r"Two, three or four play\.",
    "Size": r"Any other size from 3 to 19 can be agreed on\.",
    "Walls": r"Other numbers can be agreed on\.",
    "Drawn": r"can agree before the game that it is drawn only when all pawns are caught",
    "Repetition": r"can agree before the game that repetition ends nothing",
    "Handicap": r"can agree before the game that a side plays without some of its pieces",
    "Competition": r"In competitions .* can agree on that before the game",
    "Setup": r"at random; or in an order .* or, White first, by the players in turn",
    "Seed": r"put there at random",
}
"""By tag, what a rule book says where the option is offered, and nowhere else."""
NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
STRANGE = {
    "Players": ("0", "1", "5", "2+2", "two"),
    "Size": ("0", "2", "20", "9x11"),
    "Walls": ("9999", "-1", "many"),
}
"""By tag, values that no rule set has."""
each_option = pytest.mark.parametrize(("rule_set", "tag"), OPTIONS)


def opened(rule_set: str, tag: str) -> tuple[StartOption, str]:
    game, _, rules = rule_set.partition("/")
    return next(one for one in open_room(game).rules.options if one.tag == tag), rules


def offered(option: StartOption, rules: str) -> list[str] | None:
    """The values of an option that a form lists; None if a person types one."""
    choices = option.choices(rules)
    return None if choices is None else [value for value, _ in choices]


def book(rule_set: str) -> str:
    game, _, rules = rule_set.partition("/")
    return " ".join(str(clause.words) for clause in open_room(game).rulebook(rules))


def takes(rule_set: str, **options: str) -> bool:
    game, _, rules = rule_set.partition("/")
    room = open_room(game)
    try:
        room.rules.start(rules, room.rules.settle(rules, options))
    except TrineError:
        return False
    return True


@each_option
def test_the_referee_takes_what_a_form_offers_and_nothing_else(rule_set: str, tag: str) -> None:
    option, rules = opened(rule_set, tag)
    values = offered(option, rules)
    elsewhere = {
        value
        for other, its_tag in OPTIONS
        if its_tag == tag
        for value in offered(*opened(other, tag)) or ()
    }
    for value in values or ():
        assert not value or takes(rule_set, **{tag: value}), value
    if values is not None:
        usual = {"no", "usual", "draws"}  # what holds anyway can be said everywhere
        for value in elsewhere - set(values) - usual:
            assert not takes(rule_set, **{tag: value}), value
    for value in STRANGE.get(tag, ()):
        assert not takes(rule_set, **{tag: value}), value


@each_option
def test_the_rule_book_names_what_a_form_offers_and_nothing_else(rule_set: str, tag: str) -> None:
    option, rules = opened(rule_set, tag)
    values = offered(option, rules)
    is_offered = values is None or len(values) > 1
    assert bool(re.search(SAID[tag], book(rule_set))) == is_offered


@pytest.mark.parametrize("rules", open_room("corridor").rule_sets)
def test_the_rule_book_says_how_many_play_with_how_many_walls(rules: str) -> None:
    room, words = open_room("corridor"), book(f"corridor/{rules}")
    option, _ = opened(f"corridor/{rules}", "Players")
    for value in offered(option, rules) or ():
        first = room.rules.start(rules, {"Players": value})
        number, hand = NUMBERS[int(value)], first.hands[0]
        assert re.search(rf"\b{number}\b.* play\.", words, re.IGNORECASE)
        if hand is None:
            assert "The number of walls is not limited." in words
        elif rules == "quoridor":
            assert f"{NUMBERS[hand]} walls if {number} play" in words or (
                f"{NUMBERS[hand]} if {number} play" in words
            )
        else:
            assert re.search(rf"{NUMBERS[hand]}( walls| on the board of nine)", words)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"Players": "2+2"}, "no teams"),
        ({"Players": "2v2"}, "no teams"),
        ({"Size": "9x11"}, "as wide as it is high"),
        ({"Size": "7 × 9"}, "as wide as it is high"),
    ],
)
def test_teams_and_oblong_boards_are_refused_with_a_sentence(
    options: dict[str, str], message: str
) -> None:
    with pytest.raises(IllegalError, match=message):
        open_room("corridor").rules.settle("quoridor", options)
