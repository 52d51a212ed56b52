"""Standing orders in every game of the catalogue: they only ever choose what is offered, by what their owner knows."""

from random import Random
from typing import Any

import pytest

from engine import BadOptions, Match, OrderDoesNotFit
from engine.scene import Decision, Message
from tests.engine.tables import THOROUGH, Table, asked, copy_of, pick, scene_start


def seeds(table: Table) -> range:
    """Where there is nothing to order, one game shows it."""
    return range(6 if table.game.orders or THOROUGH else 1)


def some_orders(table: Table, random: Random) -> dict[str, str]:
    return {order.id: random.choice(order.choices) for order in table.game.orders}


def answer(match: Match, seat: int, orders: dict[str, str]) -> list[str] | Message | None:
    try:
        return match.follow_orders(seat, orders)
    except OrderDoesNotFit as stopped:
        return stopped.reason


def test_orders_are_told_apart_and_leave_everything_to_the_player_at_first(table):
    ids = [order.id for order in table.game.orders]
    assert len(set(ids)) == len(ids)
    for order in table.game.orders:
        assert order.default == "ask"
        assert order.default in order.choices
        assert len(set(order.choices)) == len(order.choices)
    with pytest.raises(BadOptions, match=r"has no standing order no\.such\.order"):
        table.game.read_orders({"no.such.order": "ask"})


def test_a_seat_without_orders_is_always_asked(table):
    match, random = table.start(83), Random(83)
    while match.pending:
        for decision in match.pending:
            assert match.follow_orders(decision.seat, {}) is None
        match.choose(*pick(random, match))


def test_following_orders_yields_only_offered_options_and_answers_all_the_seat_is_asked(table):
    followed = 0
    for seed in seeds(table):
        match, random = table.start(seed), Random(seed)
        orders = [some_orders(table, random) for _ in range(table.players)]
        while match.pending:
            seat = random.choice(match.pending).seat
            before, begun = (match.save(), match.pending, len(match.events)), scene_start(match)
            choices = answer(match, seat, orders[seat])
            assert (match.save(), match.pending, len(match.events)) == before
            if not isinstance(choices, list):
                match.choose(*pick(random, match))
                continue
            assert choices
            for choice in choices:
                assert scene_start(match) == begun
                assert choice in [option.id for option in asked(match, seat)[0].options]
                match.choose(seat, choice)
            assert scene_start(match) != begun or not asked(match, seat)
            followed += 1
    assert (followed > 0) == bool(table.game.orders)


def test_orders_are_followed_by_nothing_that_their_owner_may_not_know(table):
    """In a position with all that changed, the same question gets the same answer."""
    followed, chance = 0, Random(89)

    def shuffle(items: list[Any]) -> list[Any]:
        return chance.sample(items, len(items))

    for seed in seeds(table):
        match, random = table.start(seed), Random(seed)
        while match.pending:
            for decision in match.pending:
                orders = some_orders(table, random)
                changed = copy_of(match)
                table.game.scramble(changed._state, decision.seat, shuffle)
                choice = follow(match, decision, orders)
                assert follow(changed, decision, orders) == choice
                followed += isinstance(choice, str)
            match.choose(*pick(random, match))
    assert (followed > 0) == bool(table.game.orders)


def follow(match: Match, decision: Decision, orders: dict[str, str]) -> str | Message | None:
    try:
        return match.game.follow(match._state, decision, orders)
    except OrderDoesNotFit as stopped:
        return stopped.reason
