"""Openings: many, fair, and the same for the same seed."""

from pathlib import Path

import pytest

from playing import SHORT
from trine.core.clock import Limits
from trine.core.contract.record import format_record
from trine.core.errors import FileError, IllegalError, MalformedError, TrineError
from trine.core.play import Play
from trine.engine.arena.match import Entrant, Match
from trine.engine.arena.opening_book import FAIR_ADVANTAGE, Openings, parse_openings, rng_for
from trine.games import NO_OPTIONS, new_play, open_heuristics, open_room
from trine.play.record.replay import record_of

GAMES = (
    ("tzaar", "official"),
    ("corridor", "quoridor"),
    ("corridor", "corridor"),
    ("arimaa", "official"),
)


def line(play: Play) -> tuple[object, ...]:
    return (play.start, *(turn.actions for turn in play.turns))


@pytest.mark.parametrize(("game", "rules"), GAMES)
@pytest.mark.parametrize("words", ["auto", "random:2"])
def test_openings_differ_and_come_again_from_the_same_seed(
    game: str, rules: str, words: str
) -> None:
    openings = parse_openings(words, game, rules)
    lines = [line(openings.begin(5, number)) for number in range(8)]
    assert len(set(lines)) == 8
    assert [line(openings.begin(5, number)) for number in range(8)] == lines
    assert line(openings.begin(6, 0)) not in lines


@pytest.mark.parametrize(("game", "rules"), GAMES)
def test_a_game_can_begin_after_every_opening(game: str, rules: str) -> None:
    openings = parse_openings("auto", game, rules)
    for number in range(8):
        play = openings.begin(1, number)
        assert play.legal_actions()
        assert not play.open_actions
        assert not play.position.in_setup


def test_each_game_gets_the_openings_that_suit_it() -> None:
    tzaar = parse_openings("auto", "tzaar", "official").begin(1, 0)
    assert tzaar.turns == []
    assert tzaar.start != new_play("tzaar").start
    arimaa = parse_openings("auto", "arimaa", "official").begin(1, 0)
    assert [turn.before.in_setup for turn in arimaa.turns] == [True, True, False, False]
    corridor = parse_openings("auto", "corridor", "quoridor").begin(1, 0)
    assert len(corridor.turns) == 4


@pytest.mark.parametrize(
    ("game", "rules", "options"),
    [
        ("corridor", "great-wall", {"Players": "3"}),
        ("corridor", "quoridor", {"Players": "4", "Size": "5"}),
        ("tzaar", "official", {"Setup": "placement"}),
        ("tzaar", "open", {"Setup": "fixed"}),
        ("arimaa", "classic", {"Handicap": "gold:m,h"}),
    ],
)
def test_all_ways_to_begin_have_openings(game: str, rules: str, options: dict[str, str]) -> None:
    openings = parse_openings("auto", game, rules, options)
    plays = [openings.begin(1, number) for number in range(5)]
    assert len({line(play) for play in plays}) == 5
    assert not any(play.position.in_setup or play.outcome for play in plays)


def test_lines_by_chance_are_fair() -> None:
    import numpy as np

    from trine.games import open_kernel

    heuristics, kernel = open_heuristics("corridor"), open_kernel("corridor")
    openings = parse_openings("random:6", "corridor", "quoridor")
    for number in range(20):
        play = openings.begin(3, number)
        row = kernel.row_of(play.position)
        values = np.zeros(len(heuristics.terms), np.float32)
        assert heuristics.detect_win(row) == 0
        assert all(
            abs(heuristics.evaluate(row, one, heuristics.weights, values)) <= FAIR_ADVANTAGE
            for one in (0, 1)
        )
        assert len(play.turns) == 6


def test_options_that_were_given_hold() -> None:
    fixed = parse_openings("auto", "tzaar", "official", {"Setup": "fixed"})
    assert fixed.begin(1, 0).start == new_play("tzaar", setup="fixed").start
    assert len(fixed.begin(1, 0).turns) == 4
    small = parse_openings("start", "corridor", "quoridor", {"Size": "5", "Players": "4"})
    assert small.begin(1, 0).start == new_play("corridor", size=5, players=4).start


def test_the_plain_start_is_one_of_them() -> None:
    play = parse_openings("start", "tzaar", "official").begin(1, 7)
    assert play.start == new_play("tzaar").start
    assert play.turns == []


