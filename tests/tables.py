"""Tables of cases as text."""

import pytest


def cases(columns: str, table: str) -> pytest.MarkDecorator:
    """Parametrize a test with the cells of a table: a line for each case, with bars between cells.

    The first cell of a line, above which there is no column, is the id of the case.
    """
    rows = [[cell.strip() for cell in line.split("|")] for line in table.splitlines() if line]
    names = [name.strip() for name in columns.split("|")]
    return pytest.mark.parametrize(names, [row[1:] for row in rows], ids=[row[0] for row in rows])


def parts(cell: str) -> list[str]:
    """Split a cell into its parts; an empty one has none."""
    return cell.split(" ; ") if cell else []


def typed_lines(cell: str) -> str:
    """Return the lines of a cell that a person types one after another."""
    return "".join(f"{line.strip()}\n" for line in cell.split(";"))
