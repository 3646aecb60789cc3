"""Positions as text on one line, read and written: pawns, walls, hands, player to move.

::

    quoridor 9 2 e2,e8 d3h,f5v 9,9 1

The fields are the rule set, the size of the board, the number of players, the pawns in turn order,
the walls, the walls in hand and the number of the player to move. ``?`` is a pawn whose start
square is not chosen, ``-`` a pawn whose player has left; ``-`` means no walls, ``*`` an unlimited
hand. Walls are read in any order, and written by file, then rank, ``h`` before ``v``: so every
position has exactly one text. A final word turns the draw by repetition off: ``free`` in
``quoridor``, elsewhere ``caught``, where only trapping all pawns is a draw.

Two formats of other programs are read, too: five fields, which are horizontal walls, vertical
walls, pawns, hands and the player to move (``D4F4/A2/E4E6/9 8/2``), and the codes of
quoridorfansite.com, of some ten letters.
"""

import re
from itertools import product
from string import ascii_lowercase, ascii_uppercase, digits

from trine.core.errors import IllegalError, MalformedError
from trine.core.text.sentence import quoted, text
from trine.games.corridor import board
from trine.games.corridor.notation import parse_action
from trine.games.corridor.position import Position
from trine.games.corridor.rules import (
    ENDLESS,
    RULE_SETS,
    RuleSet,
    Wall,
    find_great_wall,
    footprints,
)

FIELDS = "rules size players pawns walls hands turn"
MARKS = {name: "caught" if rules.walls_may_trap else "free" for name, rules in RULE_SETS.items()}
"""By the name of a rule set, the final word of a position without a draw by repetition."""
_LETTERS = f"{ascii_uppercase}{ascii_lowercase}{digits}-_"
_CODE = re.compile(r"[g-v][\w-]{5,40}", re.ASCII)
_POSITION_ALONE = 0b10
_FIELDS = re.compile(r"((?:[a-s]\d+)*)/((?:[a-s]\d+)*)/((?:[a-s]\d+){2,4})/(\d+(?: \d+)+)/(\d)")
_NO_SQUARE = {"?": board.UNCHOSEN, "-": board.LEFT}
_NO_SQUARE_MARK = {square: mark for mark, square in _NO_SQUARE.items()}
_NO_LIMIT = "*"
_NO_WALLS = "-"
_NUMBER = re.compile("0|[1-9][0-9]{0,3}")
_PAIR = re.compile("[0-9]+ ?[+:/x×v*] ?[0-9]+")  # two sides of a board, or teams


def format_position(position: Position) -> str:
    """Write a position.

    >>> format_position(Position.first(RULE_SETS["quoridor"]))
    'quoridor 9 2 e1,e9 - 10,10 1'
    """
    pawns = [
        _NO_SQUARE_MARK.get(pawn) or board.square_name(position.size, pawn)
        for pawn in position.pawns
    ]
    hands = [_NO_LIMIT if hand is None else str(hand) for hand in position.hands]
    return " ".join(
        (
            position.rules.name,
            str(position.size),
            str(position.players),
            ",".join(pawns),
            ",".join(map(str, position.walls)) or _NO_WALLS,
            ",".join(hands),
            str(position.mover + 1),
            *([MARKS[position.rules.name]] if position.rules.repetition_allowed else []),
        )
    )


