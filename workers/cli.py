"""The command `hikyaku`: one subcommand for each process and each chore. Says what to run; the doing is elsewhere."""

import os
import sys
import threading
from datetime import timedelta
from email.errors import HeaderParseError
from smtplib import SMTPException

import click

from service import logs
from service.config import Settings, SettingsError
from service.queue import BELLS, QUEUES

CELERY = ("celery", "--quiet", "--app", "workers.app")  # its banners are no lines of a log
LOG_LEVELS = click.Choice(["debug", "info", "warning", "error"])


class Commands(click.Group):
    """What a chore needs is loaded with it alone: a process that becomes another program is there at once."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), "simulate"])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name != "simulate":
            return super().get_command(ctx, cmd_name)
        from workers.simulate import simulate

        return simulate


@click.group(cls=Commands)
def main() -> None:
    """Heavy board games by mail. Settings come from HIKYAKU_* variables; `hikyaku doctor` checks them."""


@main.command()
def up() -> None:
    """Everything on one terminal: web, worker, beat and a private Redis. Ctrl-C ends it all."""
    from workers.up import CannotStart
    from workers.up import up as run_everything

    settings = _settings()
    logs.configure(settings)
    try:
        run_everything(settings)
    except CannotStart as reason:
        raise click.ClickException(str(reason)) from None


@main.command()
@click.option(
    "--processes",
    type=click.IntRange(min=1),
    help="So many share the work, each on a core of its own.  [default: 2, or 1 where there is one core]",
)
@click.option("--threads", default=8, show_default=True, help="Pages made at the same time, in each of them.")
@click.option("--log-level", type=LOG_LEVELS, default="warning", show_default=True)
def web(processes: int | None, threads: int, log_level: str) -> None:
    """The pages, at HIKYAKU_LISTEN. There is no access log: the addresses in it would be keys to people's seats."""
    from service.web import serving  # the other commands do without the pages

    settings = _settings()
    logs.configure(settings, log_level)
    serving.serve(settings, threads, processes or min(2, os.cpu_count() or 1))


@main.command()
@click.option("--only", type=click.Choice(QUEUES), help="Take only this kind of work.")
@click.option("--concurrency", default=2, show_default=True, help="Processes.")
@click.option("--log-level", type=LOG_LEVELS, default="warning", show_default=True)
def worker(only: str | None, concurrency: int, log_level: str) -> None:
    """Adjudicator, courier and ringer: works through the queues. Run one for each, and slow mail holds up no turn."""
    _settings()
    _become(
        *(*CELERY, "worker", "--concurrency", str(concurrency), "--loglevel", log_level),
        *("--queues", only or ",".join(QUEUES), "--hostname", f"{only or 'all'}@%h"),
        *(("--pool", "threads") if only == BELLS else ()),  # which mostly waits for others
        *("--without-gossip", "--without-mingle", "--without-heartbeat"),
    )


@main.command()
@click.option("--log-level", type=LOG_LEVELS, default="warning", show_default=True)
def beat(log_level: str) -> None:
    """The heartbeat: asks for a sweep every few seconds. One is enough, and a second one does no harm."""
    _settings().var.mkdir(parents=True, exist_ok=True)
    _become(*CELERY, "beat", "--loglevel", log_level)


@main.command("mail-in")
@click.option("--log-level", type=LOG_LEVELS, default="warning", show_default=True)
def mail_in(log_level: str) -> None:
    """Takes answers to letters in: listens at the port, or looks into the mailbox, that HIKYAKU_MAIL_IN names."""
    from workers import mailin
    from workers.up import stopping_on_signals

    settings, stop = _settings(), threading.Event()
    logs.configure(settings, log_level)
    with stopping_on_signals(stop):
        try:
            mailin.take_in(settings, stop)
        except (mailin.NothingToDo, OSError) as reason:
            raise click.ClickException(str(reason)) from None


@main.command()
@click.option("--recipient", help="To whom the message came. Else the mail server's variables say it, or its headers.")
def receive(recipient: str | None) -> None:
    """Takes one message in, from standard input: for a mail server that runs a command for each."""
    from workers import mailin

    try:
        settings = Settings.from_env()
    except SettingsError as error:
        click.echo(str(error), err=True)
        sys.exit(os.EX_TEMPFAIL)  # the message waits until that is mended
    logs.configure(settings)
    sys.exit(mailin.take_one(settings, recipient))


