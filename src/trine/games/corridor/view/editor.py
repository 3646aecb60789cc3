"""The position editor of Corridor: pawns, walls, walls in hand, and the player to move."""

from dataclasses import replace

from trine.core.contract import editor
from trine.core.scene.scene import Piece
from trine.core.text.sentence import text, verbatim
from trine.games.corridor.board import SIDES_OF, UNCHOSEN, middle_square, square_name, square_names
from trine.games.corridor.position import Position
from trine.games.corridor.rules import Wall, footprints
from trine.games.corridor.view.layout import DIRECTIONS

WALL = "wall"


def empty(position: Position) -> Position:
    """Return the board of the start: pawns on their base lines, and no walls."""
    size, players = position.size, position.players
    first = Position.first(position.rules, size, players)
    return replace(first, pawns=tuple(middle_square(size, side) for side in SIDES_OF[players]))


def parts(position: Position) -> tuple[editor.BoxPart, ...]:
    pawns = tuple(_pawn(position, player) for player in range(position.players))
    return (*pawns, editor.BoxPart(WALL, text("wall")))


def _pawn(position: Position, player: int) -> editor.BoxPart:
    seat = position.seats[player]
    figure = f"arrow-{DIRECTIONS[SIDES_OF[position.players][player]]}"
    shown = Piece(None, figure, "pawn", player, label=verbatim(seat.letter.upper()))
    return editor.BoxPart(_id(position, player), text("pawn of {player}", player=seat.name), shown)


def _id(position: Position, player: int) -> str:
    return f"pawn-{position.seats[player].letter}"


def put(position: Position, part: str, spot: str) -> Position:
    """Return the position with a pawn on a square, or with a wall added or, if present, removed.

    A pawn that is on the square already swaps places with the new one: every player has one pawn.
    """
    pawns = [_id(position, player) for player in range(position.players)]
    if part == WALL and (wall := _wall(position, spot)):
        if wall in position.walls:
            return _without(position, wall)
        return _with_walls(position, [*position.walls, wall])
    names = square_names(position.size)
    if part not in pawns or spot not in names:
        raise editor.no_place(part, spot)
    player, square = pawns.index(part), names.index(spot)
    if square in position.pawns:
        position = _with_pawn(position, position.pawns.index(square), position.pawns[player])
    return _with_pawn(position, player, square)


def take(position: Position, spot: str) -> tuple[Position, str]:
    if wall := _wall(position, spot):
        if wall not in position.walls:
            return position, ""
        return _without(position, wall), WALL
    for player, pawn in enumerate(position.pawns):
        if pawn >= 0 and square_name(position.size, pawn) == spot:
            return _with_pawn(position, player, UNCHOSEN), _id(position, player)
    return position, ""


def _wall(position: Position, spot: str) -> Wall | None:
    places = footprints(position.size, position.rules.wall_length)
    return next((wall for wall in places if str(wall) == spot), None)


def _with_walls(position: Position, walls: list[Wall]) -> Position:
    """Return the position with other walls; extra walls are taken from the fullest hands."""
    hands, each = list(position.hands), position.rules.walls_each(position.size, position.players)
    if each is not None:
        counts = [hand or 0 for hand in hands]
        while sum(counts) + len(walls) > each * position.players and max(counts):
            counts[counts.index(max(counts))] -= 1
        hands = list(counts)
    return replace(position, walls=tuple(sorted(walls)), hands=tuple(hands), owners={}, number=1)


def _without(position: Position, wall: Wall) -> Position:
    """Return the position without a wall, which is added to the emptiest hand."""
    position = _with_walls(position, [one for one in position.walls if one != wall])
    each = position.rules.walls_each(position.size, position.players)
    hands = [hand or 0 for hand in position.hands]
    if each is None or min(hands) >= each:
        return position
    return _with_hand(position, hands.index(min(hands)), min(hands) + 1)


def _with_hand(position: Position, player: int, hand: int) -> Position:
    hands = (*position.hands[:player], hand, *position.hands[player + 1 :])
    return replace(position, hands=hands)


def _with_pawn(position: Position, player: int, square: int) -> Position:
    pawns = list(position.pawns)
    pawns[player] = square
    return replace(position, pawns=tuple(pawns), owners={}, number=1)


def settings(position: Position) -> tuple[editor.Setting, ...]:
    found = [editor.mover_setting(position)]
    each = position.rules.walls_each(position.size, position.players)
    if each is not None:
        most = max(each, *(hand or 0 for hand in position.hands))
        counts = tuple((str(count), verbatim(str(count))) for count in range(most + 1))
        for player in position.playing:
            seat = position.seats[player]
            words = text("Walls of {player}", player=seat.name)
            found.append(
                editor.Setting(f"walls-{seat.letter}", words, counts, str(position.hands[player]))
            )
    return tuple(found)


def change(position: Position, setting: str, value: str) -> Position:
    editor.check_value(settings(position), setting, value)
    if setting == "mover":
        return replace(position, mover=int(value), number=1)
    letters = [seat.letter for seat in position.seats]
    player = letters.index(setting.removeprefix("walls-"))
    return replace(_with_hand(position, player, int(value)), number=1)


EDITOR = editor.Editor(empty, parts, put, take, settings, change)
