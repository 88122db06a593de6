"""The web service: games with people and agents, kept in a database, and the page to play them.

Floors, bottom up; a module imports only from floors below its own, or from its own folder:

1. `errors`, `settings`, `schemas`, `answers`, `threads`, `specs`, `sessions`
2. `store`, `work`, `line`, `record_text`, `thinking`, `json_limits`, `pacing`
3. `security`
4. `connections`, `sockets`
5. `play`: tables, who sits there, and what each may see of them
6. `analysis`, `library`, `training`, `tournament` (of an OHT, for a page of its own)
7. `services`: all of it, put together for the routes
8. `routes`: HTTP and sockets, one file a subject
9. `app`
10. `tournament_page`
"""
