"""AlphaZero in one file: a network learns a board game from nothing but its rules.

    python examples/alphazero.py examples/connect_four.py --against uct:sims=1000

The network judges a position: a policy over actions, and each seat's share of the win. A search
with it plays better than its policy, and it learns from the games of searches against themselves.
(Silver et al., "A general reinforcement learning algorithm that masters chess, shogi and Go through
self-play", 2018.) For any number of players, without chance and hidden information. Shapes: G games
in lockstep, N nodes of a tree, A actions, P players, B cases of a batch.
"""

import argparse
from collections import deque
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_model, save_model
from torch import nn

import meeple
from meeple.games.contract.registry import game_class, load_game_file
from meeple.search.batch import StateBatch, start_states


@dataclass(frozen=True)
class Settings:
    """The numbers of a run."""

    episodes: int = 1_500  # games of self-play in all
    games: int = 128  # played in lockstep, so that the network judges as many leaves at once
    simulations: int = 40  # of a move
    exploration: float = 1.0  # c of PUCT, for shares in [0, 1]
    noise_alpha: float = 10.0  # Dirichlet's parameter is this / the number of legal actions
    noise_fraction: float = 0.25  # of the root's priors that are noise in self-play
    drawn_plies: int = 12  # opening moves drawn by visits; later ones are the most visited
    channels: int = 32  # planes inside the network
    blocks: int = 2  # residual blocks
    replay: int = 40_000  # newest cases, which are learned from
    batch: int = 256
    reuse: float = 4.0  # times that a case is learned, on average
    learning_rate: float = 2e-3  # of Adam; falls in a line to a tenth of it


class Block(nn.Module):
    """Two convolutions beside a shortcut (He et al., 2016)."""

    def __init__(self, channels):
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x):
        return nn.functional.relu(x + self.second(nn.functional.relu(self.first(x))))


def head(channels, cells, outputs):
    """From planes to numbers."""
    planes = 8
    return nn.Sequential(
        nn.Conv2d(channels, planes, 1), nn.ReLU(), nn.Flatten(),
        nn.Linear(planes * cells, 64), nn.ReLU(), nn.Linear(64, outputs),
    )  # fmt: skip


class Network(nn.Module):
    """Observations [B, planes, rows, columns] to logits of a policy [B, A] and of shares [B, P].

    Shares are in the mover's order: its own first, then that of the next seat.
    """

    def __init__(self, game, settings):
        super().__init__()
        planes, rows, columns = game.observation_shape
        channels = settings.channels
        blocks = (Block(channels) for _ in range(settings.blocks))
        self.trunk = nn.Sequential(nn.Conv2d(planes, channels, 3, padding=1), nn.ReLU(), *blocks)
        self.policy = head(channels, rows * columns, game.num_actions)
        self.shares = head(channels, rows * columns, game.players)

    def forward(self, observations):
        x = self.trunk(observations)
        return self.policy(x), self.shares(x)


@torch.inference_mode()
def evaluate(network, batch, rows):
    """Policies [R, A], zero where illegal, and shares by seat [R, P] of some states of a batch."""
    observations, legal = batch.observe(rows)
    logits, shares = network(torch.from_numpy(observations))
    logits[~torch.from_numpy(legal)] = -torch.inf
    shares = shares.softmax(1).numpy()
    order = (np.arange(shares.shape[1]) - batch.to_move[rows, None]) % shares.shape[1]
    return logits.softmax(1).numpy(), np.take_along_axis(shares, order, axis=1)


class Tree:
    """G trees of N nodes; node 0 is the root, and simulation k adds node k, if any.

    An edge leads from a node by an action to `child` [G, N, A], 0 where it has not been tried; its
    `value_sum` is in shares of the player who moves at the node.
    """

    def __init__(self, game, roots, nodes):
        edges = (len(roots), nodes, game.num_actions)
        self.states = np.zeros((len(roots), nodes, game.state_bytes), dtype=np.uint8)
        self.states[:, 0] = roots
        self.opinion = np.zeros(edges[:2], dtype=np.float32)  # the network's, of the mover
        self.prior, self.value_sum = np.zeros((2, *edges), dtype=np.float32)
        self.visits, self.child = np.zeros((2, *edges), dtype=np.int32)
        self.to_move = self.states[:, :, 0].view(np.int8)  # [G, N] a seat or OVER


