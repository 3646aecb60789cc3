"""What a message of a game says, for tests that look at actions, cells and ids alone."""

from __future__ import annotations

from typing import Any


def unpacked(message: dict[str, Any]) -> dict[str, Any]:
    """A message with its things and choices as objects; places that the board has are left out."""
    view = message["view"]
    view = view | {"pieces": things(view["pieces"]), "walls": things(view["walls"])}
    return message | {"view": view, "choices": list(choices(message["choices"]))}


def things(packed: dict[str, Any]) -> list[dict[str, Any]]:
    found, named, keyed = [], packed["names"].split(" "), packed["keys"].split(" ")
    for number, kind in enumerate(packed["of"]):
        values = (_said(value, named[number]) for value in packed["kinds"][kind])
        thing = dict(zip(packed["fields"], values, strict=True))
        if len(keyed) > number and keyed[number]:
            thing["key"] = keyed[number]
        found.append(thing)
    return found


def choices(groups: list[list[str]]) -> Any:
    for form, _, first, last in groups:
        for pick in last.split(" "):
            picks = [*first.split(), pick]
            yield {"id": _said(form, *picks), "picks": picks}


def _said(words: Any, *names: str) -> Any:
    if not isinstance(words, str):
        return words
    for number in reversed(range(len(names))):
        words = words.replace(chr(number), names[number])
    return words
