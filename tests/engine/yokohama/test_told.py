"""What a choice tells before it is made, and what is told when a step is answered by itself: the names, prices and
reasons that a merchant needs, in words."""

from random import Random

import pytest

from engine import Match
from engine.yokohama.gains import REST, REST_TO_PLACING, REST_TO_TOKEN
from service.post import words
from service.post.language import speaking
from tests.engine.yokohama.board import Position, Script

NAMES = ["Aiko", "Bruno", "Chidi", "Dana"]


def hint(script: Script, option: str) -> str:
    found = script.asked.worked_out().option(option).hint
    assert found
    return words.tell(found, NAMES)


def label(script: Script, option: str) -> str:
    return words.tell(script.asked.option(option).label, NAMES)


def log(script: Script) -> list[str]:
    return [words.tell(event, NAMES) for event in script.match.events]


# Technologies


def test_two_cards_of_one_technology_are_told_apart_by_their_country():
    script = Position().board("lab", "telegram1", "telegram2").act("lab", 3)
    assert label(script, "take.telegram1") == "Learn Telegram (America)"
    assert label(script, "take.telegram2") == "Learn Telegram (Britain)"


def test_the_price_of_a_technology_names_its_slot_and_what_later_cards_cost_more():
    position = Position().teach("gaslight", "winery", "postal").board("lab", "stagecoach", "telegram1", "stock")
    position.me().yen = 9
    script = position.act("lab", 3)
    assert hint(script, "take.stagecoach").endswith(
        "Costs 3; your power pays for it. And 2 yen or 1 import, because you have 3 technologies."
    )
    assert hint(script, "take.stock").endswith(
        "Costs 4 (3 printed, 1 for its slot); one beyond your power, and one more because you have 3 technologies: "
        "2 yen or 1 import each."
    )


def test_a_technology_out_of_reach_says_what_it_takes():
    position = Position().teach("gaslight", "winery", "postal").board("lab", "stagecoach", "exposition", "gaslight2")
    position.me().yen = 0
    script = position.teach("spinning_mill").act("lab", 3)  # asked all the same, because silk can be sold
    reasons = {words.tell(b.label): words.tell(b.reason) for b in script.asked.blocked}
    assert reasons["Learn Stagecoach (America)"].startswith(
        "Costs 3; your power would pay that, but with 4 technologies"
    )
    assert "4 beyond your power, and one more" in reasons["Learn Exposition (France)"]
    assert reasons["Learn Gaslight (France)"] == "You have this technology."


# Ways and orders


def test_a_choice_of_ways_names_its_price_and_each_way_names_everybody_who_is_paid():
    position = Position().lay(tea1=0, bank=1, silk1=2, fish1=6, church=7).president(0, "tea1")
    position.president(1, "bank").president(2, "fish1").staff(bank=1, fish1=1, church=1)
    script = position.play().do("place.silk1", "done")
    assert label(script, "go.silk1") == "Go to the Silk Mill, by one of 2 ways, from 1 yen"
    assert script.asked.option("go.silk1").leads, "by which way comes next"
    script.do("go.silk1")
    assert {option.spots for option in script.asked.options} == {("area:silk1",)}
    assert [label(script, option) for option in script.ids] == ["1 yen to Bruno", "1 yen to Chidi"]


@pytest.mark.parametrize(
    ("power", "brings"),
    [
        (2, "an order from the low slots."),
        (3, "an order from the low or middle slots."),
        (4, "an order from any slot; then you may build."),
        (5, "3 points, and an order from any slot; then the power token, and you may build."),
    ],
)
def test_the_port_says_which_slots_and_how_many_points(power, brings):
    position = Position().staff(port=power - 1)
    script = position.play().do("place.bank", "done")
    assert hint(script, "go.port") == f"Power {power}: {brings}"


def test_the_port_says_that_the_hand_is_full_before_one_goes_there_and_afterwards():
    position = Position().staff(port=2).goods()
    for card in ("o01", "o02", "o03"):
        position.order(card)
    script = position.play().do("place.bank", "done")
    assert hint(script, "go.port") == "Power 3: no order: you hold 3, the most there may be."
    script.do("go.port")
    assert log(script)[-1] == "Aiko took no order: 3 orders are the most there may be in a hand."


# Placing


def test_the_question_of_placing_says_how_many_more_there_can_be():
    script = Position().play()
    assert words.prompt(script.asked) == "Place assistants: one each in up to 3 areas, or two in one."
    script.do("place.bank")
    expected = "Up to 2 more elsewhere, or one more where the first went?"
    assert words.prompt(script.asked) == expected
    script.do("place.tea1")
    assert words.prompt(script.asked) == "Place one more, in another area?"
    position = Position()
    position.me().assistants = 2
    script = position.play()
    assert words.prompt(script.asked) == "Place assistants: one each in up to 2 areas, or two in one."
    position.me().assistants = 1
    assert words.prompt(position.play().asked) == "Place your last assistant: in which area?"


