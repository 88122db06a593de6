"""HTTP and WebSockets for all subjects: access, limits, messages and answers."""
