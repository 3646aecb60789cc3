"""The start of a play: options, chance, the prompt while the board is being filled."""

import random
from collections import Counter

import pytest

from trine.core.errors import IllegalError, MalformedError, TrineError
from trine.games.tzaar import starts
from trine.games.tzaar.board import ARMY, COORDINATES, KINDS, POINTS
from trine.games.tzaar.diagrams import format_position
from trine.games.tzaar.position import Position
from trine.games.tzaar.referee import Stage
from trine.games.tzaar.rules import RULE_SETS, Placement

ARMIES = Counter({**ARMY, **{kind.lower(): count for kind, count in ARMY.items()}})


def fill(position: Position, line: str) -> Position:
    filled: Position = starts.interpret(position, line).end  # type: ignore[assignment]
    return filled


def test_the_fixed_start_is_in_rings() -> None:
    """Six Totts round the centre, then 12 Tzaars, 18 Tzarras, 24 Totts."""
    rings: dict[int, list[str]] = {}
    for top, (column, height) in zip(starts.FIXED_START, COORDINATES, strict=True):
        across, up = abs(column - 4), abs(height - 8)
        ring = across + max(0, (up - across) // 2)
        rings.setdefault(ring, []).append(top.upper())
    counts = {ring: Counter(tops) for ring, tops in rings.items()}
    assert counts == {1: {"T": 6}, 2: {"Z": 12}, 3: {"Y": 18}, 4: {"T": 24}}
    assert Counter(starts.FIXED_START) == ARMIES


def test_a_start_by_chance_is_made_as_its_description_says() -> None:
    for seed in (0, 7, 9_999_999_999):
        pieces = list("T" * 15 + "Y" * 9 + "Z" * 6 + "t" * 15 + "y" * 9 + "z" * 6)
        numbers = random.Random(seed)
        for i in range(59, 0, -1):
            j = int((i + 1) * numbers.random())
            pieces[i], pieces[j] = pieces[j], pieces[i]
        position = starts.start("open", {"Setup": "random", "Seed": str(seed)})
        assert position.tops == "".join(pieces)
        assert Counter(position.tops) == ARMIES


def test_a_start_by_chance_stays_the_same_for_ever() -> None:
    """Records name the seed alone, so this may never change."""
    text = format_position(starts.start("official", {"Seed": "2026"}))
    assert text == (
        "official YyytZ/TZtTtY/zTZtTYy/YyyYTTYY/zTtT*TYtt/ytTzZttY/tTyTyzt/tZtztT/TyzZT white first"
    )


def test_every_piece_comes_to_every_point_equally_often() -> None:
    counts = Counter(
        starts.start("open", {"Seed": str(seed)}).tops[seed % 60] for seed in range(6000)
    )
    for piece, count in ARMIES.items():
        assert abs(counts[piece] - count * 100) < 5 * (count * 100) ** 0.5, piece


def test_a_new_game_is_random_with_a_fresh_seed() -> None:
    settled = [starts.settle("official", {}) for _ in range(3)]
    for options in settled:
        assert set(options) == {"Setup", "Seed"}
        assert options["Setup"] == "random"
        assert 1 <= len(options["Seed"]) <= 10
        assert starts.start("official", options) == starts.start("official", options)
    assert len({options["Seed"] for options in settled}) == 3


@pytest.mark.parametrize(
    ("options", "settled"),
    [
        ({"Setup": "fixed"}, {"Setup": "fixed"}),
        ({"Setup": "placement"}, {"Setup": "placement"}),
        ({"Setup": "random", "Seed": "5"}, {"Setup": "random", "Seed": "5"}),
        ({"Seed": "05"}, {"Setup": "random", "Seed": "5"}),
    ],
)
def test_options_have_one_form(options: dict[str, str], settled: dict[str, str]) -> None:
    assert starts.settle("open", options) == starts.settle("open", settled) == settled
    assert starts.start("open", options) == starts.start("open", settled)


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ({"Setup": "Random"}, MalformedError),
        ({"Setup": ""}, MalformedError),
        ({"Seed": ""}, MalformedError),
        ({"Seed": "x"}, MalformedError),
        ({"Seed": "-1"}, MalformedError),
        ({"Seed": "12345678901"}, MalformedError),
        ({"Seed": "１"}, MalformedError),
        ({"Setup": "fixed", "Seed": "1"}, IllegalError),
        ({"Setup": "placement", "Seed": "1"}, IllegalError),
    ],
)
def test_options_that_make_no_sense_are_refused(
    options: dict[str, str], kind: type[TrineError]
) -> None:
    for ask in (starts.settle, starts.start):
        with pytest.raises(kind):
            ask("official", options)


