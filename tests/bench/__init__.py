"""Speed as ratios, measured in one run: ``python -m tests.bench``. No test asserts a time."""
