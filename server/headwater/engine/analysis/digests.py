"""The digest of a problem, which is asked for thrice at each filter and again after each keystroke: written once."""

from __future__ import annotations

import hashlib
import pickle
from collections import OrderedDict

from headwater_ir import codec
from headwater_ir.problem import FoldProblem

from .identity_cache import ByIdentity

HELD = 8000
_held: OrderedDict[bytes, str] = OrderedDict()
_same = ByIdentity[FoldProblem, str](HELD)


def digest(problem: FoldProblem) -> str:
    """``codec.digest(problem)``.

    It is kept by the pickled problem: equal bytes are identical values, as they are not to ``==`` (1, 1.0 and True;
    0.0 and -0.0), though one value may have several pickles.
    """
    same = _same.get(problem)
    if same is not None:
        return same
    key = hashlib.sha256(pickle.dumps(problem, pickle.HIGHEST_PROTOCOL)).digest()
    found = _held.get(key)
    if found is None:
        found = _held[key] = codec.digest(problem)
        if len(_held) > HELD:
            _held.popitem(last=False)
    return _same.put(problem, found)
