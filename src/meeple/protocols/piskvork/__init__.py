"""The protocol of Piskvork and of the Gomocup: how a manager plays with a program of Gomoku."""
