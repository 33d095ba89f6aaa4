"""Python's built-in functions and exceptions."""

from __future__ import annotations

from .entry import entries

_EXCEPTIONS = """
ArithmeticError AssertionError AttributeError BaseException ConnectionError EOFError Exception FileNotFoundError
FloatingPointError IOError ImportError IndexError InterruptedError KeyError LookupError MemoryError ModuleNotFoundError
NameError NotImplementedError OSError OverflowError PermissionError RecursionError RuntimeError RuntimeWarning
StopIteration SystemExit TimeoutError TypeError UnicodeDecodeError UnicodeEncodeError UnicodeError UserWarning
ValueError Warning ZeroDivisionError
""".split()

BUILTINS = {
    **entries("\n".join(f"builtins.{name}(*args) -> exception" for name in _EXCEPTIONS)),
    **entries("""
builtins.abs(x, /) -> number | timedelta
builtins.all(iterable, /) -> bool
builtins.any(iterable, /) -> bool
builtins.ascii(obj, /) -> str
builtins.bin(number, /) -> str
builtins.bool(object=False, /) -> bool
builtins.bytearray(source=b"", encoding=None, errors=None) -> bytearray
builtins.bytes(source=b"", encoding=None, errors=None) -> bytes
builtins.callable(obj, /) -> bool
builtins.chr(i, /) -> str
builtins.complex(real=0, imag=0) -> complex
builtins.dict(other=None, /) -> dict[parts | parts_of_parts | given.keywords]; keywords
builtins.divmod(x, y, /) -> tuple[number | timedelta]
builtins.enumerate(iterable, start=0) -> iterator[tuple[int | parts]]
builtins.filter(function, iterable, /) -> iterator[parts]; calls function(parts)
builtins.float(x=0, /) -> float
builtins.format(value, format_spec="", /) -> str
builtins.frozenset(iterable=(), /) -> frozenset[parts]
builtins.hex(number, /) -> str
builtins.int(x=0, /, base=10) -> int
builtins.isinstance(obj, class_or_tuple, /) -> bool
builtins.iter(iterable, /) -> iterator[parts]
builtins.len(obj, /) -> int
builtins.list(iterable=(), /) -> list[parts]
builtins.map(function, /, *iterables) -> iterator[results]; calls function(parts)
builtins.max(*args, key=None, default=None) -> args | parts; calls key(args | parts)
builtins.min(*args, key=None, default=None) -> args | parts; calls key(args | parts)
builtins.next(iterator, default=None, /) -> parts | given.default; changes
builtins.oct(number, /) -> str
builtins.ord(c, /) -> int
builtins.pow(base, exp, mod=None) -> number
builtins.range(start, stop=None, step=None, /) -> range
builtins.repr(obj, /) -> str
builtins.reversed(sequence, /) -> iterator[parts]
builtins.round(number, ndigits=None) -> number
builtins.set(iterable=(), /) -> set[parts]
builtins.slice(start, stop=None, step=None, /) -> slice
builtins.sorted(iterable, /, *, key=None, reverse=False) -> list[parts]; calls key(parts)
builtins.str(object="") -> str
builtins.sum(iterable, /, start=0) -> data
builtins.tuple(iterable=(), /) -> tuple[parts]
builtins.zip(*iterables, strict=False) -> iterator[tuple[parts]]
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
"""),
}
