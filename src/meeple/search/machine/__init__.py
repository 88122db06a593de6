"""What all searches are built from: the hash table, the stack with its loop, and the clock."""
