import re
from pathlib import Path

import pytest

from playing import ARIMAA, run_trine
from trine.games import ROOMS, open_room


def test_without_a_game_all_rule_sets_are_listed(tmp_path: Path) -> None:
    done = run_trine(tmp_path, "rules")
    names = [f"{game}/{rules}" for game in ROOMS for rules in open_room(game).rule_sets]
    assert len(names) == 10
    assert re.findall(r"^\S+", done.stdout, re.M) == names
    told = " ".join(done.stdout.split())
    for game in ROOMS:
        for rules in open_room(game).rule_sets.values():
            assert f"{game}/{rules.name} {rules.differs} [{rules.source}]" in told


@pytest.mark.parametrize("rules", ARIMAA.rule_sets)
def test_the_rules_of_a_rule_set_are_printed_with_their_sources(rules: str, tmp_path: Path) -> None:
    done = run_trine(tmp_path, "rules", f"arimaa/{rules}")
    assert done.stdout.startswith(f"Arimaa: arimaa/{rules}\n")
    numbers = [int(number) for number in re.findall(r"^ *(\d+)\. ", done.stdout, re.M)]
    assert numbers == list(range(1, len(ARIMAA.rulebook(rules)) + 1))
    assert len(re.findall(r"^ +\[", done.stdout, re.M)) == len(numbers)
    assert max(map(len, done.stdout.splitlines())) <= 100


def test_a_game_alone_has_its_official_rules(tmp_path: Path) -> None:
    assert (
        run_trine(tmp_path, "rules", "arimaa").stdout
        == run_trine(tmp_path, "rules", "arimaa/official").stdout
    )


def test_examples_show_how_a_turn_is_ended_in_the_language_of_the_reader(tmp_path: Path) -> None:
    done = run_trine(tmp_path, "--lang", "hu", "rules", "arimaa/diagonal", "--examples")
    assert "a7n a6n b7n vége" in done.stdout
    assert re.search(r"\bend\b", done.stdout) is None


def test_the_record_that_is_explained_is_one(tmp_path: Path) -> None:
    done = run_trine(tmp_path, "rules", "arimaa/diagonal")
    lines = [line for line in done.stdout.splitlines() if re.match(r"\[|\d+[gs] ", line)]
    log = tmp_path / "log.txt"
    log.write_text("\n".join(lines), "utf-8")
    run_trine(tmp_path, "check", str(log))


def test_rules_are_printed_in_other_languages(tmp_path: Path) -> None:
    done = run_trine(tmp_path, "rules", "arimaa/ejection", "--lang", "ru")
    assert re.search("[а-я]{5}", done.stdout)


def test_without_being_asked_for_no_example_is_shown(tmp_path: Path) -> None:
    assert "is not legal" not in run_trine(tmp_path, "rules", "arimaa").stdout


@pytest.mark.parametrize(
    "rule_set", [f"{game}/{rules}" for game in ROOMS for rules in open_room(game).rule_sets]
)
def test_examples_are_shown_with_the_words_of_the_referee(rule_set: str, tmp_path: Path) -> None:
    game, _, rules = rule_set.partition("/")
    done = run_trine(tmp_path, "rules", rule_set, "--examples")
    assert done.stderr == ""
    told = " ".join(done.stdout.split())
    room = open_room(game)
    tries = [
        one for clause in room.rulebook(rules) if clause.example for one in clause.example.tries
    ]
    assert len(tries) >= 10
    for tried in tries:
        verdict = f"is not legal: {tried.refused}" if tried.refused else "is legal"
        assert f" {tried.line} {verdict}" in told
    boards = re.findall(r" to move$", done.stdout, re.M)
    assert len(boards) == sum(bool(clause.example) for clause in room.rulebook(rules))


def test_examples_can_be_read_where_only_ascii_can_be_written(tmp_path: Path) -> None:
    done = run_trine(
        tmp_path, "rules", "corridor", "--examples", PYTHONIOENCODING="ascii", PYTHONUTF8="0"
    )
    assert done.stdout.isascii()
    assert "?" not in re.sub(r"\?,\?", "", done.stdout)


def test_the_pictures_of_the_russian_document_are_examples(tmp_path: Path) -> None:
    done = run_trine(tmp_path, "--lang", "ru", "rules", "arimaa/ejection", "--examples")
    said = " ".join(done.stdout.split())
    assert said.count("Золотой игрок") == 4
    assert "вытолкнута серебряная собака. e4e d4e: разрешено" in said
