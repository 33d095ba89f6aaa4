"""Meaning-preserving rewrites of source: the verdict on a rewritten program must be as strong as on the original.

``registry.py`` has the decorator; each other module beside it is one family of rewrites. ``units.py`` cuts the suite,
the examples and the specifications into programs, ``verdicts.py`` compares what is found in two texts, ``running.py``
runs two texts on the same rows, and ``python -m tests.metamorphic`` is the campaign.
"""
