"""The compiled generator, as the searches in plain Python take one."""

from meeple import kernels


class Generator:
    """`record` is what compiled code draws from; with equal seeds both draw the same numbers."""

    def __init__(self, *seed):
        self.record = kernels.new_rng(*seed)

    def below(self, bound):
        return int(kernels.below(self.record[0], bound))

    def uniform(self):
        return float(kernels.uniform(self.record[0]))
