"""What the view says for a page to draw: where buying takes the ships, what goods would bring, what is still owed."""

from typing import Any

from engine import Gauge, Match
from service.post import words
from tests.engine.osaka.positions import do, position

BUYING: dict[str, Any] = {
    "market": "red5 red2 blue3 green2@1",
    "hands": ["red5 blue3 green2 green2", "red3"],
    "had": ["blue5 green3", "blue2 blue2!", "red2"],
    "tokens": [{"blue": 1}, {"blue": 2}],
    "ships": {"red": 3, "blue": 3, "yellow": 4, "green": 1},
}


def test_the_view_says_where_buying_would_take_the_ships_and_what_sinks():
    purchase = position(**BUYING).view(0)["purchase"]
    assert purchase["price"] == 10
    assert purchase["to"] == {"red": 5, "blue": 4, "yellow": 4, "green": 1}
    assert purchase["lands"] == ["red"]
    assert purchase["sinks"] == ["blue", "yellow"]
    assert purchase["at_risk"] == [{"blue": 2}, {"blue": 1}, {}, {}], "one good is insured, one would be bought"


def test_when_no_ship_lands_nothing_sinks():
    purchase = position(market="red2", hands=["red2"], ships={"blue": 4}).view(0)["purchase"]
    assert (purchase["lands"], purchase["sinks"]) == ([], [])


def test_what_a_set_would_bring_is_reckoned_with_and_without_what_would_be_bought():
    view = position(**BUYING).view(0)
    assert {colour: got["vp"] for colour, got in view["seats"][0]["sets"].items()} == {"blue": 2, "green": 1}
    assert {colour: got["vp"] for colour, got in view["purchase"]["sets"].items()} == {"red": 2, "blue": 3, "green": 1}
    assert view["seats"][1]["sets"]["blue"] == {"price": 2, "tokens": 2, "n": 2, "total": 8, "value": 10, "vp": 2}


def test_what_is_foretold_is_what_is_paid():
    match = position(**BUYING)
    foretold = match.view(0)["purchase"]
    ahead = do(match, "buy", "pay.green2", "pay.red5", "pay.blue3").view(0)
    assert ahead["seats"][0]["vp"] == sum(foretold["sets"][colour]["vp"] for colour in foretold["lands"])
    assert ahead["seats"][2]["vp"] == 1


def test_how_much_is_lacking_is_told_only_where_the_hand_is_seen():
    poor: dict[str, Any] = {"market": "red5 blue5", "hands": ["red5 blue2"]}
    assert position(**poor).view(1)["purchase"]["short"] == 3
    assert position(**poor, open_information=False).view(1)["purchase"]["short"] is None
    assert position(**poor, open_information=False).view(0)["purchase"]["short"] == 3


def test_while_paying_the_view_says_what_is_owed_what_was_laid_down_and_a_plan():
    match = do(position(**BUYING), "buy")
    assert match.view(0)["paying"] == {"price": 10, "owing": 10, "plan": ["red5", "blue3", "green2"]}
    do(match, "pay.green2")
    view = match.view(0)
    assert (view["paying"]["owing"], view["spent"]) == (8, ["green2"])
    assert view["purchase"]["short"] == 0, "what was laid down already counts"
    done = do(match, "pay.red5", "pay.blue3").view(0)
    assert (done["paying"], done["spent"]) == (None, [])


def test_a_plan_for_a_hidden_hand_is_for_its_owner_only():
    match = do(position(**BUYING, open_information=False), "buy")
    assert match.view(0)["paying"]["plan"]
    assert match.view(1)["paying"]["plan"] is None


def test_a_card_says_how_far_it_goes_towards_the_price():
    match = do(position(**BUYING), "buy", "pay.blue3", "pay.green2")
    assert told(match) == {
        "pay.green2": "3 to go, which your other cards cannot pay exactly: at least 2 lost",
        "pay.red5": "exact",
    }
    match = do(position(market="red2 red2", hands=["red5 blue2 blue2"]), "buy")
    assert told(match) == {"pay.red5": "1 too much, and lost", "pay.blue2": "2 to go"}


