import re
from pathlib import Path

import pytest

from playing import DUEL, HANDICAP, NEAR_GOAL, replayed, run_trine
from trine.core.contract.position import Outcome, Reason
from trine.core.text.language import LANGUAGES

START = ("play", "arimaa", "--log", "game.txt")


def test_a_game_is_played_over_a_pipe(tmp_path: Path) -> None:
    lines = "a7n\nend\n"
    done = run_trine(tmp_path, *START, "--position", NEAR_GOAL, lines=lines)
    assert done.stderr == ""
    assert "game.txt" in done.stdout.splitlines()[0]
    assert "2g> a7n\n" in done.stdout
    assert "Gold wins (goal)" in done.stdout
    assert "\x1b" not in done.stdout
    assert replayed(tmp_path / "game.txt").outcome == Outcome(0, Reason.GOAL)


def test_a_whole_game_from_the_setup_is_a_transcript(tmp_path: Path) -> None:
    lines = [
        *("setup 99of9", "end", "setup random 7", "", "e2nn a2n", "why b2s", "undo", "undo all"),
        *("e2n", "moves", "insight", "flip", "turns", "help", "board", "end", "offer draw"),
        *("decline", "save as copy.txt", "resign", "never read"),
    ]
    done = run_trine(tmp_path, *START, "--gold", "Anna", lines="\n".join(lines))
    assert done.stderr == ""
    assert "Gold (Anna) wins (resignation)" in done.stdout
    assert (tmp_path / "copy.txt").exists()
    assert "never read" not in done.stdout
    prompts = re.findall(r"^(\d+[gs])> (.*)$", done.stdout, re.M)
    assert [line for _, line in prompts] == lines[:-1]
    assert replayed(tmp_path / "game.txt").outcome == Outcome(0, Reason.RESIGNATION)


def test_a_refused_line_shows_in_the_exit_code_of_a_pipe(tmp_path: Path) -> None:
    done = run_trine(tmp_path, *START, "--position", DUEL, lines="a2s\nd4n\nquit\n", status=1)
    assert "backward" in done.stdout
    assert len(replayed(tmp_path / "game.txt").open_actions) == 1


def test_an_input_that_ends_leaves_a_record_to_go_on_with(tmp_path: Path) -> None:
    for lines in ("", "d4n", "d4n\n"):
        done = run_trine(tmp_path, *START, "--position", DUEL, lines=lines)
        assert "trine resume game.txt" in done.stdout
        (tmp_path / "game.txt").unlink()


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_game_is_played_in_every_language(code: str, tmp_path: Path) -> None:
    lines = "setup 99of9\nend\nsetup 99of9\nend\ne2n\nwhy a2s\nhelp\nmoves\ninsight\nresign\n"
    option = run_trine(tmp_path, *START, "--lang", code, lines=lines)
    assert option.stderr == ""
    record = (tmp_path / "game.txt").read_text()
    (tmp_path / "game.txt").unlink()
    spoken = {"en": "C.UTF-8", "fr": "fr_FR.UTF-8", "hu": "hu_HU.UTF-8", "ru": "ru_RU.UTF-8"}
    environment = run_trine(tmp_path, *START, lines=lines, LC_ALL=spoken[code])
    assert environment.stdout == option.stdout
    # What stands in records is the same in all languages.
    assert '[Gold "Gold"]' in record
    assert "2g Ee2n resigns\n" in record


ALL_OPTIONS = [
    *("arimaa/ejection", "--gold", 'Anna "the Cat"', "--silver", "Bért", "--clock", "5+3"),
    *("--handicap", HANDICAP, "--takebacks", "--no-draws", "--log", "new/folder/game.txt"),
]
IN_THE_RECORD = [
    '[Rules "ejection"]',
    '[Gold "Anna \\"the Cat\\""]',
    '[Silver "Bért"]',
    '[Clock "0:03/5"]',
    '[Handicap "gold:camel,horse,horse,dog,dog,cat,cat,rabbit,rabbit,rabbit,rabbit,rabbit,',
    '[Takebacks "yes"]',
    '[Draws "no"]',
    " takeback\n",
]


def test_all_options_are_in_the_record(tmp_path: Path) -> None:
    lines = "Ra1 Rh1 Ee2\nend\noffer draw\ntakeback\naccept\nquit\n"
    run_trine(tmp_path, "play", *ALL_OPTIONS, lines=lines, status=1)  # the draw
    record = (tmp_path / "new" / "folder" / "game.txt").read_text()
    assert [tag for tag in IN_THE_RECORD if tag not in record] == []


