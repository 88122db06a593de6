"""Networks so small that a search asks them in its kernel, and what plays and learns by them."""
