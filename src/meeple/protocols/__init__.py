"""Other programs' languages: how they write games down, and how they are told to play.

A folder for each protocol. `language.py` in it is the protocol's words, and `controller.py` drives
a program that speaks it. Nothing here starts a program or knows an agent.
"""
