"""The protocols of other programs: file formats of games, and commands to engines.

Each protocol has a folder: `language.py` parses and formats its messages, `controller.py` drives a
program that speaks it. Nothing in this package starts a program or uses an agent.
"""
