"""The description of the API, generated from the code: as OpenAPI, and as a page for people."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from inspect import cleandoc
from typing import Any, Final

import msgspec

from trine.engine.protocol import api
from trine.house.api.programs import CHALLENGE, PLAY, PUBLIC, READ, SCOPES, TOURNAMENT
from trine.house.games import messages

REF: Final = "#/components/schemas/{name}"
REFUSALS: Final = {
    "400": "The message cannot be read.",
    "401": "There is no token, or it is no longer good.",
    "403": "The token does not allow this.",
    "404": "There is no such thing.",
    "409": "The house, or the referee, refuses it.",
    "429": "Too much was asked for; wait a few seconds.",
    "503": "The house has no database just now; ask again, the same under the same id.",
}

RATES: Final[dict[str, Any]] = {
    name: {"description": told, "schema": {"type": "string"}}
    for name, told in (
        ("RateLimit-Policy", "The limits: `q` requests come back in `w` seconds."),
        ("RateLimit", "What is left of them: `r` requests, and one more in `t` seconds."),
    )
}
WAIT: Final[dict[str, Any]] = {
    "Retry-After": {"description": "Units: seconds.", "schema": {"type": "integer"}}
}
ROOT: Final = "/api"


@dataclass(frozen=True)
class Operation:
    """An operation of the API."""

    name: str
    method: str
    path: str
    scope: str
    """The right that the token must have; `PUBLIC` where none is needed."""
    told: str
    gives: Any
    """The type of the answer, or a union of types."""
    takes: Any = None
    """The type of the request's body."""
    stream: bool = False
    """Whether the answer is a stream of lines of JSON."""
    asks: Mapping[str, str] = field(default_factory=dict)
    """The fields of the query, each with its description."""


OPERATIONS: Final = (
    Operation("account", "GET", "/account", READ, "The account of the token.", api.Account),
    Operation(
        "events",
        "GET",
        "/events",
        READ,
        "The stream of what concerns the account: the challenges that stand and its running games, "
        "then whatever changes, and a ping at least every 6 seconds. Each account has one stream; "
        "a new one ends the one before. While it is open the account is there in all its games.",
        api.Event,
        stream=True,
    ),
    Operation(
        "people",
        "GET",
        "/people",
        READ,
        "The accounts whose names begin so, page by page.",
        api.People,
        asks={
            "name": "The beginning of a name; those that look alike are found too.",
            "after": "What was answered as that with the page before.",
        },
    ),
    Operation(
        "games",
        "GET",
        "/games",
        READ,
        "Games that everybody may watch, and those of the account, page by page.",
        api.Games,
        asks={
            "player": "The name of an account that plays.",
            "against": "The name of another one.",
            "mine": "`1`: the account of the token plays.",
            "game": "`arimaa`, `tzaar` or `corridor`.",
            "rules": "A rule set of the game.",
            "players": "`2`, `3` or `4`.",
            "kind": "`rated` or `casual`.",
            "pace": "`live` or `days`.",
            "result": "`won`, `lost` or `drawn` by the player, or else by the side that began; "
            "`over` or `running`.",
            "since": "A day, such as `2026-11-22`, by universal time.",
            "until": "Likewise; the last day.",
            "after": "What was answered as that with the page before.",
        },
    ),
    Operation("game", "GET", "/games/{id}", READ, "A game as it stands.", api.Game),
    Operation(
        "command",
        "POST",
        "/games/{id}",
        PLAY,
        "Do something in a game of the account, by the messages of the pages. A command that comes "
        "again under the same id is answered, and not done again.",
        api.Ok | api.Reason | api.No,
        messages.Command,
    ),
    Operation(
        "bots",
        "GET",
        "/bots",
        PUBLIC,
        "The accounts of programs, page by page. It needs no token.",
        api.Bots,
        asks={"after": "What was answered as that with the page before."},
    ),
    Operation(
        "tournaments",
        "GET",
        "/tournaments",
        READ,
        "Tournaments: those of the account, then the listed ones that run, are open to join, or "
        "are over, as the page has them.",
        list[api.TournamentListed],
    ),
    Operation("tournament", "GET", "/tournaments/{id}", READ, "A tournament.", api.Tournament),
    Operation(
        "enter",
        "POST",
        "/tournaments/{id}",
        TOURNAMENT,
        "Join a tournament, or leave it. Once more does nothing more.",
        api.Tournament,
        api.Entry,
    ),
    Operation("challenges", "GET", "/challenges", READ, "The challenges.", list[api.Challenge]),
    Operation(
        "challenge",
        "POST",
        "/challenges",
        CHALLENGE,
        "Challenge an account. The same challenge again is still one.",
        api.Challenge,
        api.NewChallenge,
    ),
    Operation(
        "reply",
        "POST",
        "/challenges/{id}",
        CHALLENGE,
        "Accept or decline a challenge, or withdraw one of the account.",
        api.Begun,
        api.Reply,
    ),
)


