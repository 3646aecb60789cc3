"""The Russian document's advice about playing TZAAR well, quoted in lessons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from trine.core.contract.lesson import Quote
from trine.core.text.sentence import text

QUOTES: Final[Mapping[str, tuple[Quote, ...]]] = {
    "top": (
        Quote(
            "ru",
            "Поэтому желательно столбики строить из фишек типа Тотт. Их больше всего, а если фишек "
            "некоторого типа мало, то их лучше ставить на вершину столбика.",
            text(
                "So stacks are best built of Totts. There are most of them; and a kind of which "
                "there are few is better put on top of a stack."
            ),
        ),
        Quote(
            "ru",
            "Отсюда следует, что фишки ЦААР более пригодны именно для вершины столбика.",
            text("It follows that Tzaars belong on top of stacks."),
        ),
    ),
    "safe": (
        Quote(
            "ru",
            "столбик – это конструкция с большим резервом защиты, нежели одиночная фишка или "
            "столбик меньшей высоты",
            text("A stack can be defended better than a single piece, or a stack of less height."),
        ),
    ),
    "extinction": (
        Quote(
            "ru",
            "критическое уменьшение фишек одного типа может привести к поражению",
            text("To have too few of one kind can lose the game."),
        ),
    ),
    "no-capture": (
        Quote(
            "ru",
            "Проиграть можно, потеряв возможность первого полухода, то есть хода со взятием.",
            text("One can lose by having no first action any more, that is, no capture."),
        ),
        Quote(
            "ru",
            "старайтесь выбирать такой ход при котором у вас будет результативных ходов больше "
            "нежели у противника",
            text("Try to choose a turn after which you have more captures than the other side."),
        ),
    ),
}
"""The advice by the names of lessons."""
