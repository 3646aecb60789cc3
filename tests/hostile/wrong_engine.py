"""A program that does wrong on purpose. Arguments: the protocol, the fault, the game.

It plays its turns by chance, as far as its fault lets it.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

HOUSE = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(HOUSE / "src"), str(HOUSE / "tests")]

FAULTS = (
    *("crash at start", "silent from the start", "crash at isready", "never ready"),
    *("crash while thinking", "ended by a signal", "closes its output", "silent while thinking"),
    *("ignores stop", "garbage instead of a move", "no move", "none", "illegal move"),
    *("move of the other side", "more than a turn", "words for people", "flood"),
    *("flood without an end", "huge line", "bytes that are no text", "lies about its thinking"),
    *("does not read", "does not quit", "leaves a child behind", "answers twice"),
    *("slow greeting", "chatter"),
)
"""The faults of the program; the last five are forgiven."""


def say(line: str) -> None:
    print(line, flush=True)


def lines() -> Iterator[str]:
    while line := sys.stdin.readline():
        yield line.strip()


def wrong_move(fault: str, game: str) -> str:
    arimaa = game == "arimaa"
    return {
        "garbage instead of a move": "\x07%s%n{}{0}" + "🂡" * 9,
        "no move": "",
        "none": "none",
        "illegal move": "Ra1n Ra2n Ra3n Ra4n Ra5n" if arimaa else "a9",
        "move of the other side": "ra8s" if arimaa else "e8",
        "more than a turn": "Ra1 ra8" if arimaa else "e2,e8",
        "words for people": "setup 99of9" if arimaa else "pass",
    }[fault]


def misbehave(fault: str, game: str) -> None:
    if fault == "crash while thinking":
        say("info depth 1")
        raise RuntimeError("this engine is broken")
    if fault == "ended by a signal":
        os.kill(os.getpid(), 9)
    if fault == "closes its output":
        os.close(1)
        time.sleep(600)
    if fault == "ignores stop":
        say("info depth 1 score cp 1 pv e2")
    if fault in ("silent while thinking", "ignores stop"):
        time.sleep(600)
    while fault == "flood without an end":
        print("info depth 1 score cp 1 nodes 1 time 1 pv e2\ninfo string " + "flood " * 100)
    if fault == "huge line":
        say("info string " + "x" * 50_000_000)
        say("bestmove " + "Ee2n " * 1_000_000)
    if fault == "bytes that are no text":
        sys.stdout.buffer.write(b"\xff\xfe\x00info\xc3\nbestmove \xff\xff\n")
        sys.stdout.flush()


def turn(protocol: str, game: str, moves: list[str]) -> str:
    from engine.protocol.fakes import random_turn  # slow to import: only where it is needed
    from trine.engine.protocol.turn_words import format_move, read_move
    from trine.games import new_play

    play = new_play(game)
    for move in moves:
        play.act_unchecked(*read_move(play, move))
    move = format_move(play, random_turn(play, Random(1)))
    return move.replace(",", " ") if protocol == "aei" else move


def answer(protocol: str, fault: str, game: str, moves: list[str]) -> None:
    misbehave(fault, game)
    if fault in ("flood", "chatter"):
        for number in range(60_000 if fault == "flood" else 100):
            print(f"{number} nobody wants to know this, or that")
    if fault == "lies about its thinking":
        for line in ("depth x", "score cp 10000000000000", "score mate 3", "pv z9 e2", "nodes -1"):
            say(f"info {line}")
        say("info depth 99999999999999999999999 score cp x pv \x00 pv pv pv")
        say("info pv Ra1 b g s w ra8 " * 40)
        say("info score 10000000000 pv")
    try:
        say(f"bestmove {wrong_move(fault, game)}")
    except KeyError:
        move = turn(protocol, game, moves)
        say(f"bestmove {move}")
        if fault == "answers twice":
            say(f"bestmove {move}")


def main(protocol: str, fault: str, game: str) -> None:
    assert fault in FAULTS, fault
    if fault == "crash at start":
        raise RuntimeError("this engine is broken from the start")
    if fault == "silent from the start":
        time.sleep(600)
    if fault == "leaves a child behind":
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        say(f"id child {child.pid}")
    if fault == "slow greeting":
        time.sleep(1)
    moves: list[str] = []
    for line in lines():
        kind, _, rest = line.partition(" ")
        if kind in ("aei", "ugi"):
            if kind != protocol:
                return
            say("protocol-version 1" if protocol == "aei" else "option name Hash type spin")
            say(f"id name {fault}")
            say(f"{protocol}ok")
            while fault == "does not read":
                time.sleep(600)
        elif kind == "isready":
            if fault == "crash at isready":
                sys.exit(3)
            if fault != "never ready":
                say("readyok")
        elif kind == "makemove":
            moves.append(rest.replace(" ", ","))
        elif kind == "position":
            moves = rest.partition(" moves ")[2].split()
        elif kind == "go":
            answer(protocol, fault, game, moves)
        elif kind == "quit":
            while fault == "does not quit":
                time.sleep(600)
            return


if __name__ == "__main__":
    main(*sys.argv[1:])
