import pytest

from playing import ARIMAA, DUEL, NEAR_GOAL, SHORT, records_in, standing
from trine.core.contract.position import Outcome, Position, Reason
from trine.core.contract.record import WrittenTurn
from trine.core.errors import TrineError
from trine.core.play import Play
from trine.play.record.replay import opening, replay

HEAD = f'[Game "arimaa"]\n[Start "{DUEL}"]\n\n'
GOAL = f'[Game "arimaa"]\n[Start "{NEAR_GOAL}"]\n\n2g Ra7n\n'


def played(words: str, rules: str = "") -> Play:
    (record,) = records_in(words)
    return replay(record, rules)


def refused(words: str, rules: str = "") -> str:
    (record,) = records_in(words)
    with pytest.raises(TrineError) as caught:
        replay(record, rules)
    return str(caught.value)


def test_a_record_is_played_through() -> None:
    play = played(SHORT)
    assert (play.turn_tag, len(play.turns), play.outcome) == ("3g", 4, None)


def test_a_line_break_ends_the_turn() -> None:
    opened, ended = played(HEAD + "2g Ra2n"), played(HEAD + "2g Ra2n\n")
    assert (opened.turn_tag, list(map(str, opened.open_actions)), opened.turns) == (
        "2g",
        ["Ra2n"],
        [],
    )
    assert (ended.turn_tag, len(ended.turns)) == ("2s", 1)


@pytest.mark.parametrize(
    ("words", "plain"),
    [
        (SHORT.replace("g R", "w R").replace("2s", "2b"), SHORT),  # old letters of the players
        (HEAD + "2g Ed4n undo Ra2n", HEAD + "2g Ra2n"),
        (HEAD + "2g Ed4n ...\n", HEAD + "2g Ed4n"),
        (HEAD + "2g Ra2n Ed4n undo Ra3n\n", HEAD + "2g Ra2n Ra3n\n"),
        (HEAD + "2g Ed4n\n2s takeback\n2g Ra2n\n2s ra7s\n3g takeback\n2s takeback\n", HEAD),
        (HEAD + "2g Ed4n\n2s ra7s undo {x} takeback\n", HEAD),
        (GOAL + "2s takeback\n2g Ee1n\n", GOAL.replace("Ra7n", "Ee1n")),
        *(
            (f"{HEAD}2g Ed4n\n{end}", f"{HEAD}2g Ed4n\n")  # a last turn without actions
            for end in ("2s", "2s ", "2s\n", "2s {paused 0:10} ", "2s {x}\n", "9g\n")
        ),
    ],
)
def test_what_does_not_count_is_as_if_it_were_not_there(words: str, plain: str) -> None:
    assert standing(played(words)) == standing(played(plain))


