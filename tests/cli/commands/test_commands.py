"""The command line as a whole: help, languages, errors and exit codes."""

import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from capturing import captured
from playing import SHORT, TRINE, environment, run_in, run_trine
from trine import __version__
from trine.cli.commands import COMMANDS
from trine.core.text.language import LANGUAGES
from waiting import PATIENCE

WRONG = SHORT.replace("2s ee7s", "2s ra8n")


def test_the_version_is_told(tmp_path: Path) -> None:
    for arguments in (("--version",), ("--lang", "fr", "--version")):
        done = run_trine(tmp_path, *arguments)
        assert (done.stdout, done.stderr, done.returncode) == (f"trine {__version__}\n", "", 0)


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_every_command_explains_itself(command: str, tmp_path: Path) -> None:
    done = run_trine(tmp_path, *filter(None, [command, "--help"]))
    assert done.stdout.startswith("Usage: ")
    assert f"trine {command}".strip() in done.stdout
    assert "--lang" in done.stdout
    assert done.stderr == ""
    for line in done.stdout.splitlines():
        assert len(line) <= 100


def test_help_has_a_short_name(tmp_path: Path) -> None:
    said = {run_trine(tmp_path, "show", flag).stdout for flag in ("-h", "--help")}
    assert len(said) == 1 and said.pop().startswith("Usage: trine show")


def test_no_help_waits_for_the_compiler() -> None:
    """Loading Numba takes a second: commands load it once they have read their options."""
    loaded = "print([name for name in ('numba', 'llvmlite') if name in sys.modules])"
    commands = "; ".join(
        f"import trine.cli.commands.{where.partition('.')[0]}" for where in COMMANDS.values()
    )
    done = captured(sys.executable, "-c", f"import sys; {commands}; {loaded}", check=True)
    assert done.stdout == "[]\n"


def test_the_help_lists_every_command(tmp_path: Path) -> None:
    told = run_trine(tmp_path, "--help", COLUMNS="80").stdout
    assert "..." not in told.partition("Commands:")[2]  # nothing is cut off
    listed = re.findall(r"^  (\w+)  +\S", told, re.M)
    assert listed == list(COMMANDS)


def test_help_is_given_in_each_language(tmp_path: Path) -> None:
    helps = {run_trine(tmp_path, "--lang", code, "play", "--help").stdout for code in LANGUAGES}
    assert len(helps) == len(LANGUAGES)
    assert run_trine(tmp_path, "play", "--help", "--lang=hu").stdout in helps


