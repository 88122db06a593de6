"""What all searches are built from: the stack with its loop, and the clock."""
