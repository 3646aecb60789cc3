"""The board: a hexagon of 60 points, held against axial coordinates."""

from trine.games.tzaar.board import (
    ARMY,
    ARMY_SIZE,
    COORDINATES,
    LINES_FROM,
    POINT_NAMES,
    POINT_OF,
    POINTS,
    coordinates,
)

AXIAL_STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))


def axial_points() -> dict[tuple[int, int], int]:
    """The points by two axes at 60 degrees: across the columns, and down them."""
    points = {}
    for x in range(-4, 5):
        for y in range(-4, 5):
            if abs(x + y) <= 4 and (x, y) != (0, 0):
                points[x, y] = POINT_OF["abcdefghi"[x + 4] + str(min(4, 4 - x) - y + 1)]
    return points


def test_every_column_has_its_points() -> None:
    counts = [sum(name[0] == column for name in POINT_NAMES) for column in "abcdefghi"]
    assert counts == [5, 6, 7, 8, 8, 8, 7, 6, 5]
    assert "".join(name[1] for name in POINT_NAMES if name[0] == "e") == "12346789"
    assert len(POINTS) == len(set(POINT_NAMES)) == 2 * ARMY_SIZE == 2 * sum(ARMY.values())


def test_lines_are_those_of_axial_coordinates() -> None:
    points = axial_points()
    assert sorted(points.values()) == list(POINTS)
    for (x, y), point in points.items():
        lines = set()
        for across, down in AXIAL_STEPS:
            line, steps = [], 1
            while (place := (x + steps * across, y + steps * down)) in points:
                line.append(points[place])
                steps += 1
            lines.add(tuple(line))
        assert set(LINES_FROM[point]) == lines, POINT_NAMES[point]
        assert len(LINES_FROM[point]) == 6


def test_lines_lead_back() -> None:
    for origin in POINTS:
        for line in LINES_FROM[origin]:
            for target in line:
                back = next(way for way in LINES_FROM[target] if origin in way)
                assert back[: back.index(origin)] == line[: line.index(target)][::-1]


def test_no_line_leads_over_the_missing_centre() -> None:
    for one, other in (("e4", "e6"), ("d4", "f5"), ("d5", "f4"), ("b2", "h5"), ("e1", "e9")):
        assert not any(POINT_OF[other] in line for line in LINES_FROM[POINT_OF[one]])


def test_points_lie_symmetrically_around_the_centre() -> None:
    column, height = coordinates("e5")
    turned = {(2 * column - x, 2 * height - y) for x, y in COORDINATES}
    assert turned == set(COORDINATES)
