"""Days away are announced ahead, within the budget, and what cannot be is answered with words that help."""

from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.play.absences import check, cut_short, days_counted, within
from service.play.reading import BadInput

TODAY = date(2026, 11, 16)
TRIP = (date(2026, 12, 10), date(2026, 12, 14))


def away(first, last, existing=()):
    return check(existing, first, last, TODAY)


def test_days_ahead_can_be_announced_from_today_on():
    away(TODAY, TODAY)
    away(date(2026, 12, 1), date(2026, 12, 24))
    away(date(2027, 1, 10), date(2027, 1, 20))


@pytest.mark.parametrize(
    ("first", "last", "field", "says"),
    [
        (date(2026, 12, 5), date(2026, 12, 1), "last", r"Tue, 1 Dec 2026\) is before the first \(Sat, 5 Dec 2026"),
        (date(2026, 11, 15), date(2026, 11, 20), "first", "Sun, 15 Nov 2026 is already over"),
        (date(2026, 12, 1), date(2027, 1, 30), "last", "61 days; 60 at once is the most"),
        (date(2027, 11, 10), date(2027, 11, 17), "last", "Wed, 17 Nov 2027 is more than a year ahead"),
        (date(2099, 1, 1), date(2099, 1, 2), "last", "more than a year ahead"),
        (date.min, date.max, "first", "already over"),
    ],
    ids=["reversed", "past", "too long", "just too far", "absurdly far", "all of time"],
)
def test_days_that_make_no_sense_get_an_answer_that_names_them(first, last, field, says):
    with pytest.raises(BadInput, match=says) as refused:
        away(first, last)
    assert refused.value.field == field


def test_the_longest_and_the_furthest_are_allowed():
    away(date(2026, 12, 1), date(2027, 1, 29))
    away(date(2027, 11, 16), date(2027, 11, 16))


@pytest.mark.parametrize(
    ("first", "last"),
    [
        TRIP,
        (date(2026, 12, 14), date(2026, 12, 20)),
        (date(2026, 12, 1), date(2026, 12, 10)),
        (date(2026, 12, 11), date(2026, 12, 12)),
        (date(2026, 12, 1), date(2026, 12, 20)),
    ],
    ids=["the same", "its last day", "its first day", "within it", "around it"],
)
def test_days_already_announced_cannot_be_announced_again(first, last):
    with pytest.raises(BadInput, match="already away from Thu, 10 Dec 2026 to Mon, 14 Dec 2026"):
        away(first, last, existing=[TRIP])


def test_the_days_next_to_an_absence_are_free():
    away(date(2026, 12, 15), date(2026, 12, 15), existing=[TRIP])
    away(date(2026, 12, 9), date(2026, 12, 9), existing=[TRIP])


def test_a_single_day_is_spoken_of_as_one():
    with pytest.raises(BadInput, match=r"already away on Thu, 10 Dec 2026\."):
        away(date(2026, 12, 9), date(2026, 12, 11), existing=[(date(2026, 12, 10), date(2026, 12, 10))])


def test_of_every_year_the_first_days_within_the_budget_count():
    christmas = (date(2026, 12, 20), date(2026, 12, 23))
    assert within([christmas, TRIP], 8) == (TRIP, (date(2026, 12, 20), date(2026, 12, 22)))
    assert within([christmas, TRIP], 5) == (TRIP,)
    assert within([TRIP], 0) == ()
    assert days_counted([christmas, TRIP], 8, *christmas) == 3
    assert days_counted([christmas, TRIP], 5, *christmas) == 0


def test_over_new_year_each_year_pays_for_its_own_days():
    over = (date(2026, 12, 29), date(2027, 1, 5))
    assert within([over], 4) == (
        (date(2026, 12, 29), date(2026, 12, 31)),
        (date(2027, 1, 1), date(2027, 1, 4)),
    )
    assert days_counted([over], 4, *over) == 7


def test_what_has_begun_is_not_taken_back():
    first, last = TRIP
    assert cut_short(first, last, TODAY) is None
    assert cut_short(first, last, first) == (first, first)
    assert cut_short(first, last, date(2026, 12, 12)) == (first, date(2026, 12, 12))
    assert cut_short(first, last, date(2026, 12, 30)) == TRIP


days = st.dates(date(2020, 1, 1), date(2030, 12, 31))


@given(days, st.integers(0, 900), st.integers(0, 60))
@settings(deadline=None)
def test_no_year_counts_more_than_the_budget_and_only_what_was_announced(first, more, budget):
    last = first + timedelta(days=more)
    counted = [
        begin + timedelta(days=n)
        for begin, end in within([(first, last)], budget)
        for n in range((end - begin).days + 1)
    ]
    assert all(first <= day <= last for day in counted)
    assert len(counted) == len(set(counted)) == days_counted([(first, last)], budget, first, last)
    for year in {first.year, last.year}:
        announced = sum((first + timedelta(days=n)).year == year for n in range(more + 1))
        assert sum(day.year == year for day in counted) == min(budget, announced)
