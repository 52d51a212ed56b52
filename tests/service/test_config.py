"""Settings are read strictly: every mistake is an error that names the variable and shows a good value."""

import os
from pathlib import Path

import pytest

from service.config import Settings, SettingsError, split_listen

KEY = "k" * 32
PUBLIC = {
    "HIKYAKU_BASE_URL": "https://games.example.org",
    "HIKYAKU_SMTP_URL": "smtp://mail.example.org",
    "HIKYAKU_SECRET_KEY": KEY,
}


def test_an_empty_environment_is_a_private_installation_with_a_post_office(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    settings = Settings.from_env({})
    assert settings.base_url == "http://127.0.0.1:8000"
    assert settings.database_url == f"sqlite:///{tmp_path}/var/hikyaku.db"
    assert settings.queue_url == f"unix://{tmp_path}/var/redis.sock"
    assert settings.post_office
    assert not settings.secure_cookies
    assert settings.operator is None


def test_an_empty_value_counts_as_not_set():
    settings = Settings.from_env({"HIKYAKU_SMTP_URL": "", "HIKYAKU_OPERATOR": "  "})
    assert settings.smtp is None
    assert settings.operator is None


def test_variables_of_others_and_of_the_tests_are_left_alone():
    for_tests = {"HIKYAKU_REQUIRE_BROWSER": "1", "HIKYAKU_CHROMIUM": "/usr/bin/chromium", "HIKYAKU_THOROUGH": "1"}
    Settings.from_env({"PATH": "/bin", **for_tests})


def test_an_unknown_variable_is_an_error_that_guesses_what_was_meant():
    with pytest.raises(SettingsError, match="HIKYAKU_DATABSE_URL is not a setting: did you mean HIKYAKU_DATABASE_URL"):
        Settings.from_env({"HIKYAKU_DATABSE_URL": "sqlite:////tmp/x.db"})
    with pytest.raises(SettingsError, match=r"known are .*HIKYAKU_VAR"):
        Settings.from_env({"HIKYAKU_TELEGRAPH": "1"})


@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [
        ("HIKYAKU_DATABASE_URL", "var/hikyaku.db", "not an address"),
        ("HIKYAKU_DATABASE_URL", "mysql://db/hikyaku", "not mysql://"),
        ("HIKYAKU_DATABASE_URL", "sqlite://", "needs a file"),
        ("HIKYAKU_DATABASE_URL", "postgresql://db", "does not name a database"),
        ("HIKYAKU_DATABASE_URL", "postgresql://db:port/hikyaku", "not an address"),
        ("HIKYAKU_REDIS_URL", "localhost:6379", "must start with redis://"),
        ("HIKYAKU_REDIS_URL", "redis://", "does not name a host"),
        ("HIKYAKU_REDIS_URL", "redis://localhost/one", "database number"),
        ("HIKYAKU_REDIS_URL", "unix://redis.sock", "path of a socket"),
        ("HIKYAKU_LOG", "xml", "text or json"),
        ("HIKYAKU_METRICS_TOKEN", "short", "32 or more"),
        ("HIKYAKU_PING_URL", "hc-ping.com/x", "must start with http"),
        ("HIKYAKU_KEEP_LINKS", "0", "number of days"),
        ("HIKYAKU_KEEP_PEOPLE", "for ever", "number of days"),
        ("HIKYAKU_SMTP_URL", "mail.example.org", "must start with smtp://"),
        ("HIKYAKU_SMTP_URL", "smtp://", "does not name a host"),
        ("HIKYAKU_SMTP_URL", "smtp://mail.example.org:99999", "not an address"),
        ("HIKYAKU_SMTP_URL", "smtp://mail.example.org?starttls=yes", "knows only"),
        ("HIKYAKU_SMTP_URL", "smtp://mail.example.org?tls=1", "knows only"),
        ("HIKYAKU_SMTP_URL", "smtps://mail.example.org?starttls=1", "leave out starttls"),
        ("HIKYAKU_SMTP_URL", "smtp://me:pass/word@mail.example.org", "not an address|after the host"),
        ("HIKYAKU_BASE_URL", "games.example.org", "must be http://host"),
        ("HIKYAKU_BASE_URL", "https://games.example.org/hikyaku", "root of its host"),
        ("HIKYAKU_BASE_URL", "https://me@games.example.org", "root of its host"),
        ("HIKYAKU_SECRET_KEY", "short", "has 5 characters and needs 32"),
        ("HIKYAKU_MAIL_FROM", "Hikyaku", "not a mail address"),
        ("HIKYAKU_MAIL_FROM", "Hikyaku <@localhost>", "not a mail address"),
        ("HIKYAKU_OPERATOR", "me@", "not a mail address"),
        ("HIKYAKU_LISTEN", "8000", "must be host:port"),
        ("HIKYAKU_LISTEN", "127.0.0.1:0", "port from 1 to 65535"),
        ("HIKYAKU_LISTEN", "127.0.0.1:http", "port from 1 to 65535"),
        ("HIKYAKU_POST_OFFICE", "yes", "is on or off"),
    ],
)
def test_a_bad_value_is_an_error_with_the_name_the_fault_and_an_example(name: str, value: str, complaint: str):
    with pytest.raises(SettingsError, match=complaint) as error:
        Settings.from_env(PUBLIC | {name: value})
    assert str(error.value).startswith(name)
    assert f"Example: {name}=" in str(error.value)


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_every_spelling_of_postgresql_means_the_same_driver(scheme: str):
    settings = Settings.from_env({"HIKYAKU_DATABASE_URL": f"{scheme}://me:pw@db/hikyaku"})
    assert settings.database_url == "postgresql+psycopg://me:pw@db/hikyaku"


