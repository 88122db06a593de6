"""Chaos at a running server: people play while processes die, the disk fills and others attack.

`python -m bench.chaos --minutes 60 --seed 1`. Checked from outside: every acknowledged move is
there afterwards, no message holds a secret, memory and descriptors stay flat, a quiet client is
answered throughout. The parts: `served` (the server), `host` (of a tournament), `people`, `attack`,
`quiet` and `quiet_players` (programs of their own), `troubles` (what happens to them), `secrecy`
(messages compared with another world's), `findings`, and `table` (each attack alone).
"""
