"""Exact values: proof-number search, and strategies of whole games with chance or hidden cards."""
