"""The files of the page: small, typed, with the look that pictures have, and whole in themselves."""

import json
import re
import runpy
import shutil
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from house.web.browsing import STATIC
from playing import HOUSE
from trine.house.web.assets import Assets, modules_needed, without_comments
from trine.play.draw.board_theme import THEMES, BoardTheme

MODULES = sorted(STATIC.rglob("*.js"))


def test_the_themes_are_those_of_pictures() -> None:
    """`scripts/theme` writes them."""
    program = runpy.run_path(str(HOUSE / "scripts" / "theme.py"))
    assert (STATIC / "board" / "theme.js").read_text(encoding="utf-8") == program["theme_module"]()


def handed(page: str, name: str) -> set[str]:
    """The names of the sentences that a page hands to its script."""
    (path,) = STATIC.parent.parent.glob(f"*/pages/{page}.html")
    (block,) = re.findall(
        rf"{{% set {name} = [^\n]*{{\n(.*?)^}}\)? %}}",
        path.read_text(encoding="utf-8"),
        re.DOTALL | re.MULTILINE,
    )
    return set(re.findall(r'^  "(\w+)": _\(".+"\),$', block, re.MULTILINE))


def said(entry: str, holder: str) -> set[str]:
    """The names of the sentences that a script and its modules say."""
    return {
        name
        for module in modules_needed(entry)
        for name in re.findall(rf"\b{holder}\.(\w+)", (STATIC / module).read_text(encoding="utf-8"))
    }


def test_pages_hand_their_scripts_the_sentences_that_these_say() -> None:
    built = {"asks_draw", "asks_pause", "asks_takeback", "left", "reconnecting"}
    common = handed("parts", "board_words")
    assert common | handed("parts", "stage_words") <= said("lessons/lesson.js", "words")
    assert handed("game_words", "script_words") == (said("games/game.js", "words") | built) - common
    assert handed("chat", "chat_words") == said("talk/chat.js", "sentences")
    assert handed("analysis", "script_words") == said("analysis/analysis.js", "words") - common


def folders_known() -> dict[str, set[str]]:
    """Which other folders the modules of each folder name, those of types included."""
    known: dict[str, set[str]] = {}
    for path in MODULES:
        for name in re.findall(
            r'(?:from|import\(|import)\s*"([^"]+\.js)"', path.read_text(encoding="utf-8")
        ):
            there = (path.parent / name).resolve()
            assert there.is_file() and there.is_relative_to(STATIC), (path, name)
            if there.parent not in (path.parent, STATIC):
                known.setdefault(path.parent.name, set()).add(there.parent.name)
    return known


def test_the_board_and_the_frame_stand_by_themselves_and_no_folders_form_a_circle() -> None:
    known = folders_known()
    assert known["games"] >= {"board", "page"}
    assert not known.keys() & {"board", "page", STATIC.name}
    tuple(TopologicalSorter(known).static_order())  # raises where folders form a circle


def page_types(*given: str) -> None:
    script = HOUSE / "scripts" / "page_types.py"
    done = subprocess.run(
        [sys.executable, script, *given], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_what_messages_leave_out_is_what_the_pages_fill_in() -> None:
    page_types("--check")


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
def test_words_and_forms_stand_out_from_their_ground(theme: BoardTheme) -> None:
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


KEPT = ("--incremental", "--tsBuildInfoFile", HOUSE / ".venv" / ".npm" / "types.json")
"""What has been checked is checked no more: of seconds, one is left where nothing is new."""


def test_the_types_hold() -> None:
    page_types("--types")
    done = subprocess.run(
        [*typescript("tsc.js"), "--project", HOUSE / "tests" / "house" / "web", *KEPT],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_style_sheets_travel_whole_but_for_their_comments() -> None:
    assets, sheets = Assets(), sorted(STATIC.rglob("*.css"))
    assert any("/*" in path.read_text(encoding="utf-8") for path in sheets)
    for path in sheets:
        sent = assets.get(path.relative_to(STATIC).as_posix())
        assert sent and b"/*" not in sent.plain, path
        lines = path.read_text(encoding="utf-8").splitlines()
        read = [rule for line in lines if (rule := line.partition("/*")[0].rstrip())]
        assert [line for line in sent.plain.decode().splitlines() if line] == read, path


SAME = """
const ts = require(process.argv[1]), fs = require("fs");
const shape = (node) => {
  const parts = [];
  ts.forEachChild(node, (part) => { parts.push(shape(part)); });
  return [node.kind, parts.length ? parts : (node.text ?? "").replace(/\\n\\s+/g, "\\n")];
};
const told = (text) =>
  JSON.stringify(shape(ts.createSourceFile("m.js", text, ts.ScriptTarget.Latest)));
for (const [name, text, slim] of JSON.parse(fs.readFileSync(0))) {
  if (told(text) !== told(slim)) console.log(name);
}
"""


def test_modules_do_the_same_without_what_is_for_readers() -> None:
    node, module = typescript("typescript.js")
    read = {str(path): path.read_text(encoding="utf-8") for path in MODULES}
    slim = [(name, words, without_comments(words)) for name, words in read.items()]
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