def parse_position(words: str, rules: RuleSet | None = None) -> Position:
    """Read a position.

    Args: ``rules`` is the rule set that the position must have, if given.

    Raises:
        MalformedError: the text does not have the form of a position.
        IllegalError: no play can lead there.

    >>> parse_position("quoridor 9 2 e2,e8 d3h,f5v 9,9 1").distances()
    (8, 8)
    """
    if found := _FIELDS.fullmatch(words.strip().lower()):
        return parse_position(_of_five_fields(*found.groups()), rules)
    if _CODE.fullmatch(words.strip()) and (decoded := _of_code(words.strip())):
        return parse_position(decoded, rules)
    fields = words.strip(" \t\r\n").split(" ")
    mark = fields.pop() if fields[-1] in MARKS.values() else ""
    if len(fields) != len(FIELDS.split()):
        raise MalformedError(
            "{given} is not a position; expected {fields}, such as {example}",
            given=quoted(words),
            fields=FIELDS,
            example="quoridor 9 2 e2,e8 d3h,f5v 9,9 1",
        )
    named, size_word, players_word, pawns, walls, hands, turn = fields
    own = _rules(named, rules)
    if mark:
        own = endless(own, mark)
    size = read_size(size_word)
    players = read_players(own, players_word)
    position = Position(
        own,
        size,
        _pawns(pawns, size, players),
        _hands(hands, own.walls_each(size, players), players),
        _walls(walls, own, size),
        parse_number(turn) - 1,
    )
    _check_hands(position)
    _check_pawns(position)
    if position.in_setup:
        _check_choosing(position)
    _check_paths(position)
    return position


def _of_five_fields(horizontal: str, vertical: str, pawns: str, hands: str, turn: str) -> str:
    """Return our text of a position of ``quoridor`` on the usual board, given the five fields."""

    def places(field: str) -> list[str]:
        return re.findall(r"[a-s]\d+", field)

    walls = [f"{one}h" for one in places(horizontal)] + [f"{one}v" for one in places(vertical)]
    each = ",".join(hands.split())
    squares = places(pawns)
    head = f"quoridor {board.USUAL_SIZE} {len(squares)} {','.join(squares)}"
    return f"{head} {','.join(walls) or _NO_WALLS} {each} {turn}"


def _of_code(code: str) -> str:
    """Decode a position of quoridorfansite.com; return an empty string for any other code.

    A letter is six bits. The bits are: whether there is a position; whether there is a record; the
    pawns, seven bits each; for each player the horizontal and the vertical walls, each list with
    its length in four bits, and six bits a wall; whether the second player moved last; whether the
    last action was a wall, and that wall; the turn number in ten bits. Squares are numbered from
    a1, walls in rows of eight.

    Source: boards that the channel QuoridorStrategy has published, and a program that writes them.
    """
    bits, at = "".join(f"{_LETTERS.index(letter):06b}" for letter in code), 0

    def take(count: int) -> int:
        nonlocal at
        at += count
        return int(bits[at - count : at] or "0", 2)

    def squares(count: int, size: int, width: int) -> list[str]:
        return [board.square_name(size, take(width)) for _ in range(count)]

    if take(2) != _POSITION_ALONE:
        return ""
    pawns, walls, hands = [take(7), take(7)], list[str](), [10, 10]
    if max(pawns) >= board.USUAL_SIZE * board.USUAL_SIZE:
        return ""
    for player, axis in product(range(2), "hv"):
        placed = squares(take(4), board.USUAL_SIZE - 1, 6)
        walls += [f"{square}{axis}" for square in placed]
        hands[player] -= len(placed)
    second_moved = take(1)
    last = squares(take(1), board.USUAL_SIZE - 1, 6)
    agrees = take(10) % 2 == second_moved and {*last} <= {wall[:2] for wall in walls}
    if not agrees or not 0 <= len(bits) - at < 6 or "1" in bits[at:] or min(hands) < 0:
        return ""
    names = ",".join(board.square_name(board.USUAL_SIZE, pawn) for pawn in pawns)
    left = ",".join(map(str, hands))
    turn = 1 if second_moved else 2
    return f"quoridor {board.USUAL_SIZE} 2 {names} {','.join(walls) or _NO_WALLS} {left} {turn}"


