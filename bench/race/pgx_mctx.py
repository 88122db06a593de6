"""AlphaZero by pgx and mctx: Gumbel search on a small residual network, all compiled by JAX.

The settings follow pgx's example of AlphaZero (`examples/alphazero`), made smaller for one core.
"""

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import flax.linen as nn
import jax
import jax.numpy as jnp
import mctx
import numpy as np
import optax
import pgx
from pgx.experimental import auto_reset

from bench.race.clock import Clock, checkpoint
from meeple import tensor_file

SETTINGS: dict[str, Any] = {
    "channels": 32,
    "blocks": 4,
    "games": 64,  # side by side
    "steps": 64,  # plies of each between two updates
    "simulations": 32,
    "batch_size": 256,
    "learning_rate": 0.001,
}
KIND = "pgx race"
STATE = "state.safetensors"
ENV = pgx.make("connect_four")


def normalized(train: bool) -> Any:
    """Return a layer of batch normalization."""
    return nn.BatchNorm(use_running_average=not train, momentum=0.9)


class Block(nn.Module):
    """A residual block with normalization before each convolution."""

    channels: int

    @nn.compact
    def __call__(self, x: Any, train: bool) -> Any:
        y = x
        for _ in range(2):
            y = nn.relu(normalized(train)(y))
            y = nn.Conv(self.channels, (3, 3))(y)
        return x + y


class Network(nn.Module):
    """A residual tower with a policy head and a value head."""

    @nn.compact
    def __call__(self, x: Any, train: bool) -> tuple[Any, Any]:
        channels = SETTINGS["channels"]
        x = nn.Conv(channels, (3, 3))(x.astype(jnp.float32))
        for _ in range(SETTINGS["blocks"]):
            x = Block(channels)(x, train)
        x = nn.relu(normalized(train)(x))
        policy = nn.relu(normalized(train)(nn.Conv(2, (1, 1))(x)))
        value = nn.relu(normalized(train)(nn.Conv(1, (1, 1))(x)))
        value = nn.relu(nn.Dense(channels)(value.reshape(len(x), -1)))
        logits = nn.Dense(ENV.num_actions)(policy.reshape(len(x), -1))
        return logits, jnp.tanh(nn.Dense(1)(value))[:, 0]


class Samples(NamedTuple):
    """Positions to learn from; `mask` is 0 where the end of the game is unknown."""

    observation: Any
    policy: Any
    value: Any
    mask: Any


NETWORK, OPTIMIZER = Network(), optax.adam(SETTINGS["learning_rate"])


def evaluate(model: Any, state: Any) -> tuple[Any, Any]:
    """Return the logits of legal actions and the values."""
    logits, value = NETWORK.apply(model, state.observation, False)
    return jnp.where(state.legal_action_mask, logits, jnp.finfo(logits.dtype).min), value


def search(model: Any, key: Any, state: Any, simulations: int, noise: float) -> Any:
    """Search by mctx from a batch of states; `noise` scales the Gumbel noise at the root."""

    def step(model: Any, key: Any, action: Any, state: Any) -> tuple[Any, Any]:
        player = state.current_player
        state = jax.vmap(ENV.step)(state, action)
        logits, value = evaluate(model, state)
        over = state.terminated
        reward = state.rewards[jnp.arange(len(player)), player]
        found = mctx.RecurrentFnOutput(
            reward=reward,
            discount=jnp.where(over, 0.0, -1.0),
            prior_logits=logits,
            value=jnp.where(over, 0.0, value),
        )
        return found, state

    logits, value = evaluate(model, state)
    return mctx.gumbel_muzero_policy(
        model,
        key,
        mctx.RootFnOutput(prior_logits=logits, value=value, embedding=state),
        step,
        simulations,
        ~state.legal_action_mask,
        qtransform=mctx.qtransform_completed_by_mix_value,
        gumbel_scale=noise,
    )


@jax.jit
def play(model: Any, key: Any) -> Samples:
    """Play games for a number of steps, and return their positions with targets."""
    games, steps = SETTINGS["games"], SETTINGS["steps"]

    def step(state: Any, key: Any) -> tuple[Any, Any]:
        first, second = jax.random.split(key)
        found = search(model, first, state, SETTINGS["simulations"], 1.0)
        player = state.current_player
        after = jax.vmap(auto_reset(ENV.step, ENV.init))(
            state, found.action, jax.random.split(second, games)
        )
        reward = after.rewards[jnp.arange(games), player]
        return after, (state.observation, found.action_weights, reward, after.terminated)

    def back(later: tuple[Any, Any], now: tuple[Any, Any]) -> tuple[Any, Any]:
        value, known = later
        reward, over = now
        value, known = jnp.where(over, reward, -value), over | known
        return (value, known), (value, known)

    first, second = jax.random.split(key)
    start = jax.vmap(ENV.init)(jax.random.split(first, games))
    _, (seen, policy, reward, over) = jax.lax.scan(step, start, jax.random.split(second, steps))
    end = jnp.zeros(games), jnp.zeros(games, bool)
    _, (value, known) = jax.lax.scan(back, end, (reward, over), reverse=True)
    one = Samples(seen, policy, value, known.astype(jnp.float32))
    return jax.tree.map(lambda x: x.reshape(-1, *x.shape[2:]), one)


