"""_library.py -- the C library: found, checked for its version, with its texts as str."""
from __future__ import annotations

import os

from ._native import ffi, version_number

_HERE = os.path.dirname(os.path.abspath(__file__))


def _candidates() -> list:
    """Files that may be the library: named by JUDDER_LIBRARY, beside the package, installed."""
    named = os.environ.get("JUDDER_LIBRARY")
    if named:
        return [named]
    major, minor = version_number // 10000, version_number // 100 % 100
    beside = os.path.join(_HERE, "libjudder.so")
    return [*([beside] if os.path.exists(beside) else []), f"libjudder.so.{major}.{minor}", "libjudder.so"]


def _open():
    reasons = []
    for path in _candidates():
        try:
            library = ffi.dlopen(path)
            number = library.jd_version_number()
        except (OSError, AttributeError, ffi.error) as error:
            reasons.append(f"{path}: {error}")
            continue
        if number // 100 == version_number // 100:
            return library, path
        reasons.append(f"{path} is of version {_dotted(number)}, but this package was made for "
                       f"{_dotted(version_number)}: structures in memory may differ")
    raise ImportError("libjudder.so cannot be used (JUDDER_LIBRARY names another one): " + "; ".join(reasons))


def _dotted(number: int) -> str:
    return f"{number // 10000}.{number // 100 % 100}.{number % 100}"


lib, library_path = _open()
NULL = ffi.NULL


def text(pointer) -> str:
    """A C text; "" where there is none."""
    return ffi.string(pointer).decode("utf-8", "replace") if pointer else ""


def address(pointer) -> int:
    """Where a pointer points to."""
    return int(ffi.cast("uintptr_t", pointer))


__version__ = text(lib.jd_version())
