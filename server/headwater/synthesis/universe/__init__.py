"""The three universes of atoms (THEORY.md section 3): ``U_G``, ``U_R``, ``U_ψ``."""

from .analysis import Analysis
from .outputs import residual_universe
from .rows import prefilter_universe, typed
from .states import invariant_universe

__all__ = ["Analysis", "invariant_universe", "prefilter_universe", "residual_universe", "typed"]
