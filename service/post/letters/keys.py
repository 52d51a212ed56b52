"""Links that somebody asked for."""

from service.db import utcnow
from service.post.letters.kind import Kind


class Links(Kind):
    """All links of a person: at most once in ten minutes for whoever types an address, once a minute for whoever has
    just made the old ones void."""

    name, wish, may_wake = "links", None, True  # they have just asked

    def __init__(self, person_id: int | None, *, renewed: bool = False) -> None:
        slot = int(utcnow().timestamp() // (60 if renewed else 600))
        super().__init__(person_id, person_id, *(("renewed", slot) if renewed else (slot,)))
