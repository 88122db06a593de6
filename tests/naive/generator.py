"""The compiled generator, with the interface of the searches in plain Python."""

from meeple import kernels


class Generator:
    """`record` is the state used by compiled code; equal seeds give equal numbers."""

    def __init__(self, *seed):
        self.record = kernels.new_rng(*seed)

    def below(self, bound):
        return int(kernels.below(self.record[0], bound))

    def uniform(self):
        return float(kernels.uniform(self.record[0]))
