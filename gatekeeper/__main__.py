"""``python -m gatekeeper``."""

from __future__ import annotations

import sys

from gatekeeper.commands.main import main

if __name__ == "__main__":
    sys.exit(main())
