"""`scripts/figures`: each table of measurements has its row, and old tables are marked."""

import subprocess
from pathlib import Path

import figures
import pytest
from figures import LINE, PAGES, ROOT, TABLE, Figure, read_figures

TIMES = Figure(
    name="times",
    page="docs/why/measuring.md",
    command="echo warming up; echo 7 ms",
    files=["code"],
    aim="10 ms",
    machine="a slow one",
    date="2026-01-02",
    commit="",
    load=-1.0,
    value="9 ms",
)


def test_each_table_is_followed_by_the_line_of_its_row() -> None:
    rows, found = read_figures(), []
    for page in sorted(ROOT.glob(PAGES)):
        words = page.read_text(encoding="utf-8")
        for table in TABLE.finditer(words):
            line = LINE.match(words, table.end() + 1)
            assert line, f"{page.name} has a table without its line: {table[0][:60]}"
            found.append((line["name"], str(page.relative_to(ROOT))))
            row = rows[line["name"]]
            assert line[0] in (row.line(old=False), row.line(old=True)), "scripts/figures writes it"
        assert len(LINE.findall(words)) == len(TABLE.findall(words)), page.name
    assert sorted(found) == sorted((row.name, row.page) for row in rows.values())


def test_rows_name_files_and_are_written_as_they_are_read() -> None:
    rows = read_figures()
    for row in rows.values():
        assert all((ROOT / file).exists() for file in row.files), row.name
    written = (ROOT / figures.ROWS).read_text(encoding="utf-8")
    assert written == figures.format_figures(rows)


def a_checkout(folder: Path, commits: int) -> Figure:
    """Make a checkout whose code changed in some commits after the figure."""

    def git(*words: str) -> str:
        who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        done = subprocess.check_output(["git", *who, *words], cwd=folder, text=True)
        return done.strip()

    git("init", "-q")
    for file in (figures.ROWS, TIMES.page):
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
    for number in range(commits + 1):
        (folder / "code").write_text(str(number))
        git("add", "code")
        git("commit", "-qm", str(number))
        if not number:
            commit = git("rev-parse", "--short=8", "HEAD")
    row = Figure(**{**vars(TIMES), "commit": commit})
    (folder / figures.ROWS).write_text(figures.format_figures({"times": row}))
    (folder / TIMES.page).write_text(f"| 9 ms |\n\n{row.line(old=False)}\n\nMore.\n")
    return row


@pytest.mark.parametrize(("commits", "old"), [(2, False), (3, True)])
def test_a_figure_older_than_its_code_is_marked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, commits: int, old: bool
) -> None:
    monkeypatch.setattr(figures, "OLD", 3)
    row = a_checkout(tmp_path, commits)
    for _ in range(2):
        figures.main([], tmp_path)
        page = (tmp_path / TIMES.page).read_text()
        assert page == f"| 9 ms |\n\n{row.line(old=old)}\n\nMore.\n"


def test_a_measurement_rewrites_the_row_and_the_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figures, "OLD", 1)
    before = a_checkout(tmp_path, 1)
    figures.main([], tmp_path)
    figures.main(["times"], tmp_path)
    row = figures.read_figures(tmp_path)["times"]
    assert row.value == "warming up\n7 ms" and row.load >= 0
    assert row.commit != before.commit and row.date > before.date
    assert (tmp_path / TIMES.page).read_text() == f"| 9 ms |\n\n{row.line(old=False)}\n\nMore.\n"
    (tmp_path / "code").write_text("changed")
    with pytest.raises(SystemExit, match="commit first what times measures"):
        figures.main(["times"], tmp_path)
