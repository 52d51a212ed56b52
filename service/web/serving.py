"""What gunicorn is told by class: its own lines are written as all others are. It keeps no access log (see the CLI)."""

from typing import Any

from gunicorn.glogging import Logger

from service import logs
from service.config import Settings


class Lines(Logger):
    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        logs.configure(Settings.from_env(), cfg.loglevel)
        self.error_log.handlers.clear()
        self.error_log.propagate = True
