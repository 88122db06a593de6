"""Where work is done that falls into jobs: in threads of this process, or by a backend."""
