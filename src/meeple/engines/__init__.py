"""Engines: Meeple's agents as programs for other programs, one file for each protocol.

An engine receives and returns lines; `loop.py` connects it to standard input and output. The syntax
of the protocols is in `meeple.protocols`.
"""
