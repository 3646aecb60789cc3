"""The documents' advice on playing Arimaa well: quotations, and lessons that follow it."""

from __future__ import annotations

from typing import Final

from trine.core.contract.lesson import (
    Goal,
    Quote,
    all_of,
    knowing,
    lesson,
    russian,
    wins,
)
from trine.core.contract.outcome import Reason
from trine.core.text.sentence import text
from trine.games.arimaa.board import BESIDE, SQUARE_OF
from trine.games.arimaa.view.goals import frozen, no_goal_ahead, one_fewer, stands, taken
from trine.games.arimaa.view.rulebook import DIAGRAM


def _free(piece: str) -> Goal:
    """The only piece of a kind is on the board and not frozen."""
    held = frozen(piece)
    return lambda reached: piece in reached.position.board and not held(reached)


def _beside_home_trap(piece: str) -> Goal:
    """A piece of a kind stands beside c3."""
    squares = BESIDE[SQUARE_OF["c3"]]
    return lambda reached: any(reached.position.board[square] == piece for square in squares)


_IN_THREE: Final = text("In the position shown Gold, if it were to move, could win in three steps.")

LESSONS: Final = (
    lesson(
        name="three-at-once",
        title="Freezing three at once",
        words="Enemies that touch only at their corners leave squares between them. A strong piece "
        "that steps in freezes them all, since none has a friend beside it.",
        task="Freeze the silver dog, the cat and the horse with one step.",
        position="2g rrrrr1rr/5r2/4E3/3d1h2/4c3/8/MHH5/RRRRRRRR",
        goal=all_of(frozen("d"), frozen("c"), frozen("h")),
        solution=("e6s end",),
        success="Until one of them gets a friend, three pieces stand still.",
        hints=("Ee6s, into the middle; then end the turn.",),
        wrong=("e6n end", "e6w end"),
        quotes=russian(
            "Сильная фигура в Аримаа может заморозить сразу две и даже три фигуры противника, "
            "если они стоят по диагоналям друг к другу (то есть соседствуют вершинами), если "
            "атакующая фигура войдет между ними.",
            "A strong piece can freeze two and even three enemy pieces at once, if they "
            "stand diagonally to each other and it goes between them.",
        ),
        matches=knowing("ejection", 200, 55.5, 6.3),
    ),
    lesson(
        name="single-pieces",
        title="Single pieces invite a blow",
        words="Pieces that stand alone can all be frozen in one turn, each by a stronger piece of "
        "yours. None has a friend that could set it free.",
        task="Freeze the silver horse, the dog and the cat in one turn.",
        position="2g rr1rr1rr/emr2r2/4h3/1d4c1/2C1E3/1M4H1/8/RRRRRRRR",
        goal=all_of(frozen("h"), frozen("d"), frozen("c")),
        solution=("e4n b3n g3n end",),
        success="Silver must spend steps on each of them.",
        hints=("Go to each with a piece that is stronger.",),
        wrong=("e4n b3n end", "e4n e5w b3n end"),
        quotes=russian(
            "Несколько одиночно стоящих фигур делают позицию очень уязвимой для тактического "
            "удара – замораживания.",
            "Several pieces that stand alone make a position very open to a tactical blow: "
            "freezing.",
        ),
    ),
    lesson(
        name="with-a-friend",
        title="Forward with a friend",
        words="A piece that goes forward alone is frozen by the first stronger enemy. With a "
        "friend beside it, it stays free.",
        task="Take the horse to d5, and see that it is not frozen there.",
        position="2g rrrrrrrr/8/3m4/8/8/3HC3/8/RRRRRRRR",
        goal=all_of(stands("H", "d5"), _free("H")),
        solution=("d3nn e3nn end",),
        success="The camel touches the horse, but cannot hold it.",
        hints=("Hd3nn, and two steps for the cat: Ce3nn, then end the turn.",),
        wrong=("d3nn end", "d3nn e3n end"),
        quotes=russian(
            "Одиночную фигуру можно выдвинуть вперед, если в течение хода к ней можно подвести "
            "дружественную фигуру.",
            "A single piece can be moved forward if a friend can be brought up to it "
            "within the turn.",
            "Поэтому двигать фигуры желательно «прыжками» от одной дружественной фигуры до другой.",
            "So pieces are best moved in «leaps», from one friend to another.",
        ),
        matches=knowing("ejection", 200, 53.0, 6.9),
    ),
    lesson(
        name="between-traps",
        title="Between the traps",
        words="From the squares between the traps a piece can push into either of them.",
        task="Take the silver dog and the cat in one turn.",
        position="2g rrrrrrrr/8/3dc3/3E4/8/8/8/RRRRRRRR",
        goal=all_of(taken("d"), taken("c")),
        solution=("d6w d5n e6e d6e end",),
        success="Two traps, one elephant between them.",
        hints=("dd6w, and the elephant takes d6; then ce6e, and it takes e6.",),
        wrong=("d6w d5n end", "e6e d5e end"),
        quotes=russian(
            "Наиболее выгодное положение фигур для решения обеих задач – это квадрат между "
            "ловушками.",
            "The best place of pieces for both tasks is the area between the traps.",
        ),
        matches=knowing("ejection", 200, 49.0, 6.0),
    ),
    lesson(
        name="draw-away",
        title="Opening the way for a rabbit",
        words="A rabbit cannot push anybody. A strong piece beside it pulls the defender away, and "
        "the rabbit goes in.",
        task="The cat on b8 shuts the way and freezes your rabbit. Win.",
        position="2g rcE4r/1R6/8/8/8/8/8/R7",
        goal=wins(Reason.GOAL),
        solution=("c8e b8e b7n end",),
        success="The strong piece opened the way, the rabbit went through.",
        hints=("Ec8e, and the cat follows; then the rabbit.",),
        wrong=("c8e end", "b7n", "c8s end"),
        only=("official", "classic", "ejection"),
        quotes=russian(
            "По этой же причине атакующий кролик всегда должен быть поддержан своими сильными "
            "фигурами, способными оттянуть обороняющиеся фигуры от атакующего кролика.",
            "An attacking rabbit must always be supported by strong pieces of its own that "
            "can pull the defenders away from it.",
            "поэтому перед кроликами должны идти более сильные фигуры, которые смогут "
            "растолкать фигуры противника и обеспечить проход собственным кроликам",
            "So stronger pieces must go before the rabbits: they can push the enemy aside "
            "and let their own rabbits through.",
        ),
        matches=knowing("ejection", 200, 49.5, 7.3),
    ),
    lesson(
        name="screen",
        title="The rabbit as a screen",
        words="To push a piece out of the way costs two steps, to go around it as many or more. So "
        "a rabbit in the way of a strong piece holds it up for half a turn. Rabbits do best for "
        "it: one of the eight is enough to win, and alone they are too weak to fight.",
        task="Silver's horse comes to free the rabbit on a2, which then wins. Keep the dog on b2, "
        "and stop the horse with one step.",
        position="2g 1rrrrr1r/8/h7/8/1R6/8/rD6/2RRRRRR",
        goal=all_of(no_goal_ahead, stands("D", "b2")),
        solution=("b4w end",),
        success="Past the rabbit the horse needs all four steps, and its rabbit has none.",
        hints=("The horse wants to go down the file a; Rb4w stands in its way.",),
        wrong=("b4n end", "c1w end", "b2s end"),
        quotes=russian(
            "Так как толкание замедляет движение фигур противника, то кролик, стоящий на пути "
            "вражеской фигуры может играть роль хорошего заслона.",
            "Since pushing slows the enemy's pieces down, a rabbit in the way of an enemy "
            "piece can be a good screen.",
            "Для этой роли разумно использовать только кролика, так как одного кролика "
            "достаточно для победы, с другой стороны кролик слишком слабая фигура для того, "
            "чтобы вести самостоятельные боевые действия.",
            "Only a rabbit is sensible for this part: one rabbit is enough to win, and a "
            "rabbit is too weak to fight on its own.",
        ),
    ),
    lesson(
        name="held",
        title="Held beside a trap",
        words="A single piece that a stronger one has frozen beside a trap waits to be pushed in, "
        "and its side must spend turns to defend it.",
        task="Hold the horse, frozen beside the trap c3.",
        position="2g r6r/2r5/8/3h4/3E4/8/8/RR4RR",
        goal=all_of(frozen("h"), _beside_home_trap("h")),
        solution=("d4s d5s d3e d4s end",),
        success="With your next turn the elephant pushes it into c3.",
        hints=("Pull twice: Ed4s and hd5s, then Ed3e and hd4s.",),
        wrong=("d4s d5s end", "d4e d5s end"),
        quotes=russian(
            "Несколько одиночно стоящих фигур делают позицию очень уязвимой для тактического "
            "удара – замораживания.",
            "Several single pieces make a position very vulnerable to freezing.",
        ),
        matches=knowing("ejection", 200, 52.0, 6.6),
    ),
    lesson(
        name="count-captures",
        title="Counting captures",
        words="A piece on a trap ties down the friend that holds it there. It is worth holding "
        "only if the other side could push another piece into the trap once it is empty.",
        task="Let the rabbit on c6 go, and take the camel for it.",
        position="2g rrr1rd1r/2c5/1cREm3/8/8/8/D6H/1RRCCRRR",
        goal=one_fewer("m"),
        solution=("e6e d6e end",),
        success="A camel for a rabbit, and no other piece of yours is near c6.",
        hints=("me6e into the trap on f6; the elephant takes its square.",),
        wrong=("b1w end", "e6s d6e e6w end"),
        quotes=russian(
            "Фигуру, попавшую в ловушку, нельзя вытянуть из нее, поэтому спасти ее, удерживая "
            "от снятия с доски есть смысл только в том случае если противник может в "
            "освободившуюся ловушку затолкать еще одну фигуру.",
            "A piece on a trap cannot be pulled out, so to hold it there makes sense only "
            "if the enemy can push another piece into the trap once it is free.",
        ),
        matches=knowing("ejection", 200, 47.5, 7.0),
    ),
    lesson(
        name="push-out",
        title="Pushing the attacker out",
        words="In this rule set a rabbit about to break through can be pushed over the last rank "
        "and off the board. It takes a piece at home that is strong enough.",
        task="Silver's rabbit will win with the next turn. Push it off the board.",
        position="2g r6r/8/8/8/8/3D4/2cr4/R6R",
        goal=one_fewer("r"),
        solution=("d2s d3s d1s d2s end",),
        success="The rabbit was on its goal within your turn; only the end of it counts.",
        hints=("rd2s onto the last rank, and then rd1s once more.",),
        wrong=("d2s d3s end", "d2e d3s end"),
        only=("ejection",),
        quotes=russian(
            "В случае угрозы прорыва кроликом обороны, можно отвести фигуру в тыл, для того, "
            "чтобы вытолкнуть атакующего кролика за пределы доски.",
            "If a rabbit threatens to break through, a piece can be drawn back home, to "
            "push the attacking rabbit off the board.",
        ),
    ),
    lesson(
        name="diagram",
        title="The diagram of the articles",
        words="This is the position that the Hungarian and the French article show. Everything "
        "they say of it can be tried here.",
        task="Gold is to move. Win in three steps.",
        position=DIAGRAM,
        goal=wins(Reason.GOAL),
        solution=("a7n a6n b7n end",),
        success="The dog on a7 set the rabbit free, as both articles say.",
        hints=("The dog on a6 pushes the rabbit on a7: ra7n, and takes its square.",),
        wrong=("b7n", "a7n a6n end"),
        only=("classic", "diagonal"),
        quotes=(
            Quote(
                "hu",
                "Az ábrázolt állásban ha Arany köre következne, három lépésben nyerhetne",
                _IN_THREE,
            ),
            Quote(
                "fr",
                "Dans la position du diagramme, Or peut gagner la partie en trois pas si c'est son "
                "tour",
                _IN_THREE,
            ),
        ),
    ),
)
