"""B 1: placement. At least one assistant; three areas or two in one; fees to other presidents; never the Canal."""

from engine.scene import Blocked
from tests.engine.yokohama.board import Position


def test_three_different_areas_or_two_in_one():
    script = Position().play()
    assert script.prompt == "place"
    assert len(script.starting("place.")) == 17
    assert len(script.starting("pair.")) == 17
    assert "done" not in script.ids
    script.do("place.tea1")
    assert "tea1" not in script.starting("place.")
    assert not script.starting("pair.")
    script.do("place.bank", "place.silk1")
    assert script.prompt == "go"
    assert script.me().assistants == 5


def test_two_in_one_area_end_the_step():
    script = Position().play().do("pair.tea1")
    assert script.prompt == "go"
    assert script.at("tea1").assistants[0] == 2
    assert script.me().assistants == 6


def test_one_assistant_is_enough():
    script = Position().play().do("place.tea1", "done")
    assert script.prompt == "go"


def test_the_canal_is_never_offered():
    script = Position().play()
    assert "place.canal" not in script.ids
    assert "pair.canal" not in script.ids


def test_with_one_assistant_in_hand_no_pair_is_offered():
    position = Position()
    position.me().assistants = 1
    assert not position.play().starting("pair.")


def test_without_assistants_the_step_is_skipped():
    position = Position().staff(tea1=8)
    assert position.play().prompt == "go"


def test_with_all_areas_too_dear_the_step_is_skipped():
    position = Position(players=2, edition="okazu")
    position.state.areas = [position.at("bank")]
    position.president(1, "bank").me().yen = 0
    script = position.play()
    assert script.asked.seat == 1
    assert not [args for args in script.told("placed") if args["seat"] == 0]
    assert not [args for args in script.told("none_placed") if args["seat"] == 0], "there was one to place"


def test_the_question_counts_how_many_more_there_can_be():
    script = Position().play()
    counts = []
    for place in ("bank", "tea1", "silk1"):
        counts.append(script.asked.args["n"])
        script.do(f"place.{place}")
    assert (counts, script.prompt) == ([3, 2, 1], "go")


def test_only_an_area_that_is_too_dear_is_said_to_be():
    for yen, dear in (
        (0, ["place bank", "place tea1"]),
        (1, ["pair tea1", "place bank"]),
        (2, ["pair bank"]),
        (4, []),
    ):
        position = Position().president(1, "bank").president(2, "bank").president(3, "tea1")
        position.me().yen = yen
        assert sorted(named(no) for no in position.play().asked.blocked) == dear
    position.me().yen, position.me().assistants = 3, 1
    assert not position.play().asked.blocked, "there are no two"
    position = Position().president(1, "bank")
    position.me().yen = 1
    script = position.play().do("place.bank")
    assert [named(no) for no in script.asked.blocked] == ["again bank"]
    assert not script.do("place.tea1").asked.blocked, "a second one there is over"


def named(no: Blocked) -> str:
    return f"{no.label.key.split('.')[1]} {no.label.args['place']}"


def test_where_something_else_can_be_done_first_an_area_too_dear_says_so_too():
    position = Position().goal("copper").goods(copper=5).president(1, "bank")
    position.me().yen = 0
    script = position.play()
    assert script.prompt == "begin"
    assert [named(no) for no in script.asked.blocked] == ["place bank"]


def test_each_assistant_pays_each_other_president():
    position = Position().president(1, "bank").president(2, "bank")
    position.me().yen = 4
    script = position.play().do("pair.bank")
    assert script.me().yen == 0
    assert [script.me(seat).yen for seat in (1, 2, 3)] == [6, 6, 4]


def test_the_own_president_costs_nothing():
    position = Position().president(0, "bank")
    position.me().yen = 0
    script = position.play().do("pair.bank")
    assert script.at("bank").assistants[0] == 2


def test_what_cannot_be_paid_is_not_offered():
    position = Position().president(1, "bank").president(2, "bank")
    position.me().yen = 1
    assert "bank" not in position.play().starting("place.")
    position.me().yen = 3
    script = position.play()
    assert "bank" in script.starting("place.")
    assert "bank" not in script.starting("pair.")


def test_label_names_who_is_paid():
    position = Position().president(1, "bank").staff(bank=1)
    script = position.play()
    option = next(option for option in script.asked.options if option.id == "place.bank")
    assert option.label.key == "yokohama.place.paying"
    assert option.label.args == {"place": "bank", "to": 1, "n": 1}
    assert option.spots == ("area:bank",)


