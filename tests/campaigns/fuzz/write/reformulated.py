"""Programs of the other families in another formulation: some rewrites of ``tests/metamorphic``, one after another.

What is compared is the new text with what the tool makes of it, so a rewrite that changed the program would do no harm.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tests.metamorphic.registry import rewrites

from .pen import Choose, Pen
from .program import Program

MOST = 4


def reformulated(choose: Choose, base: Callable[[Choose], Program]) -> Program:
    """A program of ``base`` after one to ``MOST`` rewrites that have a place in it."""
    program, pen = base(choose), Pen(choose)
    left, text = list(rewrites()), program.source
    for _ in range(pen.upto(1, MOST)):
        while left:
            one = left.pop(pen.upto(0, len(left) - 1))
            after = one.of(text)
            if after is not None:
                text = after
                break
    return replace(program, source=text if text.endswith("\n") else text + "\n")
