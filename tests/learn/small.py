"""Runs that are over in a second, for the tests beside."""

from meeple.learn.config import Config, parse_config
from meeple.learn.loop import start_run, train

HEX3 = (
    'game.name="hex"',
    "game.options.size=3",
    "run.episodes=24",
    "run.networks=3",
    "network.hidden=[16]",
    "search.simulations=16",
    "selfplay.games=4",
    "training.batch_size=16",
)
NIM = ('game.name="nim"', "game.options.stones=7", *HEX3[2:])


def config(*changes: str, base: tuple[str, ...] = HEX3) -> Config:
    return parse_config("", [*base, *changes])


class Heard:
    """A reporter that remembers."""

    watch = None

    def __init__(self):
        self.messages, self.waves, self.games = [], [], []

    def cluster(self, state):
        pass

    def message(self, text):
        self.messages.append(text)

    def wave(self, episodes, seconds, metrics):
        self.waves.append((episodes, metrics))

    def game(self, record):
        self.games.append(record)


def trained(folder, *changes, base=HEX3, reporter=None):
    """A folder with a finished run in it."""
    start_run(config(*changes, base=base), folder)
    train(folder, reporter)
    return folder
