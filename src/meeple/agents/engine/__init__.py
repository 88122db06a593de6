"""The agent `engine:COMMAND`: another program that plays, started, spoken with and ended here."""
