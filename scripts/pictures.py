"""Draw the moving pictures of the README again: the last actions of each record in docs/images/.

    .venv/bin/python scripts/pictures.py

A picture is one SVG file without a script. What all frames share is drawn once; whoever wants no
motion sees the last frame. A test holds that the files are what this draws.
"""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path

from trine.core.play import Play, changed_cells
from trine.core.scene.scene import Scene
from trine.play.draw.board_theme import NIGHT
from trine.play.draw.svg import draw_svg
from trine.play.record.formats import read_file
from trine.play.record.replay import replay

IMAGES = Path(__file__).parents[1] / "docs" / "images"
FRAMES, SECONDS = 5, 1.2
"""The number of scenes, and for how long one is seen; the last one twice as long."""
DEFINED = re.compile(r'<(?:g|pattern) id="(trine-[\w-]+)"')


def moving(record: Path) -> str:
    """Return the picture of a record."""
    _, records = read_file(record)
    scenes = list(scenes_of(replay(next(iter(records)))))
    defined: dict[str, str] = {}
    drawn = [draw_svg(scene, night=NIGHT).splitlines() for scene in scenes[-FRAMES:]]
    frames = [renamed(lines, defined) for lines in drawn]
    head = drawn[-1][: drawn[-1].index("<defs>")]
    count = len(frames)
    total = SECONDS * (count + 1)
    style = (
        f"<style>.f{{visibility:hidden;animation:f {total:g}s step-end infinite}}"
        f"{_seen('f', SECONDS / total)}{_seen('l', 2 * SECONDS / total)}"
        + "".join(f".f{one}{{animation-delay:{one * SECONDS - total:g}s}}" for one in range(count))
        + f".f{count - 1}{{animation-name:l}}@media (prefers-reduced-motion:reduce)"
        f"{{.f{{animation:none}}.f{count - 1}{{visibility:visible}}}}</style>"
    )
    shapes = [shape.replace("{}", name, 1) for shape, name in defined.items()]
    written = [*head, style, "<defs>", *shapes, "</defs>", *merged(frames), "</svg>"]
    return "\n".join(written) + "\n"


def scenes_of(play: Play) -> Iterator[Scene]:
    """Yield the scene that a play begins with, and those after its actions and turns."""
    room, end = play.room, play.room.rules.end
    yield room.view.scene(play.start)
    for turn in play.turns:
        position, actions = turn.before, [one for one in turn.actions if one != end]
        for number, action in enumerate(actions, 1):
            position = position.play_unchecked(action) if number < len(actions) else turn.after
            last = changed_cells(room, turn.before, actions[:number])
            yield room.view.scene(position, last=last)


def renamed(lines: list[str], defined: dict[str, str]) -> list[str]:
    """Return what a frame draws, with the names that all frames have for the same shapes."""
    start, end = lines.index("<defs>"), lines.index("</defs>")
    names: dict[str, str] = {}
    for line in lines[start + 1 : end]:
        found = DEFINED.match(line)
        assert found, line
        shape = line.replace(f'"{found[1]}"', '"{}"', 1)
        names[found[1]] = defined.setdefault(shape, f"t{len(defined)}")
    known = re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True))))
    return [known.sub(lambda one: names[one[0]], line) for line in lines[end + 1 : -1]]


def _seen(name: str, share: float) -> str:
    return f"@keyframes {name}{{0%{{visibility:visible}}{100 * share:.4g}%{{visibility:hidden}}}}"


def merged(frames: list[list[str]]) -> Iterator[str]:
    """Yield the lines that all frames share, once, and the others of each in their places."""
    shared = frames[0]
    for frame in frames[1:]:
        blocks = SequenceMatcher(None, shared, frame, autojunk=False).get_matching_blocks()
        shared = [line for at, _, size in blocks for line in shared[at : at + size]]
    places = [0] * len(frames)
    for line in [*shared, None]:
        for number, frame in enumerate(frames):
            begin, end = places[number], frame.index(line, places[number]) if line else len(frame)
            if own := frame[begin:end]:
                yield from (f'<g class="f f{number}">', *own, "</g>")
            places[number] = end + 1
        if line:
            yield line


if __name__ == "__main__":
    for record in sorted(IMAGES.glob("*.txt")):
        record.with_suffix(".svg").write_text(moving(record), encoding="utf-8")
