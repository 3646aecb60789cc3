"""The results of a search in words: the score, the line, and the speed of the search."""

from collections.abc import Sequence
from typing import Final

from trine.core.contract.position import Action, Position
from trine.core.contract.room import Room
from trine.core.contract.score import Score
from trine.core.play import written_actions
from trine.core.text.sentence import Text, ntext, number, text
from trine.engine.players.chances import chance
from trine.engine.search.info import Info

EVEN: Final = 55
"""Units: per cent, as shown; a chance below this is "about even". Guess, like the next three."""
SLIGHTLY: Final = 65
BETTER: Final = 80
MUCH_BETTER: Final = 95
TURNS_SHOWN: Final = 4  # turns; the part of the expected line that a hint shows and explains


def score_text(
    room: Room,
    position: Position,
    score: Score,
    line: Sequence[Action] = (),
    *,
    solved: bool = False,
) -> Text:
    """Return in words who is better, and by how much; the score is for the player to move.

    If ``line`` ends the play, it gives the number of turns until the win: the shortest if the
    position is ``solved``, else a bound, because a search reduces late actions.

    >>> from trine.games import new_play, open_room
    >>> start = new_play("arimaa").position
    >>> str(score_text(open_room("arimaa"), start, Score(0)))
    'about even, Gold 50 %'
    """
    if score.decided_in is not None:
        return _decided_text(room, position, score, line, solved)
    mover, playing = position.mover, position.playing
    if score.points == 0 and _is_drawn_by(position, line):
        return text("a draw")
    if len(playing) > 2:
        return _among_many(position.seats[mover].name, chance(room, position, score))
    better = mover if score.points >= 0 else next(seat for seat in playing if seat != mover)
    own = chance(room, position, score)
    shown = percent(max(own, 1 - own))
    values = {"player": position.seats[better].name, "percent": shown}
    if shown < EVEN:
        return text("about even, {player} {percent} %", **values)
    if shown < SLIGHTLY:
        return text("{player} is slightly better, {percent} %", **values)
    if shown < BETTER:
        return text("{player} is better, {percent} %", **values)
    if shown < MUCH_BETTER:
        return text("{player} is much better, {percent} %", **values)
    return text("{player} is almost sure to win, {percent} %", **values)


def value_text(room: Room, position: Position, info: Info) -> Text:
    value = score_text(room, position, info.score, info.pv, solved=info.solved)
    if not info.solved:
        return value
    return text("{value}, solved", value=value if info.score.points else text("a draw"))


def _is_drawn_by(position: Position, line: Sequence[Action]) -> bool:
    """Return whether a line ends in a draw, or in a repetition, which a search scores as a draw."""
    stood = [position]
    for action in line:
        position = position.play_unchecked(action)
        stood.append(position)
    outcome = position.outcome() if line else None
    if outcome is not None:
        return outcome.winner is None
    return position.rules.draws and position in stood[:-1]


def percent(share: float) -> int:
    """Return an unproven chance in per cent, so never 0 or 100.

    >>> percent(0.614), percent(0.9999)
    (61, 99)
    """
    return min(99, max(1, round(100 * share)))


def _among_many(player: Text, own: float) -> Text:
    """Return in words how the player to move compares with the best of the others."""
    shown = percent(own)
    values = {"player": player, "percent": shown}
    if 100 - EVEN < shown < EVEN:
        return text("{player} is about level with the best of the others, {percent} %", **values)
    if own > 0.5:
        return text("{player} is ahead of the others, {percent} %", **values)
    return text("{player} is behind the best of the others, {percent} %", **values)


def _decided_text(
    room: Room, position: Position, score: Score, line: Sequence[Action], solved: bool
) -> Text:
    """Return in words who surely wins or loses, and in how many turns if that is known."""
    others = [seat for seat in position.playing if seat != position.mover]
    if score.points < 0 and len(others) > 1:
        return text("{player} surely loses", player=position.seats[position.mover].name)
    winner = position.mover if score.points > 0 else others[0]
    player = position.seats[winner].name
    turns = turns_to_win(position, line, winner)
    most = min(filter(None, (turns, _most_turns(room, position, score))), default=0)
    if winner == position.mover and 1 in (turns, score.decided_in):
        return text("{player} wins with this turn", player=player)
    if turns == 1 or (turns and solved):
        return ntext(
            "{player} wins in {count} turn", "{player} wins in {count} turns", turns, player=player
        )
    if most:
        return ntext(
            "{player} wins within {count} turn",
            "{player} wins within {count} turns",
            most,
            player=player,
        )
    return text("{player} surely wins", player=player)


def _most_turns(room: Room, position: Position, score: Score) -> int:
    """Return the most turns that the winner needs; 0 if a turn can have several actions."""
    if not room.rules.turns_of_one or score.decided_in is None:
        return 0
    first = 0 if score.points > 0 else 1
    return max(1, -(-(score.decided_in - first) // len(position.playing)))


def turns_to_win(position: Position, line: Sequence[Action], winner: int) -> int:
    """Return the number of turns until a player wins, the open turn included; 0 for no win."""
    turns, among = 0, False
    for action in line:
        moves = position.mover == winner
        turns += moves and not among
        position = position.play_unchecked(action)
        among = moves and position.mover == winner and position.turn_open
    outcome = position.outcome()
    return turns if outcome and outcome.winner == winner else 0


def line_text(room: Room, position: Position, line: Sequence[Action], most: int = 0) -> str:
    """Return a line in notation, turn by turn; at most ``most`` turns, 0 for all.

    >>> from trine.games import new_play
    >>> play = new_play("corridor")
    >>> ahead = play.copy()
    >>> ahead.enter("e2 e8 e3")
    >>> line = [turn.actions[0] for turn in ahead.turns]
    >>> line_text(play.room, play.position, line, most=2)
    '1s e2, 1n e8'
    """
    turns = turns_of(position, line)[: most or None]
    return ", ".join(_turn_text(room, start, actions) for start, actions in turns)


def turns_of(
    position: Position, line: Sequence[Action]
) -> list[tuple[Position, tuple[Action, ...]]]:
    turns: list[tuple[Position, tuple[Action, ...]]] = []
    start, actions = position, list[Action]()
    for action in line:
        actions.append(action)
        position = position.play_unchecked(action)
        if not position.turn_open or position.mover != start.mover:
            turns.append((start, tuple(actions)))
            start, actions = position, []
    if actions:
        turns.append((start, tuple(actions)))
    return turns


def _turn_text(room: Room, start: Position, actions: Sequence[Action]) -> str:
    return f"{room.tag(start)} {written_actions(room, start, actions)}".rstrip()


def info_text(room: Room, position: Position, info: Info) -> Text:
    """Return the state of a search in one line.

    >>> from trine.games import new_play
    >>> play = new_play("corridor")
    >>> line = play.interpret("e2")
    >>> str(info_text(play.room, play.position, Info(4, Score(20), line, 50_000, 0.1)))
    'depth 4; about even, South 53 %; 1s e2; 500,000 positions a second'
    """
    return text(
        "depth {depth}; {score}; {line}; {speed} positions a second",
        depth=info.depth,
        score=value_text(room, position, info),
        line=line_text(room, position, info.pv),
        speed=number(round(info.nodes_per_second, -3)),
    )