@cache
def description() -> dict[str, Any]:
    types = [kind for one in OPERATIONS for kind in (one.gives, one.takes) if kind is not None]
    schemas, components = msgspec.json.schema_components([*types, api.Refusal], ref_template=REF)
    refusal = schemas[-1]
    given = iter(schemas)
    paths: dict[str, Any] = {}
    for one in OPERATIONS:
        gives = next(given)
        takes = next(given) if one.takes is not None else None
        paths.setdefault(ROOT + one.path, {})[one.method.lower()] = _told(
            one, gives, takes, refusal
        )
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "trine",
            "version": "1",
            "description": "What programs ask of a house of trine.",
        },
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _told(one: Operation, gives: Any, takes: Any, refusal: Any) -> dict[str, Any]:
    kind = "application/x-ndjson" if one.stream else "application/json"
    told: dict[str, Any] = {
        "operationId": one.name,
        "summary": one.told,
        "description": f"Scope: {one.scope}." if one.scope else "Needs no token.",
        "responses": {
            "200": {
                "description": "The answer.",
                "headers": RATES,
                "content": {kind: {"schema": gives}},
            },
            **{
                code: {
                    "description": why,
                    "headers": RATES | (WAIT if code == "429" else {}),
                    "content": {"application/json": {"schema": refusal}},
                }
                for code, why in REFUSALS.items()
            },
        },
    }
    if not one.scope:
        told["security"] = []
        del told["responses"]["401"], told["responses"]["403"]
    if one.name == "command":  # a refusal by the referee has the form of an answer
        told["responses"]["409"]["content"]["application/json"]["schema"] = gives
    if "{id}" in one.path:
        told["parameters"] = [
            {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
        ]
    if one.asks:
        told["parameters"] = [
            {"name": name, "in": "query", "description": said, "schema": {"type": "string"}}
            for name, said in one.asks.items()
        ]
    if takes is not None:
        body = {"application/json": {"schema": takes}}
        told["requestBody"] = {"required": True, "content": body}
    return told


# --- for people ----------------------------------------------------------------------------------


def reference() -> str:
    """Return the generated part of `docs/api.md`.

    >>> "POST /api/games/{id}" in reference()
    True
    """
    lines = ["| request | scope | sends | answers | |", "|---|---|---|---|---|"]
    for one in OPERATIONS:
        scope = f"`{one.scope}`" if one.scope else ""
        lines.append(
            f"| `{one.method} {ROOT}{one.path}` | {scope} | {_names(one.takes)} "
            f"| {_names(one.gives)} | {one.told} |"
        )
    for one in OPERATIONS:
        if one.asks:
            lines += ["", f"| `{one.method} {ROOT}{one.path}?…` | |", "|---|---|"]
            lines += [f"| `{name}` | {said} |" for name, said in one.asks.items()]
    lines += ["", "| scope | allows a program to |", "|---|---|"]
    lines += [f"| `{scope}` | {told} |" for scope, told in SCOPES.items()]
    components = description()["components"]["schemas"]
    for name, schema in components.items():
        lines += ["", f"### {name}", ""]
        if told := schema.get("description"):
            lines += [" ".join(cleandoc(told).split()), ""]
        lines += ["| field | type | |", "|---|---|---|"]
        needed = schema.get("required", ())
        for named, kind in schema.get("properties", {}).items():
            notes = [kind.get("description", "")]
            if named not in needed:
                notes.append(f"If left out: `{json.dumps(kind.get('default'))}`.")
            lines.append(f"| `{named}` | {_kind(kind)} | {' '.join(filter(None, notes))} |")
    return "\n".join(lines) + "\n"


def _names(kind: Any) -> str:
    if kind is None:
        return ""
    (schema,), _ = msgspec.json.schema_components([kind], ref_template=REF)
    return _kind(schema)


def _kind(schema: Any) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(_kind(one) for one in schema["anyOf"])
    if "enum" in schema:
        return " or ".join(f"`{one}`" for one in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_kind(schema['items'])}" if "items" in schema else "list"
    if schema.get("type") == "object":
        return f"{_kind(schema.get('additionalProperties', {}))} by name"
    limits = [
        f"{word} {schema[key]}"
        for key, word in (
            ("minimum", "from"),
            ("maximum", "to"),
            ("maxLength", "at most"),
        )
        if key in schema
    ]
    return " ".join([str(schema.get("type", "anything")), *limits])