def test_an_area_too_dear_for_an_assistant_says_so():
    position = Position().president(1, "bank").president(2, "bank")
    position.me().yen = 1
    (blocked,) = position.play().asked.blocked
    assert words.tell(blocked.label, NAMES) == "One at the Bank, 1 yen each to Bruno and Chidi"
    assert words.tell(blocked.reason) == "It costs 2 yen, and you have 1."


# Recall


def test_nobody_is_offered_to_take_back_a_president_in_hand():
    script = Position().play().do("place.bank", "done")
    assert label(script, "recall") == "Keep the president in hand"
    script.do("recall")
    assert words.prompt(script.asked) == "Your president stays in your hand. Which assistants come back?"
    script.do("done")
    assert "Aiko kept the president in hand." in log(script)
    script = Position().lay(bank=0, tea1=1).president(0, "bank").play().do("place.tea1", "done")
    assert label(script, "recall") == "President back to hand"
    script.do("recall")
    assert words.prompt(script.asked).startswith("Your president comes back. Which assistants")
    assert not script.told("nowhere")
    assert list(script.asked.blocked) == [], "nothing stood in the way"


def test_a_recall_that_is_forced_says_so():
    position = Position().lay(tea1=0, bank=17, silk1=16).president(0, "tea1")
    script = position.play().do("place.bank", "done")
    assert words.prompt(script.asked).startswith("Your president finds no way. Which assistants come back")
    assert log(script)[-1] == "Aiko found no way for the president."
    (closed,) = script.asked.blocked
    assert words.tell(closed.label, NAMES) == "Go to the Bank"
    penniless = Position().staff(bank=1).president(1, "bank")
    penniless.me().assistants = 0
    script = penniless.play()
    assert words.prompt(script.asked).startswith("Your president stays in your hand."), "it never left it"


def test_only_an_area_with_an_assistant_that_cannot_be_reached_is_said_to_be_closed():
    position = Position().lay(tea1=0, agency=1, bank=17).president(0, "tea1").staff(tea1=1, agency=1, bank=1)
    script = position.play().do("place.tea1", "done")
    assert script.starting("go.") == ["agency"]
    assert [words.tell(closed.label, NAMES) for closed in script.asked.blocked] == ["Go to the Bank"]


# Steps that are answered by themselves


def acted(position: Position, place: str, power: int) -> str:
    """The last that is said of an action about which nothing is asked."""
    script = position.act(place, power)
    assert script.state.seat == 1
    return [line for line in log(script) if line.startswith("Aiko")][-1]


def test_an_action_that_brings_nothing_says_why():
    assert acted(Position(), "copper1", 2) == "Aiko gained nothing at the Copper Mine: power 2 brings nothing there."
    assert acted(Position(), "customs", 3).endswith("at the Import Store: no free space is within reach.")
    poor = Position().goods()
    poor.me().yen = 0
    assert acted(poor, "chinatown", 2).endswith("there is nothing to exchange.")
    poor = Position()
    poor.me().yen = 0
    assert acted(poor.board("lab", "tram", "ball1", "ball2", "newspaper1", "station", "exposition"), "lab", 2).endswith(
        "no technology there can be paid for."
    )
    empty = Position()
    empty.me().stored_assistants = empty.me().stored_shops = empty.me().stored_houses = 0
    assert acted(empty, "agency", 2) == "Aiko took nothing more from the warehouse: it is empty."
    weak = Position(edition="okazu").teach("tram")
    script = weak.play().do("place.tea1", "done", "go.agency")
    assert "Aiko gained nothing at the Employment Agency: power 1 brings nothing there." in log(script)
    script = Position(edition="okazu").teach("tram").play().do("place.tea1", "done", "go.port")
    assert [line for line in log(script) if "gained nothing" in line] == []
    empty = Position()
    empty.me().stored_assistants, empty.me().yen = 0, 1
    assert acted(empty, "agency", 2).endswith("what is left there costs too much.")


def test_a_site_on_which_nothing_can_be_built_says_why():
    position = Position().shop(0, "tea1")
    position.at("tea1").token = ""
    assert acted(position, "tea1", 4) == (
        "Aiko could not build at the Tea Plantation: "
        "a shop of theirs stands there already and no trading house in hand."
    )


def test_a_second_order_that_cannot_be_paid_says_so():
    position = Position().board("port", "o01")
    position.me().yen = 1
    script = position.act("port", 2).do("take.o01")
    assert "Aiko took no second order: it costs 2 yen or 1 import." in log(script)


def test_who_has_nothing_to_place_is_told():
    position = Position().staff(tea1=4, silk1=4)
    assert log(position.play())[-1] == "Aiko had no assistant in hand to place."


# The log


