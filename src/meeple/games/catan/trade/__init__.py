"""Trade between players: the rules of offers and deals, plans for agents, trades as mappings."""