def write_code(position: Position) -> str:
    """Write a position as a code of quoridorfansite.com; walls without owners are dealt out.

    Raises:
        IllegalError: it is none of two players with twenty walls on the usual board.
    """
    hands = [hand or 0 for hand in position.hands]
    kind = position.rules, position.size, position.players
    usual = kind == (RULE_SETS["quoridor"], board.USUAL_SIZE, 2) and max(hands) <= 10
    if not usual or len(position.walls) != 20 - sum(hands):
        raise IllegalError("a code is of quoridor for two, with ten walls each, on 9 by 9 squares")
    first = 10 - hands[0]
    bits = f"{_POSITION_ALONE:02b}" + "".join(f"{pawn:07b}" for pawn in position.pawns)
    for walls, axis in product((position.walls[:first], position.walls[first:]), "hv"):
        placed = [wall for wall in walls if wall.axis == axis]
        bits += f"{len(placed):04b}"
        for wall in placed:
            bits += f"{board.square_names(board.USUAL_SIZE - 1).index(str(wall)[:2]):06b}"
    second_moved = 1 - position.mover
    bits += f"{second_moved}0{2 - second_moved:010b}"
    bits += "0" * (-len(bits) % 6)
    return "".join(_LETTERS[int(bits[at : at + 6], 2)] for at in range(0, len(bits), 6))


def endless(rules: RuleSet, mark: str) -> RuleSet:
    """Return a rule set without its draw by repetition, given the word of `MARKS`.

    Raises:
        IllegalError: the word belongs to other rule sets.
    """
    if MARKS[rules.name] != mark:
        raise IllegalError(
            text("in {rules} no pawn can be caught", rules=rules.name)
            if mark == "caught"
            else text("in {rules} pawns can be caught; write Drawn caught", rules=rules.name)
        )
    return ENDLESS[rules.name]


def sketch(words: str, rules: str) -> str:
    """Return the text of a position of a rule set, with the hands that two players can have.

    Args: in ``words``, ``{rules}`` is the rule set, ``{all}`` the hands of the start, and
        ``{hands}`` hands after some walls are placed.

    >>> sketch("{rules} 9 2 ?,? - {all} 1", "corridor-8"), sketch("{hands}", "great-wall")
    ('corridor-8 9 2 ?,? - 8,8 1', '*,*')
    """
    each = RULE_SETS[rules].walls_each(board.USUAL_SIZE, 2)
    full, some = ("*", "*") if each is None else (each, 4)
    return words.format(rules=rules, all=f"{full},{full}", hands=f"{some},{some}")


# --- the fields ----------------------------------------------------------------------------------


def parse_number(word: str) -> int:
    """Read a number; it has no sign and no leading zero."""
    if not _NUMBER.fullmatch(word):
        raise MalformedError("{given} is not a number", given=quoted(word))
    return int(word)


def read_size(word: str) -> int:
    if _PAIR.fullmatch(word):
        raise IllegalError(
            "a board is as wide as it is high: give one number, not {given}", given=quoted(word)
        )
    if (size := parse_number(word)) not in board.SIZES:
        raise IllegalError(
            "no board of size {given}; the size is {least} to {most}",
            given=size,
            least=board.SIZES[0],
            most=board.SIZES[-1],
        )
    return size


def read_hands(words: str, first: Position) -> tuple[int, ...]:
    return tuple(parse_number(word) for word in _each(words, first.players))


def read_players(rules: RuleSet, word: str) -> int:
    """Read the number of players; raise an error if a rule set does not allow it."""
    if _PAIR.fullmatch(word):
        raise IllegalError("there are no teams: give one number, not {given}", given=quoted(word))
    if (players := parse_number(word)) not in rules.players:
        raise IllegalError(
            "{rules} is not for {given} players; the number can be {allowed}",
            rules=rules.name,
            given=players,
            allowed=", ".join(map(str, rules.players)),
        )
    return players


def _rules(named: str, wanted: RuleSet | None) -> RuleSet:
    if named not in RULE_SETS:
        raise MalformedError(
            "no rule set {given}; expected one of {known}",
            given=quoted(named),
            known=", ".join(RULE_SETS),
        )
    if wanted not in (None, RULE_SETS[named]):
        raise IllegalError(
            "a position of {given} is not one of {wanted}",
            given=named,
            wanted=wanted.name if wanted else "",
        )
    return RULE_SETS[named]


def _each(words: str, players: int) -> list[str]:
    """Split a field that has one part for each player."""
    parts = words.split(",")
    if len(parts) != players:
        raise MalformedError(
            "{given} has {count} parts, not one for each of {players} players",
            given=quoted(words),
            count=len(parts),
            players=players,
        )
    return parts


