"""`echopath bench`: the paper's five diagnostics (3.2) over the user's own library."""
