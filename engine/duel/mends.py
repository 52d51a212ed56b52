"""How saves of older rules become saves of today's. Knows what those rules wrote, and nothing of any page."""

from engine.game import Old


def orders_are_kept_one_by_one(old: Old) -> None:
    """Rules 3 ask in the Port for one order and then for a second; rules 2 asked for both at once ("keep.o01+o02").
    Where only one was kept, nobody knows from here whether a second would have been asked about: that turn is taken up
    again at this point."""
    for at, (seat, choice) in enumerate(old.choices):
        if not choice.startswith("keep."):
            continue
        first, _, second = choice.removeprefix("keep.").partition("+")
        kept = [(seat, f"keep.{card}") for card in (first, second) if card]
        old.choices[at:] = [*kept, *old.choices[at + 1 :]] if second else kept
        return
