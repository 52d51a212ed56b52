"""How I play: a page about oneself, with exactly what those see who are about to play with one."""

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from service.db import db
from service.play import manner
from service.web.access import open_self

pages = Blueprint("manner", __name__)


@pages.get("/my/play/<int:who>")
def page(who: int) -> ResponseReturnValue:
    with db.reading() as session:
        person = open_self(session, who)
        return render_template("manner.html", person=person, manner=manner.of(session, who), most=manner.MOST_GAMES)
