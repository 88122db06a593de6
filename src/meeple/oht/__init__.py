"""Online Hex Tournaments: the host of a tournament and the client of a player.

Layers, bottom up; a module imports only from the layers before it:

1. `rules`, `players`, `limits`, `certificate`, `keepalive`, `door` (accepts connections)
2. `store`, then `standings`, which reads it
3. `link` (the host's end of a connection), `entrants` (remote players and agents of the host)
4. `series`, `tournament`, `host`
5. `connection` (the client's end), `client` (the six handlers), `agent_client` (a client whose
   moves an agent chooses)
"""
