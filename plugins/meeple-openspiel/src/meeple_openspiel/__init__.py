"""OpenSpiel both ways: its games here (`game.py`), ours and our agents there (`exported.py`)."""
