"""The protocol of Piskvork and the Gomocup, by which a manager runs Gomoku programs."""
