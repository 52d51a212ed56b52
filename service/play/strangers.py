"""People who have not said yes. Anybody can type an address: only who has opened a letter of ours and acted may have
others written to. Knows no pages."""

from sqlmodel import Session, select

from service import limits
from service.db import utcnow
from service.models import Complaint, Game, Person
from service.play.reading import BadInput
from service.post.blocked import counted_as
from service.post.language import gettext as _


def confirm(session: Session, person: Person) -> None:
    """They have come by a letter of ours, and done something: from now on we may write to them."""
    if person.confirmed_at is None:
        person.confirmed_at = utcnow()
        session.add(person)


def may_be_written_to(by: Person, reader: Person) -> None:
    """Every letter to somebody who has not said yes begins here; `by` is who has it written."""
    may_be_sent(by, reader.address)


def may_be_sent(by: Person, mail: str) -> None:
    """The same for an address that may be nobody's yet."""
    if by.confirmed_at is None:
        said = _("Please open the letter we have sent you first, and confirm that the address is yours.")
        raise BadInput(said, "mail")
    limits.count("recipient", by.id, counted_as(mail))
    limits.count_visitor("strangers")
    limits.count("invitations", by.id)


def complain(session: Session, game: Game | None, person: Person) -> None:
    """Once for each game; a letter about no game has nobody behind it."""
    if game is None:
        return
    known = select(Complaint).where(Complaint.game_id == game.id, Complaint.person_id == person.id)
    if session.exec(known).one_or_none() is None:
        session.add(Complaint(game_id=game.id, person_id=person.id))