NONSENSE = """\
fly | no command 'fly'
--fly | No such option
check | Missing argument 'FILE...'
check --fly game.txt | No such option
check --format pgn game.txt | No such option '--format'
check --rules new game.txt | Invalid value for '--rules': 'new'
convert | Missing argument 'SOURCE'
convert a b c | Got unexpected extra argument (c)
convert --to pgn game.txt | Invalid value for '--to': 'pgn'
convert --from pgn game.txt | Invalid value for '--from': 'pgn'
convert --rules new game.txt | Invalid value for '--rules': 'new'
show | give FILE or --position
show --game 0 game.txt | Invalid value for '--game': 0
show --game x game.txt | Invalid value for '--game': 'x'
show --rules new game.txt | Invalid value for '--rules': 'new'
show game.txt --position 'g []' | no game 'game.txt'
resume one.txt two.txt | Got unexpected extra argument (two.txt)
rules chess | no game 'chess'
rules arimaa/new | Arimaa has no rule set 'new'
play chess | no game 'chess'
play quoridor | no game 'quoridor'; the games are: arimaa, tzaar, corridor; did you mean corridor/quoridor?
rules great-wall | … did you mean corridor/great-wall?
play arima | … did you mean arimaa?
play arimaa/new | Arimaa has no rule set 'new'
play arimaa --rules new | Invalid value for '--rules': 'new'
play arimaa --clock fast | 'fast' is not a time control
play arimaa --handicap gold:queen | 'gold:queen' is not a handicap
play arimaa --position nonsense | 'nonsense' is not a position; expected g [64 letters]
play arimaa --pieces pears | Invalid value for '--pieces': 'pears'
play --lang xx | Invalid value for '--lang': 'xx'
--lang xx play | Invalid value for '--lang': 'xx'
play arimaa --gold | Option '--gold' requires an argument
perft | Missing argument 'GAME'
perft corridor 2 | Got unexpected extra argument (2); did you mean --depth 2, --threads 2?
perft corridor many | Got unexpected extra argument (many)
play arimaa classic | Got unexpected extra argument (classic); did you mean --rules classic?
serve 8080 | Got unexpected extra argument (8080); did you mean --port 8080, --metrics-port 8080?
perft chess --depth 1 | no game 'chess'
perft tzaar --depth 0 | Invalid value for '--depth': 0
perft tzaar --depth x | Invalid value for '--depth': 'x'
perft tzaar --depth 2 --turns | --turns counts one whole turn
perft tzaar --split --turns | --turns counts one whole turn
perft tzaar --depth 1 --position nonsense | 'nonsense' is not a position
perft tzaar --depth 1 --players 3 | TZAAR has no option 'players'
warm chess | no game 'chess'
play corridor --players 5 | … 2, 3, 4
play corridor --size 20 | … 3 to 19
play corridor --size many | … 'many'
play corridor --handicap gold:camel | … no option 'handicap'
play corridor --gold Anna | … nobody sits at 'gold'
play corridor --west Anna | … nobody sits at 'west'
play corridor --clock 1/5/100/0/2 | … Corridor has no score
play tzaar --setup tall | … 'tall'
play tzaar --setup fixed --seed 7 | … seed
play tzaar --seed x | … 'x'
play tzaar/open --rules official | … two rule sets
play tzaar/open --position FIXED | … tzaar/official
play tzaar --position FIXED --setup fixed | … nothing to choose
play chess --log other.txt | … arimaa, tzaar, corridor
play arimaa --rules open | … no rule set 'open'
play tzaar --rules quoridor | … no rule set 'quoridor'
play corridor --rules official | … no rule set 'official'
play tzaar --pieces animals | … TZAAR has no piece set 'animals'
show corridor --rules open --position THREE | … rule set
show tzaar/open --rules official --position FIXED | … rule set
show --rules quoridor --position THREE | … a position of great-wall is not one of quoridor
play tzaar --black bot:0 --log other.txt | … the levels are 1 to 10
play tzaar --black bot:nobody --log other.txt | … nobody
play tzaar --black engine: --log other.txt | … no player
play tzaar --black engine:./absent-program --log other.txt | … absent-program
play tzaar --black ugi: --log other.txt | … no player
play tzaar --black 'engine:PYTHON -c pass' --log other.txt | … it has ended
play tzaar --black bot:1 --think 0 | … --think
play tzaar --black bot:1 --think x | … --think
play tzaar --black bot:1 --hash 0 | … --hash
lessons chess | … no game 'chess'
lessons arimaa 0 | … no lesson 0; there are 1 to 23
lessons arimaa 24 | … no lesson 24; there are 1 to 23
lessons arimaa pusch | … did you mean push?
lessons arimaa/nonsense | … no rule set 'nonsense'
ugi chess | … chess
ugi arimaa/chess | … chess
ugi --hash 0 | … --hash
aei --level 11 | … --level
aei --threads 2 | … --threads
aei --log /no/such/folder/log.txt | … /no/such/folder
aei tzaar | … tzaar
puzzles --theme goal | … Missing argument GAME
puzzles arimaa --theme castling | … no theme castling; there are
puzzles arimaa --theme castling | … goal, trap
analyze | … FILE
analyze absent.txt | … absent.txt
analyze nonsense | … nonsense
analyze --position nonsense | … nonsense
analyze chess --position THREE | … chess
analyze game.txt --lines 0 | … --lines
analyze game.txt --depth 0 | … --depth
analyze game.txt --time 0 | … --time
analyze game.txt --time nan | … is not in the range
analyze game.txt --time inf | … is not in the range
analyze game.txt --time 1e10 | … is not in the range
analyze game.txt --nodes -1 | … --nodes
review | … FILE
review absent.txt | … absent.txt
review game.txt --depth 0 | … --depth
review game.txt --seconds 0 | … --seconds
review game.txt --nodes -1 | … --nodes
review game.txt --worst -1 | … --worst
match --game tzaar bot:1 | … needs 2 players, not 1
match --game tzaar bot:1 bot:99 | … no level
match --game tzaar bot:1 nobody | … no player
match --game tzaar bot:1 bot:1 | … NAME=PLAYER
match --game tzaar bot:1 bot:2 --games 3 | … multiple
match --game tzaar bot:1 bot:2 --time 0.0+0.0 | … no time to think
match --game tzaar bot:1 bot:2 --time 0/0 | … no time to think
match --game tzaar bot:1 bot:2 --sprt 0 9 --alpha nan | … alpha and beta
match --game tzaar bot:1 bot:2 --time 10,5+0,1 | … time control
match --game tzaar bot:1 bot:2 --time soon | … time control
match --game tzaar bot:1 bot:2 --nodes 1 --nodes 2 --nodes 3 | … each of the 2
match --game tzaar bot:1 bot:2 --sprt 5 0 | … must be below
match --game tzaar bot:1 bot:2 --sprt 0 9999 | … no margin
match --game tzaar bot:1 bot:2 bot:3 --sprt 0 5 | … two players
match --game tzaar bot:1 bot:2 --openings nowhere.txt | … no openings
match --game tzaar bot:1 bot:2 --setup wild | … setup
match --game tzaar bot:1 engine:./no-such-program | … no-such-program
"""
"""Command lines, and how their errors begin, or after three dots, what is in them."""
FIXED = "official ttttT/TyyyYT/TYzzZYT/TYZtTZYT/TYZT*tzyt/tyztTzyt/tyzZZyt/tyYYYt/tTTTT white first"
WORDS = {
    "FIXED": f"'{FIXED}'",
    "THREE": "'great-wall 5 3 a1,a5,e5 - *,*,* 1'",
    "PYTHON": sys.executable,
}
"""What stands in command lines for longer words."""


