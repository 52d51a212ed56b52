"""Days away are announced ahead, within the budget, and what cannot be is answered with words that help."""

from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.play.absences import check, days_in_year, days_used
from service.play.reading import BadInput

TODAY = date(2026, 11, 16)
TRIP = (date(2026, 12, 10), date(2026, 12, 14))


def away(first, last, existing=(), budget=30, used=None):
    used = days_used(existing, TODAY.year) if used is None else used
    return check(existing, first, last, TODAY, budget, used)


def test_days_ahead_within_the_budget_can_be_announced_from_today_on():
    away(TODAY, TODAY)
    away(date(2026, 12, 1), date(2026, 12, 24), budget=24)
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
        away(first, last, budget=1000)
    assert refused.value.field == field


def test_the_longest_and_the_furthest_are_allowed():
    away(date(2026, 12, 1), date(2027, 1, 29), budget=60)
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


def test_more_than_the_budget_of_the_year_is_refused_with_what_is_left():
    with pytest.raises(BadInput, match=r"allows 8 days away in a year\. In 2026 you have 3 days left, .* take 4\."):
        away(date(2026, 12, 20), date(2026, 12, 23), existing=[TRIP], budget=8)
    away(date(2026, 12, 20), date(2026, 12, 22), existing=[TRIP], budget=8)
    with pytest.raises(BadInput, match="you have none left"):
        away(date(2026, 12, 20), date(2026, 12, 20), budget=8, used=9)
    with pytest.raises(BadInput, match="you have 1 day left"):
        away(date(2026, 12, 20), date(2026, 12, 21), budget=8, used=7)


def test_over_new_year_each_year_pays_for_its_own_days():
    over = (date(2026, 12, 29), date(2027, 1, 5))
    away(*over, budget=5)
    with pytest.raises(BadInput, match="In 2026 you have 2 days left, and this would take 3"):
        away(*over, budget=5, used=3)
    with pytest.raises(BadInput, match="In 2027 you have 4 days left, and this would take 5"):
        away(*over, budget=5, existing=[(date(2027, 2, 1), date(2027, 2, 1))])


days = st.dates(date(2020, 1, 1), date(2030, 12, 31))


@given(days, st.integers(0, 900), st.integers(2019, 2034))
@settings(deadline=None)
def test_a_year_counts_exactly_its_own_days(first, more, year):
    last = first + timedelta(days=more)
    counted = sum((first + timedelta(days=n)).year == year for n in range(more + 1))
    assert days_in_year(first, last, year) == counted
    assert days_used([(first, last), TRIP], year) == counted + 5 * (year == 2026)