def told(match: Match) -> dict[str, str]:
    """The hints of a question in words."""
    options = match.pending[0].worked_out().options
    return {option.id: words.tell(option.hint) for option in options if option.hint}


def test_a_question_of_insurance_names_what_sinks_and_an_answer_what_it_saves():
    def asked(goods: str, hand: str) -> Match:
        ships = {"blue": 4, "red": 3, "green": 3}
        return do(position(market="blue2", hands=[f"blue2 {hand}"], had=[goods], ships=ships), "buy", "pay.blue2")

    match = asked("red2", "red2 red3")
    assert words.prompt(match.pending[0]) == "Your lacquer 2 sinks. Insure it?"
    assert told(match) == {
        "insure.red2": "saves lacquer 2; a shield is left over and lost",
        "insure.red3": "saves lacquer 2",
        "done": "What is not insured is lost.",
    }
    match = asked("red5 red3 red2 green5", "red2 red3 red3")
    assert words.prompt(match.pending[0]) == "Your lacquer 2, lacquer 3, lacquer 5 and tea 5 sink. Insure them?"
    assert told(match)["insure.red2"] == "saves 2 of lacquer 2, lacquer 3 and lacquer 5"
    do(match, "insure.red2")
    assert words.prompt(match.pending[0]) == (
        "2 of your lacquer 2, lacquer 3, lacquer 5 and tea 5 still sink. Insure them too?"
    )
    assert told(match)["insure.red3"] == "saves one of lacquer 2, lacquer 3 and lacquer 5"


def test_what_is_about_to_sink_is_in_the_view_while_it_can_be_insured():
    match = position(
        market="blue2", hands=["blue2 red2 red3"], had=["red5 red3 red2!"], ships={"blue": 4, "red": 3, "green": 2}
    )
    view = do(match, "buy", "pay.blue2").view(0)
    assert view["sinking"] == ["red"]
    assert view["seats"][0]["at_risk"] == {"red": 2}
    assert match.pending[0].main == "done"
    assert {option.id: option.hint.args.get("n") for option in match.pending[0].worked_out().options} == {
        "insure.red2": 2,
        "insure.red3": 1,
        "done": None,
    }
    assert do(match, "insure.red2").view(0)["sinking"] == []


def test_a_card_is_taken_or_reserved_in_one_touch():
    """Both actions only lead to a card, and their places are the cards."""
    match = position(market="red2 red5@1 blue3@0", farm="green2 green3@2", hands=["red5"])
    assert [(option.id, option.leads, option.spots) for option in match.pending[0].options] == [
        ("buy", False, ("buy",)),
        ("take", True, ("market:0", "market:2")),
    ]
    match = position(market="red2 red5@1", farm="green2 green3@2", hands=["red2"])
    assert [(option.id, option.leads, option.spots) for option in match.pending[0].options] == [
        ("buy", False, ("buy",)),
        ("take", True, ("market:0",)),
        ("reserve", True, ("market:0", "farm:0")),
    ]


def test_taking_a_card_changes_the_coins_and_nothing_else():
    match = position(**BUYING)
    assert match.outlook(0, "take", "take.red5") == [(Gauge("coins", 0), 12, 17)]


def test_the_last_card_paid_tells_who_earns_what_as_far_as_it_may_be_known():
    paid = ("buy", "pay.green2", "pay.red5", "pay.blue3")
    seen = {change.gauge: change.after for change in position(**BUYING).outlook(0, *paid)}
    assert seen[Gauge("vp", 0)] == 2
    assert seen[Gauge("vp", 2)] == 1
    hidden = {change.gauge for change in position(**BUYING, open_information=False).outlook(0, *paid)}
    assert Gauge("vp", 0) in hidden
    assert Gauge("vp", 2) not in hidden


