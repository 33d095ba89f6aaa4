"""Functions and constants of the standard library, by module.

Not listed as pure: what draws random numbers, reads the clock, the environment or files, keeps a state between calls
(``lru_cache``), changes what it is given (``operator.iadd``) or hands back an object that reading changes
(``itertools.count``).
"""

from __future__ import annotations

from .registry import functions, methods


def _each(module: str, names: str, rest: str) -> str:
    return "\n".join(f"{module}.{name}{rest}" for name in names.split())


_MATH = "\n".join(
    [
        _each("math", "cos degrees exp fabs log10 log1p log2 radians sin sqrt tan", "(x, /) -> float; scalar equal"),
        _each("math", "acos acosh asin asinh atan atanh cbrt cosh erf erfc exp2 expm1 gamma lgamma sinh tanh "
              "ulp", "(x, /) -> float"),
        _each("math", "ceil floor trunc", "(x, /) -> int; scalar equal"),
        _each("math", "factorial isqrt", "(x, /) -> int"),
        _each("math", "isfinite isinf", "(x, /) -> bool; scalar equal"),
        _each("math", "atan2 copysign fmod ldexp nextafter remainder", "(x, y, /) -> float"),
        _each("math", "e inf nan pi tau", " -> float"),
    ]
)  # fmt: skip
_OPERATORS = "\n".join(
    [
        _each("operator", "abs inv invert neg not_ pos truth index", "(a, /) -> data"),
        _each("operator", "add and_ concat contains countOf eq floordiv ge getitem gt indexOf le lshift lt mod mul ne "
              "or_ pow rshift sub truediv xor", "(a, b, /) -> data"),
        _each("operator", "iadd iand iconcat imul ior isub ixor delitem",
              "(a, b, /) -> refused side-effect"),
    ]
)  # fmt: skip
_STATISTICS = _each("statistics", "fmean geometric_mean harmonic_mean mean median median_high median_low mode "
                    "pstdev pvariance stdev variance", "(data) -> number | parts")  # fmt: skip
_ITERATORS = """
itertools.accumulate(iterable, func=None, *, initial=None) -> iterator[parts | given.initial | results]; \
    calls func(parts | given.initial | results, parts)
itertools.chain(*iterables) -> iterator[parts]
itertools.combinations(iterable, r) -> iterator[tuple[parts]]
itertools.combinations_with_replacement(iterable, r) -> iterator[tuple[parts]]
itertools.compress(data, selectors) -> iterator[parts]
itertools.count(start=0, step=1) -> refused side-effect
itertools.cycle(iterable, /) -> refused side-effect
itertools.dropwhile(predicate, iterable, /) -> iterator[parts]; calls predicate(parts)
itertools.filterfalse(function, iterable, /) -> iterator[parts]; calls function(parts)
itertools.groupby(iterable, key=None) -> iterator[tuple[results | parts | iterator[parts]]]; calls key(parts)
itertools.islice(iterable, start, stop=None, step=None, /) -> iterator[parts]
itertools.pairwise(iterable, /) -> iterator[tuple[parts]]
itertools.permutations(iterable, r=None) -> iterator[tuple[parts]]
itertools.product(*iterables, repeat=1) -> iterator[tuple[parts]]
itertools.repeat(object, times=1) -> refused side-effect
itertools.takewhile(predicate, iterable, /) -> iterator[parts]; calls predicate(parts)
itertools.tee(iterable, n=2, /) -> refused side-effect
itertools.zip_longest(*iterables, fillvalue=None) -> iterator[tuple[parts | given.fillvalue | none]]
"""
_HASHES = _each("hashlib", "blake2b blake2s md5 sha1 sha224 sha256 sha384 sha3_256 sha512", '(data=b"", /) -> hash')


