"""A frame that is kept by ``cache`` or ``persist``, and all that uses it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..assumptions import Assumption
from ..expr import Expr
from ..plan import Cache
from ..span import Span


@dataclass(frozen=True)
class FrameUses:
    """What a program makes of one frame. ``made_by``: the operator whose result it is, as ``proof.demand.caches``
    names it. ``held``: how many variables it
    is bound to, ``reads``: how often these are read. ``makes``: the numbers of the frames that are made of it, once for
    each time that one reads it; ``ends``: what else is done with it, as ``Way.end`` says; ``leaves`` among them where
    code that is not here gets it."""

    made_by: str
    held: int = 0
    reads: int = 0
    makes: tuple[int, ...] = ()
    ends: tuple[str, ...] = ()


UnlistedKind = Literal[
    "given", "returned", "kept", "inside", "again", "ways", "elsewhere", "call", "attribute", "value"
]


@dataclass(frozen=True)
class UnlistedUse:
    """Why not every use of a frame is known. ``kind``: it is an argument of a call, returned, kept in a value, read by
    a function inside, read again by a loop, one of several that a variable may hold, read by code that is not followed,
    the receiver of a call, or asked for an attribute; ``text``: what is written there; ``made_by``: the operator whose
    result it is."""

    kind: UnlistedKind
    text: str
    made_by: str

    @property
    def words(self) -> str:
        """What becomes of it, as a sentence about the frame."""
        match self.kind:
            case "given":
                return f"`{self.text}` gets it" if self.text else "a call gets it"
            case "returned":
                return "it is returned"
            case "kept":
                return "another value holds it"
            case "inside":
                return f"a function or comprehension reads `{self.text}`"
            case "again":
                return f"`{self.text}` is read in a loop"
            case "ways":
                return f"`{self.text}` holds one of several frames"
            case "elsewhere":
                return f"code that is not followed reads `{self.text}`"
            case "call":
                return f"what `{self.text}` does with it is not known"
            case "attribute":
                return f"`{self.text}` of it is not followed"
        return f"what becomes of `{self.text}` is not known"


@dataclass(frozen=True)
class KeptFrame:
    """A call of ``cache`` or ``persist``. ``call``: the whole expression, ``receiver``: the frame in it; ``plan``: of
    the result. ``uses``: what becomes of the frame, which is the first of them, and of all that is made of it; None if
    that is not known. ``repeated``: it stands in a loop. ``unlisted``: why ``uses`` is not known; ``actions``: how many
    actions are known to ask for its rows, then. ``below``: the names of the operators that it is made by, in the order
    of ``walks.below``. ``freed``, ``freed_below``: the statements that free what is kept, by a variable that holds the
    result or the frame below it."""

    call: Span
    receiver: Span
    plan: Cache
    uses: tuple[FrameUses, ...] | None
    repeated: bool = False
    unlisted: UnlistedUse | None = None
    actions: int = 0
    below: tuple[str, ...] = ()
    freed: tuple[Span, ...] = ()
    freed_below: tuple[Span, ...] = ()


@dataclass(frozen=True)
class Below:
    """An operator that a frame is made by: its name, the expressions that it evaluates, and of an aggregate the words
    of its text, among them the functions that it calls."""

    operator: str
    values: tuple[Expr, ...] = ()
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class CacheCertificate:
    """The proof that one action asks once for the rows that ``operator`` keeps, and that these are a function of the
    sources: ``uses`` of the frame as ``KeptFrame`` has them, ``below``: every operator that it is made by."""

    version: int
    operator: str
    uses: tuple[FrameUses, ...]
    below: tuple[Below, ...]
    assumptions: tuple[Assumption, ...] = ()
