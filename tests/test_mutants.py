"""`make mutants` breaks what it says it breaks."""

from types import FunctionType

import pytest

from tests import mutants

SOURCE = '''
LIMIT = 6

def room(held: int, most: int = 3) -> int:
    """How much more."""
    if held >= most and held:
        return 0
    return most - held
'''


def tried(mutant: mutants.Mutant, *args: int) -> int:
    said: int = FunctionType(mutant.codes["room"], {}, argdefs=(3,))(*args)
    return said


def test_every_comparison_number_condition_and_operator_of_a_function_is_broken_once():
    found = {mutant.what.partition(": ")[2]: mutant for mutant in mutants.mutants_of("toy", SOURCE)}
    assert set(found) == {
        "held >= most and held  ->  Or",
        "held >= most  ->  Gt",
        "if held >= most and held:  ->  always True",
        "if held >= most and held:  ->  always False",
        "0  ->  1",
        "0  ->  -1",
        "most - held  ->  Add",
    }
    assert tried(found["most - held  ->  Add"], 1) == 4
    assert tried(found["if held >= most and held:  ->  always False"], 5) == -2


def test_a_breakage_listed_by_name_must_still_fit_its_module():
    assert tried(mutants.named("toy", SOURCE, "no limit", "held >= most", "False"), 5) == -2
    with pytest.raises(ValueError, match="stands there 0 times"):
        mutants.named("toy", SOURCE, "no limit", "held > most", "False")