def test_a_random_start_without_its_seed_cannot_be_made_again() -> None:
    with pytest.raises(MalformedError, match="without the tag Seed"):
        starts.start("official", {"Setup": "random"})


def test_every_beginning_has_tags() -> None:
    for rules in RULE_SETS:
        fixed, empty = starts.start(rules, {}), starts.start(rules, {"Setup": "placement"})
        assert starts.start_tags(fixed) == {}
        assert starts.start_tags(empty) == {"Setup": "placement"}
        mixed = starts.start(rules, {"Seed": "1"})
        assert starts.start_tags(mixed) == {"Start": format_position(mixed)}
        other = Position(fixed.rules, fixed.tops, fixed.heights, 1, Stage.ONE)
        assert starts.start_tags(other) == {"Start": format_position(other)}


def test_people_are_asked_for_the_setup_only() -> None:
    setup, seed = starts.OPTIONS
    question = setup.ask("official", {})
    assert question is not None
    assert question[1] == "random"
    assert setup.ask("official", {"Seed": "1"}) is None
    assert seed.ask("official", {}) is None


def test_random_places_one_piece_of_the_player_to_move() -> None:
    empty = starts.start("official", {"Setup": "placement"})
    (placement,) = starts.interpret(empty, "random 5")
    assert isinstance(placement, Placement)
    assert tuple(starts.interpret(empty, "RANDOM 5")) == (placement,)
    assert empty.play(placement).mover == 1
    assert len({starts.interpret(empty, f"random {seed}") for seed in range(40)}) > 20


def test_fill_places_all_that_is_left() -> None:
    empty = starts.start("open", {"Setup": "placement"})
    filled = fill(fill(empty, "Za1 Tb1 Yc1"), "fill 8")
    assert filled.tops[0] == "Z"
    assert Counter(filled.tops) == ARMIES
    assert (filled.stage, filled.number) == (Stage.ONE, 31)
    assert fill(fill(empty, "Za1 Tb1 Yc1"), "fill 8") == filled
    assert fill(empty, "fill").tops != fill(empty, "fill").tops


def test_filling_prefers_no_point_and_no_kind() -> None:
    empty = starts.start("open", {"Setup": "placement"})
    pieces, points = Counter[str](), Counter[int]()
    for seed in range(600):
        tops = fill(empty, f"fill {seed}").tops
        pieces[tops[17]] += 1
        points[tops.index("Z")] += 1
    for piece, count in ARMIES.items():
        assert abs(pieces[piece] - count * 10) < 5 * (count * 10) ** 0.5, piece
    assert points[0] > 20  # six in sixty


def test_after_the_placement_nothing_is_left_to_chance() -> None:
    assert set(starts.SETUP_WORDS) == {"random", "fill"}
    assert set(starts.SETUP_WORDS) >= starts.WORDS_BY_CONSENT
    for word in starts.SETUP_WORDS:
        with pytest.raises(IllegalError, match="nothing is placed any more"):
            starts.interpret(starts.start("official", {}), word)


@pytest.mark.parametrize("line", ["random x", "fill 1 2", "fill -1", "random 12345678901"])
def test_a_seed_at_the_prompt_is_a_number(line: str) -> None:
    with pytest.raises(MalformedError):
        starts.interpret(starts.start("official", {"Setup": "placement"}), line)


def test_other_words_are_actions() -> None:
    empty = starts.start("official", {"Setup": "placement"})
    assert [str(action) for action in starts.interpret(empty, "Za1 Ti5")] == ["Za1", "Ti5"]
    assert len(KINDS) * len(POINTS) == len(empty.legal_actions())
