"""GTP, the Go Text Protocol, version 2, and HTP, its variant for Hex (HexGui, MoHex)."""
