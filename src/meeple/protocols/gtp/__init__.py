"""GTP, the Go Text Protocol, version 2, and HTP, what HexGui and MoHex make of it for Hex."""
