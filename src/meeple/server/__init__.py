"""The web service: games with people and agents, kept in a database, and the page to play them.

Floors, bottom up; a module imports only from floors below its own, or from its own folder:

1. `errors`, `settings`, `schemas`, `answers`, `threads`, `specs`, `sessions`
2. `store`, `security`, `line`, `record_text`, `thinking`
3. `connections`, `sockets`
4. `play`: tables, who sits there, and what each may see of them
5. `analysis`, `library`, `training`
6. `services`: all of it, put together for the routes
7. `routes`: HTTP and sockets, one file a subject
8. `app`
"""
