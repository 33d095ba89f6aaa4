"""Dates, times, durations and decimals. Not listed as pure: the clock."""

from __future__ import annotations

from .registry import functions, methods

_DATE = """
{k}.ctime() -> str
{k}.day -> int
{k}.fromisocalendar(year, week, day) -> {k}; static
{k}.fromisoformat(string, /) -> {k}; static
{k}.fromordinal(ordinal, /) -> {k}; static
{k}.isocalendar() -> tuple[int]
{k}.isoformat({i}) -> str
{k}.isoweekday() -> int
{k}.max -> {k}; static
{k}.min -> {k}; static
{k}.month -> int
{k}.resolution -> timedelta; static
{k}.strftime(format) -> str
{k}.timetuple() -> refused opaque
{k}.today() -> refused volatile; static
{k}.toordinal() -> int
{k}.weekday() -> int
{k}.year -> int
"""
_TIME = """
{k}.dst() -> timedelta | none
{k}.fold -> int
{k}.hour -> int
{k}.microsecond -> int
{k}.minute -> int
{k}.second -> int
{k}.tzinfo -> timezone | none
{k}.tzname() -> str | none
{k}.utcoffset() -> timedelta | none
"""
methods(_DATE.format(k="date", i=""))
methods(_DATE.format(k="datetime", i='sep="T", timespec="auto"') + _TIME.format(k="datetime"))
methods(_TIME.format(k="time"))
methods("""
date.fromtimestamp(timestamp, /) -> date; static
date.replace(year=None, month=None, day=None) -> date
datetime.astimezone(tz=None) -> datetime
datetime.combine(date, time, tzinfo=None) -> datetime; static
datetime.date() -> date
datetime.fromtimestamp(timestamp, tz=None) -> datetime; static
datetime.now(tz=None) -> refused volatile; static
datetime.replace(year=None, month=None, day=None, hour=None, minute=None, second=None, microsecond=None, \
    tzinfo=None, *, fold=None) -> datetime
datetime.strptime(string, format, /) -> datetime; static
datetime.time() -> time
datetime.timestamp() -> float
datetime.timetz() -> time
datetime.utcfromtimestamp(timestamp, /) -> datetime; static
datetime.utcnow() -> refused volatile; static
datetime.utctimetuple() -> refused opaque
time.fromisoformat(string, /) -> time; static
time.isoformat(timespec="auto") -> str
time.max -> time; static
time.min -> time; static
time.replace(hour=None, minute=None, second=None, microsecond=None, tzinfo=None, *, fold=None) -> time
time.resolution -> timedelta; static
time.strftime(format) -> str
timedelta.days -> int
timedelta.max -> timedelta; static
timedelta.microseconds -> int
timedelta.min -> timedelta; static
timedelta.resolution -> timedelta; static
timedelta.seconds -> int
timedelta.total_seconds() -> float
timezone.dst(dt, /) -> timedelta | none
timezone.fromutc(dt, /) -> datetime
timezone.max -> timezone; static
timezone.min -> timezone; static
timezone.tzname(dt, /) -> str
timezone.utc -> timezone; static
timezone.utcoffset(dt, /) -> timedelta
""")

methods(
    "\n".join(
        [
            *(f"Decimal.{n}() -> Decimal" for n in "canonical conjugate copy_abs copy_negate radix".split()),
            *(
                f"Decimal.{n}(context: never = None) -> Decimal"
                for n in "exp ln log10 logb logical_invert next_minus next_plus normalize sqrt".split()
            ),
            *(
                f"Decimal.{n}(other, context: never = None) -> Decimal"
                for n in """compare compare_signal compare_total compare_total_mag copy_sign logical_and logical_or
            logical_xor max max_mag min min_mag next_toward remainder_near rotate scaleb shift""".split()
            ),
            *(
                f"Decimal.{n}(rounding=None, context: never = None) -> Decimal"
                for n in "to_integral to_integral_exact to_integral_value".split()
            ),
            *(f"Decimal.is_{n}() -> bool" for n in "canonical finite infinite nan qnan signed snan zero".split()),
            *(f"Decimal.is_{n}(context: never = None) -> bool" for n in "normal subnormal".split()),
        ]
    )
    + """
Decimal.adjusted() -> int
Decimal.as_integer_ratio() -> tuple[int]
Decimal.as_tuple() -> tuple[int | str | tuple[int]]
Decimal.fma(other, third, context: never = None) -> Decimal
Decimal.from_float(f, /) -> Decimal; static
Decimal.imag -> Decimal
Decimal.number_class(context: never = None) -> str
Decimal.quantize(exp, rounding=None, context: never = None) -> Decimal
Decimal.real -> Decimal
Decimal.same_quantum(other, context: never = None) -> bool
Decimal.to_eng_string(context: never = None) -> str
"""
)

functions("""
decimal.Decimal(value="0", context: never = None) -> Decimal
decimal.ROUND_CEILING -> str
decimal.ROUND_DOWN -> str
decimal.ROUND_FLOOR -> str
decimal.ROUND_HALF_DOWN -> str
decimal.ROUND_HALF_EVEN -> str
decimal.ROUND_HALF_UP -> str
decimal.ROUND_UP -> str
decimal.getcontext() -> refused side-effect
decimal.setcontext(ctx, /) -> refused side-effect
datetime.UTC -> timezone
datetime.date(year, month, day) -> date; reads
datetime.datetime(year, month, day, hour=0, minute=0, second=0, microsecond=0, tzinfo=None, *, fold=0) -> datetime
datetime.time(hour=0, minute=0, second=0, microsecond=0, tzinfo=None, *, fold=0) -> time
datetime.timedelta(days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0, hours=0, weeks=0) -> timedelta; reads
datetime.timezone(offset, name=None) -> timezone
""")
