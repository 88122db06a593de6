"""NBoard's protocol: how a board of Reversi plays with programs such as Edax and NTest."""