@jax.jit
def update(model: Any, optimizer: Any, batch: Samples) -> tuple[Any, Any, Any]:
    """Learn from a minibatch."""

    def loss(weights: Any) -> tuple[Any, Any]:
        (logits, value), changed = NETWORK.apply(
            {**model, "params": weights}, batch.observation, True, mutable=["batch_stats"]
        )
        policy_loss = optax.softmax_cross_entropy(logits, batch.policy).mean()
        value_loss = (optax.l2_loss(value, batch.value) * batch.mask).mean()
        return policy_loss + value_loss, (changed, policy_loss, value_loss)

    gradient, (changed, *losses) = jax.grad(loss, has_aux=True)(model["params"])
    steps, optimizer = OPTIMIZER.update(gradient, optimizer)
    weights = optax.apply_updates(model["params"], steps)
    return {"params": weights, **changed}, optimizer, jnp.stack(losses)


@functools.cache
def initial() -> tuple[Any, Any]:
    """Return a network and the state of its optimizer."""
    state = jax.vmap(ENV.init)(jax.random.split(jax.random.PRNGKey(0), 2))
    model = NETWORK.init(jax.random.PRNGKey(1), state.observation, False)
    return model, OPTIMIZER.init(model["params"])


def save(path: Path, tree: Any, facts: dict[str, Any]) -> None:
    """Save the leaves of a tree of arrays."""
    leaves = {f"{n:04}": np.asarray(x, np.float32) for n, x in enumerate(jax.tree.leaves(tree))}
    tensor_file.write_tensors(path, KIND, leaves, facts)


def restore(path: Path, like: Any) -> tuple[Any, dict[str, Any]]:
    """Return a saved tree of the same structure, and its facts."""
    facts, leaves = tensor_file.read_tensors(path, KIND)
    saved = jax.tree.unflatten(jax.tree.structure(like), [leaves[name] for name in sorted(leaves)])
    return jax.tree.map(lambda old, new: jnp.asarray(new, old.dtype), like, saved), facts


def train(folder: Path) -> None:
    """Train in a folder, or resume; store a checkpoint at each mark."""
    clock, state, iterations = Clock(folder), initial(), 0
    if (folder / STATE).exists():
        state, facts = restore(folder / STATE, state)
        iterations = facts["iterations"]
    for mark in clock.marks():
        while clock.minutes < mark:
            iterations += 1
            key = jax.random.fold_in(jax.random.PRNGKey(2), iterations)
            samples = play(state[0], key)
            order = np.random.default_rng(iterations).permutation(len(samples.value))
            losses = []
            for rows in order.reshape(-1, SETTINGS["batch_size"]):
                batch = Samples(*(array[rows] for array in samples))
                *state, found = update(*state, batch)
                losses.append(np.asarray(found))
            save(folder / STATE, tuple(state), {"iterations": iterations})
            clock.save()
            policy, value = np.mean(losses, 0)
            plies = iterations * len(samples.value)
            minutes = f"{clock.minutes:.2f} min, {plies} plies"
            print(f"{minutes}, losses {policy:.3f} {value:.3f}", flush=True)
        save(checkpoint(folder, mark), state[0], {"iterations": iterations})


class Player:
    """Plays with a network, one position at a time, without noise."""

    def __init__(self, model: Any) -> None:
        self._model, self._step = model, jax.jit(ENV.step)
        self._policy = jax.jit(lambda model, state: evaluate(model, state)[0].argmax())
        self._search = jax.jit(
            lambda model, state, simulations: search(
                model, jax.random.PRNGKey(0), state, simulations, 0.0
            ).action[0],
            static_argnums=2,
        )

    def choose(self, moves: Sequence[int], simulations: int) -> int:
        """Return the column played after moves; 0 simulations: without search."""
        state = ENV.init(jax.random.PRNGKey(0))
        for move in moves:
            state = self._step(state, move)
        batch = jax.tree.map(lambda x: x[None], state)
        if simulations:
            return int(self._search(self._model, batch, simulations))
        return int(self._policy(self._model, batch))


def load_player(path: Path) -> Player:
    """Return the player with the network of a checkpoint."""
    return Player(restore(path, initial()[0])[0])
