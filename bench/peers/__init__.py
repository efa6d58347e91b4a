"""Re-aiming against what people use today from PyPI, over the same cases in the same run."""
