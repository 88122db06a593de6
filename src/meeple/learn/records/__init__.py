"""Learning from records of games: policy and value by what people played and how it came out."""
