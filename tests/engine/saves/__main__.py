"""python -m tests.engine.saves: record what is missing for the rules of today."""

from tests.engine.saves.record import record_missing

for path in record_missing():
    print(path.name)
