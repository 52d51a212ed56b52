"""Every test of this folder runs for every table of the catalogue."""

import pytest

from tests.engine.tables import TABLES, Table


@pytest.fixture(params=TABLES, ids=str)
def table(request: pytest.FixtureRequest) -> Table:
    table: Table = request.param
    return table
