"""_work.py -- long calls: another thread computes, this one waits for it, shows progress and takes Ctrl-C.

cffi releases the interpreter's lock during a call. Python's own signal handlers run in the main thread, between its
instructions: it must therefore not be inside the C library. Ctrl-C cancels the context; the call then ends early with
what there is. A second Ctrl-C does not wait for that.
"""
from __future__ import annotations

import os
import queue
import sys
import threading
import time
import warnings

import numpy as np

from . import errors
from ._handles import Context

_PATIENCE = 1.0  # [s] before a line of progress is shown
_EVERY = 0.1     # [s] between looks
MOST_THREADS = 1024


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    shell = shell.get_ipython() if shell else None
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"


class _Line:
    """A line on stderr that is overwritten, in a terminal or a notebook."""

    def __init__(self):
        self.begin, self.width = time.monotonic(), 0

    def __call__(self, what: str, fraction: float) -> None:
        if time.monotonic() - self.begin < _PATIENCE or not what:
            return
        line = f"{what}: {100 * fraction:.0f} %"
        self.width = max(self.width, len(line))
        sys.stderr.write("\r" + line.ljust(self.width))
        sys.stderr.flush()

    def end(self) -> None:
        if self.width:
            sys.stderr.write("\r" + " " * self.width + "\r")
            sys.stderr.flush()


def _shown_by(progress):
    """What is called with (what, fraction): the caller's hook, a line, or nothing."""
    if callable(progress):
        return progress
    wanted = progress if progress is not None else (sys.stderr is not None and sys.stderr.isatty()) or _in_notebook()
    return _Line() if wanted else None


def threads_checked(threads) -> int:
    """How many threads at most; 0, or None: as many as there are processors."""
    if threads is None:
        return 0
    whole = isinstance(threads, (int, np.integer)) and not isinstance(threads, bool)
    if not whole or not 0 <= threads <= MOST_THREADS:
        raise errors.ModelError("out-of-range" if whole else "wrong-type",
                                f"`threads` is a whole number from 0 to {MOST_THREADS}, not {threads!r}", "threads",
                                "0: as many as there are processors")
    return int(threads)


class _Worker:
    """A thread that computes one job after another: its memory is warm when the next one comes."""

    idle: list = []  # those without work

    def __init__(self):
        self.jobs: "queue.SimpleQueue" = queue.SimpleQueue()
        threading.Thread(target=self._run, name="judder", daemon=True).start()

    def _run(self) -> None:
        while True:
            job = self.jobs.get()
            job.run()
            _Worker.idle.append(self)
            job.done.set()
            del job  # and what it holds

    @staticmethod
    def give(job: "_Job") -> None:
        try:
            worker = _Worker.idle.pop()
        except IndexError:
            worker = _Worker()
        worker.jobs.put(job)


os.register_at_fork(after_in_child=_Worker.idle.clear)  # threads do not come along


class _Job:
    """One call, done by a worker."""

    def __init__(self, call):
        self.call, self.value, self.error = call, None, None
        self.done = threading.Event()
        _Worker.give(self)

    def run(self) -> None:
        """Calls it."""
        try:
            self.value = self.call()
        except BaseException as error:  # pylint: disable=broad-except
            self.error = error
        self.call = None


class Group:
    """Computations of several threads that are stopped together."""

    def __init__(self):
        self.stopped, self.done, self.total, self._contexts, self._lock = False, 0, 1, set(), threading.Lock()

    def enter(self, contexts) -> None:
        with self._lock:
            self._contexts.update(contexts)
            if self.stopped:
                for context in contexts:
                    context.cancel()

    def leave(self, contexts) -> None:
        with self._lock:
            self._contexts.difference_update(contexts)

    def cancel(self) -> None:
        with self._lock:
            self.stopped = True
            for context in self._contexts:
                context.cancel()

    def progress(self) -> tuple:
        return "batch", self.done / max(1, self.total)


here = threading.local()  # .group: that of the thread


class _Alone:
    """The contexts of one call, as a group."""

    def __init__(self, contexts):
        self.contexts, self.progress = contexts, contexts[0].progress

    def cancel(self) -> None:
        for context in self.contexts:
            context.cancel()


def _watch(done: threading.Event, group, shown) -> bool:
    """Waits; True when it was asked to stop. An error of the hook stops the work and is raised when it has ended."""
    stopped, failure = False, None
    while not done.is_set():
        try:
            if done.wait(_EVERY if shown and not failure else 60):
                break
            if shown and not failure and shown(*group.progress()) is False:
                raise KeyboardInterrupt
        except KeyboardInterrupt:
            if stopped:
                raise
            stopped = True
        except Exception as error:  # pylint: disable=broad-except
            failure = error
        if stopped or failure:
            group.cancel()
    if failure:
        raise failure
    return stopped


def _waited(done: threading.Event, group, progress) -> bool:
    """Waits with a line of progress; True when it was asked to stop."""
    shown = _shown_by(progress)
    try:
        stopped = _watch(done, group, shown)
    except BaseException:
        group.cancel()  # threads hold what they work with until they end
        raise
    finally:
        if isinstance(shown, _Line):
            shown.end()
    if stopped:
        warnings.warn("interrupted: the result is what there was until then", stacklevel=5)
    return stopped


def long(contexts, call, progress=None):
    """call() by another thread; the contexts are those it works with."""
    contexts = [contexts] if isinstance(contexts, Context) else list(contexts)
    group = getattr(here, "group", None)
    if group is not None:
        group.enter(contexts)
        try:
            return call()
        finally:
            group.leave(contexts)
    if threading.current_thread() is not threading.main_thread() and not callable(progress):
        return call()
    job = _Job(call)
    _waited(job.done, _Alone(contexts), progress)
    if job.error:
        raise job.error
    return job.value


def together(workers, group: Group, total: int, progress=None) -> bool:
    """Runs every worker in a thread of its own; True when they were asked to stop."""
    group.total = total
    done, left, lock = threading.Event(), [len(workers)], threading.Lock()

    def run(worker) -> None:
        try:
            worker()
        finally:
            with lock:
                left[0] -= 1
                if left[0] == 0:
                    done.set()

    for worker in workers:
        threading.Thread(target=run, args=(worker,), name="judder", daemon=True).start()
    return _waited(done, group, progress)
