"""TZAAR: two rule sets. The game definition."""

from trine.core.contract import Document, Handbook, Room, RoomView, Rules
from trine.core.text.sentence import text
from trine.games.tzaar import diagrams, notation, starts, symmetries, typed
from trine.games.tzaar.board import SEATS
from trine.games.tzaar.formats import FORMATS
from trine.games.tzaar.knowledge.strategy import counter
from trine.games.tzaar.position import Position
from trine.games.tzaar.rules import RULE_SETS
from trine.games.tzaar.view import board, effects, goals, insight, panel, refusals

ROOM = Room(
    name="tzaar",
    title="TZAAR",
    rule_sets=RULE_SETS,
    default_rules="official",
    seats=SEATS,
    rules=Rules(
        start=starts.start,
        start_tags=starts.start_tags,
        parse_position=lambda words, rules: diagrams.parse_position(
            words, RULE_SETS[rules] if rules else None
        ),
        format_position=diagrams.format_position,
        read_action=notation.read_action,
        interpret=typed.interpret,
        options=starts.OPTIONS,
        settle=starts.settle,
        setup_words=starts.PROMPT_WORDS,
        words_by_consent=starts.WORDS_BY_CONSENT,
        passed=Position.passed,
        symmetries=symmetries.symmetries,
        formats=FORMATS,
    ),
    view=RoomView(
        text_board=board.text_board,
        piece_sets=board.PIECE_SETS,
        draw=board.draw,
        insight=insight.insight,
        status=panel.status,
        heading=panel.heading,
        coach=panel.coach,
        movements=board.movements,
        effects=effects.effects,
        cause=panel.cause,
        picks=board.picks,
        refusal=refusals.refusal,
        editor=board.EDITOR,
    ),
    handbook=Handbook(
        package=__name__,
        sketch=diagrams.sketch,
        goals=goals.GOALS,
        happenings=goals.HAPPENINGS,
        words=typed.WORDS,
        documents=(Document("ru", "open", {"Setup": "placement"}),),
        themes=effects.THEMES,
        strategists={"counter": counter},
        advice={
            "counter": text(
                "the Russian document: place in a mass, in lines and among enemies; "
                "count the captures"
            )
        },
    ),
)
