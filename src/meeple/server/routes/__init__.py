"""The doors of the server: HTTP routes and sockets, one file a subject; what they do is below."""
