"""_arrays.py -- numpy views of C memory, structs as records, and tables of columns.

Nothing is copied: an array's base holds the handle of the result, so that the memory lives as long as the array.
"""
from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Dict, Iterator, List, Optional

import numpy as np

from . import errors
from ._library import NULL, address, ffi, lib, text

_CODES = {lib.JD_ARRAY_DOUBLE: "<f8", lib.JD_ARRAY_INT: "<i4", lib.JD_ARRAY_LONG: "<i8", lib.JD_ARRAY_BOOL: "|b1"}


class _Memory:
    """What numpy asks for an array's memory; holds the owner."""

    def __init__(self, owner, pointer, code: str, shape: tuple, strides: Optional[tuple]):
        self.owner = owner
        self.__array_interface__ = {"data": (address(pointer), True), "typestr": code, "shape": shape,
                                    "strides": strides, "version": 3}


def view(owner, pointer, shape: tuple, code: str = "<f8", strides: Optional[tuple] = None) -> np.ndarray:
    """A read-only array over C memory that belongs to `owner`."""
    if pointer == NULL or 0 in shape:
        return np.empty(shape, code)
    return np.asarray(_Memory(owner, pointer, code, tuple(shape), strides))


def of_result(owner) -> Dict[str, Any]:
    """Every array of a result by its path; texts as lists."""
    arrays = {}
    for i in range(lib.jd_result_arrays(owner.pointer)):
        a = lib.jd_result_array(owner.pointer, i)
        shape, strides = tuple(a.size[0:a.rank]), tuple(a.stride[0:a.rank])
        if a.type == lib.JD_ARRAY_TEXT:
            arrays[text(a.path)] = _texts(a.data, shape, strides)
        else:
            arrays[text(a.path)] = view(owner, a.data, shape, _CODES[a.type], strides)
    return arrays


def units_of_result(owner) -> Dict[str, Optional[str]]:
    """The SI unit of every array; "" of a plain number, None of what is no number or has the model's own unit."""
    found = (lib.jd_result_array(owner.pointer, i) for i in range(lib.jd_result_arrays(owner.pointer)))
    return {text(a.path): text(a.unit) if a.unit else None for a in found}


def _texts(data, shape, strides) -> List[str]:
    if len(shape) != 1:
        return [_texts(ffi.cast("const char *", data) + i * strides[0], shape[1:], strides[1:])
                for i in range(shape[0])]
    start = ffi.cast("const char *", data)
    return [text(ffi.cast("const char *const *", start + i * strides[0])[0]) for i in range(shape[0])]


def column(owner, first, n: int, name: str) -> np.ndarray:
    """One member of n C structs in a row; `first` points to them."""
    item = ffi.typeof(first).item
    kind, shape = dict(item.fields)[name].type, (n,)
    if kind.kind == "array":
        kind, shape = kind.item, (n, kind.length)
    code = {"double": "<f8", "int": "<i4", "long": "<i8", "_Bool": "|b1", "bool": "|b1"}.get(kind.cname, "<i4")
    if n == 0:
        return np.empty(shape, code)
    size = ffi.sizeof(kind)
    strides = (ffi.sizeof(item),) + ((size,) if len(shape) == 2 else ())
    return view(owner, ffi.cast("char *", first) + ffi.offsetof(item, name), shape, code, strides)


class Record(SimpleNamespace):
    """Named numbers and texts of a result."""

    def __init__(self, **members):
        super().__init__(**members)

    def _asdict(self) -> dict:
        return dict(self.__dict__)

    def _repr_html_(self) -> str:
        from . import _html
        return _html.rows(self.__dict__)


def record(struct, names: Optional[Dict[str, Any]] = None) -> Record:
    """The plain members of a C struct: numbers, texts, structs of such; pointers to anything else are left out."""
    members = {}
    for name, field in ffi.typeof(struct).fields:
        value = _plain(getattr(struct, name), field.type, (names or {}).get(name))
        if value is not None:
            members[name] = value
    return Record(**members)


def _plain(value, kind, name_of):
    if kind.kind == "enum":
        return text(name_of(value)) if name_of else int(value)
    if kind.kind == "primitive":
        return value
    if kind.kind == "struct":
        return record(value)
    if kind.kind == "pointer" and kind.item.kind == "primitive" and kind.item.cname in ("char", "const char"):
        return text(value)
    if kind.kind == "array" and kind.item.kind == "primitive":
        return tuple(value)
    return None


class Table:
    """Columns of the same length: a mapping from names to arrays, also as attributes."""

    def __init__(self, columns: Dict[str, Any]):
        self._columns = columns

    def keys(self) -> List[str]:
        """Names of the columns."""
        return list(self._columns)

    def __getitem__(self, name: str):
        return self._columns[name]

    def __getattr__(self, name: str):
        if name.startswith("__") or name == "_columns":
            raise AttributeError(name)
        try:
            return self._columns[name]
        except KeyError:
            raise AttributeError(f"there is no column {name!r}; there are {', '.join(self._columns)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()))) if self._columns else 0

    def __dir__(self):
        return [*super().__dir__(), *(k for k in self._columns if k.isidentifier())]

    def __repr__(self) -> str:
        return f"<{len(self)} rows: {', '.join(self._columns)}>"

    def to_pandas(self):
        """A pandas.DataFrame; columns with several numbers in a cell become several columns."""
        pandas = needed("pandas")
        flat = {}
        for name, column in self._columns.items():
            if isinstance(column, np.ndarray) and column.ndim > 1:
                cells = column.reshape(len(column), -1)
                flat.update({f"{name}.{k + 1}": cells[:, k] for k in range(cells.shape[1])})
            else:
                flat[name] = column
        return pandas.DataFrame(flat)

    def _repr_html_(self) -> str:
        from . import _html
        return _html.table(self)


def table(arrays: Dict[str, Any], prefix: str) -> Table:
    """The columns below a path: `samples/...`."""
    below = prefix + "/"
    return Table({path[len(below):]: a for path, a in arrays.items()
                  if path.startswith(below) and "/" not in path[len(below):]})


def needed(module: str):
    """Imports what is used only when asked for, or says what to install."""
    import importlib
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.split(".")[0]
        raise ImportError(f"{package} is needed for this and is not installed (Debian: python3-{package}; "
                          f"pip install {package})") from error


def complex_of(pairs: np.ndarray) -> np.ndarray:
    """(n, 2) numbers re, im as n complex ones, in place where they lie side by side."""
    if pairs.size == 0:
        return np.empty(len(pairs), complex)
    if pairs.strides[-1] == 8 and pairs.strides[0] == 16:
        return pairs.view(complex)[:, 0]
    return pairs[:, 0] + 1j * pairs[:, 1]


def finite(name: str, values, ndim: int = 1) -> np.ndarray:
    """Real finite numbers of the caller as contiguous doubles."""
    array = np.asarray(values)
    if array.dtype.kind not in "fiu":
        raise errors.ModelError("wrong-type", f"{name} must hold real numbers, not {array.dtype}", name)
    if array.ndim != ndim:
        raise errors.ModelError("size-mismatch", f"{name} has {array.ndim} dimensions, but must have {ndim}", name)
    array = np.ascontiguousarray(array, dtype=float)
    if not np.isfinite(array).all():
        raise errors.ModelError("out-of-range", f"{name} holds numbers that are not finite", name)
    return array
