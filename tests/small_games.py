"""Records of games on a board of three by three squares, for tests of commands."""


def small_game(
    south: str,
    north: str,
    turns: str,
    *,
    rules: str = "quoridor",
    rating: str = "",
    date: str = "",
    winner: str = "",
) -> str:
    """Return a record with the lines ``turns``; a winner wins by resignation."""
    tags = {"Game": "corridor", "Rules": rules, "Size": "3", "South": south, "North": north}
    tags |= {"SouthRating": rating, "Date": date}
    end = {"Result": winner, "Reason": "resignation" if winner else ""}
    head, foot = (
        "".join(f'[{name} "{value}"]\n' for name, value in some.items() if value)
        for some in (tags, end)
    )
    return f"{head}\n{turns}\n{foot}"
