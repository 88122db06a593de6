"""The web service: games between people and agents, stored in a database, and the page for them.

Layers, bottom up; a module imports only from layers below its own, or from its own folder:

1. `errors`, `settings`, `schemas`, `answers`, `threads`, `specs`, `sessions`
2. `store`, `work`, `record_text`, `thinking`, `json_limits`, `pacing`
3. `security`
4. `connections`, `sockets`
5. `play`: tables, their players, and what each player may see
6. `analysis`, `library`, `training`, `tournament` (of an OHT, with a separate page)
7. `services`: all parts of a server, for the routes
8. `routes`: HTTP and sockets, one file a subject
9. `app`
10. `tournament_page`
"""
