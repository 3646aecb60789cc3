"""A fixed loop of Python, by whose time that of other work is told, so that machines compare."""

ROUNDS = 2_000
"""About a fifth of a millisecond."""


def loop() -> int:
    """Do some of what Python does for a house: numbers, names, calls, strings, dictionaries."""
    seen: dict[str, int] = {}
    for number in range(ROUNDS):
        name = str(number & 63)
        seen[name] = seen.get(name, 0) + len(name)
    return len(seen)
