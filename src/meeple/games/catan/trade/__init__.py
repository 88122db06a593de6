"""Trade between players: the rules of offers and deals, and plans for agents."""
