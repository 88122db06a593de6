"""The web service: games between people and agents, stored in a database, and the page for them.

Layers, bottom up; a module imports only from layers below its own, or from its own folder:

1. `errors`, `settings`, `schemas`, `threads`, `specs`, `sessions`
2. `answers`, `store`, `work`, `line`, `record_text`, `thinking`, `json_limits`, `pacing`
3. `security`
4. `connections`, `sockets`
5. `play`: tables, their players, and what each player may see
6. `analysis`, `training`, `tournament` (of an OHT, with a separate page)
7. `library`
8. `services`: all parts of a server
9. `routes`: HTTP and sockets, one file a subject; each asks for the part that it needs
10. `app`
11. `tournament_page`
"""
