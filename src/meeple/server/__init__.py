"""The web service: games with people and agents, kept in a database, and the page to play them."""
