"""The three universes of atoms (THEORY.md section 3): ``U_G``, ``U_R``, ``U_ψ``."""

from .analysis import Analysis
from .outputs import residual_universe
from .rows import explicit_nan, keeping_nan, prefilter_universe, typed
from .states import invariant_universe

__all__ = [
    "Analysis",
    "explicit_nan",
    "invariant_universe",
    "keeping_nan",
    "prefilter_universe",
    "residual_universe",
    "typed",
]
