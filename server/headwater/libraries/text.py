"""Methods of ``str``, ``bytes`` and ``bytearray``, patterns of ``re`` and their matches."""

from __future__ import annotations

from .registry import functions, methods

_SHARED = """
{k}.capitalize() -> {k}; scalar
{k}.center(width, fillchar=None, /) -> {k}; scalar
{k}.count(sub, start=None, end=None, /) -> int; scalar
{k}.endswith(suffix, start=None, end=None, /) -> bool
{k}.expandtabs(tabsize=8) -> {k}
{k}.find(sub, start=None, end=None, /) -> int; scalar
{k}.index(sub, start=None, end=None, /) -> int; scalar
{k}.isalnum() -> bool; scalar
{k}.isalpha() -> bool; scalar
{k}.isascii() -> bool
{k}.isdigit() -> bool; scalar
{k}.islower() -> bool; scalar
{k}.isspace() -> bool; scalar
{k}.istitle() -> bool; scalar
{k}.isupper() -> bool; scalar
{k}.join(iterable, /) -> {k}
{k}.ljust(width, fillchar=None, /) -> {k}; scalar
{k}.lower() -> {k}; scalar
{k}.lstrip(chars=None, /) -> {k}; scalar
{k}.partition(sep, /) -> tuple[{k}]
{k}.removeprefix(prefix, /) -> {k}; scalar
{k}.removesuffix(suffix, /) -> {k}; scalar
{k}.replace(old, new, count=-1, /) -> {k}; scalar
{k}.rfind(sub, start=None, end=None, /) -> int; scalar
{k}.rindex(sub, start=None, end=None, /) -> int
{k}.rjust(width, fillchar=None, /) -> {k}; scalar
{k}.rpartition(sep, /) -> tuple[{k}]
{k}.rsplit(sep=None, maxsplit=-1) -> list[{k}]
{k}.rstrip(chars=None, /) -> {k}; scalar
{k}.split(sep=None, maxsplit=-1) -> list[{k}]
{k}.splitlines(keepends=False) -> list[{k}]
{k}.startswith(prefix, start=None, end=None, /) -> bool
{k}.strip(chars=None, /) -> {k}; scalar
{k}.swapcase() -> {k}; scalar
{k}.title() -> {k}; scalar
{k}.upper() -> {k}; scalar
{k}.zfill(width, /) -> {k}; scalar
"""
_BYTES = """
{k}.decode(encoding="utf-8", errors="strict") -> str
{k}.fromhex(string, /) -> {k}; static
{k}.hex(sep=None, bytes_per_sep=1) -> str
{k}.translate(table, /, delete=None) -> {k}
"""

methods(_SHARED.format(k="str"))
methods((_SHARED + _BYTES).format(k="bytes"))
methods((_SHARED + _BYTES).format(k="bytearray"))
methods("""
str.casefold() -> str; scalar
str.encode(encoding="utf-8", errors="strict") -> bytes
str.format(*args) -> str; keywords
str.format_map(mapping, /) -> refused opaque
str.isdecimal() -> bool; scalar
str.isidentifier() -> bool; scalar
str.isnumeric() -> bool; scalar
str.isprintable() -> bool
str.maketrans(x, y=None, z=None, /) -> dict[int | str | none | parts]; static
str.translate(table, /) -> str
bytes.maketrans(frm, to, /) -> bytes; static
bytearray.maketrans(frm, to, /) -> bytes; static
bytearray.append(item, /) -> none; changes
bytearray.clear() -> none; changes
bytearray.copy() -> bytearray
bytearray.extend(iterable, /) -> none; changes
bytearray.insert(index, item, /) -> none; changes
bytearray.pop(index=-1, /) -> int; changes
bytearray.remove(value, /) -> none; changes
bytearray.reverse() -> none; changes
Pattern.findall(string, pos=0, endpos=None) -> list[str | bytes | tuple[str | bytes]]
Pattern.finditer(string, pos=0, endpos=None) -> iterator[Match]
Pattern.flags -> int
Pattern.fullmatch(string, pos=0, endpos=None) -> Match | none
Pattern.groupindex -> dict[str | int]
Pattern.groups -> int
Pattern.match(string, pos=0, endpos=None) -> Match | none
Pattern.pattern -> str | bytes
Pattern.scanner(string, pos=0, endpos=None) -> refused opaque
Pattern.search(string, pos=0, endpos=None) -> Match | none
Pattern.split(string, maxsplit=0) -> list[str | bytes | none]
Pattern.sub(repl, string, count=0) -> str | bytes; calls repl(Match)
Pattern.subn(repl, string, count=0) -> tuple[str | bytes | int]; calls repl(Match)
Match.end(group=0, /) -> int
Match.endpos -> int
Match.expand(template) -> str | bytes
Match.group(*groups) -> str | bytes | none | tuple[str | bytes | none]
Match.groupdict(default=None) -> dict[str | bytes | none | args]
Match.groups(default=None) -> tuple[str | bytes | none | args]
Match.lastgroup -> str | none
Match.lastindex -> int | none
Match.pos -> int
Match.re -> Pattern
Match.regs -> tuple[tuple[int]]
Match.span(group=0, /) -> tuple[int]
Match.start(group=0, /) -> int
Match.string -> str | bytes
""")
functions("""
re.A -> int
re.ASCII -> int
re.DOTALL -> int
re.I -> int
re.IGNORECASE -> int
re.M -> int
re.MULTILINE -> int
re.S -> int
re.U -> int
re.UNICODE -> int
re.VERBOSE -> int
re.X -> int
re.compile(pattern, flags=0) -> Pattern
re.escape(pattern) -> str | bytes
re.findall(pattern, string, flags=0) -> list[str | bytes | tuple[str | bytes]]
re.finditer(pattern, string, flags=0) -> iterator[Match]
re.fullmatch(pattern, string, flags=0) -> Match | none
re.match(pattern, string, flags=0) -> Match | none
re.search(pattern, string, flags=0) -> Match | none
re.split(pattern, string, maxsplit=0, flags=0) -> list[str | bytes | none]
re.sub(pattern, repl, string, count=0, flags=0) -> str | bytes; calls repl(Match)
re.subn(pattern, repl, string, count=0, flags=0) -> tuple[str | bytes | int]; calls repl(Match)

string.ascii_letters -> str
string.ascii_lowercase -> str
string.ascii_uppercase -> str
string.capwords(s, sep=None) -> str
string.digits -> str
string.hexdigits -> str
string.punctuation -> str
string.whitespace -> str
""")
