"""The Elo scale by its definition: 400 points are 10 to 1 (Elo, "The Rating of Chessplayers")."""


def expected_share(difference: float) -> float:
    """The share of the points that an agent so many Elo points stronger is expected to win."""
    return 1 / (1 + 10 ** (-difference / 400))
