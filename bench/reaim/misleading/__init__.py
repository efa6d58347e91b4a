"""Pages drawn to fool the search: something like the target stands where it was, or it is among others."""
