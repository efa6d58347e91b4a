"""From a recorded run to a candidate memory: what a replay needs, what may vary, what a host must say."""
