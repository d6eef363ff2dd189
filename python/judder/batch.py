"""batch.py -- many variants of a model: changes in, results in the same order out, on several threads."""
from __future__ import annotations

import os
import threading
from typing import Any, Callable, Dict, List, Union

from . import _arrays, _part, _work, errors
from .results import Result, Run


class Batch(list):
    """The results in the order of the cases; a JudderError where a case failed, None where it was not begun."""

    def __init__(self, cases: List[dict]):
        super().__init__([None] * len(cases))
        self.cases = cases
        self.interrupted = False

    @property
    def failed(self) -> Dict[int, Exception]:
        """Cases that failed, by number."""
        return {i: r for i, r in enumerate(self) if isinstance(r, Exception)}

    def to_pandas(self):
        """The cases with what came out: numbers and texts as they are, of runs and orbits what tells them in short."""
        pandas = _arrays.needed("pandas")
        rows = []
        for case, result in zip(self.cases, self):
            row = {k: v for k, v in case.items() if not isinstance(v, (dict, list))}
            rows.append({**row, **_short(result)})
        return pandas.DataFrame(rows)

    def __repr__(self) -> str:
        done = sum(r is not None for r in self)
        return f"<judder.Batch: {done} of {len(self)} cases, {len(self.failed)} failed>"


def _short(result: Any) -> Dict[str, Any]:
    """One row for a result."""
    if isinstance(result, errors.JudderError):
        return {"error": result.name, "message": result.message}
    if isinstance(result, Exception):
        return {"error": type(result).__name__, "message": str(result)}
    if isinstance(result, Run):
        row = {"stop": result.stop, "t_end": result.t_end, "events": result.count.total,
               "certified": result.certificate.certified, "energy_residual": result.energy.residual}
        for name, c in result.contacts.items():
            row[f"{name}.friction"], row[f"{name}.impacts"] = c.friction, c.impacts
        return row
    if isinstance(result, Result):
        return {k: v for k, v in result._facts().items()}
    if isinstance(result, dict):
        return result
    return {} if result is None else {"value": result}


def _cases(changes: Any) -> List[dict]:
    """Cases as maps from paths to values: a list of them, or the rows of a table with paths as columns."""
    if hasattr(changes, "to_dict") and hasattr(changes, "columns"):  # pandas.DataFrame
        return [dict(zip(changes.columns, row)) for row in changes.itertuples(index=False, name=None)]
    if isinstance(changes, dict):  # columns of equal length
        lengths = {len(v) for v in changes.values()}
        if len(lengths) > 1:
            raise errors.ModelError("size-mismatch", f"the columns have different lengths: {sorted(lengths)}")
        return [dict(zip(changes, row)) for row in zip(*changes.values())]
    return [dict(_part.split(one)) for one in changes]


def batch(model, changes: Any, do: Union[str, Callable] = "run", threads: int = 0, progress: Any = None,
          **options: Any) -> Batch:
    """Computes every case: the model with its changes. A case that fails does not stop the others.

    changes: a list of {"path": value}, a pandas.DataFrame with paths as columns, or {"path": list of values}
    do:      the verb ("run", "orbit", ...), its keywords as options here; or a function of the changed model, whose value
             is kept: do=lambda m: m.run().contacts["tip"].friction
    threads: at most so many at a time; 0: as many as there are processors. Results do not depend on it
    """
    threads, cases = _work.threads_checked(threads), _cases(changes)
    out, group = Batch(cases), _work.Group()
    work = do if callable(do) else lambda m: getattr(m, do)(quiet=True, **options)
    if callable(do) and options:
        raise errors.ModelError("bad-argument", "keywords are for a verb; a function takes none", next(iter(options)))
    if not callable(do) and not hasattr(model, do):
        raise errors.ModelError("unknown-name", f"there is no verb {do!r}", "do")
    if cases:
        model._problem()
    numbers, lock = iter(range(len(cases))), threading.Lock()

    def worker() -> None:
        _work.here.group = group
        while not group.stopped:
            with lock:
                i = next(numbers, None)
            if i is None:
                return
            try:
                out[i] = work(model.copy().set(cases[i]) if cases[i] else model.copy())
            except Exception as error:  # pylint: disable=broad-except
                out[i] = error
            group.done += 1

    count = min(threads or os.cpu_count() or 1, max(1, len(cases)))
    out.interrupted = _work.together([worker] * count, group, len(cases), progress)
    return out