def test_okazu_placement_example():
    """Copper mine free, the agency for 1 yen to Blue, the laboratory (2 yen) is out of reach, so the silk mill."""
    position = Position(edition="okazu").president(1, "agency").president(2, "lab").president(3, "lab")
    position.me().yen = 2
    script = position.play().do("place.copper1")
    assert script.me().yen == 2
    script.do("place.agency")
    assert script.me().yen == 1
    assert script.me(1).yen == 5
    assert "lab" not in script.starting("place.")
    script.do("place.silk1")
    assert script.prompt == "go"
    assert script.me().yen == 1
    assert all(script.at(place).assistants[0] == 1 for place in ("copper1", "agency", "silk1"))


def test_dlp_placement_example():
    """Laboratory for 1 yen to Yellow, agency for 1 yen to Blue, silk mill for nothing."""
    position = Position().president(3, "lab").president(1, "agency")
    script = position.play().do("place.lab", "place.agency", "place.silk1")
    assert script.me().yen == 1
    assert script.me(3).yen == 5
    assert script.me(1).yen == 5


def test_default_is_one_assistant_with_the_own_president():
    script = Position().president(0, "silk1").play()
    assert script.asked.default == "place.silk1"
    script.default()
    assert script.asked.default == "done"


def test_default_goes_where_it_costs_nothing():
    position = Position().president(0, "silk1").president(1, "silk1")
    script = position.play()
    free = next(area.id for area in script.state.areas if area.action != "canal" and area.id != "silk1")
    assert script.asked.default == f"place.{free}", "the first area without another president"


def test_a_second_assistant_may_follow_the_first_where_it_is_the_only_one():
    script = Position().play().do("place.tea1")
    assert script.starting("again.") == ["tea1"]
    script.do("again.tea1")
    assert script.prompt == "go"
    assert script.at("tea1").assistants[0] == 2
    assert script.told("placed_two") == [{"seat": 0, "place": "tea1"}]


def test_a_second_assistant_pays_the_president_there_once_more():
    position = Position().president(1, "tea1")
    position.me().yen = 2
    script = position.play().do("place.tea1", "again.tea1")
    assert (script.me().yen, script.me(1).yen) == (0, 6)
    position.me().yen = 1
    assert not position.play().do("place.tea1").starting("again.")


def test_with_two_areas_begun_no_second_assistant_is_offered():
    assert not Position().play().do("place.tea1", "place.bank").starting("again.")


def test_telegram_follows_a_second_assistant_too():
    script = Position().teach("telegram").play().do("place.tea1", "again.tea1")
    assert script.prompt == "telegram"


def test_telegram_says_which_areas_cost_too_much_and_why_there_is_no_third():
    position = Position().lay(tea1=0, bank=1, silk1=6, fish1=7).teach("telegram").president(1, "bank")
    position.me().yen = 0
    script = position.play().do("pair.tea1")
    assert script.starting("place.") == ["silk1"]
    assert [named(no) for no in script.asked.blocked] == ["place bank"], "of those that touch it"
    script = position.president(2, "silk1").play().do("pair.tea1")
    assert script.prompt == "go"
    assert script.told("no_third")[0]["why"]["key"] == "yokohama.because.dear_around"
    position.me().assistants = 2
    script = position.play().do("pair.tea1")
    assert script.told("no_third")[0]["why"]["key"] == "yokohama.because.no_more"


def test_when_something_else_can_be_done_first_the_first_assistant_is_offered_beside_it():
    position = Position().goal("copper").goods(copper=5)
    script = position.play()
    assert script.prompt == "begin"
    assert {"done", "achieve.copper", "place.tea1", "pair.tea1"} <= set(script.ids)
    script.do("achieve.copper", "place.tea1", "place.bank", "place.silk1")
    assert script.prompt == "go"
    assert [script.at(place).assistants[0] for place in ("tea1", "bank", "silk1")] == [1, 1, 1]


def test_who_does_nothing_else_first_is_asked_to_place():
    script = Position().goal("copper").goods(copper=5).play().do("done")
    assert script.prompt == "place"
    assert not script.starting("achieve.")


def test_the_way_on_is_marked_where_there_is_one():
    script = Position().play()
    assert script.asked.main == ""
    assert script.do("place.tea1").asked.main == "done"
    early = Position().goods(copper=1, fish=1).order("o01").play()
    assert (early.prompt, early.asked.main) == ("begin", "")
    position = Position().goods(copper=1, fish=1).order("o01").staff(tea1=8)
    assert (position.play().prompt, position.play().asked.main) == ("opening", "done")
