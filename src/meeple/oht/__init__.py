"""Online Hex Tournaments: the host that runs one, and the client that takes part in one.

Floors, bottom up; a module imports only from those before it:

1. `rules`, `players`, `certificate`, `keepalive`, `door` (accepts connections within limits)
2. `store`, then `standings`, which reads it
3. `link` (the host's end of a connection), `entrants` (who plays: by a link, or an agent here)
4. `series`, `tournament`, `host`
5. `connection` (a client's end), `client` (the six handlers), `agent_client` (an agent behind them)
"""