def test_positions_of_a_file_are_played_in_turn(tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    one, two = "quoridor 9 2 e2,e8 - 10,10 2", "quoridor 9 2 e3,e7 d3h 9,10 1"
    path.write_text(f"# a book\n{one}\n\n{two}\n")
    openings = parse_openings(str(path), "corridor", "quoridor")
    room = open_room("corridor")
    starts = [room.rules.format_position(openings.begin(1, number).start) for number in range(3)]
    assert starts == [one, two, one]
    assert openings.title == "book.txt"


def test_records_give_their_first_turns(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text(SHORT)
    whole = parse_openings(str(path), "arimaa", "official")
    assert [turn.number for turn in whole.begin(1, 0).turns] == [1, 1, 2, 2]
    three = parse_openings(str(path), "arimaa", "official", NO_OPTIONS, 3)
    play = three.begin(9, 5)
    assert len(play.turns) == 3
    assert play.turn_tag == "2s"


@pytest.mark.parametrize(
    "content", ["", "# nothing\n", "nonsense\n", SHORT, '[Game "corridor"]\n\n1w e9\n']
)
def test_a_file_that_holds_no_openings_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "book.txt"
    path.write_text(content)
    with pytest.raises(TrineError):
        parse_openings(str(path), "corridor", "quoridor")


def test_the_openings_of_a_file_say_for_how_many_a_game_is(tmp_path: Path) -> None:
    path, room = tmp_path / "four.txt", open_room("corridor")
    path.write_text(room.rules.format_position(new_play("corridor", players=4).start) + "\n")
    openings = parse_openings(str(path), "corridor", "quoridor")
    entrants = [Entrant(name, "random", Limits(nodes=1)) for name in "ABCD"]
    assert len(Match(tuple(entrants), openings).seats) == 4
    assert len(openings.begin(1, 0).position.seats) == 4
    with pytest.raises(MalformedError, match="needs 4 players, not 2"):
        Match(tuple(entrants[:2]), openings)
    with pytest.raises(MalformedError, match="needs 4 players, not 2"):
        Match(tuple(entrants), openings, ((0, 1), (2, 3)))
    with path.open("a") as stream:
        stream.write("\n# of two\nquoridor 9 2 e2,e8 - 10,10 2\n")
    with pytest.raises(IllegalError, match=r"four.txt:4: .* 2 players, after openings for 4"):
        parse_openings(str(path), "corridor", "quoridor")


def test_the_records_of_a_file_are_for_equally_many(tmp_path: Path) -> None:
    path, plays = tmp_path / "games.txt", [new_play("corridor"), new_play("corridor", players=4)]
    for play in plays:
        play.enter("e2")
    path.write_text("\n".join(format_record(record_of(play)) for play in plays))
    line = path.read_text().splitlines().index('[Players "4"]') - 1
    with pytest.raises(
        IllegalError, match=rf"games.txt:{line}: .* 4 players, after openings for 2"
    ):
        parse_openings(str(path), "corridor", "quoridor")


@pytest.mark.parametrize("options", [{"Players": "4"}, {"Players": "2"}, {"Size": "5"}])
def test_openings_of_a_file_leave_no_options(tmp_path: Path, options: dict[str, str]) -> None:
    path = tmp_path / "book.txt"
    path.write_text("quoridor 9 2 e2,e8 - 10,10 2\n")
    said = rf"book.txt: .* leave out --{next(iter(options)).lower()}"
    with pytest.raises(IllegalError, match=said):
        parse_openings(str(path), "corridor", "quoridor", options)


def test_an_opening_that_is_over_is_refused(tmp_path: Path) -> None:
    positions, records = tmp_path / "positions.txt", tmp_path / "records.txt"
    over = "quoridor 9 2 e9,e8 - 10,10 2"
    positions.write_text(f"# one\nquoridor 9 2 e2,e8 - 10,10 2\n{over}\n")
    with pytest.raises(IllegalError, match=r"positions.txt:3: .*over: "):
        parse_openings(str(positions), "corridor", "quoridor")
    play = new_play("corridor", position=over)
    records.write_text(format_record(record_of(play)))
    with pytest.raises(IllegalError, match=r"records.txt:1: .*over: "):
        parse_openings(str(records), "corridor", "quoridor")


def test_an_opening_ends_before_the_turn_that_ends_its_game(tmp_path: Path) -> None:
    play = new_play("corridor", position="quoridor 9 2 e7,d5 - 10,10 1")
    for line in ("e8", "d4", "e9"):
        play.enter(line)
    assert play.outcome
    path = tmp_path / "games.txt"
    path.write_text(format_record(record_of(play)))
    begun = parse_openings(str(path), "corridor", "quoridor").begin(1, 0)
    assert len(begun.turns) == 2
    assert not begun.outcome


def test_what_is_neither_a_word_nor_a_file_is_refused() -> None:
    for words in ("randm:3", "random:x", "/no/such/file"):
        with pytest.raises(FileError, match="no openings"):
            parse_openings(words, "tzaar", "official")


def test_a_line_that_is_longer_than_the_games_is_refused() -> None:
    openings = Openings("corridor", "quoridor", (("Size", "3"),), "random", turns=900)
    with pytest.raises(TrineError, match="too long"):
        openings.begin(1, 0)


def test_sources_of_chance_are_independent() -> None:
    drawn = {rng_for(1, "player", game, name).random() for game in range(50) for name in "AB"}
    assert len(drawn) == 100


def test_openings_of_a_game_with_few_setups_do_not_come_again_soon() -> None:
    openings = parse_openings("auto", "arimaa", "official")
    assert len({line(openings.begin(1, number)) for number in range(60)}) >= 59


def test_games_that_might_never_end_are_no_match() -> None:
    with pytest.raises(IllegalError, match="might never end"):
        parse_openings("start", "corridor", "great-wall", {"Drawn": "caught"})
