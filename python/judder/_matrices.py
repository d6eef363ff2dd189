"""_matrices.py -- matrices of numpy and scipy.sparse as the library takes them: without a file, with one copy.

The copy is the model's own, read-only, and lent to the library, so that a later change of the caller's matrix does not
change a model. Entries given twice are added up, as scipy.sparse means them.
"""
from __future__ import annotations

import numpy as np

from . import errors
from ._library import ffi, lib


def _refuse(name: str, path: str, message: str, hint: str = ""):
    raise errors.ModelError(name, message, path, hint)


def _checked(path: str, matrix):
    """Shape and type, before anything is copied."""
    shape, dtype = tuple(matrix.shape), np.dtype(matrix.dtype)
    if len(shape) != 2 or shape[0] != shape[1]:
        _refuse("size-mismatch", path, f"the matrix is not square: its shape is {shape}")
    if shape[0] == 0:
        _refuse("size-mismatch", path, "the matrix is empty")
    if dtype.kind == "c":
        _refuse("wrong-type", path, "the matrix is complex, but mass, stiffness and damping are real",
                "hysteretic damping is not covered: give damping ratios or a matrix C")
    if dtype.kind not in "fiub":
        _refuse("wrong-type", path, f"the matrix holds {dtype}, but must hold real numbers")
    if dtype.itemsize > 8:
        _refuse("wrong-type", path, f"the matrix holds {dtype}, but is computed with in 64 bits",
                "convert it with .astype(float)")


def _compressed(path: str, matrix):
    """start, index, value and whether they are by columns: the caller's arrays, or new ones."""
    if hasattr(matrix, "tocsr"):
        by_columns = matrix.format == "csc"
        if matrix.format not in ("csr", "csc"):
            matrix = matrix.tocsr()
        if not matrix.has_canonical_format:  # unsorted, or given twice
            matrix = matrix.copy()
            matrix.sum_duplicates()
        return matrix.indptr, matrix.indices, matrix.data, by_columns
    dense = np.asarray(matrix)
    row, column = np.nonzero(dense)
    start = np.zeros(len(dense) + 1, np.int64)
    np.cumsum(np.bincount(row, minlength=len(dense)), out=start[1:])
    return start, column.astype(np.int64), dense[row, column], False


def _own(array: np.ndarray, dtype) -> np.ndarray:
    """A read-only copy."""
    copy = np.array(array, dtype=dtype, order="C", copy=True)
    copy.setflags(write=False)
    return copy


class Matrix:
    """A symmetric matrix of a model: compressed rows or columns that nobody changes."""

    def __init__(self, path: str, matrix):
        if not hasattr(matrix, "tocsr"):
            matrix = np.asarray(matrix)
        _checked(path, matrix)
        self.n, self.dtype = matrix.shape[0], float
        start, index, value, self.by_columns = _compressed(path, matrix)
        wide = index.dtype.itemsize > 4 or start.dtype.itemsize > 4
        whole = np.int64 if wide else np.int32
        self.start, self.index, self.value = _own(start, whole), _own(index, whole), _own(value, float)
        if not np.isfinite(self.value).all():
            _refuse("broken-matrix", path, "the matrix holds numbers that are not finite")
        self.wide = wide

    @property
    def shape(self) -> tuple:
        """Rows and columns."""
        return (self.n, self.n)

    def fill(self, place) -> None:
        """Writes the jd_matrix, which borrows the arrays."""
        at = lambda a, kind: ffi.cast(kind, a.ctypes.data)  # noqa: E731
        place.file, place.rows, place.columns = ffi.NULL, self.n, self.n
        place.layout = lib.JD_MATRIX_COLUMNS if self.by_columns else lib.JD_MATRIX_ROWS
        place.wide, place.triangle, place.borrowed = self.wide, False, True
        place.start, place.index = at(self.start, "void *"), at(self.index, "void *")
        place.value = at(self.value, "double *")

    def write(self, path: str) -> None:
        """Writes a Matrix Market file, lower triangle, with every bit."""
        outer = np.repeat(np.arange(self.n), np.diff(self.start))
        row, column = (self.index, outer) if self.by_columns else (outer, self.index)
        lower = row >= column
        with open(path, "w", encoding="ascii") as file:
            file.write(f"%%MatrixMarket matrix coordinate real symmetric\n{self.n} {self.n} {int(lower.sum())}\n")
            for i, j, a in zip(row[lower] + 1, column[lower] + 1, self.value[lower]):
                file.write(f"{i} {j} {a!r}\n")
