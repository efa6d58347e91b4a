"""The second time, and the third, in an application that keeps what the first has left behind."""
