"""Messages and requests that are nearly right, by a seed: what the house is sent in the night."""

import json
import re
from random import Random
from typing import Any
from urllib.parse import quote, urlencode

from playing import HOUSE

ODD: list[Any] = [
    *(None, True, -1, 0, 1, 2**31, 2**63, 10**40, 1e308, 0.5),
    *("", "\0", "x" * 500, "é\u202e\u0301" * 5, "\ud800", "../../etc", "<script>", "' OR 1=1 --"),
    *([], {}, [[]] * 70, ["e2"] * 65, [["e2"]] * 17, {"t": "turn"}, "e2", "resign"),
]
"""Values where others are expected."""
MESSAGES: list[dict[str, Any]] = [
    {"t": "turn", "id": "1", "at": 1, "a": ["e2"], "line": ""},
    {"t": "draft", "id": "2", "at": 1, "a": ["e2"]},
    {"t": "ahead", "id": "3", "at": 1, "path": [["e2"], ["e8"]], "a": []},
    {"t": "answer", "id": "4", "what": "draw", "yes": True},
    {"t": "why", "id": "5", "a": [], "picks": ["e9"], "path": []},
    {"t": "reach", "id": "6", "at": 1, "a": [], "spot": "e1"},
    {"t": "hint", "id": "7"},
    {"t": "mind", "id": "8", "number": 3, "what": "report", "why": "other"},
    {"t": "look", "seat": 1, "insight": True},
    {"t": "pong", "n": 5},
    {"t": "act", "id": "9", "node": 0, "a": ["e2"], "line": ""},
    {"t": "go", "node": 3},
]
"""Messages as pages send them; none that changes a game in which another is to move."""


WORDS = ["e2", "e8", "e9", "a1h", "i9v", "#pass", "Ra1", "♞", "0", "x" * 16, "\0", "draw", "resign"]
"""What stands for an action, a spot, or something to agree to."""


def fitting(rng: Random, value: object) -> object:
    """Return another value of the same form."""
    match value:
        case bool():
            return rng.random() < 0.5
        case int():
            return rng.choice([0, 1, 2, 3, 9, 10_000_000])
        case str():
            return rng.choice(WORDS)
        case [[*_], *_]:
            return [fitting(rng, ["e2"]) for _ in range(rng.randrange(17))]
        case _:
            return [rng.choice(WORDS) for _ in range(rng.choice([0, 1, 1, 2, 64]))]


def mangled_message(rng: Random) -> str | bytes:
    """Return a message with something wrong; now and then it is only strange."""
    message = dict(rng.choice(MESSAGES))
    field = rng.choice(list(message))
    match rng.randrange(12):
        case 0:
            del message[field]
        case 1:
            message[field] = rng.choice(ODD)
        case 2:
            message[rng.choice(["seat", "person", "x" * 300, "", "t"])] = rng.choice(ODD)
        case 3:
            return nested(rng, json.dumps(message), field)
        case 4:
            return json.dumps(message)[: rng.randrange(1, 60)]
        case 5:
            return json.dumps(message).replace(":", rng.choice(["::", "", " : ", ":[", ":-"]), 2)
        case 6:
            words = bytearray(json.dumps(message).encode())
            for _ in range(rng.randrange(1, 4)):
                words[rng.randrange(len(words))] = rng.randrange(256)
            return bytes(words)
        case _:
            for name in rng.sample(list(message), rng.randrange(1, len(message) + 1)):
                if name != "t":
                    message[name] = fitting(rng, message[name])
    return json.dumps(message)


def nested(rng: Random, message: str, field: str) -> str:
    """Return a message that is nested deeply: by itself, or where a field is expected."""
    opening, closing = rng.choice([("[", "]"), ('{"a":', "}"), ('[{"t":', "}]"), ('{"x":[', "]}")])
    deep = rng.randrange(2, 3900 // (len(opening) + len(closing)))
    words = opening * deep + rng.choice(["", "0"]) + closing * rng.choice([0, deep - 1, deep])
    begin = rng.choice(["", '{"x":', f'{{"{field}":', f'{message[:-1]},"x":', '{"t":'])
    return begin + words + rng.choice(["", "}"])


def paths() -> list[str]:
    found = set[str]()
    for file in (HOUSE / "src" / "trine" / "house").rglob("*.py"):
        found |= set(re.findall(r'Route\(\s*f?"(/[^"]*)"', file.read_text(encoding="utf-8")))
    return sorted(found)


def mangled_request(rng: Random, routes: list[str], ids: list[str], host: str) -> bytes:
    """Return a request that no page would send.

    Args: ``ids`` are those of things that there are.
    """

    def filled(_: re.Match[str]) -> str:
        return quote(str(rng.choice([*ids, *ODD])).encode("utf-8", "replace"), safe="")[:600]

    path = re.sub(r"\{[^}]*\}", filled, rng.choice(routes))
    if rng.random() < 0.3:
        odd = str(rng.choice(ODD)).encode("utf-8", "replace")
        path += "?" + quote(odd, safe="=&") + "=" + quote(str(rng.choice(ids)))
    method = rng.choice(["GET"] * 4 + ["POST"] * 5 + ["HEAD", "PUT", "DELETE", "OPTIONS", "FROB"])
    fields = {
        rng.choice(
            ["name", "password", "game", "rules", "code", "x", "text", "id", "of", "clock"]
        ): str(rng.choice([*ids, *ODD])).encode("utf-8", "replace")
        for _ in range(rng.randrange(4))
    }
    body = urlencode(fields).encode() if method == "POST" else b""
    if rng.random() < 0.3:
        body = nested(rng, json.dumps(rng.choice(MESSAGES)), "a").encode()
    headers = {
        "Host": rng.choice([host] * 9 + ["evil.example", ""]),
        "Origin": rng.choice([f"http://{host}"] * 4 + ["null", "http://evil.example"]),
        "Cookie": rng.choice(
            ["trine=x", "trine=" + "x" * 43, "language=zz; look=\xff", ";;=", "a"]
        ),
        "Content-Length": str(len(body)),
        "Content-Type": rng.choice(["application/x-www-form-urlencoded", "text/plain", "x/\xff"]),
        "Accept-Language": rng.choice(["hu", "ru,*;q=0", "x" * 3000, ",,;", "\xe9"]),
        "Authorization": rng.choice(["", "Bearer", "Bearer x", "Basic Og=="]),
        "Accept-Encoding": rng.choice(["gzip", "", "br;q=x"]),
        "Connection": "close",
    }
    if rng.random() < 0.1:
        headers["Transfer-Encoding"] = "chunked"
        more = rng.choice([b"", b";x=1", b";" + b"x" * 70_000])
        body = b"%x%s\r\n%s\r\n%s" % (len(body), more, body, rng.choice([b"0\r\n\r\n", b"zz", b""]))
    for name in rng.sample(list(headers), rng.randrange(4)):
        if name != "Connection":
            del headers[name]
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    request = f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode("latin-1", "replace") + body
    if rng.random() < 0.1:
        words = bytearray(request)
        for _ in range(rng.randrange(1, 5)):
            words[rng.randrange(len(words))] = rng.randrange(256)
        return bytes(words)
    return request
