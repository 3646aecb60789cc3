"""The operations of the API, and their description as OpenAPI."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, TypeVar, get_type_hints

import msgspec

from trine.engine.protocol import api

REF: Final = "#/components/schemas/{name}"
REFUSALS: Final = {
    "400": "The message cannot be read.",
    "401": "There is no token, or it is no longer valid.",
    "403": "The token does not allow this.",
    "404": "The requested object does not exist.",
    "409": "The house, or the referee, refuses the request.",
    "429": "There were too many requests; wait a few seconds.",
    "503": "The house cannot answer just now; retry the request with the same id.",
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
    scope: str  # the scope that the token must have; `PUBLIC` if no token is needed
    summary: str
    gives: Any  # the type of the answer, or a union of types
    takes: Any  # the type of the request's body, or None
    stream: bool  # whether the answer is a stream of lines of JSON
    asks: Mapping[str, str]  # the fields of the query, each with its description


def operation(
    method: str,
    path: str,
    scope: str,
    *,
    asks: Mapping[str, str] = MappingProxyType({}),
    stream: Any = None,
) -> Callable[[Handler], Handler]:
    """Make a method an operation of the API, and generate the operation's description.

    The description has the method's docstring, the type of its third parameter (the request's body)
    and its return type (the answer). ``stream`` is the type of the lines of a streamed answer.
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
    found = (getattr(member, _OPERATION, None) for member in vars(handlers).values())
    return tuple(operation for operation in found if isinstance(operation, Operation))


def describe(operations: Sequence[Operation]) -> dict[str, Any]:
    pairs = ((operation.gives, operation.takes) for operation in operations)
    types = [kind for pair in pairs for kind in pair if kind is not None]
    schemas, components = msgspec.json.schema_components([*types, api.Refusal], ref_template=REF)
    refusal = schemas[-1]
    remaining = iter(schemas)
    paths: dict[str, Any] = {}
    for operation in operations:
        gives = next(remaining)
        takes = next(remaining) if operation.takes is not None else None
        item = _path_item(operation, gives, takes, refusal)
        paths.setdefault(ROOT + operation.path, {})[operation.method.lower()] = item
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "trine",
            "version": "1",
            "description": "The HTTP API of a trine house, for programs.",
        },
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _path_item(operation: Operation, gives: Any, takes: Any, refusal: Any) -> dict[str, Any]:
    kind = "application/x-ndjson" if operation.stream else "application/json"
    item: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "description": f"Scope: {operation.scope}." if operation.scope else "Needs no token.",
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
    if not operation.scope:
        item["security"] = []
        del item["responses"]["401"], item["responses"]["403"]
    if operation.name == "command":  # the referee's refusals have the form of an answer
        item["responses"]["409"]["content"]["application/json"]["schema"] = gives
    if "{id}" in operation.path:
        item["parameters"] = [
            {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
        ]
    if operation.asks:
        item["parameters"] = [
            {"name": name, "in": "query", "description": what, "schema": {"type": "string"}}
            for name, what in operation.asks.items()
        ]
    if takes is not None:
        body = {"application/json": {"schema": takes}}
        item["requestBody"] = {"required": True, "content": body}
    return item
