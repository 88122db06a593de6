"""Games a second of training on a Ray cluster, by actors, lockstep and network, and without one."""
