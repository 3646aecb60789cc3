"""The news of a challenge, for letters and devices."""

from __future__ import annotations

from sqlalchemy import Connection

from trine.core.text.sentence import verbatim
from trine.house.games.agreement import Agreement
from trine.house.letters.news import News, sentence_of
from trine.house.letters.notice_rows import Notice
from trine.house.letters.notices import Told
from trine.house.lobby.tables import read_challenge
from trine.house.people.person_rows import read_person


def news_of_challenge(connection: Connection, notice: Notice, now: float) -> News | None:
    """Return the news of a challenge; None if it is gone."""
    row = read_challenge(connection, notice.about)
    challenger = read_person(connection, row.challenger) if row else None
    if not row or not challenger or row.expires_at <= now:
        return None
    agreement, name = Agreement.from_data(row.terms), verbatim(challenger.name)
    sentence = sentence_of(Told.CHALLENGED, agreement.game, name, row.expires_at - now)
    return News(sentence, "/lobby", bool(agreement.clock) and not agreement.by_days)
