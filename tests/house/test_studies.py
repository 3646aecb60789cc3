"""Studies in the house: what is handed in, what becomes of the tree, what comes back."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from house.houses import a_house, until
from playing import DUEL
from trine.core.contract.record import read_records
from trine.core.errors import TrineError
from trine.core.play import Play
from trine.games import new_play
from trine.house.analysis import live_analysis
from trine.house.analysis import record_reader as reading
from trine.house.analysis.analysis_worker import Thought
from trine.house.analysis.live_analysis import AnalysisResources, LiveAnalysis
from trine.house.analysis.messages import Findings, Think
from trine.house.analysis.record_reader import parse_in_pool, parse_submitted
from trine.house.analysis.study import NoStudyError, Study, StudyRegistry
from trine.house.app import House
from trine.house.job_pool import MAX_WAITING_PER_ADDRESS, JobPool
from trine.house.people.quotas import Quotas
from trine.house.people.tables import Person
from trine.house.store.store_errors import BusyError
from trine.play.record.replay import replay
from trine.play.record.variations import tree_of

GAME = f"""\
[Game "arimaa"]
[Start "{DUEL}"]
[Gold "Anna"]

2g Ra2n {{0:12}} {{or 2g Ed4w, 2s ec5n [quiet]}}
2s he5e {{why?}}
2026 …
"""
WALLS = '[Game "corridor"]\n\n1s e2\n1n e8\n2s e3 {or 2s d3h}\n2n resigns\n[Result "South"]\n[Reason "resignation"]\n'


# --- what is handed in ---------------------------------------------------------------------------


def test_a_record_is_read_whole_without_the_end_of_its_last_line() -> None:
    found = parse_submitted(WALLS.rstrip())
    assert found.refusal is None
    (record,) = read_records(found.record.splitlines(keepends=True))
    assert record.tags["Rules"] == "quoridor"
    assert len(replay(record).turns) == 3
    assert [str(node) for node in tree_of(record).variations[0].variations[0].variations] == [
        "2s e3",
        "2s d3h",
    ]


@pytest.mark.parametrize("game", ["arimaa", "tzaar/open", "corridor/quoridor"])
def test_a_position_is_read_and_begins_a_record(game: str) -> None:
    play = new_play(game, position=DUEL if game == "arimaa" else "")
    told = play.room.rules.format_position(play.position)
    found = parse_submitted(f"  {told}\n")
    assert found.refusal is None
    (record,) = read_records(found.record.splitlines(keepends=True))
    assert replay(record).position == play.position


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("", "nothing to read"),
        ("hello\n", "neither a game nor a position"),
        (GAME, "2026"),
        ('[Game "chess"]\n', "no game"),
        ('[Game "corridor"]\n1s e5\n', "turn 1s"),
        ("2g 8/8/2E5/8/8/8/8/8", "no friend beside it"),
        ("open a b c", "neither a game nor a position"),
        ("\x00" * 50, "neither a game nor a position"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_sentence(given: str, words: str) -> None:
    found = parse_submitted(given)
    assert found.record == ""
    assert words in str(found.refusal)


def test_one_of_several_games_is_chosen() -> None:
    two = WALLS + '\n[Game "tzaar"]\n[White "Ada"]\n'
    assert len(parse_submitted(two).games) == 2
    assert '[White "Ada"]' in parse_submitted(two, 2).record
    assert "resignation" in parse_submitted(two, 1).record


def test_a_text_that_is_several_legal_games_is_read_in_the_chosen_format() -> None:
    words = "e2 e8 e3 e7 e4 e6 e5h f7h"
    assert parse_submitted(words).readings == ("bga", "oqf")
    assert not parse_submitted(words).record
    for form, wall in (("bga", "e5h"), ("oqf", "e4h")):
        found = parse_submitted(words, form=form)
        assert (found.form, wall in found.record) == (form, True)
    assert parse_submitted("1. e2 e8 2. e3 e7 3. e4 e6 4. e5 e5h 5. e7").form == "oqf"
    assert parse_submitted(words, form="nothing").refusal


def test_what_takes_too_long_or_is_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def for_ever(*_: object) -> None:
        while True:
            pass

    with monkeypatch.context() as patched:
        patched.setattr(reading, "LONGEST_TIME", 0.01)
        patched.setattr(reading, "_parse", for_ever)
        assert "too long" in str(parse_submitted(WALLS).refusal)
    monkeypatch.setattr(reading, "MAX_TURNS", 3)
    assert "more than 3 turns" in str(parse_submitted(WALLS).refusal)


async def test_of_one_who_sends_much_to_be_read_nobody_else_waits(tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    helpers = JobPool()
    job = partial(Path.read_text, gate)
    first, *waiting = [
        asyncio.create_task(helpers.run("flood", job)) for _ in range(1 + MAX_WAITING_PER_ADDRESS)
    ]
    assert (await parse_in_pool(helpers, "other", WALLS)).refusal is None
    with pytest.raises(TrineError, match="too much at once"):
        await parse_in_pool(helpers, "flood", WALLS)
    assert not any(one.done() for one in (first, *waiting))
    for one in waiting:
        one.cancel()
    await asyncio.to_thread(gate.write_text, "done")
    assert await first == "done"
    assert (await parse_in_pool(helpers, "flood", WALLS)).refusal is None
    await asyncio.to_thread(helpers.close)


# --- what becomes of the tree --------------------------------------------------------------------


@asynccontextmanager
async def a_study(path: Path, record: str) -> AsyncIterator[tuple[House, Person, Study]]:
    async with a_house(path) as house:
        person, _ = await house.accounts.welcome("Ada")
        found = parse_submitted(record)
        assert found.refusal is None
        name = await house.studies.create(person, found.record)
        yield house, person, await house.studies.study(name)


def lines(study: Study) -> list[str]:
    return [str(node) for node in study.root.tree()][1:]


async def test_whole_turns_come_into_the_tree_once_and_the_rest_is_a_draft(tmp_path: Path) -> None:
    async with a_study(tmp_path, DUEL) as (house, _, study):
        node, draft = await study.act(study.root, ["Ra2n"])
        assert node is study.root and draft and len(draft) == 1 and lines(study) == []
        node, draft = await study.act(study.root, ["Ra2n", "end", "he5e"])
        assert lines(study) == ["2g Ra2n"] and draft is not None
        again, _ = await study.act(study.root, ["Ra2n", "end"])
        assert again is node and node.played
        other, _ = await study.act(study.root, [], "Ed4w end")
        assert not other.played and lines(study) == ["2g Ra2n", "2g Ed4w"]
        with pytest.raises(TrineError):
            await study.act(study.root, ["Ra2s"])
        await study.note(other, "brave")
        await study.promote(other)
        assert lines(study) == ["2g Ed4w", "2g Ra2n"]
        assert [study.at_place(study.place(one)) for one in study.root.tree()] == [
            *study.root.tree()
        ]
        await study.settle()
        # Another process finds it as it is.
        del house.studies._open[study.id]
        opened = await house.studies.study(study.id)
        assert opened is not study and lines(opened) == lines(study)
        assert opened.root.variations[0].note == "brave"


async def test_a_game_that_is_over_goes_on_in_variations_until_one_is_promoted(
    tmp_path: Path,
) -> None:
    async with a_study(tmp_path, WALLS) as (_, __, study):
        last = [*study.root.line()][-1]
        assert study.outcome(last)
        node, _ = await study.act(last, ["e7"])
        assert not node.played and study.outcome(node) is None
        await study.promote(node)
        assert node.played and "Result" not in study.record.tags
        await study.settle()
        (record,) = read_records(study.text().splitlines(keepends=True))
        assert len(replay(record).turns) == 4
        before = await study.remove(node)
        assert before is last and not study.holds(node)
        with pytest.raises(TrineError, match="main line already"):
            await study.promote(last)


async def test_the_number_of_a_turn_is_not_given_to_another_when_it_is_removed(
    tmp_path: Path,
) -> None:
    """A page that has not heard of the removal yet would write its note on the wrong turn."""
    async with a_study(tmp_path, DUEL) as (_, __, study):
        node, _draft = await study.act(study.root, ["Ra2n", "end"])
        number = study.number(node)
        await study.remove(node)
        other, _draft = await study.act(study.root, [], "Ed4w end")
        with pytest.raises(TrineError, match="no longer in this analysis"):
            study.node(number)
        assert study.node(study.number(other)) is other


async def test_a_change_overwrites_none_of_another_process(tmp_path: Path) -> None:
    async with a_study(tmp_path, DUEL) as (house, _, study):
        store, told = house.store, list[bool]()
        shared: Any = SimpleNamespace(
            fetch=store.fetch, commit=store.commit, now=store.now, shared=True
        )
        here, elsewhere = StudyRegistry(shared, Quotas()), StudyRegistry(shared, Quotas())
        one, other = await here.study(study.id), await elsewhere.study(study.id)
        other.watchers.add(lambda study: told.append(study.lost))
        await one.act(one.root, ["Ra2n", "end"])
        await one.settle()
        await other.act(other.root, [], "Ed4w end")
        await other.settle()
        assert told[-1], "its pages are not sent away"
        again = await elsewhere.study(study.id)
        assert lines(again) == ["2g Ra2n"] and "try again" in str(again.fault)
        await again.act(again.root, [], "Ed4w end")
        assert await elsewhere.study(study.id) is again
        await again.settle()
        assert await elsewhere.study(study.id) is again and not again.fault
        # Who comes to the first process is shown what the second one has changed.
        assert lines(await here.study(study.id)) == ["2g Ra2n", "2g Ed4w"] and one.lost


async def test_what_could_not_be_saved_is_saved_later(
    tmp_path: Path, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise BusyError(9)

    async with a_study(tmp_path, DUEL) as (_, __, study):
        with monkeypatch.context() as patched:
            patched.setattr("trine.house.analysis.tables.save_study", refuse)
            await study.act(study.root, ["Ra2n", "end"])
            await study.settle()
            assert study.fault and not study.saved
    assert lines(await house.studies.study(study.id)) == ["2g Ra2n"]


async def test_only_its_owner_drops_a_study(tmp_path: Path) -> None:
    async with a_study(tmp_path, DUEL) as (house, person, study):
        other, _ = await house.accounts.welcome("Eve")
        with pytest.raises(NoStudyError):
            await house.studies.drop(study.id, other.id)
        await house.studies.drop(study.id, person.id)
        with pytest.raises(NoStudyError):
            await house.studies.study(study.id)


async def test_an_analysis_thinks_on_once_the_house_is_no_longer_busy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_analysis, "THINKING_DELAY", 0.0)
    monkeypatch.setattr(live_analysis, "POLL_INTERVAL", 0.0)
    asked: list[bool] = []
    states: list[str] = []

    def is_busy() -> bool:
        asked.append(len(asked) < 3)
        return asked[-1]

    async def think(*given: Any) -> Thought:
        assert not asked[-1], "it thinks while turns wait"
        return Thought(Findings([], [], 0, [], []))

    async def check_fair(play: Play) -> None: ...

    async with a_study(tmp_path, DUEL) as (_, person, study):
        bots: Any = SimpleNamespace(think=think, patience=1.0)
        thinkers = AnalysisResources(bots, print, is_busy)

        def changed() -> None:
            assert thoughts.message
            states.append(thoughts.message.state)

        thoughts = LiveAnalysis(thinkers, study, person.id, "", changed, check_fair)
        thoughts.wishes = Think(on=True)
        thoughts.begin(study.root, None, waits=False)
        await until(lambda: states[-1:] == ["done"])
        assert asked == [True, True, True, False] and states == ["thinking", "done"]
        thoughts.close()
