"""Before a game has begun: it is made, people are invited and answer, or it is called off."""

from service.db import utcnow
from service.models import Game, Seat
from service.post.letters.kind import Kind, ToHolder


class Organiser(Kind):
    """The game is made: the organiser's link."""

    name, wish, may_wake = "organiser", None, True  # they have just made it

    def __init__(self, game: Game) -> None:
        super().__init__(game.organiser_id, game.id, game_id=game.id)


class Invitation(ToHolder):
    """A new one each time it is asked for, an hour apart at the least."""

    name, wish, may_wake = "invitation", None, True  # somebody new has told nobody their hours

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat, seat.person_id, int(utcnow().timestamp() // 3600))


class Declined(Kind):
    """To the organiser: a seat is empty."""

    name, wish, may_wake = "declined", None, False

    def __init__(self, game: Game, seat: Seat) -> None:
        super().__init__(game.organiser_id, seat.id, seat.person_id, game_id=game.id, seat_id=seat.id)


class Without(Kind):
    """To somebody who did not answer: the game has begun without them, and their seat is gone."""

    name, wish, may_wake = "without", None, False

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat.person_id, seat.game_id, seat.person_id, game_id=seat.game_id)


class Cancelled(ToHolder):
    """The organiser has called the game off before it began."""

    name, wish, may_wake = "cancelled", None, False

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat)
