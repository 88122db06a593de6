"""Built-in games by their rules alone, without what their authors know of them."""

from meeple.games.contract.game import Game


def by_rules_alone(kind: type[Game], module: str) -> type[Game]:
    """Return a game that has only the kernels of a module: no rollouts, heuristics or owners.

    Its patterns and exact solvers of positions are left out, too.
    """
    left_out = {"kernel_modules": (), "patterns": None, "position_solver": None}
    said = {"__module__": module, "name": f"plain-{kind.name}", **left_out}
    return type(f"Plain{kind.__name__}", (kind,), said)
