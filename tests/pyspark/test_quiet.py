"""What may stand between jobs, run on the values that Spark hands over: it changes none of them, and calls no code of
the program's."""

from __future__ import annotations

import builtins
import contextlib
import gc
import io
import sys
import sysconfig
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyspark
import pytest
from pyspark.sql import Row

from headwater.pyspark.walls import quiet

VALUES: tuple[Any, ...] = (
    "a,B {0:>3} x", date(2024, 2, 29), datetime(2024, 2, 29, 13, 5, 7, 11), timedelta(hours=5), 7, -2.5, True,
    Decimal("1.50"), bytearray(b"ab"), None, [3, 1, 2], {"b": 1, "a": 2}, Row(n=3, m=1),
)  # fmt: skip
"""One of each type that a row of aggregates may hold."""
_ARGUMENTS: dict[str, tuple[tuple[Any, ...], ...]] = {
    "replace": (("a", "b"), (b"a", b"b"), (2023, 1, 1)), "strftime": (("%Y-%m-%d %H",),), "center": ((9,),),
    "ljust": ((9,),), "rjust": ((9,),), "zfill": ((9,),), "join": ((["a", "b"],),), "isinstance": ((int,), (str,)),
    "min": ((5,),), "max": ((5,),), "zip": (([1],),), "sum": ((2,),), "format": (("",), (5,)),
}  # fmt: skip
"""What they are given beside the value: each that fits is tried."""


def _called(function: Callable[..., Any], arguments: Sequence[Any]) -> tuple[Any, list[str]]:
    """What ``function`` gives, and where the functions stand that it runs, but those of Python's library and of
    Spark's rows. The garbage collector waits: its callbacks (hypothesis has one) run wherever it starts."""
    found: list[str] = []

    def note(frame: Any, event: str, _: object) -> None:
        if event == "call" and not frame.f_code.co_filename.startswith(_KNOWN):
            found.append(frame.f_code.co_filename)

    before = sys.getprofile()
    output = contextlib.redirect_stdout(io.StringIO())
    with output:
        gc.disable()
        sys.setprofile(note)
        try:
            return function(*arguments), found
        finally:
            sys.setprofile(before)
            gc.enable()


_KNOWN = (sysconfig.get_paths()["stdlib"], str(Path(pyspark.__file__).parent), __file__, "<frozen")


def _runs(function: Callable[..., Any], *arguments: Any) -> bool:
    """Whether ``function`` takes ``arguments``: then it changes none of them, calls no code, and gives the same when
    it is asked again."""
    before, results = repr(arguments), []
    for _ in range(2):
        try:
            given, found = _called(function, arguments)
        except (TypeError, ValueError, AttributeError, LookupError):
            return False
        assert not found, (function, arguments, found)
        assert repr(arguments) == before, (function, arguments)
        results.append(given)
    assert hasattr(results[0], "__next__") or repr(results[0]) == repr(results[1])
    return True


@pytest.mark.parametrize("method", sorted(quiet._OF_VALUES | quiet._OF_TEXT))
def test_methods_of_values_do_nothing_else(method: str) -> None:
    """Each is one of some value, and no value has a method of that name which does more."""
    runs = [
        _runs(getattr(value, method), *more)
        for value in VALUES
        if callable(getattr(value, method, None))
        for more in ((), *_ARGUMENTS.get(method, ()))
    ]
    assert any(runs)


@pytest.mark.parametrize("name", sorted(quiet._BUILTINS))
def test_functions_do_nothing_else(name: str) -> None:
    """Each takes some value."""
    function = getattr(builtins, name)
    runs = [_runs(function, value, *more) for value in VALUES for more in ((), *_ARGUMENTS.get(name, ()))]
    assert any(runs)


@pytest.mark.parametrize(("value", "method"), [([3], "append"), ({"a": 1}, "pop"), (bytearray(b"a"), "clear")])
def test_a_method_that_changes_its_value_is_seen(value: Any, method: str) -> None:
    """The check itself: of what is done to values, it sees what stays."""
    arguments = {"append": (1,), "pop": ("a",), "clear": ()}[method]
    with pytest.raises(AssertionError):
        _runs(lambda owner, *more: getattr(owner, method)(*more), value, *arguments)


def test_code_of_the_program_is_seen(tmp_path: Any) -> None:
    """A value of a class of the program's runs its code where it is shown."""
    place = tmp_path / "shown.py"
    place.write_text("class Shown:\n    def __str__(self):\n        return 'x'\n    __repr__ = __str__\n")
    names: dict[str, Any] = {}
    exec(compile(place.read_text(), str(place), "exec"), names)
    with pytest.raises(AssertionError):
        _runs(str, names["Shown"]())