@pytest.mark.parametrize("row", NONSENSE.splitlines())
def test_a_command_line_that_makes_no_sense_exits_with_2(row: str, path: Path) -> None:
    line, problem = row.split(" | ")
    path.write_text(SHORT)
    for word, meant in WORDS.items():
        line = line.replace(word, meant)
    done = run_trine(path.parent, *shlex.split(line), lines="quit\n", status=2)
    assert f"Error: {problem}".removeprefix("Error: … ") in done.stderr
    assert "game.txt:" not in done.stderr
    assert done.stdout == ""
    assert {entry.name for entry in path.parent.iterdir()} == {"game.txt", ".home"}


def test_a_folder_that_cannot_be_created_is_named(path: Path) -> None:
    path.write_text(SHORT)
    done = run_trine(path.parent, "serve", "--data", "game.txt/folder", "--port", "0", status=2)
    assert "the house cannot be opened: game.txt/folder: Not a directory" in done.stderr
    done = run_trine(path.parent, "site", "game.txt/pages", status=2)
    assert "game.txt/pages: Not a directory" in done.stderr


@pytest.mark.parametrize("command", ["check", "convert", "show", "resume"])
@pytest.mark.parametrize("name", ["absent.txt", ".", "game.txt/x", "a" * 300, b"\xff.txt"])
def test_a_file_that_cannot_be_used_exits_with_2(
    command: str, name: str | bytes, tmp_path: Path
) -> None:
    (tmp_path / "game.txt").write_text(SHORT)
    done = run_trine(tmp_path, command, name, status=2)
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("command", ["check", "show", "resume"])
def test_a_record_that_is_wrong_exits_with_1_and_names_the_place(
    command: str, tmp_path: Path
) -> None:
    (tmp_path / "game.txt").write_text(WRONG + "3g Ee4n\n")
    done = run_trine(tmp_path, command, "game.txt", status=1)
    assert "game.txt:10:4: " in done.stdout + done.stderr


def test_an_interrupt_exits_with_130(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with (
        subprocess.Popen(
            [*TRINE, "check", str(pipe)],
            env=environment(tmp_path / ".home"),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process,
        pipe.open("w"),
    ):  # opens when the command has come to read
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=PATIENCE)
    assert "Traceback" not in out + error
    assert process.returncode == 130


INTERRUPTED = """
import os, signal, sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[2]:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
from trine.__main__ import main
main()
"""
"""A run of a command; what is interrupted is the import of a module."""


@pytest.mark.parametrize(
    "module",
    ["trine.cli.commands", "click", "trine.core.text.language", "trine.cli.commands.rules"],
)
def test_an_interrupt_amid_the_imports_is_no_traceback(module: str, tmp_path: Path) -> None:
    done = captured(
        sys.executable, "-c", INTERRUPTED, "rules", module, env=environment(tmp_path / ".home")
    )
    assert (done.returncode, (done.stdout + done.stderr).strip()) == (130, "")


@pytest.mark.parametrize("command", ["play", "check -"])
def test_a_closed_standard_input_is_an_empty_one(command: str, tmp_path: Path) -> None:
    done = run_in(tmp_path, "sh", "-c", f'"$@" {command} <&-', "sh", *TRINE)
    assert "Traceback" not in done.stderr
    assert done.returncode in (1, 2)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk that is always full")
def test_a_full_disk_behind_the_output_exits_with_2(tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_text(SHORT)
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*TRINE, "check", "game.txt"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
        )
    assert done.returncode == 2
    assert done.stderr.startswith("trine: ") and len(done.stderr.splitlines()) == 1


def test_a_reader_that_goes_away_is_no_accident(tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_text("\n".join([SHORT] * 300))
    done = run_in(tmp_path, "sh", "-c", '"$@" convert game.txt | head -n 1', "sh", *TRINE)
    assert done.stdout == '[Game "arimaa"]\n'
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "koi8-r"])
def test_a_console_that_lacks_letters_shows_what_it_can(encoding: str, path: Path) -> None:
    path.write_text(SHORT)
    for line, lines, status in (
        ("rules arimaa --lang ru", "", 0),
        ("check game.txt --lang ru", "", 0),
        ("show game.txt --pieces chess --lang hu", "", 0),
        ("play --help --lang fr", "", 0),
        ("play arimaa --pieces animals", "setup 99of9\n\N{COLLISION SYMBOL}\nquit\n", 1),
    ):
        arguments, variables = line.split(), {"PYTHONIOENCODING": encoding}
        done = run_trine(path.parent, *arguments, lines=lines, status=status, **variables)
        assert done.stdout
