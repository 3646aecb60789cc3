"""The first lessons for a newcomer to Arimaa: one idea each, building on the earlier ones."""

from __future__ import annotations

from typing import Final

from trine.core.contract.lesson import Quote, all_of, knowing, lesson, russian, wins
from trine.core.contract.outcome import Reason
from trine.core.text.sentence import text
from trine.games.arimaa.view.advice import LESSONS as ADVICE
from trine.games.arimaa.view.goals import frozen, kept, no_goal_ahead, stands, taken, unthreatened

_LOSES_WITHOUT_RABBITS: Final = ("official", "ejection")
_INTERIM_AIM: Final = text(
    "An aim on the way is to capture enemy pieces by pushing or pulling them on traps."
)
_CAPTURE_QUOTES: Final = (
    Quote(
        "hu",
        "egy közbenső cél az ellenfél bábuinak foglyul ejtése a csapdamezőre lökésükkel vagy "
        "húzásukkal",
        _INTERIM_AIM,
    ),
    Quote(
        "fr",
        "l'objectif intermédiaire est de capturer des pièces adverses en les poussant ou les "
        "tirant dans les cases-pièges",
        _INTERIM_AIM,
    ),
)

LESSONS: Final = (
    lesson(
        name="steps",
        title="Four steps",
        words="A turn has up to four steps. A step leads to the next square: forward, backward or "
        "sideways, never over a corner. When you have made your steps, you end the turn.",
        task="Take the elephant from d2 to e5, and end the turn.",
        position="2g r6r/8/8/8/8/8/3E4/R6R",
        goal=stands("E", "e5"),
        solution=("d2nnne end",),
        success="Three steps up and one to the side: that was the whole turn.",
        hints=("Count the squares: three up, one to the right.",),
        wrong=("d2nnn end", "d2ne end"),
    ),
    lesson(
        name="shared-steps",
        title="Steps can be shared",
        words="The four steps of a turn need not go to one piece. Two pieces can make two each, or "
        "four pieces one each, in any order.",
        task="Bring the dog to d3 and the cat to e3, in one turn.",
        position="2g r6r/8/8/8/8/8/8/R2DC2R",
        goal=all_of(stands("D", "d3"), stands("C", "e3")),
        solution=("d1nn e1nn end",),
        success="Pieces that walk together protect each other, as you will see soon.",
        hints=("Each of the two has two steps to go.",),
        wrong=("d1nn end", "e1nn d1n end"),
    ),
    lesson(
        name="rabbits",
        title="Rabbits never step back",
        words="Every piece steps in all four directions, except the rabbits: they go forward and "
        "sideways, never backward. A rabbit that has gone too far cannot come home.",
        task="Your dog stands in the rabbit's way. Bring the rabbit to d6; the dog stays where it "
        "is.",
        position="2g r6r/8/8/3D4/3R4/8/8/R6R",
        goal=all_of(stands("R", "d6"), stands("D", "d5")),
        solution=("d4enn e6w end",),
        success="Around the dog, and never a step back.",
        hints=("Go around the dog: first to the side, then forward.",),
        wrong=("d4s", "d5e d4nn end"),
    ),
    lesson(
        name="goal",
        title="The goal",
        words="You win by bringing one rabbit to the last rank: Gold to rank 8, Silver to rank 1. "
        "One rabbit is enough, and nothing else on the board counts then.",
        task="Win: bring a rabbit to rank 8.",
        position="2g 7r/r7/8/1R6/8/4e3/8/R7",
        goal=wins(Reason.GOAL),
        solution=("b5nnn end",),
        success="That is what the whole game is about.",
        hints=("The rabbit on b5 is three steps away.",),
        wrong=("b5nn end", "a1nnnn end"),
    ),
    lesson(
        name="push",
        title="Pushing",
        words="A piece can push a weaker enemy beside it: the enemy goes to an empty square next "
        "to it, and your piece takes its place. That costs two of your four steps.",
        task="Push the silver horse from d5 to d6 with your elephant.",
        position="2g r6r/8/8/3h4/3E4/8/8/R6R",
        goal=stands("h", "d6"),
        solution=("d5n d4n end",),
        success="First the enemy moves, then your elephant takes its square.",
        hints=("Move the horse first, then the elephant to the square it has left.",),
        wrong=("d5e d4n end", "d4n"),
    ),
    lesson(
        name="pull",
        title="Pulling",
        words="A piece can also pull a weaker enemy beside it: your piece steps away to an empty "
        "square, and the enemy follows to the square it has left. That costs two steps as well.",
        task="Pull the silver horse from d6 to d5.",
        position="2g r6r/8/3h4/3E4/8/8/8/R6R",
        goal=stands("h", "d5"),
        solution=("d5s d6s end",),
        success="First your elephant moves, then the enemy follows at once.",
        hints=("This time your elephant moves first: straight away from the horse, or sideways.",),
        wrong=("d5s end", "d6e d5n end"),
    ),
    lesson(
        name="strength",
        title="Only weaker pieces",
        words="From the strongest to the weakest: elephant, camel, horse, dog, cat, rabbit. Only a "
        "stronger piece pushes or pulls; equal strength is not enough.",
        task="Your camel touches the silver elephant and a silver horse. Push away the one that it "
        "can push, and take its square.",
        position="2g r6r/8/8/3e4/3Mh3/3D4/8/R6R",
        goal=stands("M", "e4"),
        solution=("e4e d4e end",),
        success="The camel bows to the elephant alone.",
        hints=("Nothing is stronger than an elephant. The horse is weaker than the camel.",),
        wrong=("d5n", "d4s", "d4w end"),
    ),
    lesson(
        name="unfreeze",
        title="Frozen, and free again",
        words="A piece beside a stronger enemy is frozen: it cannot move. A friend of any strength "
        "beside it sets it free at once, in the middle of your turn too.",
        task="The horse on d6 freezes your cat. Set it free, and take it to d3.",
        position="2g r6r/8/3h4/3C4/4R3/8/8/R6R",
        goal=stands("C", "d3"),
        solution=("e4n d5ss end",),
        success="Alone it could not move; beside a mere rabbit it could.",
        hints=("The rabbit can be beside the cat with one step.",),
        wrong=("d5s", "e4n d5s end"),
    ),
    lesson(
        name="freeze",
        title="Freezing",
        words="You can freeze enemies as well: put a stronger piece beside one that has no friend "
        "beside it. A frozen piece still counts, but it is out of the play for a while.",
        task="Freeze the silver camel.",
        position="2g r6r/8/8/4m3/1E6/8/8/R6R",
        goal=frozen("m"),
        solution=("b4een end",),
        success="It cannot move until a friend comes, or your elephant leaves.",
        hints=(
            "Only your elephant is stronger than a camel.",
            "Eb4e Ec4e Ed4n, then end the turn: the elephant on d5 touches e5.",
        ),
        wrong=("b4e end", "b4w end"),
    ),
    lesson(
        name="trap",
        title="Traps",
        words="The squares c3, f3, c6 and f6 are traps. A piece on a trap with no friend beside it "
        "is taken off the board at once, for good.",
        task="Push the silver dog into a trap.",
        position="2g r6r/8/8/2d5/2E5/8/8/R6R",
        goal=taken("d"),
        solution=("c5n c4n end",),
        success="Nobody was beside c6 to hold the dog: it is gone.",
        hints=("The trap c6 is right behind the dog.",),
        wrong=("c5w c4n end", "c5e c4n end"),
        quotes=_CAPTURE_QUOTES,
    ),
    lesson(
        name="own-traps",
        title="Traps take your pieces too",
        words="Traps know no sides, and they act after every single step. A piece on a trap lives "
        "only as long as a friend stands beside the trap; the last friend must not leave "
        "first.",
        task="Take the elephant to d6, and lose nothing. The dog stands on a trap!",
        position="2g r6r/8/8/8/2E5/2D5/8/R6R",
        goal=all_of(stands("E", "d6"), kept("D")),
        solution=("c3s c4e d4nn end",),
        success="The dog left the trap first, and the elephant went around the other one.",
        hints=("Move the dog off the trap before the elephant leaves. Mind the trap on c6, too.",),
        wrong=("c4e d4nn end", "c3s c4nn end"),
    ),
    lesson(
        name="guard",
        title="Guarding a trap",
        words="An enemy that freezes your piece beside a trap wants to push it in. You can run "
        "away, or put a friend beside the trap: then the push does no harm, and you get away "
        "later.",
        task="The silver elephant will push your dog onto f3. See that the dog survives, and "
        "bring it away from the elephant: you have two turns.",
        position="2g r6r/8/8/5e2/5D2/8/8/R6C",
        goal=all_of(kept("D"), unthreatened("D")),
        solution=("h1nnw end", "f3ss end"),
        answers=("f4s f5s end",),
        success="The cat held the dog in the trap, and set it free as well.",
        hints=(
            "The cat comes to a square beside f3 with three steps.",
            "First Ch1n Ch2n Ch3w. The dog is on f3 then, beside its friend, and free to leave.",
        ),
        wrong=("h1nnn h4w end", "a1nnnn end", "f4w"),
        quotes=russian(
            "Очень важно обеспечить фигурное присутствие возле ловушек.",
            "It is very important to have pieces beside the traps.",
            "они могут поддержать собственную фигуру, если та попала в ловушку",
            "They can support a piece of their own that has come on a trap.",
        ),
        matches=knowing("ejection", 200, 64.0, 6.4),
    ),
    lesson(
        name="goal-ahead",
        title="Seeing a goal",
        words="A win is often four steps away when nobody expects it. Look for a rabbit near its "
        "goal, and ask what stops it: a piece in the way, or one that freezes it.",
        task="Your rabbit is frozen, one step from the goal. Win all the same, in this turn.",
        position="2g r6r/2cR4/8/4E3/8/8/8/R7",
        goal=wins(Reason.GOAL),
        solution=("e5nn d7n end",),
        success="Elephant beside rabbit, and the way was free.",
        hints=("The rabbit needs a friend beside it.",),
        wrong=("d7n", "e5nn end"),
    ),
    lesson(
        name="defend",
        title="Stopping a goal",
        words="The other side has rabbits as well. Before you end a turn, look whether one of them "
        "is within four steps of its goal. Stand in its way, freeze it, or push it back.",
        task="Silver's rabbit on b3 will win with the next turn. Stop it.",
        position="2g r6r/8/8/8/3D4/1r6/8/6R1",
        goal=no_goal_ahead,
        solution=("d4ww end",),
        success="Beside your dog, and without a friend, the rabbit cannot move.",
        hints=(
            "Standing before the rabbit is not enough, it steps around. But your dog is stronger.",
            "Dd4w Dc4w, then end the turn: the dog on b4 freezes the rabbit.",
        ),
        wrong=("g1wwww end", "d4s end"),
    ),
    lesson(
        name="last-rabbit",
        title="The last rabbit",
        words="A side with no rabbit left cannot reach the goal, and has lost. So rabbits are "
        "worth more, the fewer there are.",
        task="Silver has one rabbit left. Win by taking it.",
        position="2g 7h/8/4e3/2r5/2M5/8/8/R6R",
        goal=wins(Reason.ELIMINATION),
        solution=("c5n c4n end",),
        success="All the strong silver pieces were of no use.",
        hints=("There is a trap behind the rabbit, and nobody beside it.",),
        wrong=("c5w c4n end",),
        only=_LOSES_WITHOUT_RABBITS,
    ),
    lesson(
        name="push-off",
        title="Off the board",
        words="In this rule set rabbits can be pushed off the board, over rank 1 or rank 8. It is "
        "a push like any other: it costs two steps, and your piece takes the rabbit's square.",
        task="Push the silver rabbit on d8 off the board.",
        position="2g r2r3r/3H4/8/8/8/8/8/R6R",
        goal=taken("r"),
        solution=("d8n d7n end",),
        success="No trap was needed: at the edge, rabbits are never safe.",
        hints=("It goes where no square is: north of d8.",),
        wrong=("d8e d7n end",),
        only=("ejection",),
    ),
    lesson(
        name="corner-push",
        title="Pushing over a corner",
        words="In this rule set pieces also touch their enemies over the corners of a square. The "
        "pushed piece goes straight on, up or sideways; the pusher takes its square diagonally.",
        task="Push the silver horse away and take e5 with your elephant.",
        position="2g r6r/8/8/4h3/3E4/8/8/R6R",
        goal=all_of(stands("E", "e5"), kept("h")),
        solution=("e5n d4ne end",),
        success="One step over the corner: only a push or a pull allows that.",
        hints=("First the horse goes to an empty square beside it, such as e6.",),
        wrong=("d4ne", "d4e end"),
        only=("diagonal",),
    ),
    lesson(
        name="corner-freeze",
        title="Freezing over a corner",
        words="In this rule set a stronger enemy freezes in all eight directions, but friends help "
        "only from straight beside, not over a corner.",
        task="The horse on e6 freezes your dog on d5 over the corner. Set the dog free and take "
        "it to d3.",
        position="2g r6r/8/4h3/3D4/2C5/8/8/R6R",
        goal=stands("D", "d3"),
        solution=("c4n d5ss end",),
        success="The cat on c4 only touched it over a corner; on c5 it stood beside it.",
        hints=("Your cat is near, but only at the corner. It must stand straight beside the dog.",),
        wrong=("d5s",),
        only=("diagonal",),
    ),
    *ADVICE,
)
