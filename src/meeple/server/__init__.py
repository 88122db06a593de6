"""The web service: games between people and agents, stored in a database, and the page for them.

Each subject is a folder with its routes. Layers, bottom up; a module imports only from layers below
its own, or from its own folder:

1. `errors` (with their `sentences`), `settings`, `limits`, `threads`
2. `work` (threads for long work), `store` (the database of games)
3. `web`: access, limits of requests, the form of messages and answers
4. `thinking`: processes in which agents search
5. `resources`: the database, workers and threads, which all subjects use
6. `play`: tables, their players, and what each player may see
7. `lobby`, `cups`, `analysis`, `training`, `tournament` (of an OHT, with a separate page)
8. `library`
9. `study`, `puzzles`
10. `services`: all parts of a server; each route asks for the part that it needs
11. `app`
"""