@main.command()
@click.option("--down", metavar="REVISION", help="Go back to this migration instead.")
@click.option("--yes", is_flag=True, help="Go back without asking first.")
def migrate(down: str | None, yes: bool) -> None:
    """Bring the tables to the shape this version needs."""
    from workers import schema

    settings = _settings()
    if down is None:
        schema.upgrade(settings.database_url)
    else:
        lost = "All games, people and letters are" if down == "base" else "What newer tables hold may be"
        if not yes:
            click.confirm(f"{lost} lost by that. Go back to {down}?", abort=True)
        schema.downgrade(settings.database_url, down)
    click.echo(f"The database is at {schema.current(settings.database_url) or 'nothing'}.")


@main.command()
def doctor() -> None:
    """Look at everything the service needs, and say what to do about what is wrong."""
    from workers import doctor as doctors

    settings = _settings()
    click.echo(doctors.Finding("settings", True, f"links will point to {settings.base_url}"))
    healthy = True
    for finding in doctors.examine(settings):
        click.echo(finding)
        healthy = healthy and finding.fine
    sys.exit(0 if healthy else 1)


@main.command()
@click.option("--status", type=click.Choice(["invited", "running", "finished", "cancelled"]), help="Only these.")
@click.option("--most", default=50, show_default=True, help="How many, the newest first.")
def games(status: str | None, most: int) -> None:
    """The games there are, who plays, and whom each waits for. A bot has a * at its name."""
    from service.models import GameStatus
    from workers import chores

    _open_database()
    rows = [chores.HEADINGS, *chores.games(GameStatus(status) if status else None, most)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        click.echo("  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip())


@main.command()
@click.option("--days", default=7, show_default=True, help="Letters of so many days.")
def resend(days: int) -> None:
    """Try once more to send the letters that have failed."""
    from service import queue
    from service.db import utcnow
    from workers import chores

    queue.configure(_open_database())
    count = chores.resend(utcnow() - timedelta(days=days))
    click.echo(f"{count} {'letter waits' if count == 1 else 'letters wait'} to be sent once more.")


@main.command("push-key")
def push_key() -> None:
    """A new key for HIKYAKU_PUSH_KEY, by which the push services of browsers know this one. Keep it: browsers take
    pushes only by the key with which they were asked."""
    from service.post import push

    key = push.new_key()
    click.echo(f"HIKYAKU_PUSH_KEY={key}")
    click.echo(f"# what browsers are given of it: {push.public_key(key)}")


@main.command("test-letter")
@click.argument("mail")
def test_letter(mail: str) -> None:
    """Send a letter to this address at once, to see that mail arrives."""
    from workers import chores

    try:
        server = chores.send_test_letter(_settings(), mail)
    except (OSError, SMTPException, ValueError, HeaderParseError) as error:
        raise click.ClickException(f"The letter was not sent: {error}") from None
    click.echo(f"{server} has taken the letter to {mail}. See whether it arrives, and not among spam.")


@main.command()
@click.argument("mail")
@click.option("--undo", is_flag=True, help="Write to it again.")
def block(mail: str, undo: bool) -> None:
    """Never write to this address again, as if its owner had said so."""
    from workers import chores

    settings = _open_database()
    (chores.unblock if undo else chores.block)(settings, mail)
    click.echo(f"{mail} is {'written to again' if undo else 'never written to again'}.")


@main.command()
@click.argument("mail")
@click.option("--yes", is_flag=True, help="Without asking first.")
def delete(mail: str, yes: bool) -> None:
    """Forget whoever has this address, as if they had asked for it: they leave their games, and no name stays."""
    from service import queue
    from workers import chores

    queue.configure(_open_database())
    person = chores.person_at(mail)
    if person is None:
        raise click.ClickException(f"Nobody here has the address {mail}.")
    if not yes:
        click.confirm(f"{person.name} leaves all games and is forgotten, for good. Go on?", abort=True)
    chores.delete(person.id)
    click.echo(f"{mail} is forgotten. To keep it from being invited again: hikyaku block {mail}")


def _open_database() -> Settings:
    from service.db import db

    settings = _settings()
    db.configure(settings.database_url)
    return settings


def _settings() -> Settings:
    try:
        return Settings.from_env()
    except SettingsError as error:
        raise click.ClickException(str(error)) from None


def _become(module: str, *arguments: str) -> None:
    """Turn this process into another program, so that a signal to it reaches who it is meant for."""
    os.execv(sys.executable, [sys.executable, "-m", module, *arguments])


if __name__ == "__main__":
    main()
