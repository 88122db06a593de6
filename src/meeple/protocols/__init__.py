"""Other programs' languages, and how what they say becomes ours."""
