"""`python -m meeple`: the same as the command `meeple`."""

from meeple.cli.main import main

if __name__ == "__main__":
    main()