def search(game, roots, network, settings, noise=None):
    """The visits [G, A] of a search of each state [G, bytes]; `noise` is a generator, if any."""
    tree = Tree(game, roots, settings.simulations + 1)
    leaves = np.zeros(len(roots), dtype=np.int32)
    expand(tree, leaves, StateBatch(game, roots), network)
    if noise is not None:
        add_noise(tree.prior[:, 0], settings, noise)
    for node in range(1, settings.simulations + 1):
        path = select(tree, settings.exploration)
        leaves, batch = step(game, tree, path, node)
        backpropagate(tree, path, expand(tree, leaves, batch, network))
    return tree.visits[:, 0]


def add_noise(prior, settings, rng):
    """Mix Dirichlet noise into the priors [G, A] of legal actions, which are above 0."""
    for row in prior:
        legal = row > 0
        noise = rng.dirichlet(np.full(legal.sum(), settings.noise_alpha / legal.sum()))
        row[legal] += settings.noise_fraction * (noise - row[legal])


def select(tree, exploration):
    """The edges of all descents: at each depth (games, nodes, actions) of the games still there."""
    games = np.arange(len(tree.states))
    nodes, path = np.zeros_like(games), []
    while len(games):
        actions = puct(tree, games, nodes, exploration).argmax(axis=1)
        path.append((games, nodes, actions))
        nodes = tree.child[games, nodes, actions]
        inside = (nodes > 0) & (tree.to_move[games, nodes] != meeple.OVER)
        games, nodes = games[inside], nodes[inside]
    return path


def puct(tree, games, nodes, exploration):
    """Q + c P sqrt(N) / (1 + n) of every action (Silver et al., 2017), -1 where it is illegal.

    Q of an action not tried yet is what the network thinks of the node.
    """
    prior, visits = tree.prior[games, nodes], tree.visits[games, nodes]
    q = tree.value_sum[games, nodes] / np.maximum(visits, 1)
    q = np.where(visits > 0, q, tree.opinion[games, nodes][:, None])
    total = 1 + visits.sum(axis=1, keepdims=True)
    return np.where(prior > 0, q + exploration * prior * np.sqrt(total) / (1 + visits), -1.0)


def step(game, tree, path, node):
    """Play the last action of every descent; returns the leaves [G] and the batch of them."""
    parents, actions = np.zeros((2, len(tree.states)), dtype=np.int32)
    for games, nodes, taken in path:  # the deepest stays
        parents[games], actions[games] = nodes, taken
    everyone = np.arange(len(parents))
    leaves = tree.child[everyone, parents, actions]
    fresh = np.flatnonzero(leaves == 0).astype(np.int32)  # others are over, and known
    leaves[fresh] = tree.child[fresh, parents[fresh], actions[fresh]] = node
    tree.states[fresh, node] = tree.states[fresh, parents[fresh]]
    batch = StateBatch(game, tree.states[everyone, leaves])
    batch.step(actions[fresh], fresh)
    tree.states[fresh, node] = batch.states[fresh]
    return leaves, batch


def expand(tree, leaves, batch, network):
    """Judge leaves by the network, or by the rules where they are over: shares by seat [G, P]."""
    live, over = batch.live(), np.flatnonzero(batch.to_move == meeple.OVER)
    shares = np.zeros((len(leaves), batch.game.players), dtype=np.float32)
    shares[over] = batch.copy(over).payoffs()
    if len(live):
        tree.prior[live, leaves[live]], shares[live] = evaluate(network, batch, live)
        tree.opinion[live, leaves[live]] = shares[live, batch.to_move[live]]
    return shares


def backpropagate(tree, path, shares):
    """Add each game's shares [G, P] to the edges of its descent."""
    for games, nodes, actions in path:
        tree.visits[games, nodes, actions] += 1
        tree.value_sum[games, nodes, actions] += shares[games, tree.to_move[games, nodes]]


