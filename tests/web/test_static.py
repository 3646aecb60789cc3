"""The files of the page: small, typed, with the look that pictures have, and whole in themselves."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from rjsmin import jsmin

from playing import HOUSE
from trine.core.scene import Board, Button, Cell, Label, Line, Piece, Scene, Spot
from trine.draw.theme import THEMES, Theme
from trine.draw.theme_file import theme_module
from trine.web import words
from trine.web.chat_words import CHAT
from trine.web.modules import modules_needed
from web.browsing import STATIC

MODULES = sorted(STATIC.glob("*.js"))


def test_the_themes_are_those_of_pictures() -> None:
    """`scripts/theme` writes them."""
    assert (STATIC / "theme.js").read_text(encoding="utf-8") == theme_module()


def travel(entry: str) -> dict[str, int]:
    """The weight of a module and all that it imports, compressed one by one, as they travel."""
    return {
        name: len(gzip.compress(words.encode())) for name, words in modules_needed(entry).items()
    }


def test_the_board_comes_in_a_few_kilobytes() -> None:
    board = travel("board.js")
    assert 5_000 < sum(board.values()) < 20_000
    most = {
        "replay.js": 4_000,
        "game.js": 19_000,
        "home.js": 3_000,
        "lesson.js": 3_000,
        "analysis.js": 11_000,
    }
    for entry, limit in most.items():
        more = {name: size for name, size in travel(entry).items() if name not in board}
        assert 500 < sum(more.values()) < limit, (entry, more)


def test_the_house_says_what_the_script_of_a_game_says() -> None:
    said = {
        name
        for module in modules_needed("game.js")
        for name in re.findall(r"\bwords\.(\w+)", (STATIC / module).read_text(encoding="utf-8"))
    }
    assert said <= set(words.SCRIPT) <= set(words.PAGE)
    chat = (STATIC / "chat.js").read_text(encoding="utf-8")
    assert set(re.findall(r"\bsentences\.(\w+)", chat)) <= set(CHAT)


def test_modules_name_no_address_and_no_game() -> None:
    for path in MODULES:
        said = path.read_text(encoding="utf-8")
        assert set(re.findall(r"https?://[^\"'` )]*", said)) <= {"http://www.w3.org/2000/svg"}, path
        assert not re.findall(r"arimaa|tzaar|corridor|quoridor|rabbit", said.lower()), path


def test_pages_leave_colons_to_the_language() -> None:
    pages = sorted(STATIC.parent.glob("pages/*.html"))
    assert len(pages) > 20
    for path in pages:
        assert not re.search(r"}}(</\w+>)?:", path.read_text(encoding="utf-8")), path


def test_imports_stay_in_the_folder() -> None:
    for path in MODULES:
        for name in re.findall(
            r'(?:from|import\(|import)\s*"([^"]+\.js)"', path.read_text(encoding="utf-8")
        ):
            assert (STATIC / name).resolve().parent == STATIC, (path, name)
            assert (STATIC / name).is_file(), (path, name)


def test_the_types_of_the_page_are_those_of_scenes() -> None:
    """Field for field: what a scene has, the page knows, and the other way round."""
    written = (STATIC / "types.js").read_text(encoding="utf-8")
    for shape in (Board, Button, Cell, Label, Line, Piece, Scene, Spot, Theme):
        short = re.search(rf"@typedef {{{{(.*)}}}} {shape.__name__}\b", written)
        if short:
            found = set(re.findall(r"(\w+): ", short[1]))
        else:
            (block,) = re.findall(
                rf"@typedef {{object}} {shape.__name__}\b.*\n((?: \* @property .*\n)+)", written
            )
            found = set(re.findall(r"} (\w+)", block))
        extra = {Board: {"schema"}, Scene: {"schema"}, Theme: {"layers", "night"}}.get(shape, set())
        assert found == set(shape.__dataclass_fields__) | extra, shape


def test_every_theme_has_the_same_roles_by_night() -> None:
    for day, night in THEMES.values():
        assert day.paints.keys() == night.paints.keys()


def brightness(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((brightness(one), brightness(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [theme for both in THEMES.values() for theme in both])
def test_words_and_forms_stand_out_from_their_ground(theme: Theme) -> None:
    paints = theme.paints
    assert contrast(paints["coordinate"].ink, paints["board"].body) >= 4.5
    assert contrast(paints["count"].ink, paints["tray"].body) >= 4.5
    assert contrast(paints["count"].ink, paints["count"].light) >= 4.5
    assert contrast(paints["target"].body, paints["square"].body) >= 3
    for player in ("gold", "silver", "white", "black", "red", "blue"):
        edges = (paints[player].body, paints[player].shade, paints[player].ink)
        assert max(contrast(edge, paints["square"].body) for edge in edges) >= 3, player


def typescript(name: str) -> list[str | Path]:
    """A command of TypeScript's, which reads modules as a browser does."""
    module = HOUSE / ".venv" / ".npm" / "node_modules" / "typescript" / "lib" / name
    node = shutil.which("node")
    if not node or not module.exists():
        pytest.skip("TypeScript is absent; scripts/browser brings it")
    return [node, module]


def test_the_types_hold() -> None:
    done = subprocess.run(
        [*typescript("tsc.js"), "--project", HOUSE / "tests" / "web"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


SAME = """
const ts = require(process.argv[1]), fs = require("fs");
const shape = (node) => {
  const parts = [];
  ts.forEachChild(node, (part) => { parts.push(shape(part)); });
  return [node.kind, parts.length ? parts : node.text ?? ""];
};
const told = (text) =>
  JSON.stringify(shape(ts.createSourceFile("m.js", text, ts.ScriptTarget.Latest)));
for (const [name, text, slim] of JSON.parse(fs.readFileSync(0))) {
  if (told(text) !== told(slim)) console.log(name);
}
"""


def test_modules_do_the_same_without_what_is_for_readers() -> None:
    node, module = typescript("typescript.js")
    read = {path.name: path.read_text(encoding="utf-8") for path in MODULES}
    slim = [(name, words, jsmin(words)) for name, words in read.items()]
    assert sum(len(after) for _, _, after in slim) < 0.8 * sum(
        len(words) for words in read.values()
    )
    done = subprocess.run(
        [node, "-e", SAME, module],
        input=json.dumps(slim),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