@pytest.mark.parametrize(
    ("url", "host", "port", "tls"),
    [
        ("smtp://mail.example.org", "mail.example.org", 25, "none"),
        ("smtp://mail.example.org?starttls=1", "mail.example.org", 587, "starttls"),
        ("smtps://mail.example.org", "mail.example.org", 465, "implicit"),
        ("smtp://mail.example.org:2525?starttls=0", "mail.example.org", 2525, "none"),
    ],
)
def test_the_mail_server_is_read_from_one_address(url: str, host: str, port: int, tls: str):
    smtp = Settings.from_env({"HIKYAKU_SMTP_URL": url}).smtp
    assert smtp is not None
    assert (smtp.host, smtp.port, smtp.tls, smtp.user, smtp.password) == (host, port, tls, None, None)


def test_user_and_password_of_the_mail_server_may_hold_any_character():
    smtp = Settings.from_env({"HIKYAKU_SMTP_URL": "smtps://me%40example.org:p%2Fw%23@mail.example.org"}).smtp
    assert smtp is not None
    assert (smtp.user, smtp.password) == ("me@example.org", "p/w#")


def test_the_post_office_is_open_by_itself_only_where_nobody_else_can_come_in():
    assert Settings.from_env({}).post_office
    assert not Settings.from_env({"HIKYAKU_SMTP_URL": "smtp://localhost"}).post_office
    assert not Settings.from_env(PUBLIC).post_office
    assert Settings.from_env(PUBLIC | {"HIKYAKU_POST_OFFICE": "on"}).post_office
    with pytest.raises(SettingsError, match="no letter would ever arrive"):
        Settings.from_env({"HIKYAKU_LISTEN": "0.0.0.0:8000", "HIKYAKU_SECRET_KEY": KEY})
    with pytest.raises(SettingsError, match="no letter would ever arrive"):
        Settings.from_env({"HIKYAKU_POST_OFFICE": "off"})


def test_an_installation_others_can_reach_must_be_given_its_key():
    without = {name: value for name, value in PUBLIC.items() if name != "HIKYAKU_SECRET_KEY"}
    with pytest.raises(SettingsError, match="HIKYAKU_SECRET_KEY must be set"):
        Settings.from_env(without)
    assert Settings.from_env(PUBLIC).secret_key == KEY


def test_a_private_installation_makes_its_key_once_and_keeps_it_to_itself(tmp_path: Path):
    settings = Settings.from_env({"HIKYAKU_VAR": str(tmp_path / "var")})
    key = settings.secret_key
    assert len(key) >= 32
    assert Settings.from_env({"HIKYAKU_VAR": str(tmp_path / "var")}).secret_key == key
    assert os.stat(tmp_path / "var" / "secret.key").st_mode & 0o777 == 0o600
    assert os.listdir(tmp_path / "var") == ["secret.key"]


def test_a_broken_key_file_is_an_error_and_not_an_empty_key(tmp_path: Path):
    (tmp_path / "secret.key").write_text("")
    with pytest.raises(SettingsError, match="delete it"):
        _ = Settings.from_env({"HIKYAKU_VAR": str(tmp_path)}).secret_key


def test_links_point_to_where_the_server_listens_unless_told_otherwise():
    assert Settings.from_env({"HIKYAKU_LISTEN": "127.0.0.1:9000"}).base_url == "http://127.0.0.1:9000"
    assert Settings.from_env({"HIKYAKU_LISTEN": "[::1]:9000"}).base_url == "http://[::1]:9000"
    assert Settings.from_env({"HIKYAKU_BASE_URL": "http://localhost:8000/"}).base_url == "http://localhost:8000"
    assert split_listen("[::1]:9000") == ("::1", 9000)


def test_cookies_are_for_https_only_where_the_service_is_on_https():
    assert Settings.from_env(PUBLIC).secure_cookies


def test_a_log_of_the_settings_shows_no_password_and_no_key():
    shown = repr(
        Settings.from_env(
            {
                "HIKYAKU_DATABASE_URL": "postgresql://me:hush1@db/hikyaku",
                "HIKYAKU_REDIS_URL": "redis://:hush2@redis/0",
                "HIKYAKU_SMTP_URL": "smtp://me:hush3@mail.example.org",
                "HIKYAKU_SECRET_KEY": "hush4" * 8,
            }
        )
    )
    assert "hush" not in shown
