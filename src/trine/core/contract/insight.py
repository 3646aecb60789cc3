"""Insights into a position for a person: threats, effects of turns, highlights on the board."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from trine.core.contract.position import ItsAction, ItsPosition
from trine.core.text.sentence import Text, text


@dataclass(frozen=True)
class Threat:
    """Harm that a player could do to another in one turn, if it were that player's turn."""

    player: int
    kind: str
    """``capture``, ``goal``; an explanation with the threat omits the `Aspect` of the same name."""
    what: str
    """A square or a kind of piece that tells threats of one kind apart; empty if not needed."""
    text: Text
    """The threat as a sentence, with a turn that carries it out."""


@dataclass(frozen=True)
class Effect:
    """An effect of a turn, for a person to whom the turn is recommended."""

    about: str
    """The name of an `Aspect`, or a kind of threat; empty for counts shown with every turn."""
    text: Text


@dataclass(frozen=True)
class Fall:
    """A piece that an action removes from the board other than by moving onto it."""

    cell: str
    own: bool
    """Whether the piece belongs to the player who acts."""
    text: Text


@dataclass(frozen=True)
class Theme:
    """An idea that turns use, recognized by the referee; puzzles are sorted by themes."""

    title: Text
    """A word or two."""
    hint: Text
    """A sentence for a solver who looks for a turn with this idea."""
    used: Callable[[ItsPosition, Sequence[ItsAction]], bool]
    """``used(position, actions)``: whether a whole turn uses the idea."""


def carried_out(threat: Text, turn: str) -> Text:
    """Return a threat with the turn that carries it out, in notation."""
    return text("{threat}: {turn}", threat=threat, turn=turn)


def without_notation(sentences: Iterable[Text]) -> list[Text]:
    """Return sentences for people who point at a board, without notation of turns or walls.

    >>> threat = carried_out(text("Gold can capture the cat"), "Ee4n Ee5n")
    >>> list(map(str, without_notation([text("then: {threat}", threat=threat)])))
    ['then: Gold can capture the cat']
    """
    return [_bare(sentence) for sentence in sentences if "walls" not in sentence.values]


def _bare(sentence: Text) -> Text:
    if isinstance(threat := sentence.values.get("threat"), Text):
        if "turn" in sentence.values:
            return threat
        return Text(sentence.template, {"threat": _bare(threat)}, sentence.context)
    return sentence


class Insight(Protocol):
    """The features of a position that a person wants to see."""

    def marks(self) -> Mapping[str, frozenset[str]]:
        """The highlights on a board, by cell."""

    def sentences(self) -> Sequence[Text]: ...

    def list_threats(self) -> Sequence[Threat]:
        """The threats of all players; empty in a game without threats."""
