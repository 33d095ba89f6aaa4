"""Methods of ``str``, ``bytes`` and ``bytearray``, patterns of ``re`` and their matches."""

from __future__ import annotations

from .entry import entries, methods

_SHARED = """
{k}.capitalize() -> {k}
{k}.center(width, fillchar=None, /) -> {k}
{k}.count(sub, start=None, end=None, /) -> int
{k}.endswith(suffix, start=None, end=None, /) -> bool
{k}.expandtabs(tabsize=8) -> {k}
{k}.find(sub, start=None, end=None, /) -> int
{k}.index(sub, start=None, end=None, /) -> int
{k}.isalnum() -> bool
{k}.isalpha() -> bool
{k}.isascii() -> bool
{k}.isdigit() -> bool
{k}.islower() -> bool
{k}.isspace() -> bool
{k}.istitle() -> bool
{k}.isupper() -> bool
{k}.join(iterable, /) -> {k}
{k}.ljust(width, fillchar=None, /) -> {k}
{k}.lower() -> {k}
{k}.lstrip(chars=None, /) -> {k}
{k}.partition(sep, /) -> tuple[{k}]
{k}.removeprefix(prefix, /) -> {k}
{k}.removesuffix(suffix, /) -> {k}
{k}.replace(old, new, count=-1, /) -> {k}
{k}.rfind(sub, start=None, end=None, /) -> int
{k}.rindex(sub, start=None, end=None, /) -> int
{k}.rjust(width, fillchar=None, /) -> {k}
{k}.rpartition(sep, /) -> tuple[{k}]
{k}.rsplit(sep=None, maxsplit=-1) -> list[{k}]
{k}.rstrip(chars=None, /) -> {k}
{k}.split(sep=None, maxsplit=-1) -> list[{k}]
{k}.splitlines(keepends=False) -> list[{k}]
{k}.startswith(prefix, start=None, end=None, /) -> bool
{k}.strip(chars=None, /) -> {k}
{k}.swapcase() -> {k}
{k}.title() -> {k}
{k}.upper() -> {k}
{k}.zfill(width, /) -> {k}
"""
_BYTES = """
{k}.decode(encoding="utf-8", errors="strict") -> str
{k}.fromhex(string, /) -> {k}; static
{k}.hex(sep=None, bytes_per_sep=1) -> str
{k}.translate(table, /, delete=None) -> {k}
"""

TEXT = {
    **methods(_SHARED.format(k="str")),
    **methods((_SHARED + _BYTES).format(k="bytes")),
    **methods((_SHARED + _BYTES).format(k="bytearray")),
    **methods("""
str.casefold() -> str
str.encode(encoding="utf-8", errors="strict") -> bytes
str.format(*args) -> str; keywords
str.format_map(mapping, /) -> refused opaque
str.isdecimal() -> bool
str.isidentifier() -> bool
str.isnumeric() -> bool
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
"""),
    **entries("""
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
"""),
}
