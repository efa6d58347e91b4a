"""Entries for hosts: how to start us, put into their own configuration without losing any of it."""
