"""Online Hex Tournaments: the host of a tournament and the client of a player.

import-linter checks the layers of the files, which are in `pyproject.toml`.
"""
