"""The command `hikyaku simulate`: many seeded matches between built-in players, their figures in a table, and a file
to replay what went wrong. Needs neither database nor Redis; what is measured is in engine/simulate.py."""

import sys
import time
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.progress import track
from rich.table import Table

from engine import GAMES, BadOptions, Game
from engine.game import OptionsClash
from engine.players import KINDS
from engine.simulate import Failure, Played, Spread, Statistics, play, replay, statistics
from service.post import words


@click.command()
@click.argument("game", type=click.Choice(sorted(GAMES)), required=False)
@click.option("--players", type=int, help="Seats at the table; the game's largest number if not given.")
@click.option("--games", default=100, show_default=True, type=click.IntRange(min=1), help="How many matches.")
@click.option("--seed", default=0, show_default=True, help="Of the first match; each next one has the next number.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game. Repeatable.")
@click.option(
    "--player", "kinds", multiple=True, type=click.Choice(KINDS), help="For each seat; the last one fills the rest."
)
@click.option("--report", is_flag=True, help="Bots only: tell how well balanced the game's components are.")
@click.option("--undo", is_flag=True, help="Also take back every choice and make it again. Slow.")
@click.option("--dump", type=click.Path(dir_okay=False, path_type=Path), help="Where to write what went wrong.")
@click.option(
    "--replay", "replayed", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Go through it again."
)
def simulate(
    game: str | None,
    players: int | None,
    games: int,
    seed: int,
    options: tuple[str, ...],
    kinds: tuple[str, ...],
    report: bool,
    undo: bool,
    dump: Path | None,
    replayed: Path | None,
) -> None:
    """Play GAME many times over and show what it is like. Ends with 1 if a match crashed, got stuck or never ended."""
    console = Console(highlight=False)
    if replayed is not None:
        _replay(replayed, console)
        return
    if game is None:
        raise click.UsageError("which game? There are: " + ", ".join(sorted(GAMES)))
    title = GAMES[game]
    seats = players or title.players[-1]
    try:
        values = title.read_options(seats, read_options(title, options))
    except OptionsClash as error:
        raise click.UsageError(words.tell(error.reason)) from None
    except BadOptions as error:
        raise click.UsageError(str(error)) from None
    if report:
        _report_balance(title, seats, range(seed, seed + games), values)
        return
    played: list[Played] = []
    for number in track(range(seed, seed + games), description=title.title, console=console, transient=True):
        played.append(
            play(
                game,
                players=seats,
                seed=number,
                options=values,
                kinds=kinds or ("random",),
                clock=time.perf_counter,
                undo=undo,
            )
        )
    figures = statistics(played)
    console.print(_table(title, seats, values, kinds or ("random",), figures))
    if figures.failures:
        _report(figures.failures, dump or Path(f"{game}-{figures.failures[0].seed}.replay.json"), console)
        sys.exit(1)


def _report_balance(title: Game, seats: int, seeds: range, values: dict[str, Any]) -> None:
    """Ends with 1 if the balance bar of the game does not hold."""
    if title.balance is None:
        reported = ", ".join(sorted(title.id for title in GAMES.values() if title.balance))
        raise click.UsageError(f"there is no report for {title.title}; there is one for: {reported}")
    figures = title.balance.simulate(seats, seeds, values)
    click.echo(title.balance.report(figures), nl=False)
    if title.balance.complaints(figures):
        sys.exit(1)


def read_options(title: Game, given: tuple[str, ...]) -> dict[str, Any]:
    """NAME=VALUE texts as the values the title declares."""
    yes_or_no = {setting.id for setting in title.options if isinstance(setting.default, bool)}
    values: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadOptions(f"write --option {name}=VALUE")
        values[name] = {"true": True, "false": False}.get(value, value) if name in yes_or_no else value
    return values


def _table(title: Game, seats: int, values: dict[str, Any], kinds: tuple[str, ...], figures: Statistics) -> Table:
    said = ", ".join([f"{seats} players", *(f"{name} {value}" for name, value in values.items()), "/".join(kinds)])
    table = Table(title=f"{title.title} ({said})", show_header=False, title_justify="left")
    table.add_column()
    table.add_column(justify="right")
    for name, value in (
        ("games", f"{figures.games}"),
        ("games a second", f"{figures.games_per_second:,.1f}"),
        ("decisions a second", f"{figures.decisions_per_second:,.0f}"),
        ("slowest decision", f"{figures.worst_decision_ms:.1f} ms"),
        ("decisions a game", _spread(figures.decisions_per_game)),
        ("options a decision", f"{figures.options_per_decision:.1f} (at most {figures.most_options})"),
        ("score", _spread(figures.scores)),
        ("winning score", _spread(figures.winning_scores)),
        ("mean score by seat", " ".join(f"{mean:.1f}" for mean in figures.mean_score_by_seat)),
        ("wins by seat", " ".join(f"{share:.0%}" for share in figures.win_share_by_seat)),
        ("failures", f"{len(figures.failures)}"),
    ):
        table.add_row(name, value)
    return table


def _spread(spread: Spread) -> str:
    return f"{spread.mean:.1f} ({spread.low:g} to {spread.high:g})"


def _report(failures: list[Failure], path: Path, console: Console) -> None:
    for failure in failures[:5]:
        console.print(f"{failure.kind}: seed {failure.seed}, after {len(failure.choices)} decisions: {failure.error}")
    path.write_bytes(msgspec.json.format(msgspec.json.encode(failures[0]), indent=1))
    console.print(f"Written to {path}; go through it again with: hikyaku simulate --replay {path}")


def _replay(path: Path, console: Console) -> None:
    try:
        failure = msgspec.json.decode(path.read_bytes(), type=Failure)
    except msgspec.MsgspecError as error:
        raise click.ClickException(f"{path} is not a replay: {error}") from None
    if failure.game not in GAMES:
        raise click.ClickException(f"{path} is a replay of {failure.game}, which is not in the catalogue")
    if again := replay(failure):
        console.print(f"{failure.kind} again, after {len(failure.choices)} decisions: {again}")
        sys.exit(1)
    console.print("It goes through now.")
