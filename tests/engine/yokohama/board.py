"""Positions of Yokohama in a few lines, and a script that plays on from them."""

from typing import Any

import msgspec

from engine import GAMES, Match
from engine.scene import Decision
from engine.yokohama.box import GOODS, Box
from engine.yokohama.state import Area, Merchant, YokohamaState

GAME = GAMES["yokohama"]


def state_of(match: Match) -> YokohamaState:
    state = match._state
    assert isinstance(state, YokohamaState)
    return state


class Script:
    """A match played by naming choices; each goes to the seat that is asked."""

    def __init__(self, match: Match) -> None:
        self.match = match

    @property
    def state(self) -> YokohamaState:
        return state_of(self.match)

    @property
    def asked(self) -> Decision:
        return self.match.pending[0]

    @property
    def prompt(self) -> str:
        return self.asked.prompt.removeprefix("yokohama.ask.")

    @property
    def ids(self) -> list[str]:
        return [option.id for option in self.asked.options]

    def starting(self, prefix: str) -> list[str]:
        """The offered choices of one kind, without their prefix."""
        return [name.removeprefix(prefix) for name in self.ids if name.startswith(prefix)]

    def do(self, *choices: str) -> "Script":
        for choice in choices:
            self.match.choose(self.asked.seat, choice)
        return self

    def default(self) -> "Script":
        return self.do(self.asked.default)

    def me(self, seat: int = 0) -> Merchant:
        return self.state.merchants[seat]

    def at(self, place: str) -> Area:
        return self.state.areas[self.state.where[place]]

    def told(self, key: str) -> list[dict[str, Any]]:
        return [event.args for event in self.match.events if event.key == f"yokohama.{key}"]


class Position:
    """A table at the start of seat 0's turn, nobody on the board and no orders in hand."""

    def __init__(self, players: int = 4, edition: str = "dlp", turn: int = 0, open_information: bool = True) -> None:
        options = {"edition": edition, "open_information": open_information}
        self.state = YokohamaState(players=players, options=options, seed=1, draws=0)
        self.state.attach([], GAME.load_box(None))
        GAME.setup(self.state)
        for merchant in self.state.merchants:
            merchant.rejected, merchant.dealt = merchant.dealt, []
        self.state.phase = "play"
        self.state.turn = turn

    @property
    def box(self) -> Box:
        return self.state.box

    def me(self, seat: int = 0) -> Merchant:
        return self.state.merchants[seat]

    def at(self, place: str) -> Area:
        return next(area for area in self.state.areas if area.id == place)

    def lay(self, **places: int) -> "Position":
        """Put areas on given places of the layout, by exchange with what lies there."""
        for place, to in places.items():
            areas = self.state.areas
            now = areas.index(self.at(place))
            areas[now], areas[to] = areas[to], areas[now]
        return self

    def staff(self, seat: int = 0, **places: int) -> "Position":
        """Assistants from hand to areas."""
        for place, n in places.items():
            self.at(place).assistants[seat] += n
            self.me(seat).assistants -= n
        return self

    def president(self, seat: int, place: str) -> "Position":
        self.me(seat).president = self.state.areas.index(self.at(place))
        return self

    def teach(self, *names: str, seat: int = 0) -> "Position":
        """Technologies, from wherever their cards lie."""
        for name in names:
            card = next(
                tech.id
                for tech in self.box.techs.values()
                if tech.name == name and not any(tech.id in m.techs for m in self.state.merchants)
            )
            for pile in self.state.boards.values():
                if card in pile:
                    pile[pile.index(card)] = self.state.tech_deck.pop() if self.state.tech_deck else ""
            if card in self.state.tech_deck:
                self.state.tech_deck.remove(card)
            self.me(seat).techs.append(card)
            self.me(seat).names.append(name)
        return self

    def goods(self, seat: int = 0, **amounts: int) -> "Position":
        self.me(seat).goods = [amounts.get(good, 0) for good in GOODS]
        return self

    def shop(self, seat: int, place: str, space: int = 0) -> "Position":
        self.at(place).shops[space] = seat
        self.me(seat).shops -= 1
        return self

    def house(self, seat: int, place: str) -> "Position":
        self.at(place).house = seat
        self.me(seat).stored_houses -= 1
        return self

    def token(self, place: str, **reward: int) -> "Position":
        """A 5-power token with this reward on this area."""
        self.at(place).token = find(self.box.tokens, reward)
        return self

    def order(self, card: str, seat: int = 0, first: bool = False) -> "Position":
        self.me(seat).orders.append(card)
        if first:
            self.me(seat).first = card
        return self

    def board(self, place: str, *cards: str) -> "Position":
        """These cards on a port or laboratory, from the left, by exchange with what lies there."""
        board = self.state.boards[place]
        for slot, card in enumerate(cards):
            for pile in (self.state.tech_deck, self.state.order_deck, self.state.removed, *self.state.boards.values()):
                if card in pile:
                    at = pile.index(card)
                    pile[at], board[slot] = board[slot], pile[at]
                    break
            assert board[slot] == card
        return self

    def goal(self, card: str, *seats: int) -> "Position":
        """This achievement instead of the one of its deck."""
        deck = "abc".index(self.box.achievements[card].deck)
        self.state.goals[deck].card = card
        self.state.goals[deck].seats = list(seats)
        return self

    def play(self) -> Script:
        return Script(Match(GAME, msgspec.msgpack.encode(self.state), self.box))

    def act(self, place: str, power: int, seat: int = 0) -> Script:
        """Go from hand to an area where the power comes to this much, up to the first question of its action."""
        area = self.at(place)
        have = self.state.power(seat, self.state.areas.index(area)) + 1
        self.me(seat).assistants += max(0, power - have - self.me(seat).assistants + 1)
        self.staff(seat, **{place: power - have})
        elsewhere = next(a.id for a in self.state.areas if a.action in ("tea", "bank") and a.id != place)
        script = self.play()
        while script.prompt == "begin":
            script.do("done")
        script.do(f"place.{elsewhere}", "done")
        assert script.prompt == "go"
        return script.do(f"go.{place}")


def find(rows: dict[str, Any], reward: dict[str, int]) -> str:
    """The id of a component that gives exactly this."""
    return next(name for name, row in rows.items() if msgspec.to_builtins(row.reward) == reward)


def site_with_house(position: Position, **reward: int) -> str:
    return next(s.id for s in position.box.sites.values() if msgspec.to_builtins(s.house) == reward)
