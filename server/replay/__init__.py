"""One replay: gates, start state, then step by step bind, aim, act; then the evaluator and the ending."""
