"""Meeple's agents as programs that others play with: a file for each protocol.

An engine takes lines and answers with lines; `loop.py` joins it to standard input and output. The
words of the protocols are in `meeple.protocols`.
"""
