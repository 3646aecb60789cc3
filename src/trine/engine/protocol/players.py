"""Players by specification: ``bot:7``, ``bot:trapper``, ``engine:COMMAND``."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from trine.core.compiled.ahead import Show, compile_now
from trine.core.errors import MalformedError
from trine.core.text.sentence import quoted
from trine.engine.players import player
from trine.engine.protocol.aei import GAME, AeiPlayer
from trine.engine.protocol.program import split_command
from trine.engine.protocol.program_player import ProgramPlayer, Timeouts
from trine.engine.protocol.ugi import UgiPlayer
from trine.engine.search.kernel.constants import (
    CONSTANTS,
    DEFAULT_CONSTANTS,
    FORMER_NAMES,
    SearchConstants,
)
from trine.games import parse_game

if TYPE_CHECKING:
    from trine.engine.search.nets import SearchNet


from typing import TYPE_CHECKING

from trine.core.contract.heuristics import parse_weights
from trine.core.text.sentence import suggesting, text
from trine.games import open_heuristics
from trine.play.record.text_files import read_lines

if TYPE_CHECKING:
    from trine.core.compiled.arrays import Floats

PROTOCOLS: Final[dict[str, type[ProgramPlayer]]] = {"aei": AeiPlayer, "ugi": UgiPlayer}


def open_player(
    words: str,
    game: str,
    settings: player.PlayerResources = player.DEFAULTS,
    show: Show | None = None,
    *,
    timeouts: Timeouts | None = None,
) -> player.Player:
    """Open a player of ``GAME``; the default `trine.engine.players.player.PlayerFactory`.

    ``bot`` is the house's bot of the level in the settings, ``bot:7`` a bot of level 7,
    ``bot:trapper`` one that follows a strategist of the game. ``bot:10?weights=FILE&lmp_count=5``
    evaluates with the weights of a file and sets a constant of the search; ``net=FILE`` adds the
    net of a file to the terms, ``net=none`` uses only the terms. ``engine:COMMAND`` is a program
    that speaks AEI, for Arimaa only, or UGI; ``aei:COMMAND`` and ``ugi:COMMAND`` name the protocol.

    Raises:
        MalformedError: the specification names no player.
        FileError: a program cannot be started.
        ForfeitError: a program does not answer.
    """
    room, _ = parse_game(game)
    kind, colon, rest = words.strip().partition(":")
    kind = kind.lower()
    if kind == "bot":
        if colon and not rest:
            known = [
                f"bot:{name}" for name in (f"1 … bot:{player.FULL}", *room.handbook.strategists)
            ]
            raise MalformedError(
                "which level or strategist? there are {known}", known=", ".join(known)
            )
        name, _, constants = rest.partition("?")
        if name and not name.isdecimal() and not constants:
            from trine.engine.players.stand_in import StrategistPlayer

            return StrategistPlayer(room, name, settings.seed)
        level = player.parse_level(name) if name else settings.level
        given = parse_constants(constants)
        if show:
            compile_now(player.thinking_modules(room.name), show)
        from trine.engine.players.bot import Bot  # imports Numba

        return Bot(
            room.name,
            level,
            hash_mb=settings.hash_mb,
            seed=settings.seed,
            name=words,
            weights=weights_of_file(room.name, given.weights) if given.weights else None,
            constants=given.search,
            net=_net_of(room.name, given.net) if given.net else None,
        )
    if kind in PROTOCOLS and rest:
        command = split_command(rest)
        return PROTOCOLS[kind](command, game, settings=_options(settings), timeouts=timeouts)
    if kind == "engine" and rest:
        return _open_engine(rest, game, _options(settings), timeouts)
    raise MalformedError(
        "no player {given}; expected bot, bot:LEVEL, bot:STRATEGIST, engine:COMMAND, "
        "aei:COMMAND or ugi:COMMAND",
        given=quoted(words),
    )


NO_NET: Final = Path("none")  # the word in place of a net file for an evaluation without a net


class Constants(NamedTuple):
    """The constants of a bot that differ from the game's."""

    weights: Path | None = None
    search: SearchConstants = DEFAULT_CONSTANTS
    net: Path | None = None
    """The file of a net; None: the game's default net; `NO_NET`: the evaluation has only terms."""


