"""The command line, one module a command group, imported when it is asked for."""