@pytest.mark.parametrize(
    ("turns", "place", "rule"),
    [
        ("2g Ed4n\n2g Ra2n", "5:1", "this is turn 2s"),
        ("3g Ed4n", "4:1", "this is turn 2g"),
        ("2s Ed4n", "4:1", "this is turn 2g"),
        ("2x Ed4n", "4:1", "this is turn 2g"),
        ("2g Ed4n\n2s\n3g Ra2n\n", "6:1", "this is turn 2s"),
        ("2g Ed4n {a b} Ra2s\n", "4:15", "backward"),
        ("2g Ed4n Ed4n", "4:9", "nothing stands on d4"),
        ("2g  Xd4n", "4:5", "Xd4n"),
        ("2g Ed4n ed5n", "4:9", "ed5n"),
        ("2g d4n", "4:4", "d4n"),
        ("2g ed4n", "4:4", "d4"),
        ("2g Ed4n end", "4:9", "end"),
        ("2g undo", "4:4", "no action to take back"),
        ("2g Ed4n undo undo Ra2n", "4:14", "no action to take back"),
        ("2g takeback", "4:4", "no turn to take back"),
        ("2g Ed4n takeback", "4:9", "undo them first"),
        ("2g Ed4n\n2s takeback ra7s", "5:13", "nothing can follow 'takeback'"),
        ("2g Ed4n resigns Ra2n", "4:17", "nothing can follow 'resigns'"),
        ("2g Ed4n Ed5s\n2s ra7s", "4:9", "must change the position"),
        ("2g Ed4n Ed4x", "4:9", "nothing is removed"),
        ("2g Cf2n", "4:4", "f2"),
        ("2g Ce2w Cd2w Cc2n", "4:14", "the removal Cc3x must follow"),
        ("2g Ce2w Cd2w Cc2n Cc6x", "4:14", "the removal Cc3x must follow"),
        ("2g Ed4n\n2s resigns\n3g Ra2n", "5:4", "nothing can follow 'resigns'"),
        ("2g Ed4n ... Ra2n\n", "4:9", ""),
        ("2g Ed4n ...\n2s ra7s\n", "5:1", "this is turn 2g"),
    ],
)
def test_the_first_thing_wrong_is_named_with_line_column_and_rule(
    turns: str, place: str, rule: str
) -> None:
    error = refused(HEAD + turns)
    assert error.startswith(f"game.txt:{place}: turn ")
    assert rule in error


def test_a_play_that_is_over_goes_not_on() -> None:
    assert "game.txt:5:4: turn 2s: the play is over: goal" in refused(GOAL + "2s rh2w\n")


def test_each_record_of_a_file_is_judged_for_itself() -> None:
    good, wrong, open_end = records_in(SHORT + GOAL.replace("Ra7n", "Ra7s") + SHORT + "3g Ee4n ")
    assert replay(good).turn_tag == "3g"
    with pytest.raises(TrineError, match=r"game\.txt:14:4: turn 2g: .*backward"):
        replay(wrong)
    assert replay(open_end).open_actions


def test_who_listens_hears_each_turn_with_the_positions_around_it() -> None:
    heard: list[tuple[str, str, str]] = []

    def listen(turn: WrittenTurn, before: Position, after: Position) -> None:
        heard.append((turn.tag, ARIMAA.tag(before), ARIMAA.tag(after)))

    (record,) = records_in(HEAD + "2g Ed4n\n2s takeback\n2g Ra2n\n2s ra7s undo")
    replay(record, on_turn=listen)
    assert heard == [("2g", "2g", "2s"), ("2s", "2s", "2g"), ("2g", "2g", "2s"), ("2s", "2s", "2s")]


@pytest.mark.parametrize(
    ("tags", "place", "problem"),
    [
        ('[Gold "Anna"]', "1:1", "no tag names the game"),
        ('[White "Anna"]\n\n1. Ra1', "1:1", "the games are: arimaa, tzaar, corridor"),
        ('[Game "go"]\n[Gold "Anna"]', "1:1", "no game 'go'"),
        ('[Game "arimaa"]\n[Rules "new"]', "2:1", "no rule set 'new'"),
        ('[Game "arimaa"]\n\n[Start "2g 8"]', "3:1", "eight ranks"),
        ('[Game "arimaa"]\n[Start "x"]', "2:1", "not a position"),
        ('[Game "arimaa"]\n[Handicap "gold:queen"]', "2:1", "not a handicap"),
        ('[Game "arimaa"]\n[Handicap "gold:camel,camel"]', "2:1", "more than Gold has"),
    ],
)
def test_a_tag_that_cannot_be_used_is_named(tags: str, place: str, problem: str) -> None:
    error = refused(tags + "\n")
    assert error.startswith(f"game.txt:{place}: ")
    assert problem in error


def test_the_rule_set_of_the_caller_wins_over_the_tag() -> None:
    words = '[Game "arimaa"]\n[Rules "diagonal"]\n'
    assert played(words).position.rules.name == "diagonal"
    assert played(words, "classic").position.rules.name == "classic"
    assert played('[Game "arimaa"]\n').position.rules.name == "official"