def parse_constants(words: str) -> Constants:
    """Read the constants after the question mark in the specification of a bot.

    Raises:
        MalformedError: there is no such constant, or its value is malformed.

    >>> found = parse_constants("weights=new.txt&futility_margin=30&lmp_count=5")
    >>> found.search == SearchConstants(futility_margin=30, lmp_count=5)
    True
    """
    found = Constants()
    for part in words.split("&") if words else ():
        name, _, value = part.partition("=")
        name = FORMER_NAMES.get(name, name)
        number = int(value) if value.isdecimal() and len(value) < 9 else None
        if name == "weights" and value:
            found = found._replace(weights=Path(value))
        elif name == "net" and value:
            found = found._replace(net=Path(value))
        elif (constant := CONSTANTS.get(name)) and number is not None:
            held = max(constant.min, min(constant.max, number))
            found = found._replace(search=found.search._replace(**{name: held}))
        else:
            raise MalformedError(
                "no constant of a bot {given}; expected weights=FILE, net=FILE, or a number "
                "for one of {known}",
                given=quoted(part),
                known=", ".join(CONSTANTS),
            )
    return found


def fingerprint(words: str) -> str:
    """Return hashes of the files of weights and nets that a player reads; empty without files."""
    _, _, constants = words.partition("?")
    if not words.lower().startswith("bot") or not constants:
        return ""
    given = parse_constants(constants)
    prints = []
    if given.weights:
        prints.append(sha256(read_weights(given.weights).encode()).hexdigest()[:16])
    if given.net and given.net != NO_NET:
        from trine.engine.search.nets import read_net  # imports Numba

        prints.append(read_net(given.net).hash)
    return " ".join(prints)


def _net_of(game: str, file: Path) -> SearchNet:
    from trine.engine.search import nets

    return nets.NO_NET if file == NO_NET else nets.net_of_file(game, file)


def _options(settings: player.PlayerResources) -> dict[str, int]:
    """Return the settings that are sent to a program: all but the level."""
    # One thread, like our own search.
    return {"hash": settings.hash_mb, "threads": 1, "seed": settings.seed}


def _open_engine(
    words: str, game: str, settings: dict[str, int], timeouts: Timeouts | None
) -> ProgramPlayer:
    """Open a program in the first protocol that it answers."""
    command, room = split_command(words), parse_game(game)[0]
    kinds = ["aei", "ugi"] if room.name == GAME else ["ugi"]
    refused: player.ForfeitError | None = None
    for kind in kinds:
        try:
            return PROTOCOLS[kind](command, game, settings=settings, timeouts=timeouts)
        except player.ForfeitError as error:
            refused = refused or error
    assert refused
    raise refused


def read_weights(path: Path) -> str:
    """Return the text of a file of weights, checked by `parse_weights`; raises `FileError`."""
    contents = "".join(read_lines(path))
    parse_weights(contents, str(path))
    return contents


def weights_of_file(game: str, path: Path) -> Floats:
    """Return the weights array of a game's evaluation, with the values of a file.

    Raises:
        FileError: the file cannot be read.
        MalformedError: as `parse_weights`, or the evaluation lacks one of the terms.
    """
    heuristics = open_heuristics(game)
    places = {term.name: place for place, term in enumerate(heuristics.terms)}
    numbers = dict(heuristics.table.numbers) if heuristics.table else {}
    looked_up = heuristics.weights.copy()
    for name, weight in parse_weights(read_weights(path), str(path)).items():
        if name in numbers:
            numbers[name] = weight
        elif name in places:
            looked_up[places[name]] = weight
        else:
            given = text("{file}: no term {name}", file=str(path), name=quoted(name))
            raise MalformedError(suggesting(given, name, (*places, *numbers)))
    if heuristics.table:
        looked_up[len(places) :] = heuristics.table.spread(list(numbers.values()))
    return looked_up
