"""A client of JSettlers 2 servers, in whose games of Catan an agent takes a seat."""