def test_a_record_begins_where_its_tags_say() -> None:
    (record,) = records_in(SHORT)
    _, start = opening(record)
    assert isinstance(ARIMAA.rules.format_position(start), str)
    assert len(start.legal_actions()) == 2 * 16
    assert start.key is None


@pytest.mark.parametrize(
    ("word", "outcome"),
    [
        ("resigns", Outcome(0, Reason.RESIGNATION)),
        ("resign", Outcome(0, Reason.RESIGNATION)),
        ("lost", Outcome(0, Reason.TIME)),
        ("drawn", Outcome(None, Reason.AGREEMENT)),
    ],
)
@pytest.mark.parametrize("before", ["", "ra7s ", "{0:10} ra7s {x} "])
def test_a_word_that_stops_the_play_decides_it(word: str, outcome: Outcome, before: str) -> None:
    assert played(HEAD + f"2g Ed4n\n2s {before}{word}\n").outcome == outcome


def test_a_stated_result_says_who_it_was_that_resigned() -> None:
    words = HEAD + '2g Ed4n\n2s resigns\n[Result "Silver"]\n[Reason "resignation"]\n'
    assert played(words).outcome == Outcome(1, Reason.RESIGNATION)


@pytest.mark.parametrize("reason", ["resignation", "time", "score", "agreement", "forfeit"])
def test_what_only_people_decide_is_taken_from_the_tags(reason: str) -> None:
    result = "draw" if reason == "agreement" else "Silver"
    words = HEAD + f'2g Ed4n\n[Result "{result}"]\n[Reason "{reason}"]\n'
    assert played(words).outcome == Outcome(None if result == "draw" else 1, Reason(reason))


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (HEAD + '[Result "Gold"]\n[Reason "goal"]\n', "the rules say the play is not over"),
        (HEAD + '[Result "draw"]\n[Reason "elimination"]\n', "the rules say the play is not over"),
        (GOAL + '[Result "Silver"]\n[Reason "goal"]\n', "the rules say Gold wins (goal)"),
        (GOAL + '[Result "Gold"]\n[Reason "resignation"]\n', "the rules say Gold wins (goal)"),
        (GOAL + '[Result "draw"]\n[Reason "agreement"]\n', "the rules say Gold wins (goal)"),
        (HEAD + '[Result "Anna"]\n[Reason "time"]\n', "'Anna' is no result"),
        (HEAD + '[Result ""]\n[Reason "time"]\n', "'' is no result"),
        (HEAD + '[Result "Gold"]\n', "'' is no reason"),
        (HEAD + '[Result "Gold"]\n[Reason "magic"]\n', "'magic' is no reason"),
    ],
)
def test_a_result_that_the_rules_contradict_is_an_error(words: str, problem: str) -> None:
    line = words.count("\n", 0, words.index("[Result")) + 1
    error = refused(words)
    assert error.startswith(f"game.txt:{line}:1: ")
    assert problem in error


@pytest.mark.parametrize(
    ("result", "reason"), [("Gold", "agreement"), ("draw", "resignation"), ("draw", "time")]
)
def test_a_reason_that_does_not_fit_its_winner_is_an_error(result: str, reason: str) -> None:
    refused(HEAD + f'2g Ed4n\n[Result "{result}"]\n[Reason "{reason}"]\n')


@pytest.mark.parametrize("word", ["resigns", "lost", "drawn"])
def test_a_word_and_a_result_that_contradict_each_other_are_an_error(word: str) -> None:
    reason = "time" if word != "lost" else "resignation"
    refused(HEAD + f'2g Ed4n\n2s {word}\n[Result "Gold"]\n[Reason "{reason}"]\n')


def test_a_stated_result_that_is_true_is_legal() -> None:
    words = GOAL + '[Result "Gold"]\n[Reason "goal"]\n'
    assert played(words).outcome == Outcome(0, Reason.GOAL)
