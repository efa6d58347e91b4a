"""The longest that anything may be shielded from cancellation: what hangs must not keep us from leaving."""

SEAL_S = 5.0
"""A run is sealed, a row written: a fraction of a second, unless the disk hangs."""
CLOSE_S = 12.0
"""The desktop lets go and ends, the store is closed; each part has a shorter bound of its own."""
ANSWER_S = 2.0
"""A desktop that is told to end and does not answer for so long is killed: its evidence is on disk."""
