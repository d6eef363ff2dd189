"""_targets.py -- files to be written: none may replace what the model is read from, nor another one of the same call."""
from __future__ import annotations

import contextlib
import os
from typing import Any, Dict, Sequence

from . import errors


def same(a: str, b: str) -> bool:
    """Whether two names are one regular file; where it is not there yet, one place."""
    if os.path.exists(a) and os.path.exists(b):
        return os.path.isfile(a) and os.path.samefile(a, b)
    return os.path.realpath(a) == os.path.realpath(b)


def spare(path: Any, own: Sequence[str], where: str = "") -> None:
    """Refuses a file that the model is read from: the model file, a matrix, a table."""
    path = os.fspath(path)
    for file in own:
        if same(path, file):
            raise errors.ModelError("bad-usage", f"the result would replace `{path}`, which the model is read from", where,
                                    "give the result another name")


@contextlib.contextmanager
def writing(path: str):
    """What the system refuses is a FileError, and nothing half-written is left."""
    try:
        yield
    except OSError as error:
        with contextlib.suppress(OSError):
            os.remove(path + ".part")
        raise errors.FileError("cannot-write", f"cannot write `{path}`: {error.strerror or error}", path) from None


def check(targets: Dict[str, Any], own: Sequence[str]) -> None:
    """Files by the keywords that name them, before anything is computed."""
    seen: Dict[str, str] = {}
    for key, path in targets.items():
        if not path:
            continue
        path = os.fspath(path)
        folder = os.path.dirname(path)
        if folder and not os.path.isdir(folder):
            raise errors.FileError("cannot-write", f"there is no folder `{folder}`", key)
        spare(path, own, key)
        for other, file in seen.items():
            if same(path, file):
                raise errors.ModelError("bad-usage", f"`{other}` and `{key}` both name `{path}`", key)
        seen[key] = path
