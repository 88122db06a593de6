"""The web service: games between people and agents, stored in a database, and the page for them.

Each subject is a folder with its routes. import-linter checks the layers, which are in
`pyproject.toml`.
"""
