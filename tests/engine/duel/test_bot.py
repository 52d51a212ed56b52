"""The built-in player: far better than chance, and always within the rules."""

from random import Random

from engine import Match


def play(seed: int, bot: int) -> list[int]:
    """The winners of a match of the bot against a player who chooses at random."""
    match, random = Match.start("duel", players=2, seed=seed), Random(seed)
    while match.pending:
        decision = match.pending[0]
        choice = match.bot_choice(bot) if decision.seat == bot else random.choice(decision.options).id
        match.choose(decision.seat, choice)
    assert match.result is not None
    return match.result.winners


def test_the_bot_beats_chance_by_a_wide_margin() -> None:
    won = sum(play(seed, seed % 2) == [seed % 2] for seed in range(20))
    assert won >= 18


def test_the_bot_has_an_answer_to_every_question_chance_can_lead_to() -> None:
    for seed in range(15):
        match, random = Match.start("duel", players=2, seed=seed), Random(seed)
        while match.pending:
            decision = match.pending[0]
            assert match.bot_choice(decision.seat) in {option.id for option in decision.options}
            match.choose(decision.seat, random.choice(decision.options).id)
