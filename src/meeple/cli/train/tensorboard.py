"""`meeple tensorboard`: a run's figures for TensorBoard."""

from pathlib import Path
from typing import Annotated

import typer

from meeple.shell import shell_line


def tensorboard(
    run: Annotated[Path, typer.Argument(help="The folder of a run, such as runs/hex5.")],
) -> None:
    """Write a run's figures for TensorBoard."""
    from meeple.learn.run.metrics import export_to_tensorboard

    print(f"Show them: {shell_line('tensorboard', '--logdir', export_to_tensorboard(run))}")