class SelfPlay:
    """G games in lockstep; where one ends the next begins."""

    def __init__(self, game, settings, rng):
        self.game, self.settings, self.rng = game, settings, rng
        self.batch = StateBatch(game, start_states(game, [0] * settings.games))
        self.cases = [[] for _ in range(settings.games)]

    def move(self, network):
        """Play a move in every game; returns the games that ended, each as its cases.

        A case is what was seen, the policy of the search, and the shares in the mover's order.
        """
        observations, _ = self.batch.observe()
        visits = search(self.game, self.batch.states, network, self.settings, self.rng)
        actions = np.zeros(len(visits), dtype=np.int32)
        for row, policy in enumerate(visits / visits.sum(axis=1, keepdims=True)):
            drawn = len(self.cases[row]) < self.settings.drawn_plies
            actions[row] = self.rng.choice(len(policy), p=policy) if drawn else policy.argmax()
            self.cases[row].append((observations[row], policy, self.batch.to_move[row]))
        self.batch.step(actions, np.arange(len(actions), dtype=np.int32))
        return [self.end(row) for row in np.flatnonzero(self.batch.to_move == meeple.OVER)]

    def end(self, row):
        """Begin anew in a game that is over; returns its cases, with the result."""
        (shares,) = self.batch.copy(np.array([row])).payoffs()
        cases, self.cases[row] = self.cases[row], []
        self.batch.states[row] = start_states(self.game, [0])[0]
        return [(seen, policy, np.roll(shares, -mover)) for seen, policy, mover in cases]


def learn(network, optimizer, cases, symmetry):
    """One step towards what search said and how games ended, as a symmetry of the game sees it."""
    observations, policy, shares = map(np.stack, zip(*cases, strict=True))
    if symmetry is not None:
        flat = observations.reshape(len(cases), -1)[:, symmetry.observation]
        observations, policy = flat.reshape(observations.shape), policy[:, symmetry.action]
    found = network(torch.from_numpy(observations))
    wanted = (torch.tensor(target, dtype=torch.float32) for target in (policy, shares))
    loss = sum(map(nn.functional.cross_entropy, found, wanted))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def train(game, settings, seed=1):
    """A network that has learned a game by playing itself."""
    torch.manual_seed(seed)
    rng, network = np.random.default_rng(seed), Network(game, settings)
    optimizer = torch.optim.AdamW(network.parameters(), weight_decay=1e-4)
    selfplay, replay = SelfPlay(game, settings, rng), deque(maxlen=settings.replay)
    symmetries = [None, *(s for s in game.symmetries() if (np.diff(s.player) > 0).all())]
    done, steps = 0, 0.0
    while done < settings.episodes:
        for cases in selfplay.move(network):
            replay.extend(cases)
            done, steps = done + 1, steps + settings.reuse * len(cases) / settings.batch
        fall = 1 - 0.9 * done / settings.episodes
        optimizer.param_groups[0]["lr"] = settings.learning_rate * fall
        while steps >= 1:
            cases = [replay[i] for i in rng.integers(len(replay), size=settings.batch)]
            learn(network, optimizer, cases, symmetries[rng.integers(len(symmetries))])
            steps -= 1
    return network


class Player:
    """An agent for `meeple.match`: the most visited action."""

    spec, analysis = "alphazero", None

    def __init__(self, game, network, settings):
        self.game, self.network, self.settings = game, network, settings

    def begin(self, seed):
        """Nothing is remembered."""

    def choose(self, position, stop=None):
        return int(search(self.game, position.row[None], self.network, self.settings).argmax())


def main():
    """Learn a game, or read what was learned, and play matches."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", help="a game's name, or its file")
    parser.add_argument("-o", "--option", action="append", default=[], help="such as size=3")
    parser.add_argument("--network", default="alphazero.safetensors", help="read where it exists")
    parser.add_argument("--against", action="append", default=[], help="an opponent's spec")
    parser.add_argument("--games", type=int, default=100, help="of each match")
    parser.add_argument("--simulations", type=int, default=Settings.simulations)
    words = parser.parse_args()
    torch.set_num_threads(1)
    kind = load_game_file(words.game) if words.game.endswith(".py") else game_class(words.game)
    game = kind(**dict(option.split("=") for option in words.option))
    settings = Settings(simulations=words.simulations)
    known = Path(words.network).exists()
    network = Network(game, settings) if known else train(game, settings)
    (load_model if known else save_model)(network, words.network)
    for spec in words.against:
        agents = [Player(game, network, settings), spec]
        print(*meeple.match(game, agents, words.games, seed=7).agents, sep="\n")


if __name__ == "__main__":
    main()
