"""Every registered model against the real library: signature, purity, determinism, and what a call yields."""

from __future__ import annotations

import pytest

import headwater.python.effects.library_calls  # noqa: F401  (it registers all models)
from headwater.libraries import registry
from tests.shares import share

from . import measure, signatures

ENTRIES = [e for e in registry.entries().values() if e.yields is not None]
KINDS = sorted({e.kind for e in ENTRIES})
CLASSES = [k for k in KINDS if k.count(".") and k != "pyarrow.compute"]
METHODS = {e.method for e in ENTRIES if e.kind in CLASSES and e.pure}


@pytest.mark.parametrize("kind", KINDS)
def test_declarations_are_the_real_signatures(kind: str) -> None:
    assert not [c for e in ENTRIES if e.kind == kind for c in signatures.complaints(e)]


@pytest.mark.parametrize("kind", [k for k in KINDS if k != "python.value"])
def test_models_hold_on_the_real_library(kind: str) -> None:
    assert not [c for e in share([e for e in ENTRIES if e.kind == kind], 4) for c in measure.complaints(e)]


@pytest.mark.parametrize("kind", CLASSES)
def test_no_kind_has_a_listed_method_without_an_entry(kind: str) -> None:
    """On a receiver of an unknown kind a method is taken for that of any kind which has it: so each must be listed."""
    listed = {e.method for e in ENTRIES if e.kind == kind}
    if kind == "python.value":  # of which those that change a list, dict or set are found by the name alone
        listed |= {m for m in METHODS if any(e.kind.startswith("builtins.") for e in registry.of_method(m))}
    real = {m for owner in signatures.CLASSES[kind] for m in dir(owner) if callable(getattr(owner, m, None))}
    assert not sorted(real & METHODS - listed)
