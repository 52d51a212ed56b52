"""Whether a message is from whom it says. The address that it came to is a secret, and the key; beside it the sender
must be the one who has the seat. What a message says it answers proves nothing."""

from service.inbox.message import Incoming
from service.models import Person
from service.post.told import Told, told


def doubt(incoming: Incoming, person: Person) -> Told | None:
    """Why this may not be from them, if it may not."""
    if incoming.senders != (person.mail,):
        return told("It came from another address than yours.")
    return None
