"""compose.yaml and its front: whatever breaks in finds little, everything says whether it lives, and the web server in
front logs nobody's key."""

import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from service.web.serving import LARGEST_BODY, LARGEST_HEAD

ROOT = Path(__file__).resolve().parent.parent
SERVICES: dict[str, dict[str, Any]] = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
FRONT = (ROOT / "deploy" / "Caddyfile").read_text()


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_has_no_rights_writes_nowhere_and_has_an_end_of_its_memory(name: str):
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["mem_limit"]


def test_everything_that_stays_says_whether_it_lives():
    """The image itself knows how web does."""
    checked = {name for name, service in SERVICES.items() if "test" in service.get("healthcheck", {})}
    assert checked | {"web", "migrate"} == SERVICES.keys()


def test_only_the_front_can_be_reached_and_it_alone_is_believed_who_asks():
    """The door for answers too, by this machine's own mail server."""
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["front", "mail-in"]
    assert SERVICES["mail-in"]["ports"] == ["127.0.0.1:8024:8024"]
    assert SERVICES["web"]["environment"]["HIKYAKU_PROXIES"] == 1
    assert "./deploy/Caddyfile:/etc/caddy/Caddyfile:ro" in SERVICES["front"]["volumes"]


def test_nothing_of_ours_runs_before_the_tables_are_as_it_needs_them():
    for name in ("web", "turns", "letters", "bells", "beat", "mail-in"):
        wanted = {"condition": "service_completed_successfully", "restart": True}
        assert SERVICES[name]["depends_on"]["migrate"] == wanted


def test_the_front_keeps_no_access_log_and_its_errors_name_no_address():
    options, _, site = FRONT.partition("{$HIKYAKU_BASE_URL} {")
    assert "request>uri delete" in options
    assert "request>headers delete" in options
    assert "log" not in site


def test_the_front_has_an_end_to_its_patience_and_lets_through_what_the_pages_take():
    for patience in ("read_header", "read_body", "write", "idle"):
        assert f"\t{patience} " in FRONT
    assert f"max_header_size {LARGEST_HEAD // 1024}KB" in FRONT
    assert f"max_size {LARGEST_BODY // 1024}KB" in FRONT


def test_the_settings_as_written_down_are_read_the_same_by_systemd_and_by_a_shell(tmp_path: Path):
    """Without Docker both read them: systemd for the processes, and a shell for answers that come by a pipe."""
    written = (
        (ROOT / "docs" / "operations.md").read_text().partition("`/etc/hikyaku.env`")[2].partition("Then the tables")[0]
    )
    lines = [line.strip() for line in written.splitlines() if line.startswith("    HIKYAKU_")]
    lines = [line for line in lines if "<python3" not in line]
    (tmp_path / "env").write_text("\n".join(lines))
    env = subprocess.run(["sh", "-c", "set -a; . ./env; env"], cwd=tmp_path, check=True, capture_output=True, text=True)
    by_systemd = [name + "=" + value.strip('"') for name, _, value in (line.partition("=") for line in lines)]
    assert len(lines) > 6
    assert set(by_systemd) <= set(env.stdout.splitlines())