def test_what_was_paid_stands_in_the_log():
    position = Position().board("port", "o01", "o02").board("lab", "stagecoach")
    position.me().yen = 9
    script = position.act("port", 2).do("take.o01", "yen.o02")
    assert "Aiko paid 2 yen for it." in log(script)
    position = Position().board("lab", "exposition")
    position.me().yen, position.me().imports = 9, 1
    script = position.act("lab", 4).do("take.exposition", "pay.1")
    assert "Aiko paid 4 yen and 1 import for it." in log(script)
    position = Position()
    position.me().yen = 9
    script = position.act("agency", 3).do("house", "shop")
    assert [line for line in log(script) if "paid" in line] == ["Aiko paid 4 yen for it.", "Aiko paid 2 yen for it."]


def test_a_technology_that_power_pays_for_is_told_without_a_price():
    script = Position().board("lab", "stagecoach").act("lab", 3).do("take.stagecoach")
    assert "Aiko learned Stagecoach." in log(script)
    assert [line for line in log(script) if "for it" in line] == []


def test_points_that_a_technology_adds_are_told_with_the_reward():
    position = Position().teach("gaslight")
    vp = position.box.sites[position.at("tea1").site].shops[0].vp
    position.at("tea1").token = ""
    script = position.act("tea1", 4).do("shop.0")
    assert [line for line in log(script) if line.startswith(f"Aiko received {vp + 2} points")]


def test_what_a_reward_gives_and_the_way_over_the_canal_stand_in_the_log():
    position = Position().lay(tea1=6, canal=7, silk1=8).president(0, "tea1").staff(silk1=4)
    reward = position.token("silk1", moves=4).play().do("place.bank", "done", "go.silk1", "take")
    assert "Aiko paid 1 yen to cross the Canal." in log(reward)
    assert "Aiko received 4 assistant moves." in log(reward)


def test_one_import_is_said_in_the_singular_when_a_technology_is_paid():
    position = Position().board("lab", "exposition")
    position.me().yen, position.me().imports = 9, 1
    script = position.act("lab", 4).do("take.exposition")
    assert [label(script, option) for option in script.ids] == ["6 yen", "1 import and 4 yen"]


# Doing the rest


def test_doing_the_rest_comes_to_what_it_says():
    """To the end of the turn, to the power token, or to the placement."""
    met = set()
    for seed in range(3):
        random, match = Random(seed), Match.start("yokohama", players=2, seed=seed)
        while match.pending:
            decision = match.pending[0]
            if decision.rest and not match.after(decision.seat, decision.default).held:
                met.add(decision.rest.key)
                assert rested(match) == decision.rest
            wild = random.random() < 0.3
            match.choose(decision.seat, random.choice(decision.options).id if wild else match.bot_choice(decision.seat))
    assert met == {REST.key, REST_TO_TOKEN.key, REST_TO_PLACING.key}


def rested(match: Match) -> object:
    """Where the rest leads: what says so, or what is asked then."""
    ahead, turn, (decision, *_) = match.copy(), match.turn, match.pending
    while ahead.turn == turn and ahead.pending and ahead.pending[0].rest == decision.rest:
        ahead.choose(decision.seat, ahead.pending[0].default)
    if ahead.turn != turn or not ahead.pending:
        return REST
    prompt = ahead.pending[0].prompt
    placing = dict.fromkeys(("yokohama.ask.begin", "yokohama.ask.opening", "yokohama.ask.place"), REST_TO_PLACING)
    return {"yokohama.ask.token": REST_TO_TOKEN, **placing}.get(prompt, prompt)


# What may be done at any time


AT_ANY_TIME = {"begin", "opening", "closing", "place", "telegram", "go", "order", "second_order", "tech"}
AT_ANY_TIME |= {"exchange", "warehouse", "church", "customs"}


@pytest.mark.parametrize("seed", range(3))
def test_spinning_mill_and_university_are_offered_in_every_step_the_page_names(seed):
    random, position = Random(seed), Position()
    for area in position.state.areas:
        if area.action != "canal":
            area.assistants[0] = random.choice((1, 2, 3))
    position.teach("spinning_mill", "university", "telegram")
    position.me().yen, position.me().imports, position.me().agents = 20, 5, ["france"]
    position.goods(copper=5, silk=5, tea=5, fish=5).order("o01").order("o02")
    script = position.play()
    while script.state.turn == 1 and script.match.pending:
        offered = {"spin", "study"} <= set(script.ids)
        assert offered == (script.prompt in AT_ANY_TIME), script.prompt
        script.do(random.choice([id for id in script.ids if id not in ("spin", "study")]))


def test_no_two_choices_of_a_question_read_the_same():
    for edition in ("dlp", "okazu"):
        random, match = Random(7), Match.start("yokohama", players=4, seed=7, options={"edition": edition})
        with speaking("en", edition):
            while match.pending:
                decision = match.pending[0].worked_out()
                read = [
                    (words.tell(o.label, NAMES), words.tell(o.hint, NAMES) if o.hint else "") for o in decision.options
                ]
                assert len(set(read)) == len(read), decision.prompt
                match.choose(decision.seat, random.choice(decision.options).id)
