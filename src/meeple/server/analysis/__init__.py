"""Looking at any position: where it comes from, what agents think of it, where a game swung."""
