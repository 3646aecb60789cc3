"""The documentation is true: its records replay, its commands exist."""

import re
import runpy
from pathlib import Path

import pytest

from test_tutorials import run_examples
from trine.cli.commands import COMMANDS
from trine.core.contract.record import read_records
from trine.games import ROOMS, open_room
from trine.play.record.replay import replay

ROOT = Path(__file__).resolve().parent.parent
BOOKS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def blocks(book: Path) -> list[str]:
    return re.findall(
        r"^```\w*\n(.*?)^```", book.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )


def test_the_record_that_is_shown_is_legal() -> None:
    records = [
        block
        for block in blocks(ROOT / "docs" / "guides" / "records.md")
        if block.startswith("[Game")
    ]
    assert records
    for block in records:
        (record,) = read_records(block.splitlines(keepends=True))
        assert replay(record).outcome


@pytest.mark.parametrize("game", ROOMS)
def test_the_positions_that_are_shown_can_be_read(game: str) -> None:
    room = open_room(game)
    begins = re.compile(rf"g \[|\d+[gs][ \n]|(?:{'|'.join(room.rule_sets)}) ")
    shown = [
        block for block in blocks(ROOT / "docs" / "reference" / f"{game}.md") if begins.match(block)
    ]
    assert len(shown) >= 2
    for block in shown:
        room.rules.parse_position(block.strip("\n"), "")


def test_the_commands_that_are_shown_exist() -> None:
    shown = r"(?:\./trine|`trine) ([a-z]+)"
    for book in BOOKS:
        assert set(re.findall(shown, book.read_text(encoding="utf-8"))) <= set(COMMANDS), book


def test_no_proxy_that_is_shown_lets_anybody_ask_where_processes_are() -> None:
    passing = re.compile(r"^ *(reverse_proxy|proxy_pass) ", re.MULTILINE)
    shown = [block for book in BOOKS for block in blocks(book) if passing.search(block)]
    assert len(shown) >= 3
    for block in shown:
        assert re.search(r"/where/\*? .*\bmetrics\b|location /where/ \{ return 404", block), block


def test_links_between_the_books_lead_somewhere() -> None:
    for book in BOOKS:
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", book.read_text(encoding="utf-8")):
            assert (book.parent / link).exists(), (book, link)


def test_the_first_page_leads_to_every_page_of_the_shelves() -> None:
    first = ROOT / "docs" / "README.md"
    linked = set(re.findall(r"\]\(([^)#:]+)", first.read_text(encoding="utf-8")))
    pages = {str(book.relative_to(first.parent)) for book in first.parent.glob("*/*.md")}
    assert {page for page in pages if not page.startswith("experiments/2")} <= linked


FOLDERS = ("src", "tests", "docs", "scripts", "benchmarks", "lab")
NAME = "[a-z0-9_.-]+"
FILE = re.compile(rf"({NAME}/)*{NAME}\.(py|js)|({NAME}/)+({NAME}\.txt)?")


@pytest.fixture(scope="module")
def ends() -> set[str]:
    """The paths of all files and folders, and all that they end with."""
    paths = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*")]
    parts = [path.relative_to(ROOT).parts for path in paths]
    return {*FOLDERS, *("/".join(path[begin:]) for path in parts for begin in range(len(path)))}


@pytest.mark.parametrize(
    "book",
    [book for book in BOOKS if book.parent.name != "experiments"],
    ids=lambda book: book.stem,
)
def test_the_files_that_are_named_exist(book: Path, ends: set[str]) -> None:
    """Those in backquotes in the text: modules, folders, and paths that end in ``.txt``."""
    words = book.read_text(encoding="utf-8")
    for block in blocks(book):
        words = words.replace(block, "")
    named = {name for name in re.findall("`([^`\n]+)`", words) if FILE.fullmatch(name)}
    assert not {name for name in named if name.rstrip("/") not in ends}


PYTHON = re.compile(r"(<!-- not run: .* -->\n)?^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
RUN = [
    book
    for book in BOOKS
    if book.parent.name not in ("experiments", "start")  # test_tutorials.py runs those of start
    and PYTHON.search(book.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("book", RUN, ids=lambda book: book.stem)
def test_the_python_that_is_shown_runs(
    book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The blocks of a page share their names; a comment before a block says why it is not run."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": book.stem}
    for why_not, block in PYTHON.findall(book.read_text(encoding="utf-8")):
        if why_not:
            continue
        if ">>>" in block:
            names = run_examples(block, names)
        else:
            exec(compile(block, book, "exec"), names)


PICTURES = sorted(ROOT.glob("docs/images/*.txt"))


def test_every_picture_of_the_books_has_its_record() -> None:
    assert [record.stem for record in PICTURES] == [
        picture.stem for picture in sorted(ROOT.glob("docs/images/*.svg"))
    ]
    assert len(PICTURES) >= len(ROOMS)


@pytest.mark.parametrize("record", PICTURES, ids=lambda record: record.stem)
def test_the_pictures_of_the_books_are_what_the_program_draws(record: Path) -> None:
    program = runpy.run_path(str(ROOT / "scripts" / "pictures.py"))
    assert record.with_suffix(".svg").read_text(encoding="utf-8") == program["moving"](record)
