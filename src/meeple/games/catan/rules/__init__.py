"""The rules of Catan: island, state, legal actions and their effects, compiled."""
