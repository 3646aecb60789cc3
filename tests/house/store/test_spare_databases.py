"""The databases of tests: one is used again without the rows of the test before, or not at all."""

import pytest
from sqlalchemy import create_engine, text

from house.store.stores import create
from postgres import Server
from trine.house.games.storage.tables import read_game
from trine.house.store.store import Store
from trine.house.store.store_errors import UnusableError
from trine.house.tables import SCHEMA


def test_what_a_test_has_left_is_gone(postgres_server: Server) -> None:
    with postgres_server.database() as before:
        left_open = Store.open(before, SCHEMA)
        game = create(left_open)
    spare = len(postgres_server._spare)
    with postgres_server.database() as url, Store.open(url, SCHEMA) as store:
        assert len(postgres_server._spare) == spare - 1, "it is the same database"
        assert store.read(read_game, game.id) is None
        with pytest.raises(UnusableError):
            left_open.read(read_game, game.id)
    left_open.close()


@pytest.mark.parametrize(
    "change", ["CREATE INDEX more ON game (stage)", "UPDATE alembic_version SET version_num = ''"]
)
def test_a_database_that_a_test_has_changed_is_not_used_again(
    change: str, postgres_server: Server
) -> None:
    spare = len(postgres_server._spare)
    with postgres_server.database() as url:
        engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
        with engine.begin() as connection:
            connection.execute(text(change))
        engine.dispose()
    assert len(postgres_server._spare) == max(spare - 1, 0)
