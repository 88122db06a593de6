"""The Online Hex Tournament's wire: frames, messages, states and actions, in both its dialects.

No socket is opened here and no agent asked. `docs/oht.md` describes the wire in full.
"""
