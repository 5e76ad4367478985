"""The form of summaries, apart from those who make them: whoever only reads them parses nothing."""

from __future__ import annotations

FORM = 2
"""Of summaries; another one is made again."""
ALWAYS, MAYBE = 0, 1
"""Whether a step surely runs, and a failure in it surely gets out; or there is a condition to that."""
ANY = "*"
"""Ends the beginning of a word that is put together (:mod:`gatekeeper.source.imports.mentions`)."""
