"""errors.py -- what is raised when Judder refuses a model, a file or an argument.

A numerical end of a computation (`event-budget`, `no-return`) is no exception: it is in the result.
"""
from __future__ import annotations


class JudderError(Exception):
    """Something that Judder refuses, with its name, its place and what to do.

    name:    as the command prints it with `--json`: "unknown-key", "cannot-read"
    message: one sentence
    where:   "file:line:column" or a path of the model; "" where there is no place
    hint:    what to do next; "" where no advice is known
    """

    def __init__(self, name: str, message: str, where: str = "", hint: str = ""):
        super().__init__(name, message, where, hint)
        self.name, self.message, self.where, self.hint = name, message, where, hint

    def __str__(self) -> str:
        text = f"{self.where}: {self.message}" if self.where else self.message
        text += f" [{self.name}]"
        return f"{text}\n  hint: {self.hint}" if self.hint else text


class ModelError(JudderError, ValueError):
    """A model or an argument that cannot be understood or computed."""


class FileError(JudderError, OSError):
    """A file that cannot be read, written or understood."""

    def __str__(self) -> str:
        return JudderError.__str__(self)


class MemoryShort(JudderError, MemoryError):
    """Not enough memory."""


class NumericalError(JudderError, ArithmeticError):
    """An iteration that did not converge, or a check inside Judder that failed."""


class ClosedError(JudderError, ReferenceError):
    """A model or a result used after close()."""


_FILES = {"cannot-read", "cannot-write", "file-too-large", "empty-file", "bad-result-file", "wrong-version",
          "no-gnuplot", "picture-failed"}
_NUMERICAL = {"no-convergence", "internal"}


def of_name(name: str, message: str, where: str = "", hint: str = "") -> JudderError:
    """The exception that belongs to the name of an error."""
    kind = (FileError if name in _FILES else NumericalError if name in _NUMERICAL
            else MemoryShort if name == "out-of-memory" else ModelError)
    return kind(name, message, where, hint)
