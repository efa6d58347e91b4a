"""The two-pass study and the refusal study on real applications."""
