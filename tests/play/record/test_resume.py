"""A log that was cut off: what was whole comes back, nothing is invented, none lost."""

import random
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play.record.logs import HEAD, check_cut, new_path, played
from playing import (
    DUEL,
    HANDICAP,
    NEAR_GOAL,
    SHORT,
    HandClock,
    Standing,
    live,
    random_play,
    replayed,
    resumed,
    standing,
    start_trine,
    terms,
    type_line,
    watched,
)
from trine.core.contract.position import Outcome, Reason
from trine.core.errors import FileError, LockedError, TrineError
from trine.play.record.log import resume
from trine.play.session.commands import Ask
from trine.play.session.file_journal import resume_from_file

pytestmark = pytest.mark.usefixtures("swift_disk")


def small_play(folder: Path) -> tuple[bytes, dict[int, Standing]]:
    """A short play that holds everything: setups, an undo, a removal, remarks, a takeback, an end."""
    path, now = new_path(folder), HandClock()
    agreed = terms(clock="1/5/50/7", start="", handicap=HANDICAP.replace("c,c,", "c,"))
    with live(path, agreed, now) as game, watched(game) as known:
        for line in ("Ra1 Rh1 Ee2 Cc2", "end", "ra8 rh8 ee7 cc7", "end", "c2n"):
            now.wait(3.7)
            for word in line.split():
                game.enter(word)
        game.undo()
        game.enter("c2n")
        game.enter("end")
        game.do(Ask(1, "draw"))
        game.enter("e7w")
        game.undo()
        for word in ("e7w", "d7s", "end"):
            game.enter(word)
        game.take_back()
        for word in ("e7w", "end", "e2n"):
            game.enter(word)
        game.remark("hm")
        now.wait(77)
        game.enter("e3n")
        game.resign()
    return path.read_bytes(), known


def test_a_torn_log_resumes_to_the_last_whole_action_wherever_it_was_cut(folder: Path) -> None:
    content, known = small_play(folder)
    assert b"Cc3x" in content
    assert b"takeback" in content
    for cut in range(len(content) + 1):
        check_cut(content, cut, known, folder, random.Random(cut))


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(4))
def test_a_log_without_setups_resumes_wherever_it_was_cut(seed: int, folder: Path) -> None:
    content, known = played(folder, terms("ejection", clock="0:30/2"), seed, 14)
    for cut in range(content.index(b"\n\n"), len(content) + 1):
        check_cut(content, cut, known, folder, random.Random(cut))


@given(
    seed=st.integers(0, 10**6),
    doings=st.integers(20, 150),
    rules=st.sampled_from(["official", "classic", "ejection", "diagonal"]),
    clock=st.sampled_from(["", "0:20/2/50/3", "0/0/0/0/0"]),
    start=st.sampled_from([DUEL, ""]),
    cuts=st.lists(st.floats(0, 1), min_size=3, max_size=3),
)
def test_a_long_log_resumes_wherever_it_was_cut(
    folder: Path, seed: int, doings: int, rules: str, clock: str, start: str, cuts: list[float]
) -> None:
    content, known = played(folder, terms(rules, clock=clock, start=start), seed, doings)
    for cut in cuts:
        check_cut(content, round(cut * len(content)), known, folder, random.Random(seed))


def cut_before(content: str, folder: Path, mark: str) -> Path:
    path = new_path(folder)
    path.write_text(content[: content.index(mark)])
    return path


def test_a_goal_whose_result_was_torn_off_gets_it_again(folder: Path) -> None:
    path = new_path(folder)
    with live(path, terms(start=NEAR_GOAL)) as game:
        game.enter("a7n end")
    content = path.read_text()
    for mark in ("[Result", "Result", '"Gold"]\n[Re', "[Reason", "Reason", 'goal"'):
        torn = cut_before(content, folder, mark)
        with resumed(torn) as (game, _):
            assert game.play.outcome == Outcome(0, Reason.GOAL)
        assert torn.read_text() == content


def test_a_score_whose_result_was_torn_off_is_counted_again(folder: Path) -> None:
    path = new_path(folder)
    start = "2g r7/8/8/8/4e3/8/R7/R3E3"
    with live(path, terms(clock="5/5/100/0/1t", start=start)) as game:
        game.enter("e1n end e4n end")
        assert game.play.outcome == Outcome(0, Reason.SCORE)
    content = path.read_text()
    for mark in ("[Result", '"Gold"]\n[Re', "[Reason", 'score"'):
        torn = cut_before(content, folder, mark)
        with resumed(torn) as (game, _):
            game.check_time()
            assert game.play.outcome == Outcome(0, Reason.SCORE)


def test_play_goes_on_readably_where_a_score_was_torn_off(folder: Path) -> None:
    path, now = new_path(folder), HandClock()
    with live(path, terms(clock="5/5/100/0/0:02"), now) as game:
        game.enter("d4n end")
        game.enter("rh7s")
        now.wait(121)
        assert game.check_time()
    content = path.read_text()
    for mark in ("\n[Result", "[Result", "[Reason"):
        torn = cut_before(content, folder, mark)
        with resumed(torn) as (game, _):
            if game.play.outcome is None:
                game.enter("rh7s end")
                game.enter("a2n")
            before = standing(game.play)
        assert standing(replayed(torn)) == before


