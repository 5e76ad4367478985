"""Whether properties can fail at all: what they guard is broken on purpose in a copy, and they are run there.

This executes the project's code. No hook, and nothing that judges a push, imports it.
"""
