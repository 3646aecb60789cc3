"""The operations of the API, and their description as OpenAPI."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, TypeVar, get_type_hints

import msgspec

from trine.engine.protocol import api

REF: Final = "#/components/schemas/{name}"
REFUSALS: Final = {
    "400": "The message cannot be read.",
    "401": "There is no token, or it is no longer good.",
    "403": "The token does not allow this.",
    "404": "There is no such thing.",
    "409": "The house, or the referee, refuses it.",
    "429": "Too much was asked for; wait a few seconds.",
    "503": "The house cannot do it just now; ask again, the same under the same id.",
}

WAIT: Final[dict[str, Any]] = {
    "Retry-After": {"description": "Units: seconds.", "schema": {"type": "integer"}}
}
ROOT: Final = "/api"
_OPERATION: Final = "operation"
Handler = TypeVar("Handler", bound=Callable[..., Awaitable[Any]])


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
    takes: Any
    """The type of the request's body, or None."""
    stream: bool
    """Whether the answer is a stream of lines of JSON."""
    asks: Mapping[str, str]
    """The fields of the query, each with its description."""


def operation(
    method: str,
    path: str,
    scope: str,
    *,
    asks: Mapping[str, str] = MappingProxyType({}),
    stream: Any = None,
) -> Callable[[Handler], Handler]:
    """Make a method an operation of the API, whose description follows from it.

    Its docstring tells what it does, its third parameter what is sent, and its result what is
    answered.

    Args: ``stream`` is the type of the lines of a stream.
    """

    def add(handler: Handler) -> Handler:
        _request, _grant, *taken, gives = get_type_hints(handler).values()
        described = Operation(
            handler.__name__,
            method,
            path,
            scope,
            " ".join((handler.__doc__ or "").split()),
            stream or gives,
            taken[0] if taken else None,
            stream is not None,
            asks,
        )
        setattr(handler, _OPERATION, described)
        return handler

    return add


def operations_of(handlers: type) -> tuple[Operation, ...]:
    found = (getattr(one, _OPERATION, None) for one in vars(handlers).values())
    return tuple(one for one in found if isinstance(one, Operation))


def describe(operations: Sequence[Operation]) -> dict[str, Any]:
    types = [kind for one in operations for kind in (one.gives, one.takes) if kind is not None]
    schemas, components = msgspec.json.schema_components([*types, api.Refusal], ref_template=REF)
    refusal = schemas[-1]
    given = iter(schemas)
    paths: dict[str, Any] = {}
    for one in operations:
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
            "200": {"description": "The answer.", "content": {kind: {"schema": gives}}},
            **{
                code: {
                    "description": why,
                    "headers": WAIT if code == "429" else {},
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
