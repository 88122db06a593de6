"""The web service: games between people and agents, stored in a database, and the page for them.

Each subject is a folder with its routes. Layers, bottom up; a module imports only from layers below
its own, or from its own folder:

1. `sentences` of errors
2. `errors`, `settings`, `limits`
3. `work` (threads for long work), `folder_lock`
4. `store` (the database of games)
5. `web`: access, limits of requests, the form of messages and answers
6. `thinking`: processes in which agents search
7. `resources`: the database, workers and threads, which all subjects use
8. `play`: tables, their players, and what each player may see
9. `lobby`, `cups`, `analysis`, `training`, `tournament` (of an OHT, with a separate page)
10. `library`
11. `study`, `puzzles`
12. `services`: all parts of a server; each route asks for the part that it needs
13. `app`
"""
