"""A client of your own for an Online Hex Tournament: `python examples/oht_client.py PORT TOKEN`.

It plays on the free cell that is nearest to the middle. Put your own agent there.
"""

import sys

from meeple_oht.client import Client


class Middle(Client):
    """Six handlers may be filled in; these three are enough to play Hex."""

    def handle_series_start(
        self, unique_player_id, series_id, player_id_map, num_games, game_params
    ):
        (self.size,) = game_params
        self.me = series_id  # 1 joins the first and last row, 2 the first and last column

    def handle_get_action(self, state):
        cells = state[1:]  # 0: empty, 1 and 2: a player's stone; before them, who moves: me
        places = [divmod(cell, self.size) for cell, code in enumerate(cells) if code == 0]
        middle = (self.size - 1) / 2
        return min(places, key=lambda at: abs(at[0] - middle) + abs(at[1] - middle))

    def handle_tournament_over(self, score):
        print(f"My score is {score} of 100")


if __name__ == "__main__":
    port, token = sys.argv[1:3]
    Middle(token, host="127.0.0.1", port=int(port)).run()
