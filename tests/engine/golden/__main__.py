"""python -m tests.engine.golden: record all golden games anew."""

from tests.engine.golden.record import record_all

for path in record_all():
    print(path.name)
