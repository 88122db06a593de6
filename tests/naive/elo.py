"""The Elo scale by its definition: 400 points are 10 to 1 (Elo, "The Rating of Chessplayers")."""


def expected_share(difference: float) -> float:
    """Return the expected score of an agent that is `difference` Elo points stronger."""
    return 1 / (1 + 10 ** (-difference / 400))