@given(st.binary(max_size=200), st.booleans())
def test_random_bytes_are_refused_unchanged_or_gone_on_with(
    folder: Path, content: bytes, headed: bool
) -> None:
    path = new_path(folder)
    content = HEAD.encode() + content if headed else content
    path.write_bytes(content)
    try:
        game, damage = resume_from_file(path)
    except TrineError:
        assert path.read_bytes() == content
    else:
        game.journal.close()
        kept = content.removesuffix(damage.content) if damage else content
        assert path.read_bytes().startswith(kept)


@pytest.mark.parametrize("content", [b"", b"\n", b" ", b"[Ga", b'[Game "arimaa"]\n', b"\0" * 99])
def test_a_head_that_is_not_whole_is_refused(content: bytes, path: Path) -> None:
    path.write_bytes(content)
    with pytest.raises(FileError, match="head"):
        resume(path)
    assert path.read_bytes() == content


def test_a_file_with_many_plays_is_refused(path: Path) -> None:
    path.write_text(SHORT + "\n" + SHORT)
    with pytest.raises(FileError, match="only a file with one"):
        resume(path)
    assert path.read_text() == SHORT + "\n" + SHORT


def test_a_file_of_another_format_is_called_what_it_is(path: Path) -> None:
    path.write_text("1g Ra1 Rb1\n1s ra8\n")
    with pytest.raises(TrineError) as caught:
        resume(path)
    assert "cut off" not in str(caught.value)


def test_a_legal_record_without_an_empty_line_can_be_gone_on_with(path: Path) -> None:
    path.write_text(SHORT.replace("\n\n", "\n"))
    assert replayed(path).turn_tag == "3g"
    with resumed(path) as (game, damage):
        assert (game.play.turn_tag, damage) == ("3g", None)


def test_a_clock_that_cannot_be_read_is_named(path: Path) -> None:
    path.write_text(SHORT.replace("[Handicap", '[Clock "quick"]\n[Handicap'))
    with pytest.raises(TrineError, match=re.escape(f"{path}:5:1: ")):
        resume(path)


def test_what_is_not_quite_a_time_is_a_remark(folder: Path) -> None:
    timed = SHORT.replace("[Handicap", '[Clock "1/1"]\n[Handicap')
    reserves = []
    for note in ("{0:12}", "{0:99}", "{12}", "{0:12 late}", "{12 s}"):
        path = new_path(folder)
        path.write_text(timed.replace("{0:12}", note))
        with resumed(path) as (game, damage):
            assert damage is None
            assert game.clock
            reserves.append(game.clock.used[0])
    assert reserves == [22, 10, 10, 10, 10]


def test_a_log_that_is_open_elsewhere_is_refused(path: Path) -> None:
    with live(path, terms()), pytest.raises(LockedError):
        resume(path)


def test_a_file_that_is_not_there_or_no_file_is_refused(folder: Path) -> None:
    for path in (folder, folder / "absent.txt"):
        with pytest.raises(FileError):
            resume(path)


def test_a_record_with_dos_line_breaks_can_be_gone_on_with(path: Path) -> None:
    path.write_bytes((SHORT + "3g Ee4n ").replace("\n", "\r\n").encode())
    with resumed(path) as (game, damage):
        assert damage is None
        game.enter("end ra8s")
        before = standing(game.play)
    assert standing(replayed(path)) == before


def random_lines(seed: int, number: int) -> list[str]:
    rng = random.Random(seed)
    while True:
        play = random_play(0, 0)
        lines: list[str] = []
        while len(lines) < number and not play.outcome:
            action = rng.choice(play.legal_actions())
            play.act_unchecked(action)
            lines.append(str(action))
        if not play.outcome:
            return lines


@pytest.mark.parametrize("seed", range(4))
def test_a_killed_program_keeps_every_action_that_it_has_shown(seed: int, tmp_path: Path) -> None:
    path, lines, prompts = tmp_path / "game.txt", random_lines(seed, 60), 0
    with start_trine(tmp_path, "play", "arimaa", "--position", DUEL, "--log", path) as process:
        assert process.stdout
        type_line(process, "\n".join(lines))
        while prompts < 5 + 9 * seed:
            shown = process.stdout.readline()
            assert shown
            prompts += bool(re.match(r"\d+[gs]> ", shown))
        process.kill()
    assert process.returncode < 0
    with resumed(path) as (game, damage):
        assert damage is None
        actions = [str(action) for turn in game.play.turns for action in turn.actions]
        actions += map(str, game.play.open_actions)
        # The action behind the last prompt may or may not have been under way.
        assert len(actions) >= prompts - 1
        assert actions == lines[: len(actions)]
