"""What has just been done, said where it was done: at the form that was sent, not far above it."""

from flask import flash, redirect
from flask.typing import ResponseReturnValue


def say_at(place: str, text: str, kind: str = "good") -> None:
    """Say this on the next page, where its template asks for the `notices` of this place."""
    flash(text, f"{kind}@{place}")


def back_to_form(url: str) -> ResponseReturnValue:
    """The page with the form again, opened where the notice stands."""
    return redirect(f"{url}#notice", 303)
