"""The HTML report of a tournament: its page, sections, picture, and games to replay."""
