"""NBoard's protocol, by which a Reversi board program plays with engines such as Edax and NTest."""
