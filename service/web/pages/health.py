"""For machines: is the process alive, and can the service do its work?"""

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue

from service import vitals
from service.web.access import settings

pages = Blueprint("health", __name__)


@pages.get("/healthz")
def healthz() -> ResponseReturnValue:
    return jsonify(alive=True)


@pages.get("/readyz")
def readyz() -> ResponseReturnValue:
    """Everything the work needs, and whether it gets done. What is wrong is named, with status 503."""
    complaints = vitals.complaints(settings())
    ready = not any(complaints.values())
    said = {name: complaint or "ok" for name, complaint in complaints.items()}
    return jsonify(ready=ready, **said), 200 if ready else 503
