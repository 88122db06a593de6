"""Compiled kernels: the decorator, record types, random numbers, bits, calls by address.

Only this package uses the compiler's internals. Games import only the public names of the modules
below. A state is a record of named fields in memory that Python owns. A game's kernels are compiled
for that record's type, and search calls them by address with `invoke2` and `invoke3`, so one
compiled search serves every game. Later processes load both from the disk cache.

With `NUMBA_DISABLE_JIT=1` every kernel runs as plain Python and is called in the same way.
"""

from meeple.kernels.bits import *
from meeple.kernels.calls import *
from meeple.kernels.decorator import *
from meeple.kernels.four_words import *
from meeple.kernels.memory import *
from meeple.kernels.random_numbers import *
from meeple.kernels.records import *
