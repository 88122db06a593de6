"""The protocol of Online Hex Tournaments: frames, messages, states and actions, in two dialects.

This package opens no socket and uses no agent. The README specifies the protocol.
"""
