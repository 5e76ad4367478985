"""Putting the gate into a repository, proving that it fires, and taking it out again.

Nothing here is on a hook's path. ``target``, ``gitcmd`` and ``preflight`` need the standard library only, so that
``install.sh`` can ask whether a repository will do before it builds anything.
"""
