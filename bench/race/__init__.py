"""The learning race: Connect Four learned by Meeple, pgx with mctx, and OpenSpiel in equal time."""
