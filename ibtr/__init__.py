"""Pixels in, a point out: find a remembered GUI target again, or refuse."""
