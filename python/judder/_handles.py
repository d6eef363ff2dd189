"""_handles.py -- things of the C library that are freed in the right order, whoever lets go first.

A result points into its problem and a problem into its context. A handle counts those that need it, so that even the
garbage collector, which ends things in any order, frees a context last.
"""
from __future__ import annotations

import threading
import warnings

from . import errors
from ._library import NULL, ffi, lib, text

_lock = threading.RLock()  # a finalizer may run while the lock is held, in the same thread
files = threading.RLock()  # HDF5 works for one thread at a time


class Handle:
    """A pointer, the function that frees it, and the handles it points into."""

    __slots__ = ("_pointer", "_free", "_parents", "_count", "_closed", "keep")

    def __init__(self, pointer, free, parents=(), keep=None):
        self._pointer, self._free, self._parents, self._closed = pointer, free, tuple(parents), False
        self._count = 1
        self.keep = keep  # Python objects whose memory it uses
        with _lock:
            for parent in self._parents:
                parent._count += 1

    @property
    def pointer(self):
        """The pointer, while somebody holds it."""
        if self._pointer is None:
            raise errors.ClosedError("bad-argument", "this was freed")
        return self._pointer

    def close(self) -> None:
        """Lets go; what is needed by others lives on."""
        with _lock:
            if not self._closed:
                self._closed = True
                self._drop()

    def _drop(self) -> None:
        self._count -= 1
        if self._count > 0:
            return
        pointer, self._pointer, self.keep = self._pointer, None, None
        self._free(pointer)
        for parent in self._parents:
            parent._drop()

    def __del__(self):
        try:
            self.close()
        except (AttributeError, TypeError):  # half made, or the interpreter ends
            pass


class JudderWarning(UserWarning):
    """What the library has to say about a computation that it does all the same."""


@ffi.callback("void(void *, jd_log_level, const char *)")
def _log(user, level, line):
    if level == lib.JD_LOG_WARNING:
        ffi.from_handle(user).append(text(line))


class Context(Handle):
    """The context of one thread of work: last error, stop, progress."""

    __slots__ = ("_said",)

    def __init__(self):
        self._said = []
        user = ffi.new_handle(self._said)
        definition = ffi.new("jd_context_def *", lib.jd_default_context_def())
        definition.fence = True
        definition.log, definition.user = _log, user
        pointer = lib.jd_context_create(definition)
        if pointer == NULL:
            raise errors.MemoryShort("out-of-memory", "not enough memory")
        super().__init__(pointer, lib.jd_context_free, keep=user)

    def tell(self) -> None:
        """Warns of what the library noted; in the thread that asked for the work."""
        while self._said:
            warnings.warn(self._said.pop(0), JudderWarning, stacklevel=4)

    def check(self, status: int) -> None:
        """Raises what the context says of a status that is not JD_OK."""
        if status == 0:
            return
        error = lib.jd_context_error(self.pointer)
        name = text(lib.jd_status_name(status))
        if error.status != status:  # the function itself said no more
            raise errors.of_name(name, text(lib.jd_status_text(status)))
        raised = errors.of_name(name, text(error.message), text(error.where), text(error.hint))
        lib.jd_context_clear_error(self.pointer)
        raise raised

    def cancel(self) -> None:
        """Ends the work under way early, with what there is; from any thread."""
        lib.jd_context_cancel(self.pointer)

    def progress(self) -> tuple:
        """Name of the work under way and its fraction in [0, 1]; from any thread."""
        what = ffi.new("const char **")
        fraction = lib.jd_context_progress(self.pointer, what)
        return text(what[0]), fraction


def made(context: Context, free, parents, call, *arguments, keep=None) -> Handle:
    """Calls a function whose last argument is the place of what it makes; the handle of that."""
    place = ffi.new(ffi.typeof(call).args[-1])
    context.check(call(context.pointer, *arguments, place))
    return Handle(place[0], free, (context, *parents), keep)
