"""_part.py -- parts of a model as maps, and maps as the YAML of a model."""
from __future__ import annotations

import re
from typing import Any, Dict, List, Sequence, Union

import numpy as np

from . import errors

Number = Union[float, str]            # a string may carry a unit: "3 kN"
Numbers = Union[Number, Sequence[Number], np.ndarray]
Texts = Union[str, Sequence[str]]

# Texts that YAML takes as they are, inside of braces too.
_PLAIN = re.compile(r"(?!-\Z|- )[A-Za-z0-9_+.(/^-](?:(?!: | #|:\Z)[^\x00-\x1f\x7f,\[\]{}])*\Z")


class Part(Dict[str, Any]):
    """A typed map of a model: {type: coulomb, limit: 3}. Keys that are None are left out."""

    def __init__(self, kind: str, keys: Dict[str, Any], either: Sequence[tuple] = ()):
        for one, other in either:
            if keys[one] is None and keys[other] is None:
                raise TypeError(f"{kind} needs `{one}` or `{other}`")
        super().__init__(type=kind, **{k: v for k, v in keys.items() if v is not None})

    def __repr__(self) -> str:
        keys = ", ".join(f"{k}={v!r}" for k, v in self.items() if k != "type")
        return f"{self['type']}({keys})"


def times(factor: float, mode: int = 1) -> Dict[str, Any]:
    """A frequency: `factor` times the natural frequency of mode number `mode`, from 1."""
    return {"times": factor, "mode": mode}


def span(start: Number, end: Number, body: str = "") -> Dict[str, Any]:
    """A place along a body, from `start` to `end` [m]."""
    return {**({"body": body} if body else {}), "span": [start, end]}


def moving(velocity: Number) -> Dict[str, Any]:
    """A counterpart of a contact that moves: a belt, a bow [m/s]."""
    return {"velocity": velocity}


def number_text(value: float) -> str:
    """A number that reads back as the same bits."""
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    return repr(float(value))


def name_checked(kind: str, name: str) -> str:
    """A name can be part of a path: no dots, blanks or equals signs."""
    if not isinstance(name, str) or not name or re.search(r"[.\s=]", name):
        raise errors.ModelError("wrong-type", f"{name!r} cannot be the name of a {kind}", name if isinstance(name, str) else "",
                                "names are parts of paths: use letters, digits, `-` and `_`")
    return name


class Writer:
    """Values as YAML in one line; arrays are kept beside it, by name."""

    def __init__(self):
        self.arrays: Dict[str, Any] = {}

    def text(self, path: str, value) -> str:
        """The YAML of a value; `path` names arrays within it."""
        if isinstance(value, bool) or isinstance(value, np.bool_):
            return "true" if value else "false"
        if isinstance(value, (int, float, np.integer, np.floating)):
            return self._number(path, value)
        if isinstance(value, str):
            return self._string(path, value)
        if isinstance(value, dict):
            items = (f"{self._string(path, str(k))}: {self.text(f'{path}.{k}', v)}" for k, v in value.items() if v is not None)
            return "{" + ", ".join(items) + "}"
        if isinstance(value, np.ndarray):
            return self._array(path, value)
        if isinstance(value, (list, tuple)):
            return "[" + ", ".join(self.text(f"{path}.{i + 1}", v) for i, v in enumerate(value)) + "]"
        if hasattr(value, "tocsr"):
            return self.named(path, value)
        if hasattr(value, "__array__"):
            return self._array(path, np.asarray(value))
        raise errors.ModelError("wrong-type", f"a {type(value).__name__} cannot be a value of a model", path)

    def named(self, path: str, value) -> str:
        """What is too large for a text stands beside it."""
        self.arrays[path] = value
        return f'"@{path}"'

    @staticmethod
    def _number(path: str, value) -> str:
        if not np.isfinite(value):
            raise errors.ModelError("out-of-range", f"{value} is not a finite number", path)
        return number_text(value)

    @staticmethod
    def _string(path: str, value: str) -> str:
        if _PLAIN.match(value) and value == value.strip():
            return value
        if "\0" in value:
            raise errors.ModelError("wrong-type", "a text holds a NUL character", path)
        quoted = value.replace("\\", "\\\\").replace('"', '\\"')
        return '"' + re.sub(r"[\x00-\x1f\x7f]", lambda m: f"\\x{ord(m.group()):02x}", quoted) + '"'

    def _array(self, path: str, array: np.ndarray) -> str:
        if array.dtype.kind not in "fiub":
            return self.text(path, array.tolist())
        if array.ndim == 0:
            return self.text(path, array.item())
        if array.ndim == 1 and array.size > 64:
            return self.named(path, array)
        return self.text(path, array.tolist())


def split(changes) -> List[tuple]:
    """Changes as pairs (path, value): a map, or texts `path=value` as the command takes them."""
    if changes is None:
        return []
    if isinstance(changes, str):
        changes = [changes]
    if isinstance(changes, dict):
        return list(changes.items())
    pairs = []
    for one in changes:
        path, equals, value = one.partition("=") if isinstance(one, str) else (*one[:1], "=", *one[1:])
        if not equals:
            raise errors.ModelError("bad-usage", f"expected a path, `=` and a value, not {one!r}", str(one))
        pairs.append((path, Raw(value) if isinstance(one, str) else value))
    return pairs


class Raw(str):
    """YAML as typed."""