functions(_MATH)
functions(_OPERATORS)
functions(_STATISTICS)
functions(_ITERATORS)
functions(_HASHES)
methods("""
hash.block_size -> int
hash.copy() -> hash
hash.digest() -> bytes
hash.digest_size -> int
hash.hexdigest() -> str
hash.name -> str
hash.update(data, /) -> none; changes
url.fragment -> str | bytes
url.hostname -> str | bytes | none
url.netloc -> str | bytes
url.params -> str | bytes
url.password -> str | bytes | none
url.path -> str | bytes
url.port -> int | none
url.query -> str | bytes
url.scheme -> str | bytes
url.username -> str | bytes | none
url.encode(encoding="ascii", errors="strict") -> url
url.geturl() -> str | bytes
url.count(value, /) -> int
url.index(value, start=0, stop=None, /) -> int
""")
functions(
    _each(
        "base64",
        "b64decode b64encode standard_b64decode standard_b64encode urlsafe_b64decode "
        "urlsafe_b64encode b32encode b32decode b16encode b16decode",
        "(s) -> bytes",
    )
)
functions(_each("bisect", "bisect bisect_left bisect_right", "(a, x, lo=0, hi=None) -> int"))
functions(_each("bisect", "insort insort_left insort_right", "(a, x, lo=0, hi=None) -> none; changes; adds given.x"))
functions("""
ast.literal_eval(node_or_string) -> data
binascii.hexlify(data) -> bytes
binascii.unhexlify(hexstr, /) -> bytes
binascii.crc32(data, crc=0, /) -> int
calendar.isleap(year) -> bool
calendar.monthrange(year, month) -> tuple[int]
copy.copy(x) -> args
copy.deepcopy(x) -> args
functools.partial(func, /, *args) -> function; keywords
functools.reduce(function, iterable, initial=None, /) -> parts | given.initial | results; \
    calls function(parts | given.initial | results, parts)
heapq.heapify(x, /) -> none; changes
heapq.heappop(heap, /) -> parts; changes
heapq.heappush(heap, item, /) -> none; changes; adds given.item
heapq.heappushpop(heap, item, /) -> parts | given.item; changes; adds given.item
heapq.heapreplace(heap, item, /) -> parts; changes; adds given.item
heapq.merge(*iterables, key=None, reverse=False) -> iterator[parts]; calls key(parts)
heapq.nlargest(n, iterable, key=None) -> list[parts]; calls key(parts)
heapq.nsmallest(n, iterable, key=None) -> list[parts]; calls key(parts)
html.escape(s, quote=True) -> str
html.unescape(s) -> str
itertools.chain.from_iterable(iterable, /) -> iterator[parts_of_parts]
json.dumps(obj, *, ensure_ascii=True, indent=None, separators=None, default=None, sort_keys=False) -> str; \
    calls default(data)
json.loads(s) -> data
math.comb(n, k, /) -> int
math.dist(p, q, /) -> float
math.frexp(x, /) -> tuple[number]
math.fsum(seq, /) -> float
math.gcd(*integers) -> int
math.hypot(*coordinates) -> float; scalar equal
math.isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0) -> bool
math.isnan(x, /) -> bool
math.lcm(*integers) -> int
math.log(x, base=None, /) -> float; scalar equal
math.modf(x, /) -> tuple[float]
math.perm(n, k=None, /) -> int
math.pow(x, y, /) -> float; scalar equal
math.prod(iterable, /, *, start=1) -> data
operator.attrgetter(attr, /) -> refused opaque
operator.call(obj) -> refused opaque
operator.itemgetter(item, /, *items) -> itemgetter[args]
operator.methodcaller(name, /) -> refused opaque
operator.setitem(a, b, c, /) -> refused side-effect
pyspark.sql.Row(*args) -> Row[args]; keywords
pyspark.sql.types.Row(*args) -> Row[args]; keywords
sys.maxsize -> int
numbers.Integral -> abstract
numbers.Number -> abstract
numbers.Real -> abstract
collections.abc.Iterable -> abstract
collections.abc.Mapping -> abstract
collections.abc.Sequence -> abstract
unicodedata.category(chr, /) -> str
unicodedata.normalize(form, unistr, /) -> str
urllib.parse.parse_qs(qs, keep_blank_values=False, strict_parsing=False) -> dict[str | list[str]]
urllib.parse.parse_qsl(qs, keep_blank_values=False, strict_parsing=False) -> list[tuple[str]]
urllib.parse.quote(string, safe="/", encoding=None, errors=None) -> str
urllib.parse.quote_plus(string, safe="", encoding=None, errors=None) -> str
urllib.parse.unquote(string, encoding="utf-8", errors="replace") -> str
urllib.parse.unquote_plus(string, encoding="utf-8", errors="replace") -> str
urllib.parse.urlencode(query, doseq=False) -> str
urllib.parse.urljoin(base, url, allow_fragments=True) -> str | bytes | args
urllib.parse.urlparse(url, scheme="", allow_fragments=True) -> url
urllib.parse.urlsplit(url, scheme="", allow_fragments=True) -> url
zlib.adler32(data, value=1, /) -> int
zlib.crc32(data, value=0, /) -> int
os.getenv(key, default=None) -> refused volatile
os.getpid() -> refused volatile
os.urandom(size, /) -> refused volatile
pandas.Timestamp.now() -> refused volatile
pandas.Timestamp.today() -> refused volatile
pandas.Timestamp.utcnow() -> refused volatile
random.choice(seq) -> refused volatile
random.gauss() -> refused volatile
random.randint(a, b) -> refused volatile
random.random() -> refused volatile
random.sample(population, k) -> refused volatile
random.shuffle(x) -> refused side-effect
random.uniform(a, b) -> refused volatile
time.monotonic() -> refused volatile
time.perf_counter() -> refused volatile
time.time() -> refused volatile
uuid.uuid1() -> refused volatile
uuid.uuid4() -> refused volatile
""")
