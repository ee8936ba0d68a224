"""Side-by-side measurements against the packages that users can pick today: ``python -m benchmarks``."""
