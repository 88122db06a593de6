"""`meeple topp`: a rated tournament between the networks that a run saved."""

import json
from pathlib import Path
from typing import Annotated

import typer

from meeple.agents.network_files import PATTERNS, network_facts
from meeple.agents.networks import CHECKPOINTS
from meeple.agents.spec_syntax import quoted
from meeple.arena.report.sections import Section
from meeple.arena.topp import MAX_NETWORKS, Style, Topp, play_topp
from meeple.cli.board.shown import Delay, GameShow
from meeple.cli.main import INTERRUPTED
from meeple.cli.playing import Show
from meeple.cli.shared.arguments import AsJson, Seed
from meeple.cli.shared.progress import progress_bar
from meeple.cli.shared.reports import GAMES, REPORT, drawn, print_standings, save_report
from meeple.cli.shared.words import title
from meeple.games.contract.game_words import command_for, game_words
from meeple.learn.config.sections import ToppSection
from meeple.learn.evaluation.diagnosis import summary
from meeple.learn.run.folder import config_of, holds_run


def topp(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run's folder.")],
    games: Annotated[int | None, typer.Option(min=1, help="Games of each pair.")] = None,
    policy: Annotated[
        Style | None,
        typer.Option(help="The best action, a random one now and then, or by probability."),
    ] = None,
    epsilon: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="Chance of a random action, under --policy epsilon."),
    ] = None,
    networks: Annotated[
        int, typer.Option(min=2, help="Of the run, at most: evenly from first to last.")
    ] = MAX_NETWORKS,
    seed: Seed = 7,
    as_json: AsJson = False,
    show: Show = False,
    delay: Delay = 0.0,
    output: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="For the report; by default RUN/topp.")
    ] = None,
) -> None:
    """Let the networks of a run play each other, and rate them.

    What is not given is taken from the section `topp` of the run's configuration.
    """
    settled = configured(run)
    with GameShow(delay, with_key=show) as shown, progress_bar("playing", hidden=show) as progress:
        result = play_topp(
            run,
            settled.games if games is None else games,
            settled.policy if policy is None else policy,
            settled.epsilon if epsilon is None else epsilon,
            seed,
            networks=networks,
            progress=progress,
            on_position=shown.position if show else None,
        )
    folder = run / "topp" if output is None else output
    write_report(folder, result)
    if as_json:
        print(json.dumps(result.to_json(), indent=2))
    else:
        print_result(folder, result)
    if result.interrupted:
        typer.echo("Stopped before all games were played.", err=True)
        raise typer.Exit(INTERRUPTED)


def print_result(folder: Path, result: Topp) -> None:
    """Print the settings, tables and verdict of a tournament, and next commands."""
    print(settings(result))
    print_standings(result.standings, labels(result), result.unit, range(len(result.episodes)))
    print(f"{result.verdict()}\n{result.method()}\nReport: {folder / REPORT}")
    for words, line in commands(folder, result):
        print(f"{words}: {line}")


def configured(run: Path) -> ToppSection:
    """Return the section `topp` of a run's configuration; the default one without a run."""
    return config_of(run).topp if holds_run(run) else ToppSection()


def trained(run: Path) -> list[str]:
    """Return the report of a run's training as sentences; empty without a run."""
    return summary(run, config_of(run)) if holds_run(run) else []


def _patterns(result: Topp) -> list[Section]:
    """Return the pictures of the last network's patterns, if it has any."""
    from meeple.arena.report.patterns import patterns_section

    file = Path(result.run) / CHECKPOINTS / result.files[-1]
    return [patterns_section(file, result.game)] if network_facts(file).kind is PATTERNS else []


def labels(result: Topp) -> list[str]:
    """Return the label of each network: its episode or round."""
    return [str(episode) for episode in result.episodes]


def settings(result: Topp) -> str:
    """Return a line about the games that were played."""
    policy = f"{result.style} {result.epsilon:g}" if result.epsilon else result.style
    return (
        f"{title(result.game)}: {len(result.files)} networks of {result.run}, without search, "
        f"policy {policy}, {len(result.standings.entries)} games, {result.games_per_pair} for "
        f"each pair, seed {result.seed}"
    )


def commands(folder: Path, result: Topp) -> list[tuple[str, str]]:
    """Return next commands, as (text, command line)."""
    game, best = result.game, result.files[result.standings.ranking()[0]]
    against = result.agent + quoted(str(Path(result.run) / CHECKPOINTS / best))
    play = ["play", *game_words(game), "--against", against]
    if game.seats == 1:
        play = ["watch", *game_words(game), against]
    return [
        ("See a game", command_for(game, "watch", folder / GAMES, "--game", "1")),
        ("Play the best", command_for(game, *play)),
    ]


def write_report(folder: Path, result: Topp) -> None:
    """Write the report, picture, results and games to a folder."""
    from meeple.arena.report.page import RATING_NOTE, html_report
    from meeple.arena.report.sections import by_opening, games_to_see

    entries = result.standings.entries
    png = drawn(result.standings, labels(result), result.episodes, result.unit)
    page = html_report(
        f"Tournament of progressive policies: {result.game.name}",
        settings(result),
        result.verdict(),
        result.standings,
        [f"{result.unit} {label}" for label in labels(result)],
        png,
        [*trained(Path(result.run)), result.method(), RATING_NOTE],
        commands(folder, result),
        [*_patterns(result), *by_opening(entries), *games_to_see(entries)],
    )
    records = [entry.record for entry in entries]
    save_report(folder, records, page, png, result.to_json())
