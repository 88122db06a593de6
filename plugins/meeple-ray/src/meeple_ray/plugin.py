"""What this package adds to Meeple."""

from meeple.executors.backend import Backend

RAY = Backend("meeple_ray.games:games", "meeple_ray.learning.backend:training")
"""The backend `ray`: a cluster of this machine alone, or the one with an address."""
