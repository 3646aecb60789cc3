"""The themes of puzzles, held against lessons that teach the same ideas."""

import pytest

from trine.core.play import Play
from trine.games import open_room


def themes_of(play: Play, line: str) -> set[str]:
    before, room = play.position, play.room
    play.enter(line)
    if play.open_actions and room.rules.end is not None:
        play.act(room.rules.end)
    actions = play.turns[0].actions
    return {name for name, theme in room.handbook.themes.items() if theme.used(before, actions)}


@pytest.mark.parametrize(
    ("game", "rules", "name", "theme"),
    [
        ("arimaa", "official", "goal", "goal"),
        ("arimaa", "official", "trap", "trap"),
        ("arimaa", "official", "freeze", "freeze"),
        ("arimaa", "official", "held", "hostage"),
        ("arimaa", "official", "defend", "rescue"),
        ("tzaar", "official", "extinction", "extinction"),
        ("tzaar", "official", "no-capture", "no-capture"),
        ("tzaar", "official", "safe", "fork"),
        ("tzaar", "official", "tower", "tower"),
        ("tzaar", "official", "safe", "rescue"),
        ("corridor", "quoridor", "jump", "jump"),
        ("corridor", "quoridor", "lane", "detour"),
        ("corridor", "corridor", "shut-in", "trap"),
    ],
)
def test_the_solution_of_a_lesson_uses_its_theme(
    game: str, rules: str, name: str, theme: str
) -> None:
    room = open_room(game)
    lesson = next(one for one in room.lessons(rules) if one.name == name)
    play = Play(room, room.rules.parse_position(lesson.position, rules))
    assert theme in themes_of(play, lesson.solution[0])


@pytest.mark.parametrize(
    ("position", "line", "themes"),
    [
        ("quoridor 9 2 e5,b7 - 9,9 1", "e4h", {"behind"}),
        ("quoridor 9 2 e5,b7 - 9,9 1", "d4h", {"behind"}),
        ("quoridor 9 2 e5,b7 - 9,9 1", "f4h", set()),
        ("quoridor 9 2 e5,b7 - 9,9 2", "b7h", {"behind"}),
        ("quoridor 9 2 e5,b7 - 9,0 1", "e6", {"race"}),
        ("quoridor 9 2 e5,b7 - 9,1 1", "e6", set()),
    ],
)
def test_walls_behind_and_races_are_told_by_the_referee(
    position: str, line: str, themes: set[str]
) -> None:
    room = open_room("corridor")
    assert themes_of(Play(room, room.rules.parse_position(position, "quoridor")), line) == themes
