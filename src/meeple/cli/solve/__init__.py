"""`meeple solve`: exact solutions, equilibria, and strategies by sampling."""
