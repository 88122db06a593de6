"""Chaos at a running server: people play while processes die, the disk fills and others attack.

`python -m bench.chaos --minutes 60 --seed 1`. It checks from outside that every acknowledged move
is stored, that no message holds hidden information, that memory and descriptors stay flat, and that
a quiet client is always answered. The parts: `programs` (the server, and the host of a tournament),
`people`, `attack` and `quiet` (separate programs), `troubles` (the events),
`secrecy` (each message in other determinizations), `findings`, and `table` (each attack alone).
"""
