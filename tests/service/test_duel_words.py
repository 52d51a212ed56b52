"""Everything the Duel names has words, also what few matches come to."""

from random import Random

from engine import Match
from engine.duel.box import CRITERIA, GOODS, PLACES, TECHNOLOGIES, Reward
from engine.duel.prospects import GIVES
from engine.duel.scoring import parts
from service.post import words
from tests.engine.duel.position import state, table

NAMES = ["Ann", "Bo"]


def test_places_technologies_criteria_and_score_categories_have_words() -> None:
    for place in PLACES:
        assert words.say(f"duel.place.{place}")
    for card in TECHNOLOGIES:
        assert words.say(f"duel.card.{card}")
        assert words.say(f"duel.effect.{card}").endswith(".")
    for criterion in CRITERIA:
        assert words.say(f"duel.criterion.{criterion}")
    for category in parts(state(table()), 0):
        assert words.say(f"duel.score.{category}")


def test_whatever_can_be_got_or_paid_can_be_counted() -> None:
    for name in {*Reward.__struct_fields__, *GIVES.values(), *GOODS, "flipped", "bonus"}:
        one, two = (words.say(f"duel.gain.{name}", {"n": n}) for n in (1, 2))
        assert one != two, name
    for name in ("no_imports", "no_orders", "building", "building_unpaid", "too_low"):
        assert words.say(f"duel.gain.{name}", {"n": 0})


def test_matches_of_mixed_players_are_told_without_a_missing_word() -> None:
    for seed in range(8):
        match, random = Match.start("duel", players=2, seed=seed), Random(seed)
        while match.pending:
            for decision in match.pending:
                for message in words.sentences(decision):
                    assert words.tell(message, NAMES)
            decision = match.pending[0]
            wild = random.random() < 0.3
            chosen = random.choice(decision.options).id if wild else match.bot_choice(decision.seat)
            match.choose(decision.seat, chosen)
        for event in match.events:
            assert words.tell(event, NAMES)
