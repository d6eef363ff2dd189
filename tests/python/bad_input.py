"""bad_input.py -- what cannot be is refused by name, with a place and a hint, and nothing crashes."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import case
import judder as jd
import numpy as np


class BadInput(unittest.TestCase):
    def refused(self, name, use, kind=jd.ModelError):
        with self.assertRaises(kind) as caught:
            use()
        self.assertEqual(caught.exception.name, name, str(caught.exception))
        self.assertTrue(caught.exception.message)
        return caught.exception

    def test_names_that_cannot_be_parts_of_paths(self):
        for name in ("a.b", "a b", "a=b", "", None, 3, "a\nb"):
            self.refused("wrong-type", lambda n=name: case.oscillator(jd).contact(n, at="mass", law=jd.coulomb(1.0)))
            self.refused("wrong-type", lambda n=name: case.oscillator(jd).drive(n, at="mass", amplitude=1, frequency=1))
        self.refused("wrong-type", lambda: jd.Model().body("a.b", "chain", count=1, mass=1))

    def test_errors_say_where_and_what_to_do(self):
        e = self.refused("unknown-name", lambda: case.oscillator(jd).contact("rub", at="nowhere", law=jd.coulomb(1.0)).check())
        self.assertEqual(e.where, "contacts.rub")
        e = self.refused("unknown-key", lambda: case.oscillator(jd).body("", "chain", cuont=1).check())
        self.assertIn("count", e.hint)
        e = self.refused("missing-key", lambda: jd.Model().check())
        self.assertIn("structures", e.hint)
        e = self.refused("unknown-key", lambda: case.oscillator(jd).run(untill=3))
        self.assertIn("until", e.hint)
        e = self.refused("out-of-range", lambda: case.oscillator(jd).set("contacts.rub.law.limit", -1.0))
        self.assertIn("limit", str(e))
        e = self.refused("cannot-read", lambda: jd.load("no-such.yaml"), jd.FileError)
        self.assertIn("no-such.yaml", str(e))
        self.assertIsInstance(e, OSError)
        self.assertIsInstance(self.refused("wrong-unit", lambda: case.oscillator(jd, limit="3 m").check()), ValueError)

    def test_a_refused_change_leaves_the_model_as_it_was(self):
        m = case.oscillator(jd)
        want = m.run().events["t"].tolist()
        for value in (-1.0, float("nan"), float("inf")):
            self.assertRaises(jd.ModelError, lambda v=value: m.set("contacts.rub.law.limit", v))
        self.assertRaises(jd.ModelError, lambda: m.set("contacts.no.law.limit", 1.0))
        self.assertRaises(jd.ModelError, lambda: m.run(until="long"))
        self.assertRaises(jd.ModelError, lambda: m.run(engine="none"))
        self.assertEqual(m.run().events["t"].tolist(), want)

    def test_results_do_not_replace_what_the_model_is_read_from(self):
        with tempfile.TemporaryDirectory() as folder:
            place = lambda name: os.path.join(folder, name)  # noqa: E731
            built = jd.Model(units="SI").body("", M=np.eye(2), K=np.diag([3.0, 5.0]), points={"a": 1})
            built.drive("push", at="a", amplitude=1.0, frequency=1.0).section("simulate", until=1.0)
            built.save(place("own.yaml"))
            os.symlink(place("own.yaml"), place("link.yaml"))
            matrix = next(f for f in os.listdir(folder) if f.endswith(".mtx"))
            before = {f: Path(place(f)).read_bytes() for f in os.listdir(folder)}
            m = jd.load(place("own.yaml"))
            r = m.run()
            for model in (m, m.copy(), built):
                for name in ("own.yaml", "link.yaml", os.path.join("..", os.path.basename(folder), "own.yaml"), matrix):
                    for key in ("output", "events", "wav"):
                        e = self.refused("bad-usage", lambda n=name, k=key, o=model: o.run(**{k: place(n)}))
                        self.assertIn("would replace", str(e))
                        self.assertEqual(e.where, key)
            for name in ("own.yaml", "link.yaml", matrix):
                self.refused("bad-usage", lambda n=name: r.save(place(n)))
                self.refused("bad-usage", lambda n=name: m.set("drives.push.amplitude", 2.0).modes().save(place(n)))
            self.refused("bad-usage", lambda: m.run(csv=place("same.csv"), events=place("same.csv")))
            self.refused("bad-usage", lambda: m.run(csv=place("same.csv"), events=os.path.join(folder, ".", "same.csv")))
            self.refused("bad-usage", lambda: m.run(output=place("x"), wav=place("x")))
            self.assertEqual({f: Path(place(f)).read_bytes() for f in os.listdir(folder)}, before)
            m.run(output=place("end.h5"), events=place("e.csv"), csv=place("s.csv"))
            m.start("restart", file=place("end.h5")).run(until=2.0, output=place("end.h5"))  # as the command allows

    def test_what_is_no_number_is_refused_where_one_stands(self):
        limit, amplitude = "contacts.rub.law.limit", "drives.shaker.amplitude"
        m = case.oscillator(jd)
        for value, name in ((True, "wrong-type"), (np.array([0.3]), "wrong-type"), ([0.3], "wrong-type"), ("x", "wrong-type"),
                            ("3 m", "wrong-unit"), ("-3 N", "out-of-range"), (object(), "wrong-type")):
            self.refused(name, lambda v=value: m.set(limit, v))
            self.refused(name, lambda v=value: m.__setitem__(limit, v))
            self.refused(name, lambda v=value: m.set({amplitude: 4.0, limit: v}))  # all or none
            self.refused(name, lambda v=value: m.run(set={limit: v}))
            self.assertEqual((m[limit], m[amplitude]), (1.5, 3.0))
        for value in ("3 N", "3", np.float32(3), np.array(3.0), np.int64(3)):
            self.assertEqual(m.set(limit, 1.0).set(limit, value)[limit], 3)
        m.set({"drives.shaker": {"type": "harmonic", "at": "mass", "amplitude": 2, "frequency": 3}, limit: "2 N"})
        self.assertEqual((m[limit], m[amplitude]), (2, 2))

    def test_damping_is_given_once(self):
        M, K, C = np.eye(2), np.diag([3.0, 5.0]), np.diag([0.1, 0.1])
        e = self.refused("bad-argument", lambda: jd.Model().body("", M=M, K=K, C=C, damping=0.05))
        self.assertIn("damping", str(e))
        self.refused("bad-argument", lambda: jd.Model().body("", "chain", count=2, mass=1, stiffness=1, C=C))
        jd.Model().body("", M=M, K=K, C=C, damping=None).body("", M=M, K=K, damping=0.05)

    def test_lists_that_cannot_be(self):
        self.refused("wrong-type", lambda: jd.Model().body("", M=np.eye(9), K=np.eye(9), points=[3, 7]))
        m = case.oscillator(jd)
        for values in ([], np.zeros((2, 2)), np.zeros(0)):
            self.refused("size-mismatch", lambda v=values: m.sweep({"contacts.rub.law.limit": v}))
        self.refused("wrong-type", lambda: m.sweep({"contacts.rub.law.limit": ["a", "b"]}))
        for points in ([3, 7], 3, True):
            self.assertRaises(jd.ModelError, lambda p=points: m.run(points=p))

    def test_files_that_cannot_be_written(self):
        with tempfile.TemporaryDirectory() as folder:
            m = case.oscillator(jd)
            self.refused("cannot-write", lambda: m.save(os.path.join(folder, "none", "x.yaml")), jd.FileError)
            self.refused("cannot-write", lambda: m.save(folder), jd.FileError)
            self.assertFalse(os.path.exists(folder + ".part"))
            by_matrices = jd.Model().body("", M=np.eye(2), K=np.eye(2), points={"a": 1})
            self.refused("cannot-write", lambda: by_matrices.save(os.path.join(folder, "none", "x.yaml")), jd.FileError)

    def test_a_wrong_part_can_be_put_right(self):
        m = case.oscillator(jd)
        m.contact("rub", at="nowhere", law=jd.coulomb(1.0))
        self.assertRaises(jd.ModelError, m.check)
        m.contact("rub", at="mass", law=jd.coulomb(1.0))
        m.check()

    def test_values_that_no_model_has(self):
        for value in (object(), 1j, {1, 2}, float("nan"), float("inf"), np.array([1j])):
            self.assertRaises(jd.ModelError, lambda v=value: case.oscillator(jd).body("", "chain", count=1, mass=v, stiffness=1).check())
        self.refused("wrong-type", lambda: jd.Model(units="imperial"))
        self.assertRaises(TypeError, lambda: jd.coulomb(limit=1, slope=2))
        self.assertRaises(TypeError, jd.coulomb)
        bad = np.ones(100)
        bad[50] = np.nan
        self.refused("out-of-range", lambda: case.oscillator(jd).drive("s", at="mass", drive="table", time=np.arange(100.0), value=bad))

    def test_texts_are_quoted_where_they_must_be(self):
        for title in ("a: b", "x, y", "{", "- a", "#", "'", '"', "\\", "ä: é", "yes", "1", "@x", "%", "a #b", " a", "a:", "[1]", "!t",
                      "&a *b"):
            m = case.oscillator(jd)
            m._change("title", title)
            self.assertEqual(m.title, title)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x.h5")
            with open(path, "wb") as file:
                file.write(b"no HDF5")
            self.refused("bad-result-file", lambda: jd.open(path), jd.FileError)
            self.refused("cannot-read", lambda: jd.open(os.path.join(folder, "none.h5")), jd.FileError)
            r = case.oscillator(jd).run()
            self.refused("cannot-write", lambda: r.save(os.path.join(folder, "no", "x.h5")), jd.FileError)
            for name in ("x.foo", "x", "x.h5.old"):
                self.refused("bad-usage", lambda n=name: r.save(os.path.join(folder, n)))
                self.assertFalse(os.path.exists(os.path.join(folder, name)))
            self.refused("bad-usage", lambda: r.draw(os.path.join(folder, "x.bmp")))
            self.refused("bad-usage", lambda: r.draw(os.path.join(folder, "x.svg"), picture="nice"))
            self.refused("bad-usage", lambda: r.save_csv(os.path.join(folder, "x.txt")))

    def test_targets_are_looked_at_before_the_work(self):
        for keys, kind in (({"plot": "x.bmp"}, jd.ModelError), ({"plot": "x.svg", "picture": "nice"}, jd.ModelError),
                           ({"csv": "x.txt"}, jd.ModelError), ({"output": "/no/such/x.h5"}, jd.FileError)):
            self.assertRaises(kind, lambda k=keys: case.oscillator(jd).run(until="1000000000 periods", **k))

    def test_samples_that_are_not_there(self):
        r = case.oscillator(jd).run(samples=4)
        with self.assertRaises(KeyError) as caught:
            r["nowhere"]  # pylint: disable=pointless-statement
        self.assertIn("mass", str(caught.exception))
        self.assertRaises(AttributeError, lambda: r.events.colour)

    def test_a_numerical_stop_is_a_result(self):
        r = case.oscillator(jd).run(until="20 periods", event_budget=5)
        self.assertEqual((r.stop, r.interrupted, len(r.events)), ("event-budget", False, 5))
        o = jd.load(os.path.join(case.GALLERY, "bouncing-ball", "ball.yaml")).orbit(quiet=True)
        self.assertFalse(o.found)
        self.assertTrue(o.why)

    def test_sweeps_over_values_without_a_rule(self):
        e = self.refused("not-supported", lambda: case.oscillator(jd).sweep({"contacts.rub.law.limit": [1, 2, 2.5, 7]}))
        self.assertIn("batch", e.hint)

    def other_library(self, body):
        """import judder with a library of its own."""
        with tempfile.TemporaryDirectory() as folder:
            source, library = os.path.join(folder, "x.c"), os.path.join(folder, "x.so")
            with open(source, "w", encoding="ascii") as file:
                file.write(body)
            subprocess.run(["cc", "-shared", "-fPIC", source, "-o", library], check=True)
            return subprocess.run([sys.executable, "-c", "import judder"], env={**os.environ, "JUDDER_LIBRARY": library},
                                  capture_output=True, text=True, check=False)

    def test_a_library_of_another_version_is_refused(self):
        done = self.other_library("int jd_version_number(void) { return 90807; }")
        self.assertEqual(done.returncode, 1)
        self.assertIn("is of version 9.8.7", done.stderr)
        done = self.other_library("int other(void) { return 1; }")
        self.assertIn("ImportError", done.stderr)
        done = subprocess.run([sys.executable, "-c", "import judder"], env={**os.environ, "JUDDER_LIBRARY": "/nowhere.so"},
                              capture_output=True, text=True, check=False)
        self.assertIn("/nowhere.so", done.stderr)

    def test_what_is_not_installed_is_named(self):
        hide = "import sys; sys.modules['pandas'] = sys.modules['xarray'] = sys.modules['matplotlib'] = None\n"
        use = f"import judder as jd; r = jd.load({case.BEAM!r}).run(until='1 periods')\n"
        for call, package in (("r.events.to_pandas()", "pandas"), ("r.to_xarray()", "xarray"), ("r.plot()", "matplotlib")):
            done = subprocess.run([sys.executable, "-c", hide + use + call], capture_output=True, text=True, check=False)
            self.assertIn(f"python3-{package}", done.stderr)


if __name__ == "__main__":
    case.main()
