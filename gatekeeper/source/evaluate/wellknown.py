"""Names of numpy, pandas and scipy that mean the same in every release, as far as an id can tell.

What is here was compared with the packages themselves: a name is listed where the object's ``__name__`` is that name, a
call where what it makes has no ``__name__`` and is neither text nor number. Scalars that are floats or complex numbers
to Python (``numpy.float64(1)``), aliases whose name has changed (``numpy.bool_``) and everything else stay unknown.
"""

from __future__ import annotations

import math

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.evaluate.values import Thing

if TYPE_CHECKING:
    from gatekeeper.source.evaluate.values import Value

_SCALARS = """
int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 complex64 datetime64 timedelta64
"""
_ARRAYS = """
array asarray asanyarray ascontiguousarray asfortranarray arange linspace logspace geomspace zeros ones empty full eye
identity zeros_like ones_like empty_like full_like concatenate stack hstack vstack dstack column_stack tile repeat diag
tri tril triu atleast_1d atleast_2d atleast_3d
"""
_NUMPY = """
float64 complex128 ndarray generic number integer signedinteger unsignedinteger inexact floating complexfloating
flexible character object_ bytes_ str_ void matrix recarray ufunc vectorize errstate finfo iinfo poly1d
absolute add all allclose angle any append apply_along_axis arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmax
argmin argpartition argsort argwhere array_equal array_split average bincount bitwise_and bitwise_or bitwise_xor
broadcast_arrays broadcast_to cbrt ceil clip convolve copy copysign copyto corrcoef correlate cos cosh count_nonzero cov
cross cumprod cumsum deg2rad degrees delete diagonal diff digitize divmod dot dsplit ediff1d einsum equal exp exp2
expand_dims expm1 fabs flatnonzero flip fliplr flipud float_power floor floor_divide fmax fmin fmod frombuffer
fromfunction fromiter gradient greater greater_equal heaviside histogram hsplit hypot inner insert interp intersect1d
invert isclose iscomplex isfinite isin isinf isnan isneginf isposinf isreal isscalar issubdtype kron left_shift less
less_equal lexsort log log10 log1p log2 logaddexp logaddexp2 logical_and logical_not logical_or logical_xor matmul
maximum mean median meshgrid minimum moveaxis multiply nan_to_num nanargmax nanargmin nancumprod nancumsum nanmax
nanmean nanmedian nanmin nanpercentile nanprod nanquantile nanstd nansum nanvar ndenumerate ndim ndindex negative
nextafter nonzero not_equal outer pad partition percentile polyfit polyval positive power prod ptp put quantile rad2deg
radians ravel reciprocal remainder reshape resize result_type right_shift rint roll rollaxis rot90 searchsorted select
setdiff1d setxor1d shape
sign signbit sin sinc sinh size sort spacing split sqrt square squeeze std subtract sum swapaxes
take tan tanh tensordot trace transpose trunc unique unwrap var vdot vsplit where
"""
_SPARSE = " ".join(
    f"{kind}_{form}" for kind in ("bsr", "coo", "csc", "csr", "dia", "dok", "lil") for form in ("matrix", "array")
)
_OFFSETS = """
BHalfYearBegin BHalfYearEnd BQuarterBegin BQuarterEnd BYearBegin BYearEnd BaseOffset BusinessDay BusinessHour
BusinessMonthBegin BusinessMonthEnd CustomBusinessDay CustomBusinessHour CustomBusinessMonthBegin CustomBusinessMonthEnd
DateOffset Day Easter FY5253 FY5253Quarter HalfYearBegin HalfYearEnd Hour LastWeekOfMonth Micro Milli Minute MonthBegin
MonthEnd Nano QuarterBegin QuarterEnd Second SemiMonthBegin SemiMonthEnd Tick Week WeekOfMonth YearBegin YearEnd
"""
_PANDAS = """
ArrowDtype BooleanDtype Categorical CategoricalDtype CategoricalIndex DataFrame DateOffset DatetimeIndex DatetimeTZDtype
ExcelFile ExcelWriter Float32Dtype Float64Dtype Grouper HDFStore Index Int16Dtype Int32Dtype Int64Dtype Int8Dtype
Interval IntervalDtype IntervalIndex MultiIndex Period PeriodDtype PeriodIndex RangeIndex Series SparseDtype StringDtype
Timedelta TimedeltaIndex Timestamp UInt16Dtype UInt32Dtype UInt64Dtype UInt8Dtype
"""
_TABLES = "Complex128 Complex64 Float32 Float64 Int16 Int32 Int64 Int8 PyObject String UInt16 UInt32 UInt64 UInt8"
_MADE = {
    **{f"numpy.{name}": f"numpy.{name}" for name in _SCALARS.split()},
    **{f"numpy.{name}": "numpy.ndarray" for name in _ARRAYS.split()},
    "numpy.dtype": "numpy.dtype",
    "numpy.random.RandomState": "numpy.random.RandomState",
    "numpy.random.default_rng": "numpy.random.Generator",
    **{f"scipy.sparse.{name}": f"scipy.sparse.{name}" for name in _SPARSE.split()},
    **{f"pandas.{name}": f"pandas.{name}" for name in _PANDAS.split()},
    **{
        f"pandas.{name}": "pandas.Index" for name in ("date_range", "period_range", "timedelta_range", "interval_range")
    },
    **dict.fromkeys(("pandas.array", "pandas.to_datetime", "pandas.to_timedelta", "pandas.concat"), "pandas.Index"),
    **{f"pandas.offsets.{name}": f"pandas.{name}" for name in _OFFSETS.split()},
    **{f"pandas._libs.tslibs.offsets.{name}": f"pandas.{name}" for name in _OFFSETS.split()},
    "pandas._libs.tslibs.timestamps.Timestamp": "pandas.Timestamp",
    "pandas._libs.tslibs.timedeltas.Timedelta": "pandas.Timedelta",
    "pandas._libs.tslibs.period.Period": "pandas.Period",
    "pandas._libs.interval.Interval": "pandas.Interval",
}
_ALSO = {
    *(f"numpy.{name}" for name in _NUMPY.split()),
    *(f"pandas._libs.tslibs.{name}" for name in ("Timestamp", "Timedelta", "Period", "BaseOffset", "Tick")),
    *(f"pandas._libs.hashtable.{name}HashTable" for name in _TABLES.split()),
    *(
        f"pandas.{name}"
        for name in ("array", "concat", "isna", "notna", "merge", "to_datetime", "to_numeric", "unique")
    ),
}
_NOT_NAMED_SO = {"numpy.random.default_rng"}
NAMED = (_MADE.keys() | _ALSO) - _NOT_NAMED_SO
"""Classes and functions that are named as the last part says."""

