"""The turns played from the frequent positions of a part, counted once, when the part is written.

A position such as the start stands in each game of an archive, and to count a million turns takes
longer than a person waits. So a part has a third table, ``frequent``, a row for each different turn
that was played from such a position:

| column | |
|---|---|
| `key`, `after` | of the position before the turn, and of the one behind it |
| `games` | how often it was played |
| `wins`, `draws`, `losses` | how that ended for its player, where the game is over |
| `rated`, `ratings` | how many players have a rating, and the sum of the ratings |
| `words`, `image` | the actions in one of the games, and which image of the position has the key |
| `best` | games of the highest rated players: the rating in the upper 16 bits, then 16 for a part |

What stands in ``turns`` alone is counted in the same way when it is asked for.
"""

from __future__ import annotations

from typing import Final

FREQUENT: Final = 1000
"""Units: turns from a position in a part, by a sample; there are some hundred such positions."""
SAMPLED: Final = 50
"""One game of so many is looked at to find them."""
BEST: Final = 3
"""The number of games that are named for a turn."""


def counted(part: str) -> str:
    """Return the columns of a turn, given the number of the part as SQL.

    A game is one number, the higher the rating of the turn's player: a struct would be ordered
    alike, and takes four times as long.
    """
    return f"""
    count(*) as games,
    count(*) filter (score = 1) as wins,
    count(*) filter (score = 0.5) as draws,
    count(*) filter (score = 0) as losses,
    count(rating) as rated,
    sum(rating) as ratings,
    min(text) as words,
    arg_min(image, text) as image,
    max(
        (coalesce(rating, 0)::ubigint << 48) | ({part}::ubigint << 32) | game::ubigint, {BEST}
    ) as best"""


def frequent_turns(turns: str) -> str:
    """Return the query for the rows of ``frequent``, given the turns of a part as a table."""
    often = (
        f"select key from {turns} where game % {SAMPLED} = 0 "
        f"group by key having count(*) >= {FREQUENT // SAMPLED}"
    )
    return (
        f"select key, after, {counted('0')} from {turns} where key in ({often}) "
        "group by key, after order by key, after"
    )
