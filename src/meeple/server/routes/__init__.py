"""HTTP routes and sockets, one file a subject; the work is done in lower layers."""
