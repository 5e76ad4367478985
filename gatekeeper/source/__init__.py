"""Static reading of Python: from blobs to the rows of a public surface, and from two surfaces to what moved.

``facts`` reads one source, in the process of ``bounded``; ``link`` makes rows of the facts of a whole tree, ``demand``
those that a change can have moved; ``compare`` says what moved and how bad that is. ``rows`` holds the values that all
of them share, ``reading`` brings them together with a cache, and ``surface`` does so in this process, for tests.
"""
