"""The result of a search: visits, policy and values at the root, and the principal variation."""

import dataclasses
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class SearchResult:
    """The root after a search over A legal actions for P players; actions in ascending order."""

    actions: npt.NDArray[np.int32]  # [A]
    visits: npt.NDArray[np.int64]  # [A] simulations through each action
    values: npt.NDArray[np.float64]  # [A, P] mean shares after each action; NaN where unvisited
    priors: npt.NDArray[np.float32]  # [A]
    value: npt.NDArray[np.float64]  # [P] mean shares at the root
    best: int  # the action to play
    proven: bool  # whether `value` is exact and `best` reaches it
    principal_variation: list[int]  # actions, `best` first
    simulations: int  # run by this search; visits of earlier searches are not counted
    seconds: float
    nodes: int = field(default=0)  # in all trees

    @property
    def policy(self) -> npt.NDArray[np.float64]:
        """[A] the visit distribution: visits as shares of their sum."""
        total = self.visits.sum()
        return self.visits / total if total else np.full(len(self.actions), 1 / len(self.actions))


def with_choice(
    result: SearchResult, action: int, shares: npt.NDArray[np.bool_] | None = None
) -> SearchResult:
    """Return a result with another choice; `shares` are its certain payoffs, if known."""
    at = int(np.searchsorted(result.actions, action))
    if at == len(result.actions) or result.actions[at] != action:  # the search did not list it
        result = dataclasses.replace(
            result,
            actions=np.insert(result.actions, at, np.int32(action)),
            visits=np.insert(result.visits, at, 0),
            priors=np.insert(result.priors, at, np.float32(0.0)),
            values=np.insert(result.values, at, np.nan, axis=0),
        )
    line = result.principal_variation if result.best == action else [action]
    values, value = result.values, result.value
    if shares is not None:
        values = values.copy()
        values[at] = value = shares.astype(np.float64)
    return dataclasses.replace(
        result,
        best=action,
        principal_variation=line,
        values=values,
        value=value,
        proven=result.proven or shares is not None,
    )
