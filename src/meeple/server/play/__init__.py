"""Games under way: tables, their seats and clocks, what each may see, and the routes of play."""
