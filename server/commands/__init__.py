"""What a user types, one file per group."""