@pytest.mark.parametrize(
    ("options", "lines", "tags"),
    [
        pytest.param(
            "",
            "arimaa\nclassic\npeople\nno\n\n\nAnna\n\n5+3\nyes\n",
            ['[Rules "classic"]', '[Gold "Anna"]', '[Clock "0:03/5"]', '[Takebacks "yes"]'],
            id="questions",
        ),
        pytest.param(
            "--gold Anna --clock 5+3 --no-draws",
            "\n\npeople\n" + "\n" * 6,
            ['[Gold "Anna"]', '[Clock "0:03/5"]', '[Draws "no"]'],
            id="options, and questions",
        ),
        *(
            pytest.param(
                f"arimaa/official --lang {given}", "", ['[Handicap "gold:camel"]'], id=given
            )
            for given in (
                "ru --handicap gold:верблюд",
                "ru --handicap золотые:верблюд",
                "fr --handicap or:chameau",
                "hu --handicap arany:teve",
                "fr --handicap gold:camel",
            )
        ),
    ],
)
def test_what_is_asked_for_or_answered_is_in_the_record(
    tmp_path: Path, options: str, lines: str, tags: list[str]
) -> None:
    run_trine(tmp_path, "play", *options.split(), lines=f"{lines}quit\n")
    (path,) = tmp_path.rglob("games/*.txt")
    record = path.read_text(encoding="utf-8")
    assert [tag for tag in tags if tag not in record] == []


def test_a_record_that_exists_is_not_overwritten(path: Path) -> None:
    path.write_text("precious")
    done = run_trine(path.parent, *START, status=2)
    assert "trine resume" in done.stderr
    assert path.read_text() == "precious"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--log", "."), ". is a folder"),
        (("--log", "absent.txt/game.txt"), "absent.txt: File exists"),
        (("--log", ""), ". is a folder; name a file"),
        (("--position", DUEL, "--handicap", "gold:camel"), "leave out --handicap"),
        (("--gold", b"\xff"), "is no text that a file can hold"),
        (("--first", "nine"), "--first names the game"),
    ],
)
def test_what_cannot_be_played_exits_with_2_and_leaves_no_file(
    arguments: tuple[str | bytes, ...], said: str, tmp_path: Path
) -> None:
    (tmp_path / "absent.txt").write_text("")
    done = run_trine(tmp_path, *START, *arguments, status=2)
    assert said in done.stderr
    assert not (tmp_path / "game.txt").exists()


def test_without_a_file_the_record_is_named_by_game_and_time(tmp_path: Path) -> None:
    run_trine(tmp_path, "play", "arimaa", lines="quit\n")
    (path,) = tmp_path.rglob("games/*.txt")
    assert re.fullmatch(r"arimaa-\d{4}-\d\d-\d\d-\d{6}\.txt", path.name)


@pytest.mark.parametrize(
    ("game", "position", "options", "mark"),
    [
        ("corridor/corridor", "corridor 9 2 e4,e7 - 4,4 1", ("--drawn", "caught"), "caught"),
        ("corridor", "quoridor 9 2 e4,e7 - 4,4 1", ("--repetition", "free"), "free"),
        ("arimaa/classic", DUEL, ("--competition", "yes"), "competition"),
    ],
)
def test_a_position_is_played_by_the_draw_rule_that_is_asked_for(
    tmp_path: Path, game: str, position: str, options: tuple[str, str], mark: str
) -> None:
    arguments = (game, "--position", position, *options, "--log", "game.txt")
    run_trine(tmp_path, "play", *arguments, lines="quit\n")
    start = (tmp_path / "game.txt").read_text(encoding="utf-8").partition("[Start ")[2]
    assert start.splitlines()[0].endswith(f' {mark}"]')


def test_boards_look_as_wished(tmp_path: Path) -> None:
    boards = set()
    for number, options in enumerate(
        [(), ("--flip",), ("--pieces", "chess"), ("--pieces", "animals"), ("--colour",)]
    ):
        log = f"{number}.txt"
        arguments = ("play", "arimaa", "--position", DUEL, "--log", log, *options)
        done = run_trine(tmp_path, *arguments, lines="quit\n")
        boards.add(done.stdout.replace(log, ""))
    assert len(boards) >= 4


@pytest.mark.parametrize(
    ("document", "told", "tags"),
    [
        ("hu-arimaa", "Arany következik", {"Rules": "diagonal"}),
        ("fr-arimaa", "le trait", {"Rules": "classic"}),
        ("ru-arimaa", "осталось расставить", {"Rules": "ejection"}),
        ("ru-tzaar", "ход", {"Rules": "open", "Setup": "placement"}),
        ("ru-corridor", "ход", {"Rules": "corridor"}),
    ],
)
def test_the_game_of_a_document_speaks_its_language(
    document: str, told: str, tags: dict[str, str], tmp_path: Path
) -> None:
    done = run_trine(tmp_path, "play", "--document", document, "--log", "game.txt")
    assert done.stderr == ""
    assert told in done.stdout
    written = (tmp_path / "game.txt").read_text(encoding="utf-8")
    for tag, value in tags.items():
        assert f'[{tag} "{value}"]' in written


def test_a_document_leaves_no_rules_to_choose(tmp_path: Path) -> None:
    done = run_trine(tmp_path, "play", "corridor", "--document", "ru-corridor", LANG="C", status=2)
    assert "Error" not in done.stdout


def test_a_first_game_says_what_to_do_and_what_comes_next(tmp_path: Path) -> None:
    done = run_trine(tmp_path, "play", "--first", "--log", "game.txt", lines="c2\nresign\n")
    assert done.stderr == ""
    assert done.stdout.count("Run to the top: type c2.") == 1
    assert "play --first nine" in done.stdout