FACTS: dict[str, Value] = {
    "numpy.nan": math.nan,
    "numpy.inf": math.inf,
    "numpy.pi": math.pi,
    "numpy.e": math.e,
    "numpy.newaxis": None,
    **dict.fromkeys(
        ("pandas.NaT", "pandas._libs.tslibs.nattype.NaT", "pandas._libs.tslibs.NaT"), Thing("pandas.NaTType")
    ),
    **dict.fromkeys(("pandas.NA", "pandas._libs.missing.NA"), Thing("pandas.NAType")),
}
"""Values that never change."""

NAMELESS = frozenset({"pandas.core.generic.NDFrame"})
"""Classes with a ``__getattr__`` that gives no ``__name__``."""


_ITS_OWN = """
DataFrame Series Index RangeIndex MultiIndex CategoricalIndex DatetimeIndex TimedeltaIndex PeriodIndex IntervalIndex
Categorical Grouper array concat date_range period_range timedelta_range interval_range to_datetime to_timedelta
"""
_ITSELF = frozenset(_ITS_OWN.split())


def made_by_its_own(module: str, name: str) -> Thing | None:
    """What calling a class or function of pandas makes in pandas' own suite, where running it would lead nowhere."""
    if name in _ITSELF and module.startswith("pandas.core."):
        return made_by(f"pandas.{name}")
    return None


def made_by(name: str) -> Thing | None:
    """What calling ``name`` makes, if that is something without a name; None where it is not known."""
    kind = _MADE.get(name)
    return None if kind is None else Thing(kind)
