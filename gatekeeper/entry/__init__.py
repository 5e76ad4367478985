"""Where git calls in: environment and standard input become a push, a scorecard becomes an exit code."""
