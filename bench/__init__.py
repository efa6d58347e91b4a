"""Studies and benchmarks; run by `make bench-*`, imported by nobody."""
