"""The process that parses, and its other end: no pushed byte is parsed anywhere else."""
