"""Python's built-in functions and exceptions."""

from __future__ import annotations

from .registry import functions

_EXCEPTIONS = """
ArithmeticError AssertionError AttributeError BaseException ConnectionError EOFError Exception FileNotFoundError
FloatingPointError IOError ImportError IndexError InterruptedError KeyError LookupError MemoryError ModuleNotFoundError
NameError NotImplementedError OSError OverflowError PermissionError RecursionError RuntimeError RuntimeWarning
StopIteration SystemExit TimeoutError TypeError UnicodeDecodeError UnicodeEncodeError UnicodeError UserWarning
ValueError Warning ZeroDivisionError
""".split()

EXCEPTIONS = frozenset(f"builtins.{name}" for name in _EXCEPTIONS)
"""Full names of the classes of exceptions whose construction does nothing else."""
functions("\n".join(f"{name}(*args) -> exception" for name in sorted(EXCEPTIONS)))
functions("""
builtins.abs(x, /) -> number | timedelta; scalar equal
builtins.all(iterable, /) -> bool; reads
builtins.any(iterable, /) -> bool; reads
builtins.ascii(obj, /) -> str
builtins.bin(number, /) -> str
builtins.bool(object=False, /) -> bool; reads
builtins.bytearray(source=b"", encoding=None, errors=None) -> bytearray
builtins.bytes(source=b"", encoding=None, errors=None) -> bytes
builtins.callable(obj, /) -> bool
builtins.chr(i, /) -> str; scalar
builtins.complex(real=0, imag=0) -> complex
builtins.dict(other=None, /) -> dict[parts | parts_of_parts | given.keywords]; keywords; reads
builtins.divmod(x, y, /) -> tuple[number | timedelta]; reads
builtins.enumerate(iterable, start=0) -> iterator[tuple[int | parts]]; reads
builtins.filter(function, iterable, /) -> iterator[parts]; calls function(parts)
builtins.float(x=0, /) -> float; scalar equal
builtins.format(value, format_spec="", /) -> str
builtins.frozenset(iterable=(), /) -> frozenset[parts]
builtins.hex(number, /) -> str
builtins.int(x=0, /, base=10) -> int; scalar equal
builtins.isinstance(obj, class_or_tuple, /) -> bool; reads
builtins.iter(iterable, /) -> iterator[parts]
builtins.len(obj, /) -> int; reads
builtins.list(iterable=(), /) -> list[parts]; reads
builtins.map(function, /, *iterables) -> iterator[results]; calls function(parts)
builtins.max(*args, key=None, default=None) -> args | parts; calls key(args | parts); reads
builtins.min(*args, key=None, default=None) -> args | parts; calls key(args | parts); reads
builtins.next(iterator, default=None, /) -> parts | given.default; changes
builtins.oct(number, /) -> str
builtins.ord(c, /) -> int; scalar
builtins.pow(base, exp, mod=None) -> number
builtins.range(start, stop=None, step=None, /) -> range; reads
builtins.repr(obj, /) -> str; scalar
builtins.reversed(sequence, /) -> iterator[parts]; reads
builtins.round(number, ndigits=None) -> number; scalar equal
builtins.set(iterable=(), /) -> set[parts]
builtins.slice(start, stop=None, step=None, /) -> slice
builtins.sorted(iterable, /, *, key=None, reverse=False) -> list[parts]; calls key(parts); reads
builtins.str(object="") -> str; scalar
builtins.sum(iterable, /, start=0) -> data; reads
builtins.tuple(iterable=(), /) -> tuple[parts]; reads
builtins.zip(*iterables, strict=False) -> iterator[tuple[parts]]; reads
builtins.__import__(name) -> refused side-effect
builtins.breakpoint() -> refused side-effect
builtins.compile(source, filename, mode) -> refused side-effect
builtins.delattr(obj, name, /) -> refused side-effect
builtins.eval(source, /) -> refused side-effect
builtins.exec(source, /) -> refused side-effect
builtins.exit() -> refused side-effect
builtins.globals() -> refused volatile
builtins.hash(obj, /) -> refused volatile
builtins.id(obj, /) -> refused volatile
builtins.input() -> refused volatile
builtins.locals() -> refused opaque
builtins.open(file) -> refused side-effect
builtins.print(*values) -> refused side-effect
builtins.quit() -> refused side-effect
builtins.setattr(obj, name, value, /) -> refused side-effect
builtins.vars() -> refused opaque
""")
