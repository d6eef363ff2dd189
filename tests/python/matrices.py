"""matrices.py -- mass, stiffness and damping of numpy and scipy.sparse: every layout the same, wrong ones refused by name."""
import os
import tempfile
import time
import tracemalloc
import unittest

import case
import judder as jd
import numpy as np
import scipy.sparse as sp


def chain(n, k=1000.0, m=2.0):
    """Masses on springs, fixed at the left."""
    diagonal = np.full(n, 2 * k)
    diagonal[-1] = k
    return (sp.diags([np.full(n, m)], [0]).tocsr(),
            sp.diags([np.full(n - 1, -k), diagonal, np.full(n - 1, -k)], [-1, 0, 1]).tocsr())


def model(M, K, **keys):
    """The chain as a body with a contact and a drive."""
    m = jd.Model(units="SI")
    m.body("blade", M=M, K=K, points={"tip": M.shape[0], "root": 1}, **{"damping": 0.002, **keys})
    m.contact("damper", at="root", law=jd.coulomb(limit=0.3))
    m.drive("shaker", at="tip", amplitude=1.0, frequency=jd.times(1.02, mode=1))
    return m


class Matrices(unittest.TestCase):
    def test_every_layout_gives_the_same_bits(self):
        M, K = chain(12)
        want = model(M, K).run(until="20 periods").events["t"].tolist()
        self.assertGreater(len(want), 20)
        wide = K.copy()
        wide.indptr, wide.indices = wide.indptr.astype(np.int64), wide.indices.astype(np.int64)
        shuffled = K.copy()
        for i in range(12):  # rows from right to left
            row = slice(shuffled.indptr[i], shuffled.indptr[i + 1])
            shuffled.indices[row] = shuffled.indices[row][::-1].copy()
            shuffled.data[row] = shuffled.data[row][::-1].copy()
        shuffled.has_sorted_indices = False
        twice = sp.csr_matrix((np.repeat(K.data, 2) / 2, np.repeat(K.indices, 2), 2 * K.indptr), shape=K.shape)
        for name, other in {"csc": K.tocsc(), "coo": K.tocoo(), "dense": K.toarray(), "wide": wide, "integers": K.astype(int),
                            "dense integers": K.toarray().astype(int), "float32": K.astype(np.float32), "unsorted": shuffled,
                            "given twice": twice, "big-endian": K.toarray().astype(">f8"), "matrix": np.asmatrix(K.toarray()),
                            "fortran": np.asfortranarray(K.toarray())}.items():
            with self.subTest(name):
                self.assertEqual(model(M, other).run(until="20 periods").events["t"].tolist(), want)

    def test_frequencies_are_those_of_the_chain(self):
        M, K = chain(30)
        k = np.arange(1, 31)
        want = 2 * np.sqrt(1000 / 2) * np.sin((2 * k - 1) * np.pi / (2 * (2 * 30 + 1)))
        self.assertLess(np.abs(model(M, K).modes().omega / want - 1).max(), 1e-12)

    def test_the_caller_may_change_his_matrix_afterwards(self):
        M, K = chain(12)
        m = model(M, K)
        before = m.copy().modes().omega.copy()
        K.data *= 4
        self.assertTrue((m.modes().omega == before).all())
        m.section("simulate", until=1.0)  # read anew
        self.assertTrue((m.modes().omega == before).all())

    def test_a_damping_matrix(self):
        M, K = chain(8)
        m = model(M, K, damping=None, C=0.001 * K)
        rayleigh = model(M, K, damping=jd.dampings.rayleigh(stiffness=0.001))
        self.assertLess(np.abs(m.modes().damping_ratio / rayleigh.modes().damping_ratio - 1).max(), 1e-9)

    def test_saved_with_their_matrices(self):
        M, K = chain(12)
        M = sp.csr_matrix(M * (1 / 3))
        m = model(M, K).section("simulate", until="10 periods")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "blade.yaml")
            m.save(path)
            self.assertEqual(sorted(os.listdir(folder)), ["blade-blade-mass.mtx", "blade-blade-stiffness.mtx", "blade.yaml"])
            self.assertEqual(jd.load(path).run().events["t"].tolist(), m.run().events["t"].tolist())

    def refused(self, name, M, K, **keys):
        with self.assertRaises(jd.ModelError) as caught:
            model(M, K, **keys).run(until="1 periods")
        self.assertEqual(caught.exception.name, name, str(caught.exception))
        self.assertTrue(caught.exception.where)

    def test_wrong_matrices_are_refused_by_name(self):
        M, K = chain(6)
        bent = K.copy()
        bent[0, 1] = 5
        hole = K.copy()
        hole.data[3] = np.nan
        self.refused("size-mismatch", M, K[:, :5])
        self.refused("size-mismatch", M, chain(7)[1])
        self.refused("size-mismatch", M, np.ones((2, 2, 2)))
        self.refused("size-mismatch", M, np.empty((0, 0)))
        self.refused("wrong-type", M, K.astype(complex))
        self.refused("wrong-type", M, K.toarray().astype(np.longdouble))
        self.refused("wrong-type", M, np.full((6, 6), "x"))
        self.refused("not-symmetric", M, bent)
        self.refused("broken-matrix", M, hole)
        self.refused("broken-matrix", M, np.full((6, 6), np.inf))
        self.refused("not-definite", -M, K)
        self.refused("not-definite", M, -K)

    def test_points_outside_and_half_given_matrices_are_refused(self):
        M, K = chain(6)
        for node in (7, 0, -1, 10**12):
            with self.assertRaises(jd.ModelError) as caught:
                jd.Model().body("b", M=M, K=K, points={"tip": node}).contact("c", at="tip", law=jd.coulomb(1.0)).check()
            self.assertIn(caught.exception.name, ("unknown-name", "out-of-range", "outside-structure"))
        self.assertRaises(jd.ModelError, lambda: jd.Model().body("b", M=M))
        self.assertRaises(jd.ModelError, lambda: jd.Model().body("b", "chain", M=M, K=K))

    def test_a_hundred_thousand_unknowns_with_one_copy_of_the_arrays(self):
        n = 100_000
        M, K = chain(n)
        size = sum(a.nbytes for A in (M, K) for a in (A.data, A.indices, A.indptr))
        tracemalloc.start()
        begin = time.perf_counter()
        m = jd.Model(units="SI").body("blade", M=M, K=K, modes=3, points={"tip": n})
        taken = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        self.assertLess(taken[0], 1.1 * size)   # kept: one copy
        self.assertLess(taken[1], 1.7 * size)   # at most, on the way
        self.assertLess(time.perf_counter() - begin, 5)
        omega = m.modes().omega[:3]             # then the static shape of the tip
        want = 2 * np.sqrt(1000 / 2) * np.sin((2 * np.arange(1, 4) - 1) * np.pi / (2 * (2 * n + 1)))
        self.assertLess(np.abs(omega / want - 1).max(), 1e-4)


if __name__ == "__main__":
    case.main()
