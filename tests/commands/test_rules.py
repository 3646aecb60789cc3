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
    assert done.returncode == 0


@pytest.mark.parametrize("rules", ARIMAA.rule_sets)
def test_the_rules_of_a_rule_set_are_printed_with_their_sources(rules: str, tmp_path: Path) -> None:
    done = run_trine(tmp_path, "rules", f"arimaa/{rules}")
    assert done.returncode == 0
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


def test_rules_are_printed_in_other_languages(tmp_path: Path) -> None:
    done = run_trine(tmp_path, "rules", "arimaa/ejection", "--lang", "ru")
    assert re.search("[а-я]{5}", done.stdout)