def test_the_steps_of_a_turn_are_told_as_they_come():
    match = position(market="blue2", hands=["blue2 red2"], had=["red5"], ships={"blue": 4, "red": 3})
    trails = [match.view(0)["trail"]]
    trails += [do(match, choice).view(0)["trail"] for choice in ("buy", "pay.blue2")]
    said = [[(step["say"].rpartition(".")[2], step["when"]) for step in trail] for trail in trails]
    assert said == [
        [("action", "now"), ("pay", "ahead")],
        [("action", "past"), ("pay", "now")],
        [("action", "past"), ("pay", "past"), ("insure", "now")],
    ]


# What a purchase that ends the game foretells

LAST: dict[str, Any] = {
    "market": "red5",
    "hands": ["red5 blue3"],
    "had": ["", "blue2"],
    "tokens": [{"red": 3, "blue": 4}],
    "ships": {"red": 4, "blue": 3},
}


def foretold(match: Match) -> list[str]:
    hint = match.pending[0].option("buy").hint
    assert hint is not None
    return [then["key"].rpartition(".")[2] for then in hint.args["then"]]


def test_a_purchase_that_ends_the_game_says_so_and_promises_no_sinking():
    match = position(**LAST)
    assert foretold(match) == ["sails", "paid", "ends"]
    purchase = match.view(1)["purchase"]
    assert (purchase["ends"], purchase["sinks"], purchase["at_risk"]) == (True, [], [{}] * 4)
    do(match, "buy", "pay.red5")
    assert match.over
    assert match.view(1)["seats"][1]["goods"] == [{"card": "blue2", "insured": False}]


def test_a_purchase_that_brings_the_last_token_but_one_still_tells_what_sinks():
    match = position(**LAST | {"tokens": [{"red": 3, "blue": 3}]})
    assert foretold(match) == ["sails", "paid", "sinks"]
    assert match.view(1)["purchase"]["ends"] is False


def test_somebody_else_s_last_token_ends_it_too_and_one_who_sells_nothing_wins_none():
    others = LAST | {"had": ["", "red2", "blue2"], "tokens": [{}, {"blue": 7}, {"blue": 7}]}
    assert foretold(position(**others)) == ["sails", "paid", "paid", "ends"]
    nothing = LAST | {"had": ["", "", "blue2"], "tokens": [{}, {"blue": 7}, {"blue": 7}]}
    assert foretold(position(**nothing)) == ["sails", "paid", "sinks"]


def test_the_hint_of_every_last_purchase_of_bots_is_right():
    """It tells of the end exactly when it comes, and of what sinks exactly when it does."""
    for seed in range(6):
        match = Match.start("osaka", players=3, seed=seed)
        while match.pending:
            decision = match.pending[0]
            choice = match.bot_choice(decision.seat)
            promised = foretold(match) if choice == "buy" else None
            told = len(match.events)
            match.choose(decision.seat, choice)
            while promised is not None and match.pending and match.pending[0].prompt == "osaka.pay":
                match.choose(decision.seat, match.bot_choice(decision.seat))
            if promised is not None:
                happened = [event.key for event in match.events[told:]]
                assert ("ends" in promised) == match.over
                assert not ("sinks" in promised and match.over)
                assert (
                    "osaka.sunk" in happened or bool(match.pending and match.pending[0].prompt == "osaka.insure")
                ) == ("sinks" in promised)


def test_the_discard_pile_lies_open_where_information_is_open():
    match = position(market="red2", discard="blue3 red5 blue3")
    assert match.view(None)["discarded"] == ["red5", "blue3", "blue3"]
    closed = position(market="red2", discard="blue3 red5 blue3", open_information=False)
    assert closed.view(0)["discarded"] is None
    assert closed.view(0)["discard"] == 3