def _pawns(words: str, size: int, players: int) -> tuple[int, ...]:
    pawns = []
    for word in _each(words, players):
        if word in _NO_SQUARE:
            pawns.append(_NO_SQUARE[word])
        elif word in board.square_names(size):
            pawns.append(board.square_names(size).index(word))
        else:
            raise MalformedError(
                "{given} is no square of the board, which has the squares a1 to {last}",
                given=quoted(word),
                last=board.square_names(size)[-1],
            )
    return tuple(pawns)


def _hands(words: str, most: int | None, players: int) -> tuple[int | None, ...]:
    hands: list[int | None] = []
    for word in _each(words, players):
        if (word == _NO_LIMIT) != (most is None):
            raise IllegalError(
                "a hand of {given} walls; expected {expected}",
                given=quoted(word),
                expected=_NO_LIMIT if most is None else text("a number"),
            )
        hands.append(None if most is None else parse_number(word))
    return tuple(hands)


def _walls(words: str, rules: RuleSet, size: int) -> tuple[Wall, ...]:
    places = footprints(size, rules.wall_length)
    walls: list[Wall] = []
    for word in [] if words == _NO_WALLS else words.split(","):
        wall = parse_action(word)
        if not isinstance(wall, Wall):
            raise MalformedError("{given} is not a wall such as e3h or e3v", given=quoted(word))
        if wall not in places:
            raise IllegalError("no wall can stand at {given} on this board", given=word)
        for other in walls:
            if places[other].overlaps(places[wall]):
                raise IllegalError(
                    "{wall} and {other} overlap or cross", wall=str(other), other=str(wall)
                )
        walls.append(wall)
    return tuple(sorted(walls))


# --- impossible positions ------------------------------------------------------------------------


def _check_hands(position: Position) -> None:
    hands = [hand for hand in position.hands if hand is not None]
    if max(hands, default=0) > board.MAX_WALLS:
        raise IllegalError(
            "{given} walls in hand; {most} at most", given=max(hands), most=board.MAX_WALLS
        )


def _check_pawns(position: Position) -> None:
    if len(position.playing) < 2:
        raise IllegalError("fewer than two players are left in the play")
    if position.mover not in position.playing:
        raise IllegalError(
            "player {given} is not in the play, so cannot be to move", given=position.mover + 1
        )
    squares = [pawn for pawn in position.pawns if pawn >= 0]
    for pawn in squares:
        if squares.count(pawn) > 1:
            raise IllegalError(
                "two pawns stand on {cell}", cell=board.square_name(position.size, pawn)
            )
    for player in position.playing:
        if position.at_goal(player) and player != position.last_mover:
            raise IllegalError(
                "{player} is at the goal without having moved last",
                player=position.seats[player].name,
            )


def _check_choosing(position: Position) -> None:
    """Raise an error unless start squares are chosen in turn, and no wall is placed yet."""
    if not position.rules.chooses_start:
        raise IllegalError("start squares are not chosen here; no pawn is written ?")
    if position.mover != position.pawns.index(board.UNCHOSEN):
        raise IllegalError("the first player without a start square is to move")
    for player, pawn in enumerate(position.pawns):
        if pawn >= 0 and player > position.mover:
            raise IllegalError("the players choose their start squares in turn order")
        if pawn >= 0 and pawn not in position.start_squares(player):
            raise IllegalError(
                "{cell} is not on the side from which {player} starts",
                cell=board.square_name(position.size, pawn),
                player=position.seats[player].name,
            )
    if position.walls:
        raise IllegalError("no wall is placed before all start squares are chosen")


def _check_paths(position: Position) -> None:
    if position.rules.great_wall and (line := find_great_wall(position.size, position.walls)):
        raise IllegalError(
            "a Great Wall stands on the board: {walls}", walls=", ".join(map(str, line.walls))
        )
    if not position.rules.walls_may_trap:
        for player in position.playing:
            if position.distance(player) is None:
                raise IllegalError(
                    "{player} has no way to the goal", player=position.seats[player].name
                )
