"""A turn as it is counted and told: its number, its steps as they pass and as they are left, what an agent does between
them, and the questions that "do the rest for me" may answer."""

import pytest

from engine import Match
from service.post import words
from service.post.language import speaking
from tests.engine.yokohama.board import Position, Script


def trail(script: Script) -> str:
    """The steps as a page shows them: the present one in brackets, what is past before it."""
    said = [
        f"[{words.say(step['say'])}]" if step["when"] == "now" else words.say(step["say"])
        for step in script.match.view(script.asked.seat)["trail"]
    ]
    return " ".join(said)


def now(script: Script) -> list[str]:
    return [step["say"] for step in script.match.view(0)["trail"] if step["when"] == "now"]


def test_the_first_turn_is_turn_one_and_set_up_is_none():
    match = Match.start("yokohama", players=2, seed=3)
    assert (match.turn, match.view()["turn"], match.view()["round"], match.view()["active"]) == (0, 0, 1, None)
    for decision in match.pending:
        match.choose(decision.seat, decision.default)
    assert (match.turn, match.view()["turn"], match.view()["round"], match.view()["active"]) == (1, 1, 1, 0)


def test_turns_rounds_and_seats_are_counted_together_to_the_end():
    match = Match.start("yokohama", players=3, seed=4)
    seen = []
    while match.pending:
        view = match.view()
        if view["phase"] == "play" and (view["turn"], view["round"], view["active"]) not in seen:
            seen.append((view["turn"], view["round"], view["active"]))
        decision = match.pending[0]
        match.choose(decision.seat, match.bot_choice(decision.seat))
    assert seen == [(n + 1, n // 3 + 1, n % 3) for n in range(len(seen))]
    begun = [event.args["round"] for event in match.events if event.key == "yokohama.round"]
    assert begun == list(range(1, len(seen) // 3 + 1))
    final = match.view()
    assert final["round"] == final["final_round"] == len(seen) // 3
    assert final["trail"] == []


def test_the_steps_left_are_shown_from_the_first_to_the_last():
    position = Position().order("o01", first=True).staff(tea1=4)
    script = position.play()
    assert trail(script) == "[extras] place move act token build back extras"
    script.do("done")
    assert trail(script) == "extras [place] move act token build back extras"
    script.do("place.tea1", "done")
    assert trail(script) == "extras place [move] act token build back extras"
    script.do("go.tea1")
    assert trail(script) == "extras place move act [token] build back extras"
    script.do("done")
    assert trail(script) == "extras place move act token [build] back extras"
    script.do("done")
    assert trail(script) == "extras place move act token build back [extras]"


@pytest.mark.parametrize(
    ("power", "left"), [(3, "back extras"), (4, "build back extras"), (5, "token build back extras")]
)
def test_steps_that_the_power_does_not_reach_are_not_left(power: int, left: str):
    assert trail(Position().act("chinatown", power)) == f"extras place move [act] {left}"


def test_where_the_token_is_gone_its_step_is_not_left():
    position = Position()
    position.at("chinatown").token = ""
    assert trail(position.act("chinatown", 5)) == "extras place move [act] build back extras"


def test_after_recall_there_is_no_action_left():
    position = Position().staff(tea1=1, silk1=1).order("o01", first=True).president(0, "bank")
    script = position.play().do("done", "place.bank", "done", "recall")
    assert trail(script) == "extras place [move] extras"
    script.do("done")
    assert trail(script) == "extras place move [extras]"


def test_an_agent_sent_early_does_not_use_up_the_steps_of_the_president():
    position = Position().staff(chinatown=4, tea1=1).order("o01", first=True)
    position.me().agents = ["france"]
    script = position.play().do("agent.chinatown")
    assert (
        trail(script)
        == "[agent acts] agent builds agent's assistants back extras place move act token build back extras"
    )
    script.do("done")
    assert trail(script) == "[agent builds] agent's assistants back extras place move act token build back extras"
    script.do("done")
    assert trail(script) == "[extras] place move act token build back extras"
    assert script.do("done").prompt == "place"
    assert trail(script) == "extras [place] move act token build back extras"


def test_an_agent_sent_late_comes_after_the_steps_of_the_president():
    position = Position().staff(chinatown=2)
    position.me().agents = ["france"]
    script = position.play().do("done", "place.bank", "done", "go.bank", "agent.chinatown")
    assert trail(script) == "extras place move act back [agent acts] agent's assistants back extras"


def test_the_okazu_edition_calls_the_agent_a_mercenary():
    position = Position(edition="okazu").staff(chinatown=2)
    position.me().agents = ["france"]
    with speaking("en", "okazu"):
        steps = trail(position.play().do("agent.chinatown"))
    assert steps.startswith("[mercenary acts] mercenary's assistants back extras")


def test_one_step_is_the_present_one_in_every_question_of_whole_games():
    for seed, edition in ((1, "dlp"), (2, "okazu")):
        match = Match.start("yokohama", players=2, seed=seed, options={"edition": edition})
        script = Script(match)
        while match.pending:
            asked = match.pending[0]
            if script.prompt != "keep":
                assert len(now(script)) == 1
            match.choose(asked.seat, match.bot_choice(asked.seat))


def test_the_additional_phase_example_order_agent_order():
    """okazu: an order, then a mercenary, then another order, all before the main action."""
    position = Position(edition="okazu").goods(copper=1, fish=1).order("o01").order("o02").staff(silk1=5)
    needed = position.box.order_goods["o02"]
    position.me().goods = [have + need for have, need in zip(position.me().goods, needed, strict=True)]
    position.me().agents = ["britain"]
    script = position.play().do("order.o01", "agent.silk1", "done", "done", "order.o02")
    while script.prompt != "begin" and script.prompt != "place":
        script.default()
    assert script.me().fulfilled == ["o01", "o02"]
    assert script.me().spent_agents == ["britain"]


def test_mining_technology_when_an_agent_digs():
    position = Position().teach("mining").goods().staff(copper1=3)
    position.me().agents = ["france"]
    assert position.play().do("agent.copper1").me().goods[0] == 2


def test_placing_is_told_in_one_sentence_with_the_fees_after_it():
    position = Position().president(1, "port").teach("telegram")
    script = position.play().do("place.port", "place.bank", "done")
    assert script.told("placed") == [{"seat": 0, "places": ["port", "bank"], "n": 2}]
    assert script.told("paid") == [{"seat": 0, "to": 1, "n": 1}]
    position = Position().lay(bank=0, port=1, tea1=2).president(1, "port").teach("telegram")
    script = position.play().do("pair.bank")
    assert script.do("place.port").told("placed_two_and_one") == [{"seat": 0, "place": "bank", "beside_place": "port"}]
    assert Position().play().do("pair.bank").told("placed_two") == [{"seat": 0, "place": "bank"}]


def test_what_is_missing_for_an_order_is_named():
    position = Position().goods(fish=1).order("o01").staff(tea1=1)
    position.me().agents = ["france"]
    (blocked,) = position.play().asked.blocked
    assert words.tell(blocked.reason) == "You still need 1 copper."


@pytest.mark.parametrize("choices", [("take",), ("done",)])
def test_the_rest_of_a_turn_can_be_left_out_from_the_token_on(choices: tuple[str, ...]):
    script = Position().token("tea1", vp=4).order("o01", first=True).act("tea1", 5).do(*choices)
    asked = []
    while script.state.seat == 0:
        assert script.asked.rest is not None
        asked.append(script.prompt)
        script.default()
    assert asked == ["build", "closing"]


def test_the_rest_never_places_or_moves():
    script = Position().order("o01", first=True).play()
    for choice in ("done", "place.bank", "done"):
        assert script.asked.rest is None
        script.do(choice)
    assert script.prompt == "go"
    assert script.asked.rest is None
